"""Uploads: an address first, then the content."""

import re

import pytest

from .cases import assumed, case, section
from .places import DRIVE, UPLOADS, filled
from .transfer import (
    BOUNDARY,
    download,
    download_revision,
    filedata,
    form,
    multipart,
    part,
    upload,
    upload_url,
)

ENDPOINTS = section("Endpoints › File transfer")
FILES = section("Resources and their fields › File resources")
AUTHENTICATION = section("Authentication")
HOUR = 3600


def still_good(target, me, url, content=b"hello"):
    """Whether an upload address still takes its content, and the content is exact."""
    answer = target.http.post(url, content=filedata(content), headers=multipart(me))
    return answer.status_code == 201 and download(target, me, answer.json()["fileId"]).content == content


# -- step 1 -----------------------------------------------------------------------------------------------------


@ENDPOINTS
@assumed("ticket status", "containers")
@pytest.mark.parametrize("path", UPLOADS)
def test_each_path_answers_an_upload_address(target, me, path):
    body = {"fileName": "a.txt", "fileSize": 5}
    answer = target.http.post(target.api(filled(path, target.facts)), json=body, headers=me)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert list(answer.json()) == ["uploadUrl"]
    assert answer.json()["uploadUrl"].startswith(target.facts["upload_url"] + "/")


@ENDPOINTS
@FILES
@assumed("containers")
@pytest.mark.parametrize("path", UPLOADS)
def test_each_path_takes_content_and_answers_the_upload_result(target, me, path):
    url = upload_url(target, me, path)
    answer = target.http.post(url, files={"Filedata": ("a.txt", b"hello", "text/plain")}, headers=me)
    assert answer.status_code == 201
    assert answer.headers["Content-Type"].startswith("application/json")
    result = answer.json()
    assert isinstance(result["fileId"], str)
    assert (result["fileName"], result["fileSize"]) == ("a.txt", 5)


@AUTHENTICATION
@assumed("resource errors")
@pytest.mark.parametrize("path", UPLOADS)
def test_each_path_needs_the_bearer(target, path):
    url = target.api(filled(path, target.facts))
    answer = target.refuses("POST", url, 401, json={"fileName": "a.txt", "fileSize": 5})
    assert answer.json()["code"] == "UNAUTHORIZED"


BODIES = (
    case({"fileSize": 5}, id="no fileName"),
    case({"fileName": None, "fileSize": 5}, id="fileName null"),
    case({"fileName": 7, "fileSize": 5}, id="fileName a number"),
    case({"fileName": ["a.txt"], "fileSize": 5}, id="fileName an array"),
    case({"fileName": "a.txt"}, id="no fileSize"),
    case({"fileName": "a.txt", "fileSize": None}, id="fileSize null"),
    case({"fileName": "a.txt", "fileSize": "5"}, id="fileSize a string"),
    case({"fileName": "a.txt", "fileSize": 5.5}, id="fileSize a fraction"),
    case({"fileName": "a.txt", "fileSize": True}, id="fileSize a boolean"),
    case({"fileName": "a.txt", "fileSize": -1}, id="fileSize negative"),
    case({"fileName": "a.txt", "fileSize": 2**63}, id="fileSize above a long"),
    case({"fileName": "a.txt", "fileSize": 5, "modifiedTime": 7}, id="modifiedTime a number"),
    case({"fileName": "a.txt", "fileSize": 5, "overwrite": "true"}, id="overwrite a string"),
    case({"fileName": "a.txt", "fileSize": 5, "overwrite": 1}, id="overwrite a number"),
    case({}, id="empty"),
    case([], id="array"),
    case(None, id="null"),
)


@ENDPOINTS
@assumed("resource errors")
@pytest.mark.parametrize("body", BODIES)
def test_wrong_upload_request_is_refused(target, me, body):
    answer = target.refuses("POST", target.api(filled(DRIVE, target.facts)), 400, json=body, headers=me)
    assert answer.json()["code"] == "INVALID_PARAMETER"


