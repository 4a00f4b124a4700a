"""Worlds that processes take from each other, and that programs hold meanwhile."""

import os

import httpx
import pytest
from filelock import FileLock, Timeout

import svckit
from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from fakes.worlds import folder

from ...loopback import exchange, local_client
from ..caller import NOW

# Given back


def ask(worlds, path, **request):
    """Send a request through the door of all worlds; the status."""
    with httpx.Client(transport=worlds.transport()) as http:
        return http.request(request.pop("method", "GET"), f"https://{path}", **request).status_code


STRAY = [
    {"path": "api.fake.test/w/mina/users/u-001"},
    {"path": "api.fake.test/w/mina/users/u-001", "method": "PATCH", "json": {}},
    {"path": "api.fake.test/w/mina/users/u-001", "headers": {"Authorization": "Bearer at_guess"}},
    {"path": "hooks.fake.test/w/mina/message/guess", "method": "POST", "json": {"body": {"text": "x"}}},
    {"path": "admin.fake.test/w/mina/clock"},
    {"path": "admin.fake.test/w/mina/health"},
    {"path": "auth.fake.test/w/mina/oauth2/v2.0/authorize"},
    {"path": "storage.fake.test/w/mina/nowhere"},
    {"path": "api.fake.test/w/mina"},
]


@pytest.mark.parametrize("request_", STRAY)
def test_a_request_without_a_secret_takes_no_world(opened, request_):
    first = opened()
    facts = dict(first.create("mina").facts)
    first.close()
    stray, owner = opened(), opened()
    ask(stray, **request_)
    assert dict(owner.find("mina").facts) == facts
    ask(owner, **request_)  # those of one that was found are not given back
    assert ask(stray, **STRAY[0]) == 421


def test_a_request_with_a_secret_takes_the_world(opened):
    first = opened()
    world = first.create("mina")
    bearer, key = world.access_token(), world.facts["admin_key"]
    hook = world.facts["webhooks"][0].removeprefix("https://")
    first.close()
    for request in (
        {"path": "api.fake.test/w/mina/users/u-001", "headers": {"Authorization": f"Bearer {bearer}"}},
        {"path": "admin.fake.test/w/mina/clock", "headers": {"Authorization": f"Bearer {key}"}},
        {"path": hook, "method": "POST", "json": {"body": {"text": "x"}}},
    ):
        owner, other = opened(), opened()
        ask(owner, **request)
        with pytest.raises(Refusal, match="another process"):
            other.find("mina")
        owner.close()


def test_a_sign_in_goes_on_though_the_world_is_given_back_meanwhile(opened):
    worlds, other = opened(), opened()
    with worlds.serve() as served, local_client() as http:
        key = {"Authorization": f"Bearer {served.facts['admin_key']}"}
        facts = http.post(served.facts["admin_url"] + "/worlds/mina", json={}, headers=key).json()
        worlds.close()
        profile, own = svckit.Profile.from_facts(facts), svckit.Credentials.from_facts(facts)
        with svckit.connect(profile, credentials=own, sign_in="form") as svc:
            assert svc.users.read("u-001").user_id == "u-001"
        with pytest.raises(Refusal, match="another process"):
            other.find("mina")


@pytest.mark.parametrize("dots", ["..", "%2e%2e", "%2E.", "a%2f..%2F..", "a/../.."])
def test_dots_cannot_lead_to_another_world(opened, dots):
    first = opened()
    first.create("mina")
    first.close()
    stray, owner = opened(), opened()
    with stray.serve() as served:
        request = f"GET /w/mina/{dots}/other/api/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        response = exchange(served.url, request.encode())  # clients would remove the dots
        assert response.startswith(b"HTTP/1.1 400 ")
        assert b"segments . and .. lead out of the world" in response
        assert owner.find("mina").name == "mina"


def test_a_path_without_a_world_is_unknown(opened):
    with httpx.Client(transport=opened().transport()) as http:
        response = http.get("https://api.fake.test/w/")
    assert response.status_code == 404, response.text


def test_a_world_is_given_back_to_who_asks_when_it_is_idle(opened):
    wrong, right = opened(), opened()
    world = wrong.create("mina")
    wrong.give_back()
    for _ in range(2):
        with pytest.raises(Refusal, match="another process"):
            right.find("mina")

    def send():
        wrong.give_back()  # which has no effect during a request
        with pytest.raises(Refusal, match="another process"):
            right.find("mina")
        yield b"{}"

    headers = {"Authorization": f"Bearer {world.access_token()}", "Content-Type": "application/json"}
    with httpx.Client(transport=wrong.transport(), headers=headers) as http:
        assert http.patch(world.facts["base_url"] + "/users/u-001", content=send()).status_code == 200
    wrong.give_back()
    right.find("mina").clock.advance(hours=1)
    right.give_back()  # nobody asked since
    with pytest.raises(Refusal, match="another process"):
        wrong.find("mina")
    right.give_back()
    assert wrong.find("mina") is world
    assert world.facts["now"] == "2026-06-01T10:00:00+09:00"


# The same world


