"""Sessions from one end to the other: a fake behind them, with and without ``await``."""

import asyncio
from typing import Any
from urllib.parse import quote

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.errors import InvalidInput
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect, connect_async
from svckit.session.session import Session

from ..conftest import IN_PROCESS, Face, Scripted


@pytest.mark.parametrize("user_id", ["u-002", "mina+1@example.com", "externalKey:emp/2 é"])
def test_status_is_filed_under_its_user(user_id: str, on_script: Face, scripted: Scripted) -> None:
    url = f"https://api.work.test/v1/users/{quote(user_id, safe='')}/user-profile-statuses"
    scripted.on("POST", url, httpx.Response(200, json={"profileStatusId": "BUSY"}))
    on_script(lambda svc: svc.users.set_status(user_id, "BUSY"))
    records = on_script.session._driver.seen.statuses.values()
    assert [record["userId"] for record in records] == [user_id]


@pytest.mark.parametrize("webhook", ["webhook-1", None])
def test_a_notification_goes_to_a_webhook_by_name(
    webhook: str | None, on_fake: Face, fake: FakeService
) -> None:
    on_fake(lambda svc: svc.notify("Hi", webhook=webhook))
    assert [message.text for message in fake.webhooks.messages("channel-1")] == ["Hi"]


def test_a_webhook_has_the_name_that_the_profile_gives_it(on_script: Face, scripted: Scripted) -> None:
    url = "https://hooks.work.test/message/canary-webhook"
    scripted.on("POST", url, httpx.Response(200, json={"code": 200, "description": "success"}))
    on_script(lambda svc: svc.notify("Hi", webhook="alerts"))
    assert scripted.lines == [f"POST {url}"]
    with pytest.raises(InvalidInput, match=r"no webhook of that name; it has: alerts\.") as caught:
        on_script(lambda svc: svc.notify("Hi", webhook="canary-webhook"))
    assert "canary" not in str(caught.value)


def test_a_session_lists_what_the_fake_has(on_fake: Face, fake: FakeService) -> None:
    svc = on_fake.session
    assert [user.user_id for user in svc.users.list_known()] == fake.facts["users"]
    assert len(list(svc.records("users"))) == 20
    assert next(iter(svc.records("journal")))["operation"] == "auth.authorize"
    assert svc.listing_note is None


@pytest.mark.parametrize("user_id", ["u-001", "hana.nakamura.001@example.com", "externalKey:key-1", "u-999"])
def test_a_session_finds_one_user_by_what_addresses_it(on_fake: Face, user_id: str) -> None:
    svc = on_fake.session
    on_fake(lambda svc: svc.users.update("u-001", user_external_key="key-1"))
    for fake in (svc.fake, None):  # all that it has, and what it has met
        svc.fake = fake
        found = svc.user_record(user_id)
        assert (found and found["userId"]) == (None if user_id == "u-999" else "u-001")


def test_a_real_session_lists_what_it_has_met(on_script: Face, scripted: Scripted) -> None:
    svc = on_script.session
    assert svc.users.list_known() == []
    assert "no list operation" in svc.listing_note
    on_script(lambda svc: svc.users.read("u-001"))
    on_script(lambda svc: svc.users.update("u-001", task=None))
    scripted.on_upload(httpx.Response(201, json={"fileId": "f-1"}))
    on_script(lambda svc: svc.files.upload(b"x", to=places.drive("u-001"), name="x"))
    assert [user.user_id for user in svc.users.list_known()] == ["u-001"]
    assert list(svc.records("files")) == [{"fileId": "f-1", "place": "drive/u-001"}]
    assert list(svc.records("messages")) == list(svc.records("journal")) == []
    with pytest.raises(ValueError, match="no records of the kind 'rooms'"):
        svc.records("rooms")


@pytest.mark.parametrize(
    "to",
    [
        places.group_folder("a/b@c"),
        places.drive("u-001").file("folder-1"),
        places.photo("u-001"),
        places.comment("b", "p", "c"),
        places.shared_folder("u-001", "s"),
    ],
    ids=repr,
)
def test_a_real_session_names_places_as_a_fake_does(to: places.Place, svc: Session) -> None:
    svc.files.upload(b"x", to=to, name="x.png")
    (of_fake,) = [record["place"] for record in svc.records("files") if record["fileName"] == "x.png"]
    svc.fake = None
    svc.files.upload(b"x", to=to, name="x.png", overwrite=True)
    assert {record["place"] for record in svc.records("files")} == {of_fake}