@ENDPOINTS
@pytest.mark.parametrize("size", [0, 1, 2**31, 2**63 - 1])
def test_file_size_is_a_long(target, me, size):
    assert upload_url(target, me, size=size)


@ENDPOINTS
@assumed("containers", "resource errors")
@pytest.mark.parametrize(
    ("path", "unknown"),
    [
        case("/users/{userId}/photo", {"userId": "u-999"}, id="photo of no user"),
        case("/users/{userId}/drive/files", {"userId": "u-999"}, id="drive of no user"),
        case("/bots/{botId}/attachments", {"botId": "bot-999"}, id="no bot"),
    ],
)
def test_unknown_user_or_bot_is_not_found(target, me, path, unknown):
    url = target.api(filled(path, target.facts, **unknown))
    answer = target.refuses("POST", url, 404, json={"fileName": "a.txt", "fileSize": 5}, headers=me)
    assert answer.json()["code"] == "NOT_FOUND"


# -- step 2: the forms ------------------------------------------------------------------------------------------

HELLO = {"content_type": "text/plain", "filename": "a.txt"}
FORMS = (
    case(form(part("Filedata", b"hello", **HELLO)), id="Filedata"),
    case(
        form(part("resourceName", b"a.txt"), part("FileData", b"hello", **HELLO)),
        id="resourceName then FileData",
    ),
    case(
        form(part("FileData", b"hello", **HELLO), part("resourceName", b"a.txt")),
        id="FileData then resourceName",
    ),
    case(form(part("FileData", b"hello", **HELLO)), id="FileData alone", marks=assumed("part name")),
    case(form(part("file", b"hello", **HELLO)), id="file", marks=assumed("part name")),
    case(
        b"\r\n" + form(part("Filedata", b"hello", **HELLO)) + b"epilogue",
        id="line end before, epilogue after",
    ),
    case(
        form(part("note", b"more"), part("Filedata", b"hello", **HELLO)),
        id="with a further field",
        marks=assumed("part name"),
    ),
)


@ENDPOINTS
@pytest.mark.parametrize("body", FORMS)
def test_form_is_taken(target, me, body):
    url = upload_url(target, me)
    answer = target.http.post(url, content=body, headers=multipart(me))
    assert answer.status_code == 201
    assert answer.json()["fileName"] == "a.txt"
    sent = download(target, me, answer.json()["fileId"])
    assert (sent.content, sent.headers["Content-Type"]) == (b"hello", "text/plain")


