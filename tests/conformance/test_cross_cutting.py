"""What holds for all operations: the bearer, the shape of errors, encodings, and requests that are no operation."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, documented, every_door, safe, writes
from .places import FORM_ATTACHMENT
from .target import bearer

STATUSES, FILES = "/users/{other}/user-profile-statuses", "/users/{other}/drive/files"
OPERATIONS = (
    case("PATCH", "/users/{other}", {"task": "x"}, id="update a user", marks=writes("user")),
    case("POST", STATUSES, {"profileStatusId": "BUSY"}, id="register a status", marks=writes("status")),
    case("POST", FILES, {"fileName": "a.txt", "fileSize": 5}, id="ask for an upload"),
    case("GET", FORM_ATTACHMENT, None, id="ask for a download"),
    case("GET", "/audits/logs/download", None, id="ask for the audit logs"),
)
NO_BEARER = (
    case({}, id="none", marks=safe),
    case({"Authorization": ""}, id="empty"),
    case({"Authorization": "Bearer"}, id="no credential"),
    case({"Authorization": "Bearer "}, id="blank credential", marks=every_door),
    case({"Authorization": "{token}"}, id="no scheme"),
    case({"Authorization": "Basic {token}"}, id="another scheme", marks=safe),
    case({"Authorization": "Token {token}"}, id="an unknown scheme"),
    case({"Authorization": "Bearer{token}"}, id="no blank"),
    case({"Authorization": "Bearer {token}x"}, id="one character more"),
    case({"Authorization": "Bearer {token} {token}"}, id="twice"),
    case({"Authorization": 'Bearer "{token}"'}, id="in quotes"),
    case({"X-Authorization": "Bearer {token}"}, id="in another header"),
)


def at(target, path):
    """The address of a path of the user who is changed: of a real service, the one named for it."""
    return target.api(path.replace("{other}", target.other))


@documented("api.bearer")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("headers", NO_BEARER)
@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_call_without_a_valid_bearer_is_unauthorized(target, method, path, body, headers):
    token = target.tokens()["access_token"]
    sent = {name: value.replace("{token}", token) for name, value in headers.items()}
    response = target.refuses(method, at(target, path), 401, json=body, headers=sent)
    assert response.json()["code"] == "UNAUTHORIZED"
    assert token not in response.text


@documented("api.bearer")
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_token_in_the_address_is_no_bearer(target, method, path, body):
    token = target.tokens()["access_token"]
    target.refuses(method, at(target, path), 401, json=body, params={"access_token": token})


@every_door
@documented("api.bearer")
@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_call_with_a_bearer_succeeds(target, me, method, path, body):
    assert target.http.request(method, at(target, path), json=body, headers=me).status_code in (200, 302)


@assumed("api.bearer-form")
@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_bearer_in_small_letters(target, me, method, path, body):
    headers = {"Authorization": me["Authorization"].replace("Bearer", "bearer")}
    response = target.http.request(method, at(target, path), json=body, headers=headers)
    assert response.status_code in (200, 302)


@safe
@assumed("api.bearer-order", "lifecycle.ended")
def test_ended_operation_needs_no_bearer(target):
    target.refuses("GET", target.api("/users/u-002/mail/vipmailfolders"), 404)


@safe
@assumed("api.unmatched-bearer", *RESOURCE_ERRORS)
def test_what_is_no_operation_needs_a_bearer(target):
    target.refuses("GET", target.api("/nothing"), 401)


@safe
@assumed("api.unmatched")
def test_what_is_no_operation_is_not_found(target, me):
    target.refuses("GET", target.api("/nothing"), 404, headers=me)


REFUSALS = (
    case("PATCH", "/users/{other}", {"nickName": 5}, 400, "INVALID_PARAMETER", id="invalid"),
    case(
        "PATCH",
        "/users/u-999",
        {},
        404,
        "NOT_FOUND",
        id="no such user",
        marks=(safe, assumed("user.not-found")),
    ),
    case("PATCH", "/users/{other}", {"userExternalKey": "emp-00003"}, 409, "CONFLICT", id="conflict"),
    case("POST", STATUSES, {}, 400, "INVALID_PARAMETER", id="status"),
    case("POST", FILES, {}, 400, "INVALID_PARAMETER", id="upload"),
    case("GET", f"{FILES}/none/download", None, 404, "NOT_FOUND", id="download", marks=safe),
)


@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize(("method", "path", "body", "status", "code"), REFUSALS)
def test_shape_of_a_resource_error(target, me, method, path, body, status, code):
    response = target.refuses(method, at(target, path), status, json=body, headers=me)
    assert response.headers["Content-Type"].startswith("application/json")
    assert set(response.json()) == {"code", "description"}
    assert response.json()["code"] == code
    assert isinstance(response.json()["description"], str)


NO_OPERATIONS = (
    ("GET", "/"),
    ("GET", "/users"),
    ("GET", "/users/u-002"),
    ("PUT", "/users/u-002"),
    ("POST", "/users/u-002"),
    case("DELETE", "/users/u-002", id="DELETE-/users/u-002", marks=every_door),
    case("PATCH", "/users/u-002/", id="PATCH-/users/u-002/", marks=every_door),
    ("PATCH", "/Users/u-002"),
    case("PATCH", "//users/u-002", id="PATCH-//users/u-002", marks=every_door),
    ("PATCH", "/users//u-002"),
    ("PATCH", "/users/u-002/photo"),
    ("GET", "/users/u-002/user-profile-statuses"),
    ("GET", "/users/u-002/drive/files"),
    ("POST", "/users/u-002/drive/files/file-1/download"),
    ("POST", "/audits/logs/download"),
    ("GET", "/oauth2/v2.0/authorize"),
    ("POST", "/message/x"),
)


@assumed("api.unmatched", *RESOURCE_ERRORS)
@pytest.mark.parametrize(("method", "path"), NO_OPERATIONS)
def test_request_that_is_no_operation_is_refused(target, me, method, path):
    target.refuses(method, target.api(path), 404, json={"nickName": "x"}, headers=me)


@every_door
@assumed("api.unmatched", *RESOURCE_ERRORS)
def test_head_brings_the_headers_and_no_body(target, me):
    response = target.refuses("HEAD", target.api("/users"), 404, headers=me)
    assert response.content == b""
    assert response.headers["Content-Type"].startswith("application/json")
    assert int(response.headers["Content-Length"]) > 0


@every_door
@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("user", ["u-002%2Fphoto", "%2E%2E%2Fu-002", "u-002%3Fx", "u-002%23x", "u-002%20"])
def test_encoded_characters_belong_to_the_user_id(target, me, user):
    response = target.refuses("PATCH", target.api(f"/users/{user}"), 404, json={"nickName": "x"}, headers=me)
    assert response.json()["code"] == "NOT_FOUND"


@writes("user")
@documented("user.partial")
@pytest.mark.parametrize("text", ["é", "e\u0301", "日本", "🙂", "\u202eabc", "a\u0000b", '"\\/\b', "\u2028"])
def test_text_is_kept_to_the_code_point(target, me, text):
    response = target.http.patch(target.api(f"/users/{target.other}"), json={"nickName": text}, headers=me)
    assert response.json()["nickName"] == text


@assumed(*RESOURCE_ERRORS)
@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("body", ['{"x": %s}', '{"customProperties": {"x": [%s]}}'])
def test_what_no_program_reads_as_a_number_is_refused(target, me, body, number):
    headers = me | {"Content-Type": "application/json"}
    target.refuses("PATCH", target.api("/users/u-002"), 400, content=body % number, headers=headers)


@every_door
@writes("user")
@documented("user.partial")
@assumed("file.query", "api.query")
def test_query_that_is_not_described_does_no_harm(target, me):
    url = target.api(f"/users/{target.other}")
    response = target.http.patch(url, json={"task": "x"}, headers=me, params={"a": "b"})
    assert response.json()["task"] == "x"


@assumed(*RESOURCE_ERRORS)
def test_one_users_expired_token_does_not_touch_anothers(target):
    early = target.tokens()["access_token"]
    target.advance(12 * 3600)
    late = target.signed_in_as("u-002")
    target.advance(12 * 3600)
    url = target.api("/users/u-003")
    target.refuses("PATCH", url, 401, json={}, headers=bearer(early))
    assert target.http.patch(url, json={}, headers=late).status_code == 200
