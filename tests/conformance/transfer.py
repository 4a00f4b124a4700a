"""Uploads and downloads in their two literal steps, and multipart bodies byte by byte."""

from .places import DRIVE, DRIVE_DOWNLOAD, DRIVE_REVISION, filled

BOUNDARY = "boundary-7"


def part(name, content, *, filename=None, content_type=None):
    """One part of a multipart body, to the byte."""
    header = f'Content-Disposition: form-data; name="{name}"'
    if filename is not None:
        header += f'; filename="{filename}"'
    if content_type is not None:
        header += f"\r\nContent-Type: {content_type}"
    return header.encode() + b"\r\n\r\n" + content + b"\r\n"


def form(*parts, boundary=BOUNDARY):
    """A multipart body."""
    delimiter = b"--" + boundary.encode()
    return b"".join(delimiter + b"\r\n" + each for each in parts) + delimiter + b"--\r\n"


def filedata(content, filename="a.txt", content_type="text/plain"):
    """The body of the documented form: one file part named Filedata."""
    return form(part("Filedata", content, filename=filename, content_type=content_type))


def multipart(me, boundary=BOUNDARY, **more):
    """The headers of an upload."""
    return me | {"Content-Type": f"multipart/form-data; boundary={boundary}"} | more


def upload_url(target, me, path=DRIVE, *, name="a.txt", size=5, ids=None, **more):
    """Step 1: ask for an upload address."""
    body = {"fileName": target.fresh(name), "fileSize": size} | more
    answer = target.http.post(target.api(filled(path, target.facts, **(ids or {}))), json=body, headers=me)
    return answer.json()["uploadUrl"]


def upload(
    target, me, path=DRIVE, content=b"hello", *, name="a.txt", content_type="text/plain", ids=None, **more
):
    """Both steps: the upload result."""
    url = upload_url(target, me, path, name=name, size=len(content), ids=ids, **more)
    files = {"Filedata": (target.fresh(name), content, content_type)}
    return target.http.post(url, files=files, headers=me).json()


def download(target, me, file_id=None, path=DRIVE_DOWNLOAD, **ids):
    """Both steps: the response with the content."""
    if file_id is not None:
        ids["fileId"] = file_id
    answer = target.http.get(target.api(filled(path, target.facts, **ids)), headers=me)
    assert answer.status_code == 302
    return target.http.get(answer.headers["Location"], headers=me)


def download_revision(target, me, file_id, revision):
    """The content of a revision of a drive file."""
    return download(target, me, file_id, DRIVE_REVISION, revisionId=revision).content


def still_good(target, me, url, content=b"hello"):
    """Whether an upload address still takes its content, and the content is exact."""
    answer = target.http.post(url, content=filedata(content), headers=multipart(me))
    return answer.status_code == 201 and download(target, me, answer.json()["fileId"]).content == content