WRONG_FORMS = (
    case(form(), {}, id="no part"),
    case(form(part("Filedata", b"hello")), {}, id="part without a file name"),
    case(form(part("resourceName", b"a.txt")), {}, id="resourceName alone"),
    case(form(part("Filedata", b"hello", **HELLO), part("Filedata", b"hello", **HELLO)), {}, id="two files"),
    case(form(part("Filedata", b"hello", **HELLO))[:-6], {}, id="cut within the closing delimiter"),
    case(form(part("Filedata", b"hello", **HELLO))[:-30], {}, id="cut within the content"),
    case(b"", {}, id="empty body"),
    case(b"hello", {}, id="raw content"),
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


@ENDPOINTS
@assumed("resource errors", "announced size")
@pytest.mark.parametrize(("body", "headers"), WRONG_FORMS)
def test_wrong_form_is_refused_and_the_upload_still_good(target, me, body, headers):
    url = upload_url(target, me)
    target.refuses("POST", url, 400, content=body, headers=multipart(me) | headers)
    assert still_good(target, me, url)


@ENDPOINTS
@assumed("raw content")
@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", None])
def test_raw_content_by_put_is_refused_and_the_upload_still_good(target, me, content_type):
    url = upload_url(target, me)
    headers = me if content_type is None else me | {"Content-Type": content_type}
    target.refuses("PUT", url, content=b"hello", headers=headers)
    assert still_good(target, me, url)


@ENDPOINTS
@assumed("announced size")
@pytest.mark.parametrize("content", [b"", b"hell", b"hello!", b"hello" * 2])
def test_content_of_another_size_is_refused_and_the_upload_still_good(target, me, content):
    url = upload_url(target, me)
    target.refuses("POST", url, 400, content=filedata(content), headers=multipart(me))
    assert still_good(target, me, url)


BOUNDARIES = (
    case("x", "x", id="one character"),
    case("-" * 20 + "7MA4", "-" * 20 + "7MA4", id="begins with dashes"),
    case("b" * 70, "b" * 70, id="70 characters"),
    case("it's(a)_b,c-d./:=?", '"it\'s(a)_b,c-d./:=?"', id="all kinds, quoted"),
    case("two words", '"two words"', id="with a blank, quoted"),
)


@ENDPOINTS
@pytest.mark.parametrize(("boundary", "written"), BOUNDARIES)
def test_boundary_may_be_any(target, me, boundary, written):
    url = upload_url(target, me)
    body = form(part("Filedata", b"hello", **HELLO), boundary=boundary)
    answer = target.http.post(url, content=body, headers=multipart(me, written))
    assert answer.status_code == 201


# -- step 2: content --------------------------------------------------------------------------------------------

DELIMITER = f"\r\n--{BOUNDARY}".encode()
CONTENTS = (
    case(b"", id="empty"),
    case(b"\x00", id="zero byte"),
    case(bytes(range(256)), id="all bytes"),
    case(b"\r\n", id="line end"),
    case(b"text\r", id="ends with CR"),
    case(b"text\r\n", id="ends with CRLF"),
    case(b"text\r\n--", id="ends like a delimiter"),
    case(b"\r\n\r\n--" + b"\r\n" * 3, id="line ends"),
    case(DELIMITER[:-1], id="delimiter less one"),
    case(DELIMITER[:-1] + b"\r\n" + DELIMITER[:-1], id="delimiter less one, twice"),
    case(DELIMITER[2:], id="delimiter without its line end"),
    case(DELIMITER[1:] + b"--", id="closing delimiter without CR"),
    case(b"0123456789abcdef" * 4096 + b"\r", id="64 KiB and one"),
    case(b"0123456789abcdef" * 65536 + b"\r\n", id="1 MiB and two"),
)


@ENDPOINTS
@pytest.mark.parametrize("content", CONTENTS)
def test_content_is_kept_exactly(target, me, content):
    url = upload_url(target, me, size=len(content))
    result = target.http.post(url, content=filedata(content), headers=multipart(me)).json()
    assert result["fileSize"] == len(content)
    assert download(target, me, result["fileId"]).content == content


def in_two(body):
    return [(body[:at], body[at:]) for at in range(1, len(body))]


def in_pieces(body, size):
    return tuple(body[at : at + size] for at in range(0, len(body), size))


@ENDPOINTS
def test_body_may_come_in_any_two_chunks(target, me):
    content = b"hello\r\n--boundary-\r"
    for number, chunks in enumerate(in_two(filedata(content))):
        url = upload_url(target, me, name=f"{number}.txt", size=len(content))
        file_id = target.http.post(url, chunks=chunks, headers=multipart(me)).json()["fileId"]
        assert download(target, me, file_id).content == content, f"cut before {chunks[1][:12]!r}"


@ENDPOINTS
@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 64])
def test_body_may_come_in_chunks_of_any_size(target, me, size):
    content = b"hello\r\n--boundary-\r"
    url = upload_url(target, me, size=len(content))
    file_id = target.http.post(url, chunks=in_pieces(filedata(content), size), headers=multipart(me)).json()[
        "fileId"
    ]
    assert download(target, me, file_id).content == content


