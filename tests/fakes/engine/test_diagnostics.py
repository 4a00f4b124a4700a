"""A request that is not an operation, or is refused, is explained."""

import httpx
import pytest

from fakes.handlers.routes import ROUTER

from ..caller import calling, make

A_FILE = "GET /users/{userId}/drive/files/{fileId}/download"
A_FORMS = "GET /forms/{formId}/responses/{responseId}/attachments/{attachmentId}"
NEAREST = """
GET /users/u-001 -> PATCH /users/{userId}: the method is PATCH, not GET
PATCH /user/u-001 -> PATCH /users/{userId}: expected 'users', got 'user'
PATCH /users/ -> PATCH /users/{userId}: {userId} is empty
POST /users/u-001/user-profile-status -> expected 'user-profile-statuses', got 'user-profile-status'
POST /users/u-001/drive/file -> POST /users/{userId}/drive/files: expected 'files', got 'file'
POST /users/u-001/drive -> POST /users/{userId}/drive/files: it continues with /files
POST /users/u-001/drive/files/ -> POST /users/{userId}/drive/files: it ends before /
PUT /users/u-001/drive/files/f-1 -> POST /users/{userId}/drive/files/{fileId}: the method is POST, not PUT
POST /bots/bot-1/attachment -> /attachments: expected 'attachments', got 'attachment'
PUT /users/u-001/photo -> POST /users/{userId}/photo: the method is POST or GET, not PUT
POST /groups/g-1/posts/p-1/attachments -> /attachments: /note is missing before /posts
GET /users/u-001/drive/files/f-1 -> A_FILE: it continues with /download
GET /users/u-001/drive/files/f-1/dowload -> A_FILE: expected 'download', got 'dowload'
POST /users/u-001/drive/files/f-1/download -> A_FILE: the method is GET, not POST
GET /users/u-001/files/f-1/download -> A_FILE: /drive is missing before /files
GET /users/u-001/drive/f-1/download -> A_FILE: /files is missing before /{fileId}
GET /users/u-001/drive/files/f-1/revisions -> /revisions/{revisionId}/download: it continues with /{revisionId}/download
GET /users/u-001/drive/files/f-1/revisions/1 -> /revisions/{revisionId}/download: it continues with /download
GET /sharedrives/s-1/files/f-1 -> /files/{fileId}/download: it continues
GET /users/u-001/sharedfolders/s-1/files/f-1/download -> /download: /drive is missing before /sharedfolders
GET /boards/b-1/posts/p-1/attachments/a-1/download -> /attachments/{attachmentId}: it ends before /download
GET /audits/logs -> GET /audits/logs/download: it continues with /download
GET /users/photo -> GET /users/{userId}/photo: /{userId} is missing before /photo
GET /form/f-1/responses/r-1/attachments/a-1 -> A_FORMS: expected 'forms', got 'form'
GET /forms/f-1/response/r-1/attachments/a-1 -> A_FORMS: expected 'responses', got 'response'
GET /forms/f-1/attachments/a-1 -> A_FORMS: /responses/{responseId} is missing before /attachments
GET /forms/f-1/responses/r-1/attachments -> A_FORMS: it continues with /{attachmentId}
POST /forms/f-1/responses/r-1/attachments/a-1 -> A_FORMS: the method is GET, not POST
GET /forms/f-1/responses/r-1/attachment/a-1/download -> got 'attachment', it ends before /download
"""


@pytest.mark.parametrize("row", NEAREST.strip().splitlines())
def test_nearest_operation_is_named(me, row):
    call, nearest = row.replace("A_FILE", A_FILE).replace("A_FORMS", A_FORMS).split(" -> ")
    response = me.api(*call.split())
    assert response.status_code == 404
    assert nearest in response.json()["description"]
    assert "of the service's description" in response.json()["description"]
    assert response.headers["X-Fake-Reason"]


def test_nearest_operation_that_is_retired_is_called_so(me):
    response = me.api("GET", "/boards/b-1/posts/p-1/comments/c-1/attachments")
    told = response.json()["description"]
    assert "the nearest is GET /boards/{boardId}/posts/{postId}/comments/{commentId}/attachment: " in told
    assert "description, which lists it as retired or to be retired)" in told


def test_what_is_missing_of_a_webhook_url_is_told():
    with httpx.Client(transport=make().transport()) as http:
        response = http.post("https://hooks.fake.test/message/", json={"body": {"text": "x"}})
    assert "POST /message/{webhookId}: {webhookId} is empty" in response.headers["X-Fake-Reason"]


# What clients of such services call. None of it is described, and no operation is near.
FAR = """
GET /forms
GET /forms/f-1
GET /forms/f-1/responses/r-1
GET /groups
POST /groups
GET /groups/g-1
GET /groups/g-1/members
GET /groups/g-1/note/posts
GET /orgunits
POST /orgunits
GET /orgunits/o-1
GET /orgunits/o-1/members
GET /boards
GET /boards/b-1/posts
POST /boards/b-1/posts
GET /boards/b-1/posts/p-1
GET /boards/b-1/posts/p-1/comments
GET /users
POST /users
POST /users/u-001/delete
POST /users/u-001/leave-of-absence
GET /users/u-001/calendar
GET /users/u-001/calendars/c-1/events
POST /users/u-001/calendar/events
GET /users/u-001/tasks
GET /bots
POST /bots
GET /bots/bot-1
POST /bots/bot-1/messages
POST /bots/bot-1/users/u-001/messages
POST /bots/bot-1/channels
POST /bots/bot-1/channels/c-1/messages
GET /bots/bot-1/channels/c-1/members
POST /bots/bot-1/richmenus
POST /messages
GET /channels
GET /calendars
GET /contacts
POST /contacts
GET /sharedrives
GET /levels
GET /directory/levels
GET /files/f-1
GET /me
GET /userinfo
"""


