"""Snapshots, forks and resets: nothing observable is lost, and nothing is shared."""

import json
import os

import pytest
from hypothesis import given, settings

from fakes import FakeService
from fakes.parts.snapshot import PARTS, Snapshot

from ..actions import ACTIONS, SEQUENCES, TEXT, everything_done, notify, run
from ..caller import Caller, make, named, restored

LARGE = 3 * 1024 * 1024


@pytest.fixture
def fake() -> FakeService:
    """A fake in which all has been done."""
    return everything_done()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(before=SEQUENCES, after=SEQUENCES)
def test_a_restored_fake_goes_on_as_the_original_does(before: list, after: list) -> None:
    original, restored = make(seed=7), FakeService.sample(users=3)
    run(original, before)
    text = json.dumps(original.snapshot())
    restored.restore(json.loads(text))
    assert json.dumps(restored.snapshot()) == text
    assert run(restored, after) == run(original, after)
    assert restored.snapshot() == original.snapshot()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(before=SEQUENCES, after=SEQUENCES)
def test_a_fork_and_its_origin_do_not_influence_each_other(before: list, after: list) -> None:
    origin = make()
    run(origin, before)
    taken, fork = origin.snapshot(), origin.fork()
    assert fork.snapshot() == taken
    assert dict(fork.facts) == dict(origin.facts)
    outcomes = run(fork, after)
    assert origin.snapshot() == taken
    forked = fork.snapshot()
    assert run(origin, after) == outcomes
    assert fork.snapshot() == forked


@settings(max_examples=25, deadline=None, derandomize=True)
@given(actions=SEQUENCES)
def test_a_reset_fake_is_as_it_began(actions: list) -> None:
    new, used = (make(assume={"file.size": "not-checked"}) for _ in range(2))
    run(used, actions)
    used.reset()
    assert used.snapshot() == new.snapshot()
    assert len(used.journal) == 0
    assert run(used, actions) == run(new, actions)
    assert [entry.number for entry in used.journal] == [entry.number for entry in new.journal]
    assert list(used.rules.records()) == list(new.rules.records())


def test_everything_is_in_a_snapshot_but_what_is_said_not_to_be() -> None:
    derived = {"lifecycle"}  # a function of clock and settings
    noted = {"changes", "journal"}
    inside = {"users"}  # what the directory works on
    assert vars(FakeService.sample().state).keys() == {*PARTS, *inside, *derived, *noted, "admin_key"}


def test_parts_stay_the_same_objects(fake: FakeService) -> None:
    names = ("clock", "files", "faults", "rules", "directory", "callbacks", "journal", "settings")
    parts, taken = {name: getattr(fake, name) for name in names}, fake.snapshot()
    fake.reset()
    fake.restore(taken)
    assert all(getattr(fake, name) is part for name, part in parts.items())
    assert parts["clock"].now().isoformat() == taken["clock"]["stands_at"]


def test_a_snapshot_holds_still(fake: FakeService) -> None:
    taken = fake.snapshot()
    text = json.dumps(taken)
    run(fake, ACTIONS)
    assert json.dumps(taken) == text


def test_receivers_stay_at_a_restore_and_go_with_a_reset(fake: FakeService) -> None:
    fake.faults.clear()
    received: list[bytes] = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append(body))
    taken = fake.snapshot()
    assert fake.fork().callbacks.send("bot-1", "u-001", TEXT).outcome == "not-sent"
    fake.restore(taken)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered
    assert len(received) == 1
    fake.reset()
    assert fake.callbacks.send("bot-1", "u-001", TEXT).outcome == "not-sent"


def test_a_running_clock_keeps_its_lead() -> None:
    original, restored = FakeService.sample(), make()
    original.clock.advance(days=365)
    restored.restore(original.snapshot())
    assert not restored.clock.standing
    assert abs((restored.clock.now() - original.clock.now()).total_seconds()) < 60


def test_an_unlimited_upload_address_outlives_the_next_request_of_one() -> None:
    me = Caller(make(assume={"file.upload-lifetime": "unlimited"}))
    address = me.url(name="first.txt", size=2)
    me.fake.clock.advance(hours=49)
    me.become()
    me.url(name="second.txt", size=2)
    assert me.send(address, b"ok", name="first.txt").status_code == 201


def test_what_answers_rest_on_goes_back_with_the_state() -> None:
    fake = make()
    taken, me, rests_on = fake.snapshot(), Caller(fake), "notification.refused-calls"
    fake.clock.advance(hours=1)
    assert me.http.post(fake.facts["webhooks"][0], json={"title": "x"}).status_code == 400
    assert rests_on in named(notify(me))
    for undo in (lambda: fake.restore(taken), fake.reset):
        undo()
        assert rests_on not in named(notify(Caller(fake)))


def test_a_partial_upload_goes_on_in_each_by_itself(fake: FakeService) -> None:
    address = Caller(fake).url(name="two.bin", size=4)
    for copy, content in zip((fake, fake.fork(), restored(fake)), (b"aaaa", b"bbbb", b"cccc"), strict=True):
        me = Caller(copy)
        for start in (0, 2):
            ranged = {"Content-Range": f"bytes {start}-{start + 1}/4"}
            response = me.send(address, content[start : start + 2], name="two.bin", **ranged)
        assert response.status_code == 201
        assert copy.files.list_files()[-1].latest.content.read() == content


def test_a_snapshot_does_not_show_its_secrets(fake: FakeService) -> None:
    taken = fake.snapshot()
    assert isinstance(taken, Snapshot)
    assert repr(taken).startswith("<Snapshot, version 2: 20 users, ")
    assert len(repr(taken)) < 200


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files the way Linux shows them")
def test_large_content_is_shared_by_forks_and_its_space_returned() -> None:
    fake = make()
    opened = open_files()
    fake.files.seed(("drive", "u-001"), "large", "a.bin", "application/octet-stream", b"x" * LARGE)
    assert open_files() == opened + 1
    fork = fake.fork()
    assert open_files() == opened + 1
    fake.reset()
    assert fork.files.list_files()[-1].latest.content.read() == b"x" * LARGE
    fork.reset()
    assert open_files() == opened


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize(("name", "prefix"), [("email", ""), ("userExternalKey", "externalKey:")])
def test_shared_value_stays_with_the_other_user(name: str, prefix: str, copied: bool) -> None:
    me = Caller(make(assume={"user.conflict-condition": "never"}))
    theirs, own = (me.fake.directory[user_id][name] for user_id in ("u-003", "u-002"))
    for user_id, change in (("u-003", {"nickName": "x"}), ("u-002", {name: theirs})):
        assert me.patch(user_id, **change).status_code == 200
    if copied:
        me = Caller(me.fake.fork())
    assert me.patch("u-002", **{name: own}).status_code == 200
    for value, user_id in ((theirs, "u-003"), (own, "u-002")):
        assert me.fake.state.users.resolve(prefix + value) == user_id
