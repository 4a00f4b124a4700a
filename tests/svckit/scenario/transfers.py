"""Files: sent whole and in ranges, fetched, revised, and what the service does not take."""

from typing import Any

import pytest

import svckit
from svckit import places
from svckit.errors import ServiceError, Unreachable

from .story import Story, refused, step

PNG = b"\x89PNG\r\n\x1a\n"
DRIVE = places.drive("u-001")


@step
def uploads_a_file(story: Story) -> None:
    stored = story.svc.files.upload(b"hello", to=DRIVE, name="a.txt", modified="2026-05-31T09:00:00+09:00")
    assert stored.file_size == 5
    story.left["file"] = stored.file_id


@step
def uploads_with_a_resource_name(story: Story) -> None:
    stored = story.svc.files.upload(b"hello", to=DRIVE, name="form.txt", form="resourceName")
    assert story.svc.files.download(DRIVE.file(stored.file_id)) == b"hello"


@step
def uploads_a_file_again(story: Story) -> None:
    assert story.svc.files.upload(b"hello", to=DRIVE, name="a.txt").file_id


@step
def overwrites_a_file(story: Story) -> None:
    assert story.svc.files.upload(b"hello, again", to=DRIVE, name="a.txt", overwrite=True).file_id


@step
def uploads_a_revision(story: Story) -> None:
    stored = story.svc.files.upload(b"third", to=DRIVE.file(story.need("file")), name="b.txt")
    assert svckit.frames.files(story.svc)["file_id"].isin([stored.file_id]).any()


@step
def downloads_a_file(story: Story) -> None:
    assert story.svc.files.download(DRIVE.file(story.need("file"))) in (b"hello", b"third")


@step
def downloads_a_revision(story: Story) -> None:
    assert story.svc.files.download(DRIVE.file(story.need("file")).revision("1"))


@refused(404)
def downloads_from_another_place(story: Story) -> None:
    story.svc.files.download(places.drive("u-002").file(story.need("file")))


@refused(404)
def downloads_what_is_not_there(story: Story) -> None:
    story.svc.files.download(DRIVE.file("nothing"))


@step
def downloads_after_it_broke(story: Story) -> None:
    story.fake.faults.truncate("storage.send", after=2)
    assert story.svc.files.download(DRIVE.file(story.need("file")))


@step
def uploads_below_a_folder(story: Story) -> None:
    stored = story.svc.files.upload(b"hello", to=DRIVE.file("folder-1"), name="b.txt")
    assert stored.file_name == "b.txt"


@step
def uploads_to_other_places(story: Story) -> None:
    for place in (places.bot("bot-1"), places.photo("u-001")):
        assert story.svc.files.upload(PNG, to=place, name="a.png").file_size == len(PNG)


@step
def uploads_a_second_photo(story: Story) -> None:
    story.svc.files.upload(PNG, to=places.photo("u-001"), name="second.png")


@step
def uploads_to_a_container(story: Story) -> None:
    for place in (places.group_folder("g-1"), places.shared_drive("s-1"), places.post("b-1", "p-1")):
        stored = story.svc.files.upload(b"hello", to=place, name="a.txt")
        assert story.svc.files.download(place.file(stored.file_id)) == b"hello"


@step
def uploads_in_ranges(story: Story) -> None:
    stored = story.svc.files.upload(b"hello there", to=DRIVE, name="ranges.txt", resumable=4)
    assert story.svc.files.download(DRIVE.file(stored.file_id)) == b"hello there"


@step
def sends_a_range_again_of_which_the_answer_was_lost(story: Story) -> None:
    story.fake.faults.reset("storage.receive", applied=True)
    stored = story.svc.files.upload(b"hello there", to=DRIVE, name="lost.txt", resumable=4)
    assert story.svc.files.download(DRIVE.file(stored.file_id)) == b"hello there"


@step
def resumes_an_upload_that_broke(story: Story) -> None:
    story.fake.faults.status("storage.receive", 500)
    with pytest.raises(ServiceError) as broken:
        story.svc.files.upload(b"hello there", to=DRIVE, name="broken.txt", resumable=4)
    stored = story.svc.files.resume(broken.value.upload, b"hello there")
    assert story.svc.files.download(DRIVE.file(stored.file_id)) == b"hello there"


@refused(404)
def resumes_an_upload_of_which_the_answer_was_lost(story: Story) -> None:
    story.fake.faults.reset("storage.receive", applied=True)
    with pytest.raises(Unreachable) as broken:
        story.svc.files.upload(b"hello", to=DRIVE, name="whole.txt")
    try:
        assert story.svc.files.resume(broken.value.upload, b"hello").file_size == 5
    except Unreachable as unknown:  # it was stored, and what it is called is not known
        raise unknown.__cause__ or unknown from None


@step
def uploads_many_files(story: Story) -> None:
    result = story.svc.files.upload_many({"1.txt": b"1", "2.txt": b"22"}, to=DRIVE)
    assert [each.state for each in result] == ["ok", "ok"]
    found = story.svc.files.download_many([DRIVE.file(each.value.file_id) for each in result])
    assert [each.value for each in found] == [b"1", b"22"]


@step
def announces_a_large_file(story: Story) -> None:
    json = {"fileName": "large.bin", "fileSize": 10 * 1024 * 1024 + 1}
    story.svc.request("POST", "/users/u-001/drive/files", json=json)


@step
def announces_what_is_odd(story: Story) -> None:
    for odd in ({"fileName": ""}, {"modifiedTime": "yesterday"}, {"overwrite": None}):
        story.raw("POST", "/users/u-001/drive/files", json={"fileName": "a.txt", "fileSize": 1} | odd)


@step
def asks_for_a_download_with_a_query(story: Story) -> None:
    path = f"/users/u-001/drive/files/{story.need('file')}/download"
    story.raw("GET", path, params={"size": "small"})


@step
def sends_content_in_other_forms(story: Story) -> None:
    def address() -> str:
        ticket = {"fileName": "a.txt", "fileSize": 5}
        reply = story.svc.request("POST", "/users/u-001/drive/files", json=ticket)
        found: str = reply.json()["uploadUrl"]
        return found

    file, typed = ("a.txt", b"hello"), {"Content-Type": "multipart/form-data; boundary=b"}
    requests: list[dict[str, Any]] = [
        {"files": {"file": ("b.txt", b"hello", "text/plain")}},
        {"content": multipart('name="FileData"'), "headers": typed},
        {"content": multipart('name="Filedata"; filename="a.txt"'), "headers": typed},
        {"files": {"Filedata": ("a.txt", b"hello!")}},
        {"files": {"Filedata": file}, "headers": {"Content-Range": "bytes 0-4/5"}},
        {"files": {"Filedata": ("a.txt", b"lo")}, "headers": {"Content-Range": "3-4/5"}},
        {"files": [("Filedata", file)] * 17},
    ]
    for request in requests:
        story.raw("POST", address(), **request)
    story.raw("PUT", address(), content=b"hello")
    with story.session(login="u-002") as other:
        sent = other.sign_in().http.post(address(), files={"Filedata": file})
        assert sent.status_code in (201, 400, 401, 403, 404)


def multipart(disposition: str) -> bytes:
    return f"--b\r\nContent-Disposition: form-data; {disposition}\r\n\r\nhello\r\n--b--\r\n".encode()


@step
def downloads_the_logs(story: Story) -> None:
    audit = story.svc.files.download(places.audit_logs())
    assert audit.decode("utf-8-sig").startswith("time,operation,")