def test_a_world_that_a_program_holds_never_goes_stale(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 2)
    time = [0.0]
    worlds = opened(idle=60, monotonic=lambda: time[0])
    held = worlds.create("held")
    before = held.access_token()
    for name in ("a", "b", "c"):
        worlds.create(name)
    after = held.access_token()  # while its file is closed
    time[0] = 120.0
    worlds.create("d")
    long_after = held.access_token()
    assert worlds.find("held") is held
    for token in (before, after, long_after):
        headers = {"Authorization": f"Bearer {token}"}
        assert (
            ask(worlds, "api.fake.test/w/held/users/u-001", method="PATCH", json={}, headers=headers) == 200
        )


def patch(http, world, **fields):
    """Change a user of a world through its own door; the status."""
    headers = {"Authorization": f"Bearer {world.access_token()}"}
    return http.patch(f"{http.base_url}users/u-001", json=fields, headers=headers)


def test_the_own_door_of_a_world_opens_its_file_again(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other = opened(), opened()
    held = worlds.create("held")
    with held.serve() as served, local_client(base_url=served.facts["base_url"] + "/") as http:
        for name in ("a", "b", "c"):
            worlds.create(name)
        assert patch(http, held, nickName="Mina").status_code == 200
        with pytest.raises(Refusal, match="another process"):
            other.find("held")
        worlds.close()
        assert other.find("held").directory["u-001"]["nickName"] == "Mina"
        refused = http.patch("users/u-001", json={})
        assert (refused.status_code, refused.json()["code"]) == (421, "MISDIRECTED")
        assert http.head("users/u-001").content == b""
        other.remove("held")
        gone = http.patch("users/u-001", json={})
        assert (gone.status_code, gone.json()["code"]) == (404, "NOT_FOUND")
        assert "the world 'held' was deleted" in gone.json()["description"]


def test_a_request_without_a_secret_to_the_own_door_takes_no_world(opened):
    worlds, other = opened(), opened()
    held = worlds.create("held")
    worlds.close()
    for path in ("https://api.fake.test/w/held/users/u-001", "https://api.fake.test/w/held"):
        with httpx.Client(transport=held.transport()) as http:
            http.get(path)
        assert other.find("held").name == "held"
        other.close()
    other.find("held")
    with httpx.Client(transport=held.transport()) as http, pytest.raises(httpx.ConnectError):
        http.get("https://elsewhere.example.com")


def test_change_lost_to_another_process_is_reported(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other = opened(), opened()
    held = worlds.create("held")
    for name in ("a", "b"):
        worlds.create(name)
    held.clock.advance(hours=1)
    other.find("held").clock.advance(hours=2)
    other.close()
    with pytest.raises(
        NotSaved, match=r"another process changed the world 'held'.*the latest changes here are lost"
    ):
        worlds.find("held")
    assert worlds.find("held") is held
    assert held.facts["now"] == "2026-06-01T11:00:00+09:00"
    worlds.close()


def test_changes_to_a_world_whose_file_is_closed_are_saved_in_the_end(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds = opened()
    held = worlds.create("held")
    for name in ("a", "b"):
        worlds.create(name)
    held.clock.advance(hours=1)
    worlds.close()
    assert opened().find("held").facts["now"] == "2026-06-01T10:00:00+09:00"


def test_changes_to_a_taken_world_are_reported_lost(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other = opened(), opened()
    held, last = worlds.create("held"), [worlds.create(name) for name in ("a", "b")][1]
    other.find("held")
    held.clock.advance(hours=1)
    last.clock.advance(hours=1)
    with pytest.raises(
        NotSaved, match=r"another process has the world 'held'.* so the latest changes to 'held' are lost"
    ):
        worlds.close()
    assert other.find("held").facts["now"] == NOW
    assert other.find("b").facts["now"] == "2026-06-01T10:00:00+09:00"
    monkeypatch.undo()
    other.remove("held")


def test_a_later_world_of_that_name_is_another(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other = opened(), opened()
    held = worlds.create("held")
    for name in ("a", "b"):
        worlds.create(name)
    other.remove("held")
    with pytest.raises(Refusal, match="there is no world"):
        worlds.find("held")
    made = other.create("held", users=2).facts["admin_key"]
    other.close()
    found = worlds.find("held")
    assert found is not held
    assert (found.facts["admin_key"], len(found.directory)) == (made, 2)


def test_a_deleted_world_leaves_no_lock_that_two_could_have(opened, tmp_path):
    one, other = opened(), opened()
    one.create("mina")
    with pytest.raises(Refusal, match="another process"):
        other.find("mina")
    one.remove("mina")
    assert list(tmp_path.glob("world-*")) == []
    other.create("mina")
    with pytest.raises(Refusal, match="another process"):
        one.find("mina")


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_who_waited_for_the_lock_of_a_deleted_world_does_not_have_it(tmp_path):
    path = tmp_path / "world-mina.lock"
    held, late, new = (FileLock(path, blocking=False) for _ in range(3))
    with held:
        waiting = os.open(path, os.O_RDWR)  # as another process that opened it before it was deleted
        path.unlink()
    with new, pytest.raises(Timeout):
        late.acquire()
    os.close(waiting)