@pytest.mark.parametrize("call", FAR.strip().splitlines())
def test_no_operation_is_named_that_is_not_near(call):
    method, path = call.split()
    with calling(make(stubs="common")) as me:
        me.api(method, path)
        is_ready = me.fake.journal[-1].operation == "stubbed"
    with calling(make()) as me:
        response = me.api(method, path)
    ready = '; the ready stubs have a response: --stubs common, or stubs="common"' if is_ready else ""
    assert response.json()["description"] == (
        f"{call} is not described: the service may have it, but its description does not show it; to go on, stub it "
        f'with fake.stub("{method}", "{path}", json=...), or with the admin call POST /stubs{ready}'
    )


@pytest.mark.parametrize("path", ["/", "/nothing/at/all", "/nothing" * 500, "/" + "x" * 5000])
def test_a_path_that_is_like_no_operation_is_told_so(me, path):
    response = me.api("GET", path)
    assert response.status_code == 404
    assert "the service may have it, but its description does not show it" in response.json()["description"]
    assert ('"…"' in response.json()["description"]) == (len(path) > 200)


def test_a_near_operation_comes_with_a_way_to_stub_the_call(me):
    told = me.api("GET", "/users/u-001").json()["description"]
    assert told.startswith("GET /users/u-001 is not described; the nearest is PATCH /users/{userId}: ")
    assert told.endswith(
        '; otherwise stub it with fake.stub("GET", "/users/u-001", json=...), or with the admin call POST /stubs; the '
        'ready stubs have a response: --stubs common, or stubs="common"'
    )


@pytest.mark.parametrize(
    ("area", "can_be_stubbed"),
    [("base_url", True), ("auth_url", True), ("upload_url", False), ("webhook_url", False)],
)
def test_each_area_answers_in_its_own_words(me, area, can_be_stubbed):
    response = me.http.get(me.facts[area] + "/no/such/thing", headers=me.bearer)
    assert response.status_code in (400, 404)
    reason = response.headers["X-Fake-Reason"]
    assert "GET /no/such/thing is not described" in reason
    assert ("fake.stub" in reason) == can_be_stubbed
    assert ('area="auth"' in reason) == (area == "auth_url")


def test_all_fields_at_fault_are_named_with_the_section(me):
    response = me.patch(nickName="x" * 101, locale="fr_FR", organizations=[{"primary": "yes"}])
    for path in ("nickName", "locale", "organizations[0].domainId", "organizations[0].primary"):
        assert path in response.json()["description"]
    assert response.headers["X-Fake-Section"] == "Endpoints > Directory"


@pytest.mark.parametrize(
    ("send", "reason"),
    [
        (
            lambda me, url: me.http.post(url, content=b"hello", headers=me.bearer),
            "multipart/form-data with a boundary",
        ),
        (
            lambda me, url: me.http.post(url, data={"Filedata": "hello"}, headers=me.bearer),
            "multipart/form-data",
        ),
        (
            lambda me, url: me.http.post(url, files={"note": (None, b"x")}, headers=me.bearer),
            "given 0 file parts",
        ),
        (lambda me, url: me.http.post(url, files=two_files(), headers=me.bearer), "given 2 file parts"),
        (lambda me, url: me.send(url, b"hell"), "the 5 bytes announced as fileSize; given 4 bytes"),
        (lambda me, url: me.send(url, b"he", **{"Content-Range": "2-3/5"}), "it must start at 0"),
        (lambda me, url: me.http.post(url, files=two_files()), "Authorization: Bearer"),
    ],
)
def test_refused_upload_says_what_is_wrong_with_it(send, reason, me):
    response = send(me, me.url())
    assert response.status_code in (400, 401)
    assert reason in response.json()["description"]
    assert response.headers["X-Fake-Section"] == "Endpoints > File transfer"


def two_files():
    return [("Filedata", ("a.txt", b"a")), ("Filedata", ("b.txt", b"b"))]


def test_reason_is_one_short_line_of_ascii(me):
    response = me.patch(customFields=[{"customFieldId": 7, "value": "世\r\n界" * 200}] * 50)
    reason = response.headers["X-Fake-Reason"]
    assert reason.isascii()
    assert reason.isprintable()
    assert len(reason) <= 1000


def test_sections_of_the_description_are_written_in_ascii_in_headers(me):
    reason = me.api("GET", "/users/u-001").headers["X-Fake-Reason"]
    assert "(section Endpoints > Directory of the service's description)" in reason


def test_operations_are_named_alike():
    """Those of retired features go by the keys of the features."""
    names = {route.operation for route in ROUTER.routes if not route.operation.startswith("retired.")}
    assert [name for name in names if "-" in name] == []
