"""Random calls to fifty worlds at once lead to what they lead to in worlds that are alone."""

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import Worlds

from ...loopback import local_client
from ...svckit.cli.serving import serving, serving_process
from ..caller import NOW
from ..calls_at_random import SEQUENCES
from ..keys import private_key
from ..player import Player

WORLDS = [f"world-{number}" for number in range(50)]


def play_in(worlds, name, steps):
    """Play steps in a world, through the door of all worlds: what the service sent, what it stores, and its journal."""
    world = worlds.create(name, seed=WORLDS.index(name) % 3)
    world.transport = worlds.transport
    seen = Player(world).play(steps)
    return seen, world.snapshot(), [entry.record() for entry in world.journal]


def play_in_all(worlds, play):
    """Play in all worlds at once; the results by name."""
    with ThreadPoolExecutor(10) as pool:
        return dict(zip(WORLDS, pool.map(play, WORLDS), strict=True))


def hold_apart(sequences):
    steps = {name: sequences[number % len(sequences)] for number, name in enumerate(WORLDS)}
    private_key()  # which threads would make several of
    worlds = Worlds(now=NOW)
    together = play_in_all(worlds, lambda name: play_in(worlds, name, steps[name]))
    assert len(worlds.journal) == 0
    for name in WORLDS:
        assert together[name] == play_in(Worlds(now=NOW), name, steps[name])


SOME = st.lists(SEQUENCES, min_size=3, max_size=10)


@settings(max_examples=2, deadline=None)
@given(sequences=SOME)
def test_fifty_worlds_at_once_are_like_fifty_alone(sequences):
    hold_apart(sequences)


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(sequences=SOME)
def test_fifty_worlds_at_once_are_like_fifty_alone_after_very_many_calls(sequences):
    hold_apart(sequences)


# Over TCP, and each alone in a process


def call(me, method, area, path, **request):
    """Call an area with a new access token, or with the admin key."""
    token = me["admin_key"] if area == "admin_url" else me["token"]
    return me["http"].request(
        method, me[area] + path, headers={"Authorization": f"Bearer {token}"}, **request
    )


def take_token(me):
    me["token"] = call(me, "POST", "admin_url", "/tokens", json={}).json()["accessToken"]


def reset(me):
    response = call(me, "POST", "admin_url", "/reset")
    take_token(me)
    return response


def upload(me, size):
    place = "/users/u-002/drive/files"
    response = call(me, "POST", "base_url", place, json={"fileName": "a.bin", "fileSize": size})
    if response.is_error:
        return response
    headers = {"Authorization": f"Bearer {me['token']}"}
    return me["http"].post(response.json()["uploadUrl"], files={"Filedata": bytes(size)}, headers=headers)


OPERATIONS = [
    *(
        partial(call, method="PATCH", area="base_url", path=f"/users/u-00{user}", json=fields)
        for user in (1, 2, 9)
        for fields in ({"nickName": "Mina"}, {"nickName": "x" * 101}, {"task": "Sales"}, {})
    ),
    partial(
        call,
        method="POST",
        area="base_url",
        path="/users/u-001/user-profile-statuses",
        json={"profileStatusId": "BUSY"},
    ),
    partial(call, method="POST", area="admin_url", path="/clock", json={"advance": 3600}),
    partial(
        call,
        method="POST",
        area="admin_url",
        path="/faults",
        json={"kind": "status", "target": "users.update"},
    ),
    partial(call, method="PATCH", area="admin_url", path="/domain", json={"advancedPlan": True}),
    partial(call, method="GET", area="admin_url", path="/journal"),
    partial(call, method="GET", area="admin_url", path="/snapshot"),
    reset,
    lambda me: me["http"].post(me["webhooks"][0], json={"body": {"text": "hello"}}),
    partial(upload, size=1_000),
    partial(upload, size=0),
]


def play_over_tcp(running, name):
    """Send random calls to a world of a server: the responses, without what differs from server to server."""
    drawn = random.Random(name)
    facts = running.admin("POST", "/worlds", {"name": name, "seed": WORLDS.index(name) % 3}).json()
    with local_client() as http:
        me = {**facts, "http": http, "token": ""}
        take_token(me)
        responses = [drawn.choice(OPERATIONS)(me) for _ in range(40)]
    server = running.facts["base_url"].removesuffix("/api")
    return [(each.status_code, each.text.replace(server, "")) for each in responses]


@pytest.mark.long
def test_fifty_served_worlds_are_like_fifty_processes():
    with serving("--worlds", "--now", NOW) as running:
        together = play_in_all(running, partial(play_over_tcp, running))
    for name in WORLDS:
        with serving_process("--worlds", "--now", NOW) as alone:
            assert together[name] == play_over_tcp(alone, name)
