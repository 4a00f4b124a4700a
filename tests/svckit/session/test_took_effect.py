"""A 2xx response is not raised as a failure because of how it looks; one that reports an error is."""

from typing import Any

import httpx
import pytest

from svckit.models.token import TokenSet

from ..conftest import USER, Face, Scripted

API, HOOK = "https://api.work.test/v1", "https://hooks.work.test/message/1"
ORGANIZATION = {"domainId": 1, "orgUnits": [{"orgUnitId": "ou-1"}]}


def respond(status_code: int = 200, **content: Any) -> httpx.Response:
    return httpx.Response(status_code, **content)


@pytest.mark.parametrize(
    "given",
    [
        {"status_code": 204},
        {"status_code": 202},
        {"json": {}},
        {"json": USER | {"organizations": [ORGANIZATION]}},
        {"json": USER | {"domainId": "1", "telephone": 5}},
        {"json": {name: value for name, value in USER.items() if name != "email"}},
    ],
)
def test_an_update_took_effect(given: dict[str, Any], on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", f"{API}/users/u-001", lambda _: respond(**given))
    user = on_script(lambda svc: svc.users.update("u-001", task="x"))
    assert user.domain_id in (1, None)


@pytest.mark.parametrize("given", [{"status_code": 204}, {"json": {}}])
def test_a_status_took_effect(given: dict[str, Any], on_script: Face, scripted: Scripted) -> None:
    scripted.on("POST", f"{API}/users/u-001/user-profile-statuses", lambda _: respond(**given))
    assert on_script(lambda svc: svc.users.set_status("u-001", "BUSY")).profile_status_id is None


@pytest.mark.parametrize(
    ("status", "body"),
    [(201, {"code": 201}), (200, {"code": "200", "description": "success"}), (200, {}), (200, None)],
)
def test_a_message_was_posted(status: int, body: Any, on_script: Face, scripted: Scripted) -> None:
    scripted.on("POST", HOOK, httpx.Response(status, json=body) if body is not None else httpx.Response(200))
    assert on_script(lambda svc: svc.notify("x", webhook=HOOK)).code == 200


@pytest.mark.parametrize(
    "changes",
    [
        {"token_type": None},
        {"expires_in": None},
        {"expires_in": "86400.0"},
        {"expires_in": 86400.0},
        {"scope": ["user", "file"]},
    ],
)
def test_tokens_of_other_services_are_read(changes: dict[str, Any]) -> None:
    tokens = {"access_token": "a", "scope": "user file", "expires_in": "86400", "token_type": "Bearer"}
    for given in (
        tokens | changes,
        {name: value for name, value in (tokens | changes).items() if value is not None},
    ):
        read = TokenSet.from_response(given)
        assert (read.expires_in, read.token_type, read.scope) == ("86400", "Bearer", "user file")
