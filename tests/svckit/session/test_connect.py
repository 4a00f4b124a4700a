"""What a session is connected to: fakes, profiles of one's own, and what it refuses."""

import asyncio
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit.errors import InvalidInput, UnusableProfile
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect, connect_async
from svckit.session.driver import Driver
from svckit.session.session import Session

from ..conftest import Scripted


def test_the_profile_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_PROFILE", "work")
    with pytest.raises(ValueError, match="no profile 'work'; there is: fake"):
        connect()
    with connect("fake", users=3) as svc:
        assert len(svc.users.list_known()) == 3


def test_an_empty_variable_names_no_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_PROFILE", "")
    with connect() as svc:
        assert svc.profile.name == "fake"


def test_a_sign_in_that_fails_leaves_nothing_open(
    profile: Profile, credentials: Credentials, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []
    monkeypatch.setattr(Driver, "sign_in", lambda _: 1 / 0)
    monkeypatch.setattr(Session, "close", lambda _: closed.append(True))
    with pytest.raises(ZeroDivisionError):
        connect(profile, credentials=credentials, sign_in="paste")
    assert len(closed) == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"users": "5"}, "users must be a whole number; given '5'"),
        ({"users": True}, "users must be a whole number; given True"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"now": 5}, "now must be a time"),
        ({"assume": "api.unauthorized"}, "assume must be a mapping of rules to alternatives, such as"),
    ],
)
def test_what_a_new_fake_is_made_of(arguments: dict[str, Any], why: str) -> None:
    for create in (connect, FakeService.sample):
        with pytest.raises(TypeError, match=why):
            create(**arguments)


def test_a_url_is_not_the_name_of_a_profile() -> None:
    with pytest.raises(
        UnusableProfile, match=r"pass the name of a profile, not a URL: in svckit\.toml"
    ) as caught:
        connect("https://api.work.test/?key=secret", users=3)
    assert "secret" not in str(caught.value)


def test_a_new_fake_takes_alternatives() -> None:
    with connect(assume={"api.unauthorized": "403"}) as svc:
        assert svc.fake.rules["api.unauthorized"].chosen == "403"
    with pytest.raises(ValueError, match=r"'api.unauthorised' is not a rule of this fake; did you mean"):
        connect(assume={"api.unauthorised": "403"})
    with pytest.raises(TypeError, match=r"FakeService\.sample\(assume=…\)"):
        connect(svc.fake, assume={"api.unauthorized": "403"})


def test_a_profile_of_ones_own_over_any_transport(profile: Profile, credentials: Credentials) -> None:
    with pytest.raises(TypeError, match="users can be given for a new fake only"):
        connect(profile, credentials=credentials, users=3)


@pytest.mark.parametrize("target", [7, object(), FakeService])
def test_what_one_cannot_connect_to(target: Any) -> None:
    with pytest.raises(TypeError, match="connect takes a profile's name"):
        connect(target)


def test_a_fake_brings_its_own_credentials(fake: FakeService, credentials: Credentials) -> None:
    with pytest.raises(TypeError, match="brings its own"):
        connect(fake, credentials=credentials)
    with pytest.raises(TypeError, match="seed can be given for a new fake only"):
        connect(fake, seed=1)


@pytest.mark.parametrize(
    "address", ["api.work.test", "https://u:p@api.work.test", "https://api.work.test/?x=1"]
)
def test_a_profile_has_plain_addresses(address: str, fake: FakeService) -> None:
    with pytest.raises(ValueError, match="base_url of profile 'fake'"):
        Profile.from_facts({**fake.facts, "base_url": address})


def test_connect_async_is_awaited_or_entered(fake: FakeService) -> None:
    async def main() -> list[str | None]:
        svc = await connect_async(fake)
        first = await svc.users.read("u-001")
        await svc.close()
        async with connect_async() as other:
            second = await other.users.read("u-002")
        return [first.user_id, second.user_id]

    assert asyncio.run(main()) == ["u-001", "u-002"]


def test_a_webhook_is_needed(profile: Profile, scripted: Scripted, credentials: Credentials) -> None:
    bare = Credentials(client_secret=credentials.client_secret, login_id="x", password=credentials.password)
    with (
        Session(profile, bare, transport=httpx.MockTransport(scripted)) as svc,
        pytest.raises(InvalidInput, match="webhook="),
    ):
        svc.notify("Hi")
