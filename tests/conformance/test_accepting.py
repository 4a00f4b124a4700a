"""What a client can accept is handed on as the description shows it, and noted without values."""

import httpx
import pytest

from .accepting import Accepting
from .shapes import Recording, unknown_values

FACTS = {name: f"https://{name}.test" for name in ("base_url", "auth_url", "upload_url", "webhook_url")}
TOKENS = {"access_token": "secret", "scope": "user", "expires_in": "86400", "token_type": "Bearer"}
STORED = {"fileId": "f-1", "fileName": "a.txt", "fileSize": "1", "fileType": "text/plain"}
TOKEN, UPLOAD = "https://auth_url.test/oauth2/v2.0/token", "https://upload_url.test/uploads/secret"
POST = "https://webhook_url.test/message/secret"


def accept(url, answer):
    """What the cases see of a response, and what is said of it."""
    accepting = Accepting(Recording(FACTS))
    return accepting.add("POST", url, answer), list(accepting.found), list(accepting.deviations())


@pytest.mark.parametrize(
    ("url", "status", "body", "shown", "words"),
    [
        (TOKEN, 200, TOKENS | {"expires_in": 86400}, TOKENS, "token.issued: expires_in is a number"),
        (TOKEN, 200, TOKENS | {"token_type": "bearer"}, TOKENS, "token.issued: token_type is not written Bearer"),
        (TOKEN, 200, TOKENS | {"expires_in": 86400.0}, TOKENS, "token.issued: expires_in is a number"),
        (TOKEN, 201, TOKENS, TOKENS, "token.issued: the status is 201, not 200"),
        (UPLOAD, 200, STORED, STORED, "file.stored: the status is 200, not 201"),
        (POST, 201, {"code": 200, "description": "success"}, None, "notification.success: the status is 201, not 200"),
    ],
)  # fmt: skip
def test_difference_is_noted_and_handed_on_as_shown(url, status, body, shown, words):
    answer, found, _ = accept(url, httpx.Response(status, json=body))
    assert words in found
    assert "secret" not in "".join(found)
    assert answer.status_code == (201 if url == UPLOAD else 200)
    assert answer.json() == (shown or body)


def test_what_is_as_shown_or_refused_is_left_alone():
    for status, body in ((200, TOKENS), (400, TOKENS | {"expires_in": 86400})):
        given = httpx.Response(status, json=body)
        answer, found, deviations = accept(TOKEN, given)
        assert answer is given
        assert found == deviations == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"expires_in": True}, "the body.expires_in is of the type boolean, not string"),
        ({"token_type": "secret"}, "the body.token_type has a value that is not described"),
    ],
)
def test_what_no_client_can_read_is_noted_and_handed_on(changes, words):
    answer, found, _ = accept(TOKEN, httpx.Response(200, json=TOKENS | changes))
    assert found == [f"token.issued: {words}"]
    assert answer.json() == TOKENS | changes


def test_unknown_values_are_found_at_every_level():
    user = {"userId": "u-1", "leaveOfAbsence": {"secret": 1}, "relations": [{"relationName": "x"}, {}]}
    schema = {
        "properties": {
            "userId": {"enum": ["u-2"]},
            "relations": {"items": {"properties": {"relationName": {"enum": ["y"]}}}},
        }
    }
    assert list(unknown_values(user, schema, {})) == ["the body.userId", "the body.relations[].relationName"]


@pytest.mark.parametrize("content", [b"<html>secret</html>", b""])
def test_body_that_is_not_json_stops_nothing(content):
    headers = {"Content-Type": "application/json"}
    answer, found, _ = accept(TOKEN, httpx.Response(200, content=content, headers=headers))
    assert answer.content == content
    assert found == ["token.issued: the body is not JSON"]


def test_deviations_that_a_fake_has_are_measured():
    assert accept(UPLOAD, httpx.Response(200, json=STORED))[2] == [("file.stored", "200", 1)]
    part = httpx.Response(200, json={"received": 5})
    assert accept(UPLOAD, part)[0].status_code == 200
