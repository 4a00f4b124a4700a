"""Responses that differ from the service's description: accepted and noted where they can be read.

A success is not raised as a failure because of how it looks; one that reports an error is.
"""

from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.errors import ServiceError
from svckit.models.token import TokenSet

from ..conftest import USER, Face, Scripted

USERS = "https://api.work.test/v1/users/u-001"
HOOK = "https://hooks.work.test/message/1"


def update(svc: Any) -> Any:
    return svc.users.update("u-001", task="Sales")


@pytest.mark.parametrize("status", [201, 202, 206])
def test_another_success_is_one(status: int, on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USERS, httpx.Response(status, json=USER))
    assert on_script(update).user_id == "u-001"
    assert [str(each) for each in on_script.session.notices] == [
        f"users.update: the status is {status}, not 200"
    ]


def test_unknown_fields_and_values_are_noted_once_and_without_values(
    on_script: Face, scripted: Scripted
) -> None:
    more = {
        "shoeSize": 38,
        "locale": "canary",
        "userName": {"lastName": "Sato", "middleName": "canary"},
        "i18nNames": [{"language": "canary"}, {"language": "canary", "x": 1}],
    }
    scripted.on("PATCH", USERS, httpx.Response(200, json=USER | more))
    for _ in range(2):
        assert on_script(update).locale == "canary"
    assert sorted(each.difference for each in on_script.session.notices) == [
        "i18nNames[].language must be 'ja_JP', 'ko_KR', 'en_US', 'zh_CN' or 'zh_TW'",
        "i18nNames[].x is not described",
        "locale must be 'ja_JP', 'ko_KR', 'en_US', 'zh_CN' or 'zh_TW'",
        "shoeSize is not described",
        "userName.middleName is not described",
    ]
    assert "canary" not in repr(on_script.session.notices)


@pytest.mark.parametrize(
    "body",
    [
        {"code": "INTERNAL", "description": "try later"},
        {"error": {"code": "INTERNAL", "message": "try later"}},
        {"errors": [{"code": "INTERNAL", "message": "try later"}]},
        {"error": "INTERNAL", "error_description": "try later"},
    ],
)
@pytest.mark.parametrize("status", [200, 201])
def test_a_success_whose_body_reports_an_error_is_unknown(
    body: dict[str, Any], status: int, on_script: Face, scripted: Scripted
) -> None:
    scripted.on("PATCH", USERS, httpx.Response(status, json=body))
    with pytest.raises(
        ServiceError, match=r"INTERNAL: try later.*It is unknown whether it took effect"
    ) as caught:
        on_script(update)
    assert (caught.value.status, caught.value.code) == (status, "INTERNAL")


ORGANIZATION = {"domainId": 1, "orgUnits": [{"orgUnitId": "ou-1"}]}


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
    scripted.on("PATCH", USERS, httpx.Response(**{"status_code": 200} | given))
    assert on_script(update).domain_id in (1, None)


@pytest.mark.parametrize("given", [{"status_code": 204}, {"status_code": 200, "json": {}}])
def test_a_status_took_effect(given: dict[str, Any], on_script: Face, scripted: Scripted) -> None:
    scripted.on("POST", f"{USERS}/user-profile-statuses", httpx.Response(**given))
    assert on_script(lambda svc: svc.users.set_status("u-001", "BUSY")).profile_status_id is None


@pytest.mark.parametrize(
    ("status", "body"), [(201, {"code": 201}), (200, {"code": "200", "description": "success"}), (200, {})]
)
def test_a_message_was_posted(status: int, body: dict[str, Any], on_script: Face, scripted: Scripted) -> None:
    scripted.on("POST", HOOK, httpx.Response(status, json=body))
    assert on_script(lambda svc: svc.notify("x", webhook=HOOK)).code == 200


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_a_notification_without_a_body_was_posted(status: int, on_script: Face, scripted: Scripted) -> None:
    scripted.on("POST", HOOK, httpx.Response(status))
    assert on_script(lambda svc: svc.notify("hello", webhook=HOOK)).code == 200
    assert "notify: the body is empty" in map(str, on_script.session.notices)
    assert len(scripted.asked) == 1


def test_numbers_as_lifetimes_and_any_case_of_bearer_are_accepted() -> None:
    fake = FakeService.sample(deviations={"token.expires-in": "number", "file.stored": "200"})
    svc = svckit.connect(fake)
    svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
    assert list(map(str, svc.notices)) == [
        "auth.exchange: expires_in must be a string",
        "files.upload: the status is 200, not 201",
    ]


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


def test_strict_sessions_reject_what_differs() -> None:
    fake = FakeService.sample(deviations={"token.expires-in": "number"})
    with pytest.raises(ServiceError, match=r"expires_in must be a string.*without strict=True"):
        svckit.connect(fake, strict=True)
    assert svckit.connect(FakeService.sample(), strict=True).users.read("u-001").user_id == "u-001"