@ENDPOINTS
def test_alternative_form_may_come_byte_by_byte(target, me):
    body = form(part("resourceName", b"a.txt"), part("FileData", b"hello", **HELLO))
    answer = target.http.post(upload_url(target, me), chunks=in_pieces(body, 1), headers=multipart(me))
    assert download(target, me, answer.json()["fileId"]).content == b"hello"


CONTENT_TYPES = (
    "text/plain",
    "text/plain; charset=UTF-8",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "image/svg+xml",
    "application/octet-stream",
)


@ENDPOINTS
@pytest.mark.parametrize("content_type", CONTENT_TYPES)
def test_files_own_content_type_is_kept(target, me, content_type):
    file_id = upload(target, me, content_type=content_type)["fileId"]
    assert download(target, me, file_id).headers["Content-Type"] == content_type


@ENDPOINTS
@assumed("default type")
def test_content_without_a_type_is_a_stream_of_octets(target, me):
    body = form(part("Filedata", b"hello", filename="a.txt"))
    file_id = target.http.post(upload_url(target, me), content=body, headers=multipart(me)).json()["fileId"]
    assert download(target, me, file_id).headers["Content-Type"] == "application/octet-stream"


# -- names ------------------------------------------------------------------------------------------------------

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
    case("percent%20%22.txt", id="percent", marks=assumed("announced name")),
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


@ENDPOINTS
@FILES
@pytest.mark.parametrize("name", NAMES)
def test_name_is_kept_exactly(target, me, name):
    result = upload(target, me, name=name)
    assert result["fileName"] == name
    assert download(target, me, result["fileId"]).content == b"hello"


@ENDPOINTS
@assumed("announced name")
def test_file_is_named_as_announced(target, me):
    url = upload_url(target, me, name="announced.txt")
    answer = target.http.post(url, content=filedata(b"hello", "sent.txt"), headers=multipart(me))
    assert answer.json()["fileName"] == "announced.txt"


@ENDPOINTS
@pytest.mark.parametrize("name", ["日本語.txt", "naïve.txt", "🙂.txt"])
def test_part_may_name_the_file_in_raw_utf_8(target, me, name):
    answer = target.http.post(
        upload_url(target, me, name=name), content=filedata(b"hello", name), headers=multipart(me)
    )
    assert answer.json()["fileName"] == name


# -- drive files, parents, revisions ----------------------------------------------------------------------------

DRIVE_FIELDS = {
    "parentFileId": str,
    "accessedTime": str,
    "createdTime": str,
    "filePath": str,
    "fileType": str,
    "hasPermission": bool,
    "permissionRootFileId": str,
    "resourceLocation": int,
    "statuses": list,
    "modifiedTime": str,
}


@FILES
@pytest.mark.parametrize("name", DRIVE_FIELDS)
def test_upload_result_of_a_drive_file_has_also(target, me, name):
    value = upload(target, me)[name]
    assert type(value) is DRIVE_FIELDS[name]
    assert name != "statuses" or all(isinstance(status, str) for status in value)


@FILES
@pytest.mark.parametrize("name", ["accessedTime", "createdTime", "modifiedTime"])
def test_times_of_a_drive_file_are_written_with_their_offset(target, me, name):
    value = upload(target, me)[name]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)", value)


@ENDPOINTS
@FILES
def test_modified_time_that_was_sent_is_the_files(target, me):
    sent = "2020-02-29T23:59:59+09:00"
    assert upload(target, me, modifiedTime=sent)["modifiedTime"] == sent


@FILES
@assumed("modified time")
@pytest.mark.parametrize("sent", ["yesterday", "2020-02-29", ""])
def test_modified_time_may_be_any_text(target, me, sent):
    assert upload(target, me, modifiedTime=sent)["modifiedTime"] == sent


@ENDPOINTS
@FILES
@assumed("parent")
@pytest.mark.parametrize("folder", ["folder-1", "no such file"])
def test_id_in_an_upload_path_is_the_parent(target, me, folder):
    result = upload(target, me, DRIVE + "/{fileId}", ids={"fileId": folder})
    assert result["parentFileId"] == folder
    assert result["fileId"] != folder


