"""How the length and the form of texts are chosen holds through every door, and for what is kept."""

import asyncio

import pytest

import svckit
from fakes import FakeService, Worlds

from .caller import NOW, calling
from .scenarios_people import FAMILY

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


def test_a_world_decides_as_its_own_rules_say():
    worlds = Worlds(now=NOW)
    names = {"ours": CHOSEN, "theirs": {}}
    worlds = {name: worlds.create(name, users=1, assume=assume) for name, assume in names.items()}
    statuses = {}
    for name, world in worlds.items():
        with calling(world) as me:
            statuses[name] = me.patch(nickName=NAME).status_code
    assert statuses == {"ours": 200, "theirs": 400}
