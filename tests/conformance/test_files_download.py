"""Downloads: a redirect first, then the content."""

import csv

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door, safe, writes
from .places import DOWNLOADS, DRIVE_DOWNLOAD, DRIVE_REVISION, FORM_ATTACHMENT, LOGS, STORED, filled
from .target import bearer
from .transfer import download, upload

CONTENT = b"the content of \xff the file"


@documented("file.location")
@assumed("file.containers")
@pytest.mark.parametrize(("path", "uploaded_by"), STORED)
def test_each_path_leads_to_what_was_uploaded(target, me, path, uploaded_by):
    file_id = upload(target, me, uploaded_by, CONTENT, content_type="application/pdf")["fileId"]
    response = target.http.get(target.api(filled(path, target.facts, fileId=file_id)), headers=me)
    assert response.status_code == 302
    sent = target.http.get(response.headers["Location"], headers=me)
    assert (sent.status_code, sent.content) == (200, CONTENT)
    assert sent.headers["Content-Type"] == "application/pdf"
    assert sent.headers["Content-Length"] == str(len(CONTENT))


@every_door
@assumed("file.logs")
@pytest.mark.parametrize("path", LOGS)
def test_logs_are_csv(target, me, path):
    sent = download(target, me, path=path)
    assert sent.status_code == 200
    assert sent.headers["Content-Type"].partition(";")[0] == "text/csv"
    assert sent.headers["Content-Length"] == str(len(sent.content))
    rows = list(csv.reader(sent.content.decode("utf-8-sig").splitlines()))
    assert len({len(row) for row in rows}) == 1


@assumed("sample tenant")
def test_form_response_attachment(target, me):
    sent = download(target, me, path=FORM_ATTACHMENT)
    assert sent.status_code == 200
    assert sent.headers["Content-Length"] == str(len(sent.content))
    assert sent.headers["Content-Type"]


@safe
@documented("api.bearer")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("path", [path for path, _ in DOWNLOADS])
def test_each_path_needs_the_bearer(target, path):
    response = target.refuses("GET", target.api(filled(path, target.facts)), 401)
    assert response.json()["code"] == "UNAUTHORIZED"


MISSING = [path for path, _ in DOWNLOADS if path not in LOGS]


@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("path", MISSING)
def test_each_path_without_a_file_is_not_found(target, me, path):
    response = target.refuses("GET", target.api(filled(path, target.facts)), 404, headers=me)
    assert response.json()["code"] == "NOT_FOUND"
    assert "Location" not in response.headers


@assumed("file.place")
@pytest.mark.parametrize(
    ("path", "_"), [row for row in STORED if "{fileId}" in row[0] or "{attach" in row[0]]
)
def test_a_file_of_another_place_is_not_found(target, me, path, _):
    elsewhere = upload(target, me, "/users/{userId}/drive/files", ids={"userId": "u-003"})["fileId"]
    target.refuses("GET", target.api(filled(path, target.facts, fileId=elsewhere)), 404, headers=me)


CONTAINERS = (
    case("/bots/{botId}/attachments/{fileId}", {"botId": "bot-999"}, id="bot"),
    case("/users/{userId}/drive/files/{fileId}/download", {"userId": "u-002"}, id="user"),
    case("/groups/{groupId}/folder/files/{fileId}/download", {"groupId": "other"}, id="group"),
    case("/sharedrives/{sharedriveId}/files/{fileId}/download", {"sharedriveId": "other"}, id="drive"),
    case("/boards/{boardId}/posts/{postId}/attachments/{attachmentId}", {"boardId": "other"}, id="board"),
    case("/boards/{boardId}/posts/{postId}/attachments/{attachmentId}", {"postId": "other"}, id="post"),
    case(
        "/boards/{boardId}/posts/{postId}/comments/{commentId}/attachments/{attachmentId}",
        {"commentId": "other"},
        id="comment",
    ),
    case(
        "/users/{userId}/drive/sharedfolders/{sharedFolderId}/files/{fileId}/download",
        {"sharedFolderId": "other"},
        id="shared folder",
    ),
    case("/users/{userId}/photo", {"userId": "u-002"}, id="photo of another user"),
    case("/contacts/{contactId}/photo", {"contactId": "other"}, id="photo of another contact"),
)