FOLDERS = (
    "/users/{userId}/drive/files",
    "/groups/{groupId}/folder/files",
    "/sharedrives/{sharedriveId}/files",
    "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files",
)


@FILES
@assumed("drive fields")
@pytest.mark.parametrize("path", FOLDERS)
def test_other_file_resources_have_the_drive_fields_too(target, me, path):
    assert set(DRIVE_FIELDS) <= set(upload(target, me, path))


@ENDPOINTS
@assumed("new revision", "revisions")
@pytest.mark.parametrize("path", FOLDERS)
def test_upload_to_a_stored_file_makes_a_new_revision(target, me, path):
    first = upload(target, me, path, b"one")
    second = upload(target, me, path + "/{fileId}", b"second", ids={"fileId": first["fileId"]})
    assert second["fileId"] == first["fileId"]
    assert second["fileSize"] == 6
    for revision, content in (("1", b"one"), ("2", b"second")):
        file_id = {"fileId": first["fileId"], "revisionId": revision}
        kept = download(target, me, path=path + "/{fileId}/revisions/{revisionId}/download", **file_id)
        assert kept.content == content
    assert download(target, me, first["fileId"], path + "/{fileId}/download").content == b"second"


@ENDPOINTS
@assumed("overwrite", "revisions")
@pytest.mark.parametrize("path", FOLDERS)
def test_overwrite_makes_a_new_revision_of_the_file_of_that_name(target, me, path):
    first = upload(target, me, path, b"one")
    second = upload(target, me, path, b"second", overwrite=True)
    assert second["fileId"] == first["fileId"]
    assert download(target, me, first["fileId"], path + "/{fileId}/download").content == b"second"


@ENDPOINTS
@assumed("beside")
@pytest.mark.parametrize("more", [{}, {"overwrite": False}])
def test_without_overwrite_a_second_file_stands_beside_the_first(target, me, more):
    first = upload(target, me, content=b"one")
    second = upload(target, me, content=b"second", **more)
    assert second["fileId"] != first["fileId"]
    assert download(target, me, first["fileId"]).content == b"one"
    assert download(target, me, second["fileId"]).content == b"second"


@ENDPOINTS
@assumed("overwrite")
@pytest.mark.parametrize(
    ("path", "ids", "name"),
    [
        case(DRIVE, {}, "b.txt", id="another name"),
        case(DRIVE, {"userId": "u-002"}, "a.txt", id="another drive"),
        case(DRIVE + "/{fileId}", {"fileId": "folder-1"}, "a.txt", id="another folder"),
        case("/sharedrives/{sharedriveId}/files", {}, "a.txt", id="another kind of place"),
    ],
)
def test_overwrite_concerns_the_same_name_in_the_same_place_only(target, me, path, ids, name):
    first = upload(target, me, content=b"one")
    second = upload(target, me, path, b"second", name=name, ids=ids, overwrite=True)
    assert second["fileId"] != first["fileId"]
    assert download(target, me, first["fileId"]).content == b"one"


@ENDPOINTS
@assumed("overwrite", "revisions")
def test_revisions_are_counted_from_1(target, me):
    file_id = upload(target, me, content=b"1", overwrite=True)["fileId"]
    upload(target, me, content=b"2", overwrite=True)
    upload(target, me, content=b"3", overwrite=True)
    kept = [download_revision(target, me, file_id, revision) for revision in ("1", "2", "3")]
    assert kept == [b"1", b"2", b"3"]


# -- upload addresses -------------------------------------------------------------------------------------------


@AUTHENTICATION
@assumed("resource errors")
def test_content_needs_the_bearer_and_the_upload_is_still_good(target, me):
    url = upload_url(target, me)
    answer = target.refuses("POST", url, 401, content=filedata(b"hello"), headers=multipart({}))
    assert answer.json()["code"] == "UNAUTHORIZED"
    assert still_good(target, me, url)


