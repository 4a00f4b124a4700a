"""The first step of an upload: an address, for whom it is good, how often, and how long."""

import pytest

from .cases import NULLS, RESOURCE_ERRORS, assumed, case, documented, every_door, safe, writes
from .places import DRIVE, UPLOADS, filled
from .target import NOT_HIS, Unshown
from .transfer import download, filedata, multipart, still_good, upload_url

HOUR = 3600

# -- how it is asked for ----------------------------------------------------------------------------------------------


@documented("file.upload-url")
@assumed("file.upload-status", "file.containers")
@pytest.mark.parametrize("path", UPLOADS)
def test_each_path_answers_an_upload_address(target, me, path):
    body = {"fileName": "a.txt", "fileSize": 5}
    response = target.http.post(target.api(filled(path, target.facts)), json=body, headers=me)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/json")
    assert list(response.json()) == ["uploadUrl"]
    assert response.json()["uploadUrl"].startswith(target.facts["upload_url"] + "/")


@safe
@documented("file.upload-url")
@assumed("file.upload-status")
def test_asking_for_an_upload_address_stores_nothing_yet(target, me):
    body = {"fileName": "a.txt", "fileSize": 5}
    before = target.digest()
    response = target.http.post(target.api(filled(DRIVE, target.facts)), json=body, headers=me)
    assert (response.status_code, list(response.json())) == (200, ["uploadUrl"])
    assert target.digest() == before


@documented("file.stored")
@assumed("file.containers")
@pytest.mark.parametrize("path", [case(UPLOADS[0], id=UPLOADS[0], marks=every_door), *UPLOADS[1:]])
def test_each_path_takes_content_and_answers_the_upload_result(target, me, path):
    url = upload_url(target, me, path)
    response = target.http.post(url, files={"Filedata": ("a.txt", b"hello", "text/plain")}, headers=me)
    assert response.status_code == 201
    assert response.headers["Content-Type"].startswith("application/json")
    result = response.json()
    assert isinstance(result["fileId"], str)
    assert (result["fileName"], result["fileSize"]) == ("a.txt", 5)


@safe
@documented("api.bearer")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("path", UPLOADS)
def test_each_path_needs_the_bearer(target, path):
    url = target.api(filled(path, target.facts))
    response = target.refuses("POST", url, 401, json={"fileName": "a.txt", "fileSize": 5})
    assert response.json()["code"] == "UNAUTHORIZED"


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
    case({"fileName": "a.txt", "fileSize": 5, "overwrite": None}, id="overwrite null", marks=assumed(*NULLS)),
    case(
        {"fileName": "a.txt", "fileSize": 5, "modifiedTime": None},
        id="modifiedTime null",
        marks=assumed(*NULLS),
    ),
    case({}, id="empty"),
    case([], id="array"),
    case(None, id="null"),
)


@safe
@documented("file.request")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("body", BODIES)
def test_wrong_upload_request_is_refused(target, me, body):
    response = target.refuses("POST", target.api(filled(DRIVE, target.facts)), 400, json=body, headers=me)
    assert response.json()["code"] == "INVALID_PARAMETER"


@safe
@documented("file.request")
@assumed("file.size-limit")
@pytest.mark.parametrize("size", [0, 1, 2**31, 2**63 - 1])
def test_file_size_is_a_long(target, me, size):
    assert upload_url(target, me, size=size)


@assumed("file.containers", *RESOURCE_ERRORS)
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
    response = target.refuses("POST", url, 404, json={"fileName": "a.txt", "fileSize": 5}, headers=me)
    assert response.json()["code"] == "NOT_FOUND"


# -- whom it serves, and how long -------------------------------------------------------------------------------------


@every_door
@writes("drive")
@documented("file.bearer")
@assumed(*RESOURCE_ERRORS)
def test_content_needs_the_bearer_and_the_upload_is_still_good(target, me):
    url = upload_url(target, me)
    response = target.refuses("POST", url, 401, content=filedata(b"hello"), headers=multipart({}))
    assert response.json()["code"] == "UNAUTHORIZED"
    assert still_good(target, me, url)


@writes("drive")
@assumed("file.upload-reuse")
def test_upload_address_is_single_use(target, me):
    url = upload_url(target, me)
    assert still_good(target, me, url)
    target.refuses("POST", url, Unshown(404), content=filedata(b"hello"), headers=multipart(me))


@assumed("file.upload-user")
def test_upload_address_is_bound_to_who_asked_for_it(target, me):
    other = target.signed_in_as("u-002")
    url = upload_url(target, me)
    target.refuses("POST", url, Unshown(404, NOT_HIS), content=filedata(b"hello"), headers=multipart(other))
    assert still_good(target, me, url)


@assumed("file.upload-user")
def test_upload_address_takes_another_token_of_the_same_user(target, me):
    assert still_good(target, target.signed_in(), upload_url(target, me))


@assumed("file.upload-lifetime")
def test_upload_address_is_good_for_24_hours(target, me):
    url = upload_url(target, me)
    target.advance(24 * HOUR - 1)
    assert still_good(target, target.signed_in(), url)


@assumed("file.upload-lifetime")
def test_upload_address_is_not_good_after_24_hours(target, me):
    url = upload_url(target, me)
    target.advance(24 * HOUR + 1)
    headers = multipart(target.signed_in())
    target.refuses("POST", url, Unshown(404), content=filedata(b"hello"), headers=headers)


@writes("drive")
@assumed("file.not-found")
@pytest.mark.parametrize("change", [lambda url: url + "x", lambda url: url[:-1], lambda url: url.upper()[8:]])
def test_address_that_was_not_issued_is_refused(target, me, change):
    url = upload_url(target, me)
    made_up = f"{target.facts['upload_url']}/{change(url).rpartition('/')[2]}"
    target.refuses("POST", made_up, Unshown(404), content=filedata(b"hello"), headers=multipart(me))
    assert still_good(target, me, url)


@writes("drive")
@documented("file.upload-url")
def test_upload_addresses_are_independent(target, me):
    urls = [upload_url(target, me, name=f"{number}.txt", size=1) for number in range(3)]
    results = [
        target.http.post(
            url,
            content=filedata(str(number).encode(), target.fresh(f"{number}.txt")),
            headers=multipart(me),
        ).json()
        for number, url in reversed(list(enumerate(urls)))
    ]
    assert [result["fileName"] for result in results] == [
        target.fresh(name) for name in ("2.txt", "1.txt", "0.txt")
    ]
    assert [download(target, me, result["fileId"]).content for result in results] == [b"2", b"1", b"0"]
