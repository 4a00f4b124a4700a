"""How the length and the form of texts are chosen holds through every door, and for what is kept."""

import asyncio

import pytest
from pydantic_core import to_json

import svckit
from fakes import FakeService, Worlds

from .caller import NOW, calling
from .scenarios_people import FAMILY
from .store.state_files import kept, opened

NAME = FAMILY * 100
"""A hundred graphemes, of seven code points each."""
COMPOSED, DECOMPOSED = "\u30ac", "\u30ab\u3099"
CHOSEN = {"text.length": "graphemes", "text.normalization": "composed"}


def choose(**options):
    return FakeService.sample(users=3, now=NOW, assume=CHOSEN, **options)


def connect(served):
    facts = served.facts
    return svckit.Session(svckit.Profile.from_facts(facts), svckit.Credentials.from_facts(facts))


def test_a_served_fake_decides_as_chosen():
    with choose().serve() as served, connect(served) as svc:
        svc.sign_in()
        assert svc.users.update("u-001", nick_name=NAME).nick_name == NAME
        assert svc.users.update("u-002", user_external_key=DECOMPOSED).user_external_key == COMPOSED
        with pytest.raises(svckit.Conflict):
            svc.users.update("u-003", user_external_key=COMPOSED)
        assert svc.users.read(f"externalKey:{DECOMPOSED}").user_id == "u-002"


def test_a_session_with_await_does_too():
    async def change():
        async with svckit.connect_async(choose()) as svc:
            assert (await svc.users.update("u-001", nick_name=NAME)).nick_name == NAME
            assert (await svc.users.update("u-001", nick_name=DECOMPOSED)).nick_name == COMPOSED
            changes = await svc.users.diff({"user_id": "u-002", "task": NAME})
            assert len((await svc.users.apply(changes)).ok) == 1

    asyncio.run(change())


def test_a_state_file_keeps_what_was_accepted(tmp_path):
    with kept(tmp_path / "state") as (fake, file):
        fake.rules.choose(CHOSEN)
        with calling(fake) as me:
            assert me.patch(nickName=NAME).status_code == 200
            assert me.patch("u-002", userExternalKey=DECOMPOSED).status_code == 200
        file.settle()
    saved = to_json(opened(tmp_path / "state")).decode()
    assert NAME in saved
    assert COMPOSED in saved


def test_snapshots_and_forks_keep_what_was_accepted():
    fake = choose()
    with calling(fake) as me:
        me.patch(nickName=NAME, userExternalKey=DECOMPOSED)
    before = fake.snapshot()
    twin = fake.fork()
    fake.reset()
    fake.restore(before)
    for each in (fake, twin):
        assert each.directory["u-001"]["nickName"] == NAME
        with calling(each) as me:
            assert me.patch(f"externalKey:{DECOMPOSED}", task=NAME).json()["userId"] == "u-001"


def test_a_world_decides_as_its_own_rules_say():
    worlds = Worlds(now=NOW)
    names = {"ours": CHOSEN, "theirs": {}}
    worlds = {name: worlds.create(name, users=1, assume=assume) for name, assume in names.items()}
    statuses = {}
    for name, world in worlds.items():
        with calling(world) as me:
            statuses[name] = me.patch(nickName=NAME).status_code
    assert statuses == {"ours": 200, "theirs": 400}