@ENDPOINTS
@assumed("upload address")
def test_upload_address_is_single_use(target, me):
    url = upload_url(target, me)
    assert still_good(target, me, url)
    target.refuses("POST", url, content=filedata(b"hello"), headers=multipart(me))


@AUTHENTICATION
@assumed("upload address")
def test_upload_address_is_bound_to_who_asked_for_it(target, me):
    other = target.signed_in_as("u-002")
    url = upload_url(target, me)
    target.refuses("POST", url, content=filedata(b"hello"), headers=multipart(other))
    assert still_good(target, me, url)


@AUTHENTICATION
@assumed("upload address")
def test_upload_address_takes_another_token_of_the_same_user(target, me):
    assert still_good(target, target.signed_in(), upload_url(target, me))


@ENDPOINTS
@assumed("upload address")
def test_upload_address_is_good_for_24_hours(target, me):
    url = upload_url(target, me)
    target.advance(24 * HOUR - 1)
    assert still_good(target, target.signed_in(), url)


@ENDPOINTS
@assumed("upload address")
def test_upload_address_is_not_good_after_24_hours(target, me):
    url = upload_url(target, me)
    target.advance(24 * HOUR + 1)
    target.refuses("POST", url, content=filedata(b"hello"), headers=multipart(target.signed_in()))


@ENDPOINTS
@assumed("upload address")
@pytest.mark.parametrize("change", [lambda url: url + "x", lambda url: url[:-1], lambda url: url.upper()[8:]])
def test_address_that_was_not_issued_is_refused(target, me, change):
    url = upload_url(target, me)
    made_up = f"{target.facts['upload_url']}/{change(url).rpartition('/')[2]}"
    target.refuses("POST", made_up, content=filedata(b"hello"), headers=multipart(me))
    assert still_good(target, me, url)


@ENDPOINTS
def test_upload_addresses_are_independent(target, me):
    urls = [upload_url(target, me, name=f"{number}.txt", size=1) for number in range(3)]
    results = [
        target.http.post(
            url, content=filedata(str(number).encode(), f"{number}.txt"), headers=multipart(me)
        ).json()
        for number, url in reversed(list(enumerate(urls)))
    ]
    assert [result["fileName"] for result in results] == ["2.txt", "1.txt", "0.txt"]
    assert [download(target, me, result["fileId"]).content for result in results] == [b"2", b"1", b"0"]


# -- resumable uploads ------------------------------------------------------------------------------------------

TEN = b"0123456789"


def send(target, me, url, first, last, *, total=10, unit=""):
    """Send bytes first to last of the ten."""
    headers = multipart(me, **{"Content-Range": f"{unit}{first}-{last}/{total}"})
    return target.http.post(url, content=filedata(TEN[first : last + 1]), headers=headers)


SPLITS = (
    case([(0, 9)], id="whole"),
    case([(0, 4), (5, 9)], id="two halves"),
    case([(0, 0), (1, 8), (9, 9)], id="single bytes at the ends"),
    case([(at, at) for at in range(10)], id="byte by byte"),
)


@ENDPOINTS
@assumed("resume", "range unit")
@pytest.mark.parametrize("unit", [case("", id="no unit"), case("bytes ", id="unit")])
@pytest.mark.parametrize("ranges", SPLITS)
def test_resumable_upload(target, me, ranges, unit):
    url = upload_url(target, me, size=10)
    for first, last in ranges[:-1]:
        answer = send(target, me, url, first, last, unit=unit)
        assert answer.status_code == 200
        assert last + 1 in answer.json().values()
    answer = send(target, me, url, *ranges[-1], unit=unit)
    assert answer.status_code == 201
    assert answer.json()["fileSize"] == 10
    assert download(target, me, answer.json()["fileId"]).content == TEN