@IN_PROCESS
def test_a_session_shows_what_it_is(on_fake: Face, on_script: Face, way: str) -> None:
    kind = "Session" if way == "sync" else "AsyncSession"
    shown = repr(on_fake.session).splitlines()
    assert shown[:4] == [
        f"{kind} [FAKE]",
        "  profile         fake, https://api.fake.test",
        "  signed in       hana.nakamura.001@example.com",
        "  access token    until 2026-06-02T09:00:00+09:00; renewed automatically",
    ]
    assert ("  svc.explore()   opens users, files, notifications and more in a notebook" in shown) is (
        way == "sync"
    )
    assert "  guide           notebooks/00-start.ipynb; svckit lab opens it" in shown
    assert repr(on_script.session).splitlines()[1].split() == ["profile", "work,", "https://api.work.test/v1"]
    assert "update(user_id, **changes)" in repr(on_fake.session.users)
    assert "[FAKE]" in on_fake.session._repr_html_()


def show_session(svc: Session) -> list[str]:
    return [line[18:] for line in repr(svc).splitlines()[2:4]]


def test_a_session_says_that_its_tokens_expired_for_good(svc: Session, fake: FakeService) -> None:
    fake.clock.advance(days=89)
    assert show_session(svc)[1] == "expired 2026-06-02T09:00:00+09:00; renewed with the next request"
    fake.clock.advance(days=1)
    assert show_session(svc) == ["nobody", "expired; sign in again with svc.sign_in()"]
    svc.sign_in()
    assert show_session(svc)[1].endswith("renewed automatically")


def test_a_session_says_that_its_tokens_were_refused(svc: Session, fake: FakeService) -> None:
    fake.reset()
    assert show_session(svc)[1].endswith("renewed automatically")
    with pytest.raises(
        svckit.Unauthorized, match="access token was rejected, and it could not be renewed"
    ) as caught:
        svc.users.read("u-001")
    assert show_session(svc) == ["nobody", "no longer accepted; sign in again with svc.sign_in()"]
    assert "this refresh token is unknown" in str(caught.value)
    assert str(caught.value).lower().count("sign in") == 1
    assert "svckit.connect" not in str(caught.value)
    svc.sign_in()
    assert svc.users.read("u-001").user_id == "u-001"


def test_an_expired_token_is_said_to_have_expired(svc: Session, fake: FakeService) -> None:
    fake.clock.advance(days=91)
    with pytest.raises(svckit.Unauthorized, match="the access token has expired, and it could") as caught:
        svc.users.read("u-001")
    assert str(caught.value).endswith("expired after 90 days. Sign in again with svc.sign_in().")


def test_an_update_cannot_change_the_id_of_a_user(fake: FakeService) -> None:
    with (
        connect(fake) as svc,
        pytest.raises(InvalidInput, match=r"^users\.update was not sent: user_id is read-only"),
    ):
        svc.users.update("u-003", user_id="u-4")


def test_what_is_not_awaited_yet_says_so(fake: FakeService) -> None:
    pending: Any = connect_async(fake)
    with pytest.raises(
        AttributeError,
        match=r"not a session until it is awaited, so it has no attribute 'users': svc = await",
    ):
        pending.users.read("u-001")
    assert not hasattr(pending, "_repr_html_")


@pytest.mark.parametrize(
    "use",
    [
        lambda svc: svc.users.read("u-001"),
        lambda svc: svc.users.list_known() and svc.users.update("u-001", task="Sales"),
        lambda svc: svc.files.upload(b"x", name="x.txt", to=places.drive("u-001")),
        lambda svc: svc.notify("Build is green"),
        lambda svc: svc.request("GET", "/users/u-001"),
    ],
)
def test_a_closed_session_says_so(use: Any, on_fake: Face, fake: FakeService) -> None:
    on_fake(lambda svc: svc.close())
    before = len(fake.journal)
    with pytest.raises(RuntimeError, match=r"the session is closed .*; connect again with .*\(svc\.fake\)"):
        on_fake(use)
    assert len(fake.journal) == before


def test_explorers_are_for_sessions_without_await(fake: FakeService) -> None:
    async def main() -> None:
        async with connect_async(fake) as svc:
            with pytest.raises(AttributeError, match=r"svckit\.connect\(svc\.fake\)\.explore\(\)"):
                _ = svc.explore

    asyncio.run(main())


def test_a_url_does_not_show_that_the_setup_is_still_done(fake: FakeService) -> None:
    profile, credentials = Profile.from_facts(fake.facts), Credentials.from_facts(fake.facts)
    assert credentials.webhooks
    fake.webhooks.remove_app()
    setup = Session(profile, credentials).notification_setup
    assert (setup.done, setup.missing) == ((None, None, None, None, True), None)
    assert "not known" in setup.summary
    without = Session(profile, Credentials(client_secret=credentials.client_secret)).notification_setup
    assert without.done == (None,) * 5
    assert without.summary.startswith("Setup: follow the steps")


def test_what_a_session_signs_in_with_shows_nothing_of_itself() -> None:
    with connect() as svc:
        assert svc.credentials.client_secret.reveal() == svc.fake.facts["client_secret"]
        assert svc.fake.facts["client_secret"] not in repr(svc.credentials)
        assert svc.clock is svc.fake.clock