@assumed("file.place")
@pytest.mark.parametrize(("path", "other"), CONTAINERS)
def test_a_file_of_another_container_is_not_found(target, me, path, other):
    file_id = upload(target, me, dict(DOWNLOADS)[path])["fileId"]
    right = filled(path, target.facts, fileId=file_id)
    assert target.http.get(target.api(right), headers=me).status_code == 302
    wrong = filled(path, target.facts, fileId=file_id, **other)
    target.refuses("GET", target.api(wrong), 404, headers=me)


@writes("drive")
@assumed("file.revision-ids")
@pytest.mark.parametrize("revision", ["0", "2", "01", "-1", "latest", "one"])
def test_a_revision_there_is_not_is_not_found(target, me, revision):
    file_id = upload(target, me)["fileId"]
    path = filled(DRIVE_REVISION, target.facts, fileId=file_id, revisionId=revision)
    target.refuses("GET", target.api(path), 404, headers=me)


@writes("drive")
@documented("file.bearer")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("headers", [case({}, id="none"), case(bearer("made-up"), id="unknown")])
def test_content_needs_the_bearer(target, me, headers):
    file_id = upload(target, me)["fileId"]
    response = target.http.get(target.api(filled(DRIVE_DOWNLOAD, target.facts, fileId=file_id)), headers=me)
    refused = target.refuses("GET", response.headers["Location"], 401, headers=headers)
    assert b"hello" not in refused.content


@writes("drive")
@assumed(*RESOURCE_ERRORS)
def test_download_address_that_was_not_issued_is_not_found(target, me):
    file_id = upload(target, me)["fileId"]
    path = target.api(filled(DRIVE_DOWNLOAD, target.facts, fileId=file_id))
    location = target.http.get(path, headers=me).headers["Location"]
    target.refuses("GET", location + "x", 404, headers=me)


@every_door
@writes("drive")
@documented("file.content")
@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 1024 * 1024 + 1])
def test_length_is_exact(target, me, size):
    content = b"\r\n-" * (size // 3) + b"x" * (size % 3)
    sent = download(target, me, upload(target, me, content=content)["fileId"])
    assert sent.headers["Content-Length"] == str(size)
    assert sent.content == content


@writes("drive")
@documented("file.content")
def test_a_file_can_be_downloaded_again(target, me):
    file_id = upload(target, me, content=CONTENT)["fileId"]
    assert [download(target, me, file_id).content for _ in range(3)] == [CONTENT] * 3


@writes("drive")
@documented("file.location")
@assumed("file.download-reuse")
def test_download_address_can_be_used_again(target, me):
    file_id = upload(target, me, content=CONTENT)["fileId"]
    path = target.api(filled(DRIVE_DOWNLOAD, target.facts, fileId=file_id))
    location = target.http.get(path, headers=me).headers["Location"]
    assert [target.http.get(location, headers=me).content for _ in range(3)] == [CONTENT] * 3


@every_door
@writes("drive")
@documented("file.location")
@assumed("file.query", "api.query")
def test_query_of_a_download_does_no_harm(target, me):
    file_id = upload(target, me, content=CONTENT)["fileId"]
    path = target.api(filled(DRIVE_DOWNLOAD, target.facts, fileId=file_id))
    assert target.http.get(path, headers=me, params={"size": "small"}).status_code == 302


@documented("file.content")
def test_photo_is_the_one_uploaded_last(target, me):
    path = "/users/{userId}/photo"
    upload(target, me, path, b"old", name="old.png", content_type="image/png")
    upload(target, me, path, b"new", name="new.jpg", content_type="image/jpeg")
    sent = download(target, me, path=path)
    assert (sent.content, sent.headers["Content-Type"]) == (b"new", "image/jpeg")
