"""The second step of an upload: the forms, the bytes and the names in them."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door, writes
from .target import Unshown
from .transfer import BOUNDARY, download, filedata, form, multipart, part, still_good, upload, upload_url

# -- forms ------------------------------------------------------------------------------------------------------------

HELLO = {"content_type": "text/plain", "filename": "a.txt"}
FORMS = (
    case(form(part("Filedata", b"hello", **HELLO)), id="Filedata", marks=every_door),
    case(
        form(part("resourceName", b"a.txt"), part("FileData", b"hello", **HELLO)),
        id="resourceName then FileData",
    ),
    case(
        form(part("FileData", b"hello", **HELLO), part("resourceName", b"a.txt")),
        id="FileData then resourceName",
    ),
    case(
        form(part("resourceName", b"a.txt"), part("FileData", b"hello", content_type="text/plain")),
        id="resourceName then FileData, both fields",
    ),
    case(
        form(part("FileData", b"hello", content_type="text/plain"), part("resourceName", b"a.txt")),
        id="FileData then resourceName, both fields",
    ),
    case(form(part("FileData", b"hello", **HELLO)), id="FileData alone", marks=assumed("file.part-name")),
    case(form(part("file", b"hello", **HELLO)), id="file", marks=assumed("file.part-name")),
    case(
        b"\r\n" + form(part("Filedata", b"hello", **HELLO)) + b"epilogue",
        id="line end before, epilogue after",
    ),
    case(
        b"This is a preamble.\r\n" + form(part("Filedata", b"hello", **HELLO)),
        id="preamble before",
    ),
    case(
        f"--{BOUNDARY}-other\r\n--{BOUNDARY}".encode()[:-1]
        + b"\r\n"
        + form(part("Filedata", b"hello", **HELLO)),
        id="preamble that looks like delimiters",
    ),
    case(
        form(part("file", b"no file"), part("Filedata", b"hello", **HELLO)),
        id="with a field that is named like a file",
        marks=assumed("file.content-field"),
    ),
    case(
        form(*[part("note", b"more")] * 15, part("Filedata", b"hello", **HELLO)),
        id="16 parts",
        marks=assumed("file.form-limit"),
    ),
    case(
        form(part("a", b"x" * 2**15), part("b", b"x" * 2**15), part("Filedata", b"hello", **HELLO)),
        id="64 KiB in fields",
        marks=assumed("file.form-limit"),
    ),
    case(
        form(part("note", b"more"), part("Filedata", b"hello", **HELLO)),
        id="with a further field",
        marks=assumed("file.part-name"),
    ),
)


@writes("drive")
@documented("file.multipart")
@pytest.mark.parametrize("body", FORMS)
def test_form_is_taken(target, me, body):
    url = upload_url(target, me)
    response = target.http.post(url, content=body, headers=multipart(me))
    assert response.status_code == 201
    assert response.json()["fileName"] in ("a.txt", target.fresh("a.txt"))  # as sent, or as announced
    sent = download(target, me, response.json()["fileId"])
    assert (sent.content, sent.headers["Content-Type"]) == (b"hello", "text/plain")


WRONG_FORMS = (
    case(form(), {}, id="no part"),
    case(form(part("Filedata", b"hello")), {}, id="part without a file name"),
    case(form(part("resourceName", b"a.txt")), {}, id="resourceName alone"),
    case(
        form(part("FileData", b"hello")),
        {},
        id="FileData as a field, alone",
        marks=assumed("file.content-field"),
    ),
    case(
        form(part("resourceName", b"a.txt"), part("file", b"hello")),
        {},
        id="resourceName and a field file",
        marks=assumed("file.content-field"),
    ),
    case(
        form(part("resourceName", b"a.txt"), part("FileData", b"hello"), part("FileData", b"hello")),
        {},
        id="two fields FileData",
    ),
    case(
        form(part("resourceName", b"a.txt"), part("FileData", b"hello"), part("Filedata", b"hello", **HELLO)),
        {},
        id="both forms at once",
    ),
    case(
        form(*[part("note", b"more")] * 16, part("Filedata", b"hello", **HELLO)),
        {},
        id="17 parts",
        marks=assumed("file.form-limit"),
    ),
    case(
        form(part("a", b"x" * 2**15), part("b", b"x" * 2**15 + b"x"), part("Filedata", b"hello", **HELLO)),
        {},
        id="more than 64 KiB in fields",
        marks=assumed("file.form-limit"),
    ),
    case(form(part("Filedata", b"hello", **HELLO), part("Filedata", b"hello", **HELLO)), {}, id="two files"),
    case(form(part("Filedata", b"hello", **HELLO))[:-6], {}, id="cut within the closing delimiter"),
    case(form(part("Filedata", b"hello", **HELLO))[:-30], {}, id="cut within the content", marks=every_door),
    case(b"", {}, id="empty body", marks=every_door),
    case(b"hello", {}, id="raw content", marks=every_door),
    case(b"hello", {"Content-Type": "text/plain"}, id="raw content as text"),
    case(
        form(part("Filedata", b"hello", **HELLO)),
        {"Content-Type": "multipart/form-data"},
        id="no boundary named",
    ),
    case(
        form(part("Filedata", b"hello", **HELLO)),
        {"Content-Type": "multipart/form-data; boundary=other"},
        id="another boundary",
    ),
    case(
        form(part("Filedata", b"hello", **HELLO)),
        {"Content-Type": f"multipart/mixed; boundary={BOUNDARY}"},
        id="not form-data",
    ),
    case(b'{"Filedata": "hello"}', {"Content-Type": "application/json"}, id="JSON"),
)


@writes("drive")
@documented("file.multipart")
@assumed(*RESOURCE_ERRORS, "file.size")
@pytest.mark.parametrize(("body", "headers"), WRONG_FORMS)
def test_wrong_form_is_refused_and_the_upload_still_good(target, me, body, headers):
    url = upload_url(target, me)
    target.refuses("POST", url, 400, content=body, headers=multipart(me) | headers)
    assert still_good(target, me, url)


@writes("drive")
@assumed("file.raw")
@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", case(None, id="None", marks=every_door)]
)
def test_raw_content_by_put_is_refused_and_the_upload_still_good(target, me, content_type):
    url = upload_url(target, me)
    headers = me if content_type is None else me | {"Content-Type": content_type}
    target.refuses("PUT", url, Unshown(400), content=b"hello", headers=headers)
    assert still_good(target, me, url)


@writes("drive")
@assumed("file.size")
@pytest.mark.parametrize("content", [b"", b"hell", b"hello!", b"hello" * 2])
def test_content_of_another_size_is_refused_and_the_upload_still_good(target, me, content):
    url = upload_url(target, me)
    target.refuses("POST", url, 400, content=filedata(content), headers=multipart(me))
    assert still_good(target, me, url)


BOUNDARIES = (
    case("x", "x", id="one character"),
    case("-" * 20 + "7MA4", "-" * 20 + "7MA4", id="begins with dashes"),
    case("b" * 70, "b" * 70, id="70 characters"),
    case("it's(a)_b,c-d./:=?", '"it\'s(a)_b,c-d./:=?"', id="all kinds, quoted", marks=every_door),
    case("two words", '"two words"', id="with a blank, quoted"),
)


@writes("drive")
@documented("file.multipart")
@pytest.mark.parametrize(("boundary", "written"), BOUNDARIES)
def test_boundary_may_be_any(target, me, boundary, written):
    url = upload_url(target, me)
    body = form(part("Filedata", b"hello", **HELLO), boundary=boundary)
    response = target.http.post(url, content=body, headers=multipart(me, written))
    assert response.status_code == 201


# -- content ----------------------------------------------------------------------------------------------------------

DELIMITER = f"\r\n--{BOUNDARY}".encode()
CONTENTS = (
    case(b"", id="empty", marks=every_door),
    case(b"\x00", id="zero byte"),
    case(bytes(range(256)), id="all bytes", marks=every_door),
    case(b"\r\n", id="line end"),
    case(b"text\r", id="ends with CR"),
    case(b"text\r\n", id="ends with CRLF"),
    case(b"text\r\n--", id="ends like a delimiter"),
    case(b"\r\n\r\n--" + b"\r\n" * 3, id="line ends"),
    case(DELIMITER[:-1], id="delimiter less one"),
    case(DELIMITER[:-1] + b"\r\n" + DELIMITER[:-1], id="delimiter less one, twice"),
    case(DELIMITER[2:], id="delimiter without its line end"),
    case(DELIMITER[1:] + b"--", id="closing delimiter without CR"),
    case(b"0123456789abcdef" * 4096 + b"\r", id="64 KiB and one", marks=every_door),
    case(b"0123456789abcdef" * 65536 + b"\r\n", id="1 MiB and two", marks=every_door),
)


def in_a_field(content):
    return form(part("resourceName", b"a.txt"), part("FileData", content))


@documented("file.multipart")
@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("write", [case(filedata, id="file part"), case(in_a_field, id="field")])
def test_content_is_kept_exactly(target, me, content, write):
    url = upload_url(target, me, size=len(content))
    response = target.http.post(url, content=write(content), headers=multipart(me))
    assert response.status_code == 201
    assert response.json()["fileSize"] == len(content)
    assert download(target, me, response.json()["fileId"]).content == content


def in_pieces(body, size):
    return tuple(body[at : at + size] for at in range(0, len(body), size))


@writes("drive")
@documented("file.multipart")
@pytest.mark.parametrize(
    "size", [case(1, id="1", marks=every_door), 2, 3, case(7, id="7", marks=every_door), 16, 64]
)
def test_body_may_come_in_chunks_of_any_size(target, me, size):
    content = b"hello\r\n--boundary-\r"
    url = upload_url(target, me, size=len(content))
    file_id = target.http.post(url, chunks=in_pieces(filedata(content), size), headers=multipart(me)).json()[
        "fileId"
    ]
    assert download(target, me, file_id).content == content


@writes("drive")
@documented("file.multipart")
@pytest.mark.parametrize("file", [case(HELLO, id="file part"), case({}, id="field")])
def test_alternative_form_may_come_byte_by_byte(target, me, file):
    body = form(part("resourceName", b"a.txt"), part("FileData", b"hello", **file))
    response = target.http.post(upload_url(target, me), chunks=in_pieces(body, 1), headers=multipart(me))
    assert download(target, me, response.json()["fileId"]).content == b"hello"


CONTENT_TYPES = (
    "text/plain",
    case("text/plain; charset=UTF-8", id="text/plain; charset=UTF-8", marks=every_door),
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "image/svg+xml",
    "application/octet-stream",
)


@writes("drive")
@documented("file.content")
@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_files_own_content_type_is_kept(target, me, content_type):
    file_id = upload(target, me, content_type=content_type)["fileId"]
    assert download(target, me, file_id).headers["Content-Type"] == content_type


@every_door
@writes("drive")
@assumed("file.default-type")
def test_content_without_a_type_is_a_stream_of_octets(target, me):
    body = form(part("Filedata", b"hello", filename="a.txt"))
    file_id = target.http.post(upload_url(target, me), content=body, headers=multipart(me)).json()["fileId"]
    assert download(target, me, file_id).headers["Content-Type"] == "application/octet-stream"


# -- names ------------------------------------------------------------------------------------------------------------

NAMES = (
    "report.pdf",
    "no extension",
    "two  blanks.txt",
    "日本語の名前.txt",
    "한국어.txt",
    "naïve café.txt",
    "cafe\u0301.txt",
    "🙂👨‍👩‍👧.png",
    'say "hi".txt',
    "it's.txt",
    "semi;colon.txt",
    "comma,equals=.txt",
    "back\\slash.txt",
    case("percent%20%22.txt", id="percent", marks=assumed("file.name")),
    "plus+hash#question?.txt",
    "../../etc/passwd",
    "..\\..\\windows\\system32",
    "C:\\temp\\a.txt",
    "/absolute/a.txt",
    "./a.txt",
    "..",
    ".hidden",
    "trailing dot.",
    " leading blank.txt",
    "<script>alert(1)</script>.html",
    "n" * 255,
)


@documented("file.stored")
@pytest.mark.parametrize("name", NAMES)
def test_name_is_kept_exactly(target, me, name):
    result = upload(target, me, name=name)
    assert result["fileName"] == name
    assert download(target, me, result["fileId"]).content == b"hello"


@writes("drive")
@assumed("file.name")
def test_file_is_named_as_announced(target, me):
    url = upload_url(target, me, name="announced.txt")
    response = target.http.post(url, content=filedata(b"hello", "sent.txt"), headers=multipart(me))
    assert response.json()["fileName"] == target.fresh("announced.txt")


@writes("drive")
@assumed("file.name")
def test_file_is_named_as_announced_in_the_alternative_form_too(target, me):
    body = form(part("resourceName", b"sent.txt"), part("FileData", b"hello"))
    url = upload_url(target, me, name="announced.txt")
    assert target.http.post(url, content=body, headers=multipart(me)).json()["fileName"] == target.fresh(
        "announced.txt"
    )


@documented("file.stored")
@pytest.mark.parametrize("name", ["日本語.txt", "naïve.txt", "🙂.txt"])
def test_part_may_name_the_file_in_raw_utf_8(target, me, name):
    response = target.http.post(
        upload_url(target, me, name=name), content=filedata(b"hello", name), headers=multipart(me)
    )
    assert response.json()["fileName"] == name
