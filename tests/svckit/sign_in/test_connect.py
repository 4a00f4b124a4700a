"""`connect("work")` against the fake over TCP: once with a person, and then without."""

import asyncio
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile

from ...loopback import local_client
from ..bare_machine import MemoryKeyring
from .browser import log_in
from .conftest import get

Facts = Mapping[str, Any]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, served: Facts) -> list[str]:
    """The addresses that were opened in the browser, where a person signed in."""
    addresses: list[str] = []

    def open_browser(address: str) -> bool:
        addresses.append(address)
        with local_client() as http:
            get(log_in(address, served["login_id"], served["password"], http))
        return True

    monkeypatch.setattr(webbrowser, "open", open_browser)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    return addresses


def connect_sync(*arguments: Any, **options: Any) -> str | None:
    with svckit.connect(*arguments, **options) as svc:
        return svc.users.read("u-003").user_id


def connect_async(*arguments: Any, **options: Any) -> str | None:
    async def main() -> str | None:
        async with svckit.connect_async(*arguments, **options) as svc:
            return (await svc.users.read("u-003")).user_id

    return asyncio.run(main())


@pytest.fixture(params=[connect_sync, connect_async], ids=["sync", "async"])
def connected(request: pytest.FixtureRequest) -> Callable[..., str | None]:
    return request.param


def test_the_second_time_nobody_is_needed(connected: Callable[..., str | None], opened: list[str]) -> None:
    assert connected("work", sign_in="browser") == "u-003"
    assert connected("work", sign_in="browser") == "u-003"
    assert len(opened) == 1


def test_without_a_keyring_a_person_is_needed_each_time(
    connected: Callable[..., str | None], opened: list[str], memory_keyring: MemoryKeyring
) -> None:
    memory_keyring.refuses = True
    assert connected("work", sign_in="browser") == "u-003"
    assert connected("work", sign_in="browser") == "u-003"
    assert len(opened) == 2


def test_a_sign_in_that_was_kept_and_is_over_leads_back_to_the_person(
    connected: Callable[..., str | None],
    opened: list[str],
    fake: FakeService,
    memory_keyring: MemoryKeyring,
    capsys: pytest.CaptureFixture[str],
) -> None:
    connected("work", sign_in="browser")
    ((entry, kept),) = memory_keyring.entries.items()
    memory_keyring.entries[entry] = kept.replace('"ends": "20', '"ends": "19')
    fake.clock.advance(days=91)
    capsys.readouterr()
    assert connected("work", sign_in="browser") == "u-003"
    assert len(opened) == 2
    assert "The stored sign-in to 'work' has expired" in capsys.readouterr().err


def test_a_client_secret_that_is_typed_is_kept_when_it_was_right(
    opened: list[str], served: Facts, monkeypatch: pytest.MonkeyPatch, memory_keyring: MemoryKeyring
) -> None:
    monkeypatch.delenv("SVCKIT_WORK_CLIENT_SECRET")
    responses = [Secret("wrong"), Secret(served["client_secret"])]
    monkeypatch.setattr("svckit.sign_in.account.ask", lambda _: responses.pop(0))
    with pytest.raises(svckit.Unauthorized, match="client_secret"):
        svckit.connect("work", sign_in="browser")
    assert memory_keyring.entries == {}
    for _ in range(2):
        assert connect_sync("work", sign_in="browser") == "u-003"
    assert responses == []
    assert sorted(name.rpartition("/")[2] for _, name in memory_keyring.entries) == [
        "client_secret",
        "tokens",
    ]


def test_a_served_fake_is_signed_in_to_by_form(
    connected: Callable[..., str | None],
    opened: list[str],
    served: Facts,
    monkeypatch: pytest.MonkeyPatch,
    memory_keyring: MemoryKeyring,
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_FAKE", "true")
    monkeypatch.setenv("SVCKIT_WORK_LOGIN_ID", served["login_id"])
    monkeypatch.setenv("SVCKIT_WORK_PASSWORD", served["password"])
    assert connected("work") == "u-003"
    assert (opened, memory_keyring.entries) == ([], {})
    with svckit.connect("work") as svc:
        assert svc.is_fake
        assert "FAKE" in repr(svc)


def test_where_a_form_is_filled_in_no_keyring_is_opened(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "svckit.profiles.keyring_store._find_backends", lambda: pytest.fail("the keyring was opened")
    )
    connect_sync(Profile.from_facts(served), credentials=Credentials.from_facts(served))


def test_a_profile_without_credentials_is_looked_up_like_a_named_one(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svckit.sign_in.prompt.sys.stdin", None)
    with pytest.raises(svckit.UnusableProfile, match="SVCKIT_WORK_CLIENT_SECRET"):
        svckit.connect(profile, sign_in="paste")


def test_no_form_of_a_real_service_is_filled_in(served: Facts) -> None:
    real = replace(Profile.from_facts(served), is_fake=False)
    with pytest.raises(ValueError, match="of a fake only"):
        svckit.connect(real, credentials=Credentials.from_facts(served), sign_in="form")
    unknown: Any = "Browser"
    with pytest.raises(ValueError, match="sign_in is one of browser, paste, form; given 'Browser'"):
        svckit.connect(real, credentials=Credentials.from_facts(served), sign_in=unknown)


def test_fake_without_a_login_needs_a_person(opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_WORK_FAKE", "true")
    assert connect_sync("work", sign_in="browser") == "u-003"
    assert len(opened) == 1


def test_a_person_can_refuse_and_then_sign_in_again(
    opened: list[str], served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in, refuses = webbrowser.open, [True, False, True]

    def open_browser(address: str) -> bool:
        if not refuses.pop(0):
            return sign_in(address)
        state = httpx.URL(address).params["state"]
        get(f"{served['redirect_uri']}?error=access_denied&state={state}")
        return True

    monkeypatch.setattr(webbrowser, "open", open_browser)
    with pytest.raises(SignInStopped, match="access_denied"):
        svckit.connect("work", sign_in="browser")
    with svckit.connect("work", sign_in="browser") as svc:
        with pytest.raises(SignInStopped, match="access_denied"):
            svc.sign_in()
        assert svc.users.read("u-003").user_id == "u-003"
    assert refuses == []


def test_no_browser_reaches_a_fake_in_process(fake: FakeService) -> None:
    with pytest.raises(TypeError, match="no browser reaches it"):
        svckit.connect(fake, sign_in="browser")
