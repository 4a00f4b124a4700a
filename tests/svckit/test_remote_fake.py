"""``svc.fake`` does the same in process, over TCP and in a world, by the settings of a profile."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService, Refusal, Worlds
from svckit.errors import UnusableProfile
from svckit.profiles.profiles import Profile

from .work_profile import choose_fake

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=["in process", "served", "world"])
def svc(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    if request.param == "in process":
        with svckit.connect(now=NOW) as session:
            yield session
        return
    server = FakeService.sample(now=NOW) if request.param == "served" else Worlds(now=NOW)
    with server.serve() as served:
        facts = served.facts
        if request.param == "world":
            key = {"Authorization": f"Bearer {facts['admin_key']}"}
            facts = httpx.post(f"{facts['admin_url']}/worlds/mina", json={}, headers=key).json()
        choose_fake(monkeypatch, facts)
        monkeypatch.setenv("SVCKIT_ADMIN_URL", "http://127.0.0.1:9")  # the server's, which no profile takes
        monkeypatch.setenv("SVCKIT_ADMIN_KEY", "the server's")
        with svckit.connect() as session:
            yield session


def test_a_fake_is_controlled_from_its_session(svc: Any) -> None:
    assert svc.is_fake
    fault = svc.fake.faults.status("users.update", 500)
    with svckit.expect(svckit.errors.ServiceError):
        svc.users.update("u-001", nick_name="Mina")
    assert (fault.left, svc.fake.journal[-1].injected) == (0, "status 500")
    mark = svc.fake.journal.mark()
    svc.users.update("u-001", nick_name="Mina")
    assert [entry.json for entry in svc.fake.journal.since(mark)] == [{"nickName": "Mina"}]
    assert svc.fake.directory["u-001"]["nickName"] == "Mina"
    svc.fake.clock.advance(days=2)
    assert svc.fake.clock.now().isoformat() == "2026-06-03T09:00:00+09:00"
    svc.fake.rules.choose({"user.addressing": "id-only"})
    with svckit.expect(svckit.errors.NotFound):
        svc.users.read("hana.nakamura.001@example.com")
    svc.fake.stub("GET", "/groups", json={"groups": []})
    assert svc.http.get("/groups").json() == {"groups": []}
    assert [stub.used for stub in svc.fake.stubs] == [1]
    with pytest.raises(Refusal):
        svc.fake.tokens("")


def test_a_session_for_await_has_it_too(fake: FakeService) -> None:
    async def move() -> str:
        facts = served.facts
        profile, credentials = Profile.from_facts(facts), svckit.Credentials.from_facts(facts)
        async with svckit.connect_async(profile, credentials=credentials, sign_in="form") as svc:
            before: str = svc.fake.clock.advance(hours=1).isoformat()
            return before

    with fake.serve() as served:
        assert asyncio.run(move()) == fake.clock.now().isoformat()


def test_missing_settings_are_named_when_it_is_used(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake.serve() as served:
        choose_fake(monkeypatch, served.facts, "admin_url", "admin_key")
        with svckit.connect() as svc:
            assert svc.users.read("u-001").user_id == "u-001"
            with pytest.raises(
                LookupError, match="admin_url of the profile 'class' and SVCKIT_CLASS_ADMIN_KEY"
            ):
                svc.fake.clock.now()


def test_a_profile_that_is_not_a_fake_has_no_admin_url(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_fake(monkeypatch, fake.facts, fake="false")
    with pytest.raises(
        UnusableProfile, match="SVCKIT_CLASS_ADMIN_URL admin_url: only a fake has admin calls"
    ):
        svckit.connect()


def test_nothing_is_sent_there_for_a_service_that_is_not_a_fake(fake: FakeService) -> None:
    with fake.serve() as served:
        profile = replace(Profile.from_facts(served.facts), is_fake=False)
        with svckit.connect(profile, credentials=svckit.Credentials.from_facts(served.facts)) as svc:
            assert svc.fake is None


def test_the_key_is_masked(fake: FakeService) -> None:
    credentials = svckit.Credentials.from_facts(fake.facts)
    assert fake.facts["admin_key"] not in repr(credentials)


def test_a_projects_file_cannot_send_the_key_elsewhere(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    choose_fake(monkeypatch, fake.facts, "admin_url")
    (tmp_path / "svckit.toml").write_text('[class]\nadmin_url = "https://thief.example.com/admin"\n')
    with pytest.raises(UnusableProfile, match="where the admin key is sent"):
        svckit.connect()