@ENDPOINTS
@assumed("resume")
def test_incomplete_upload_is_no_file_yet(target, me):
    before = target.digest()
    send(target, me, upload_url(target, me, size=10), 0, 4)
    assert target.digest() == before


WRONG_RANGES = (
    case("6-9/10", b"6789", id="gap"),
    case("0-4/10", b"01234", id="repeated"),
    case("4-9/10", b"456789", id="overlap"),
    case("5-9/11", b"56789", id="another total"),
    case("5-9/9", b"56789", id="total below the end"),
    case("5-10/10", b"56789X", id="end beyond the total"),
    case("5-10/11", b"56789X", id="end beyond the announced size"),
    case("9-5/10", b"56789", id="end before start"),
    case("5-9/10", b"5678", id="content too short"),
    case("5-9/10", b"56789X", id="content too long"),
    case("5-9/10", b"", id="no content"),
    case("5-9", b"56789", id="no total"),
    case("5-9/*", b"56789", id="unknown total"),
    case("*/10", b"56789", id="no range"),
    case("-5-9/10", b"56789", id="negative"),
    case("5--9/10", b"56789", id="negative end"),
    case("five-nine/ten", b"56789", id="words"),
    case("items 5-9/10", b"56789", id="another unit"),
    case("5-9/10, 5-9/10", b"56789", id="two ranges"),
    case("", b"56789", id="empty"),
    case("5-9/99999999999999999999", b"56789", id="huge total"),
)


@ENDPOINTS
@assumed("resume")
@pytest.mark.parametrize(("content_range", "content"), WRONG_RANGES)
def test_wrong_range_is_refused_and_the_upload_still_good(target, me, content_range, content):
    url = upload_url(target, me, size=10)
    assert send(target, me, url, 0, 4).status_code == 200
    headers = multipart(me, **{"Content-Range": content_range})
    target.refuses("POST", url, 400, content=filedata(content), headers=headers)
    answer = send(target, me, url, 5, 9)
    assert answer.status_code == 201
    assert download(target, me, answer.json()["fileId"]).content == TEN


@ENDPOINTS
@assumed("resume")
@pytest.mark.parametrize("content_range", ["5-9/10", "1-5/10", "0-4/5", "0-4/11"])
def test_wrong_first_range_is_refused_and_the_upload_still_good(target, me, content_range):
    url = upload_url(target, me, size=10)
    headers = multipart(me, **{"Content-Range": content_range})
    target.refuses("POST", url, 400, content=filedata(b"01234"), headers=headers)
    assert still_good(target, me, url, TEN)


@ENDPOINTS
@assumed("resume", "upload address")
def test_resumable_upload_is_over_when_it_is_complete(target, me):
    url = upload_url(target, me, size=10)
    send(target, me, url, 0, 4)
    send(target, me, url, 5, 9)
    headers = multipart(me, **{"Content-Range": "5-9/10"})
    target.refuses("POST", url, content=filedata(b"56789"), headers=headers)


@ENDPOINTS
@AUTHENTICATION
@assumed("resume", "upload address")
def test_another_user_cannot_go_on_with_an_upload(target, me):
    other = target.signed_in_as("u-002")
    url = upload_url(target, me, size=10)
    send(target, me, url, 0, 4)
    headers = multipart(other, **{"Content-Range": "5-9/10"})
    target.refuses("POST", url, content=filedata(b"56789"), headers=headers)
    assert send(target, me, url, 5, 9).status_code == 201


@ENDPOINTS
@assumed("resume")
def test_two_resumable_uploads_do_not_mix(target, me):
    first, second = (upload_url(target, me, name=name, size=10) for name in ("a.txt", "b.txt"))
    send(target, me, first, 0, 4)
    send(target, me, second, 0, 7)
    assert send(target, me, first, 5, 9).json()["fileName"] == "a.txt"
    answer = send(target, me, second, 8, 9)
    assert download(target, me, answer.json()["fileId"]).content == TEN
