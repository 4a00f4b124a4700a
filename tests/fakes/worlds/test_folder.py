"""Worlds that are kept in a folder: found again, by one process at a time."""

import sqlite3
from contextlib import closing

import httpx
import pytest

from fakes import Worlds
from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from fakes.worlds import folder

from ...loopback import local_client
from ..admin import Admin
from ..caller import NOW

MINA = {"userId": "mina", "email": "mina@example.com", "userName": {}}


def test_a_world_is_found_again_with_its_key_and_settings(opened):
    first = opened()
    made = first.create("mina", users=2, seed=7, assume={"api.unauthorized": "403"})
    made.clock.advance(hours=1)
    token = made.access_token()
    facts, own = dict(made.facts), dict(first.facts)
    first.close()
    worlds = opened(seed=None)
    again = worlds.find("mina")
    assert (dict(again.facts), dict(worlds.facts)) == (facts, own)
    assert again.rules.look_up(again.rules["api.unauthorized"]) == "403"
    with httpx.Client(transport=again.transport(), headers={"Authorization": f"Bearer {token}"}) as http:
        assert http.patch(facts["base_url"] + "/users/u-001", json={}).status_code == 200
    again.reset()
    assert again.facts["now"] == NOW
    assert (again.facts["admin_key"], len(again.directory)) == (facts["admin_key"], 2)


def test_data_of_ones_own_are_found_again(opened):
    first = opened()
    first.create("mina", data=[MINA])
    first.close()
    again = opened().find("mina")
    assert [*again.directory] == ["mina"]
    again.reset()
    assert [*again.directory] == ["mina"]


def test_a_world_has_one_owner(opened):
    one, other = opened(), opened()
    world = one.create("mina")
    admin = Admin(other)
    calls = [("GET", "/worlds/mina", None), ("POST", "/worlds/mina", {}), ("DELETE", "/worlds/mina", None)]
    for method, path, body in calls:
        assert "another process has the world 'mina'" in admin.refused(method, path, body, status=421)
    with httpx.Client(transport=other.transport()) as http:
        response = http.get(world.facts["base_url"] + "/users/u-001")
        assert (response.status_code, response.json()["code"]) == (421, "MISDIRECTED")
        assert "send requests for it there" in response.json()["description"]
    assert one.names() == other.names() == ["mina"]
    one.close()
    assert other.find("mina").name == "mina"
    with pytest.raises(Refusal, match="another process"):
        one.find("mina")


def test_what_a_server_acknowledged_is_in_the_folder(opened, tmp_path):
    first = opened()
    with first.serve() as served, local_client() as http:
        key = {"Authorization": f"Bearer {first.facts['admin_key']}"}
        facts = http.post(served.facts["admin_url"] + "/worlds", json={"name": "mina"}, headers=key).json()
        url = facts["webhooks"][0]
        assert http.post(url, json={"body": {"text": "hello"}}).status_code == 200
        copy = tmp_path / "copy"  # as a process that is killed leaves it
        copy.mkdir()
        for file in tmp_path.glob("world-mina.db*"):
            (copy / file.name).write_bytes(file.read_bytes())
    found = Worlds(now=NOW, state=copy)
    assert [message.text for message in found.find("mina").webhooks.messages("channel-1")] == ["hello"]
    found.close()


def test_a_deleted_world_is_gone(opened, tmp_path):
    worlds = opened()
    worlds.create("mina").clock.advance(hours=1)
    worlds.remove("mina")
    assert worlds.names() == []
    assert list(tmp_path.glob("world-*")) == []
    with pytest.raises(Refusal, match="there is no world 'mina'"):
        worlds.find("mina")
    assert worlds.create("mina").facts["now"] == NOW


def test_an_unused_world_is_closed_and_not_removed(opened):
    time = [0.0]
    worlds, other = opened(idle=60, monotonic=lambda: time[0]), opened()
    worlds.create("mina")
    with pytest.raises(Refusal, match="another process"):
        other.find("mina")
    time[0] = 60.0
    assert worlds.names() == ["mina"]
    assert other.find("mina").name == "mina"
    with pytest.raises(Refusal, match="another process"):
        worlds.find("mina")


def test_more_worlds_than_a_process_can_open_are_closed_in_turn(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 2)
    worlds, other = opened(), opened()
    for name in ("a", "b", "c", "d"):
        worlds.create(name).clock.advance(hours=1)
    assert other.find("a").facts["now"] == "2026-06-01T10:00:00+09:00"
    assert worlds.find("b").facts["now"] == "2026-06-01T10:00:00+09:00"
    with pytest.raises(Refusal, match="another process"):
        worlds.find("a")


def test_a_world_that_is_being_called_stays_open(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other = opened(), opened()
    busy = worlds.create("busy")

    def send():
        for name in ("a", "b", "c"):
            worlds.create(name)
        with pytest.raises(Refusal, match="another process"):
            other.find("busy")
        yield b"{}"

    headers = {"Authorization": f"Bearer {busy.access_token()}", "Content-Type": "application/json"}
    with httpx.Client(transport=worlds.transport(), headers=headers) as http:
        assert http.patch(busy.facts["base_url"] + "/users/u-001", content=send()).status_code == 200


def test_a_file_that_is_damaged_is_said_and_kept(opened, tmp_path):
    (tmp_path / "world-mina.db").write_bytes(b"x" * 5_000)
    worlds = opened()
    with pytest.raises(NotSaved, match="is not a state file of a fake, or is damaged"):
        worlds.find("mina")
    assert (tmp_path / "world-mina.db").read_bytes() == b"x" * 5_000
    with worlds.serve() as served, local_client() as http:
        assert http.get(served.url + "/w/mina/api/users/u-001").status_code == 507


def test_a_world_of_an_earlier_format_is_refused_with_what_to_do(opened, tmp_path):
    first = opened()
    first.create("mina")
    first.close()
    path = tmp_path / "world-mina.db"
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 5")
    with pytest.raises(NotSaved, match=r"world-mina.db has version 5, and .* version 6, .*; delete the file"):
        opened().find("mina")
    assert path.exists()


def test_a_world_whose_creation_was_interrupted_can_be_created(opened, tmp_path):
    (tmp_path / "world-mina.db").touch()
    worlds = opened()
    with pytest.raises(Refusal, match="there is no world"):
        worlds.find("mina")
    worlds.create("mina")


def test_a_seed_that_cannot_be_saved_leaves_no_file(opened):
    worlds = opened()
    admin = Admin(worlds)
    assert "64-bit" in admin.refused("POST", "/worlds/mina", {"seed": 1 << 63})
    assert worlds.names() == []


@pytest.mark.parametrize("name", ["..", "../../etc/passwd", "%2e%2e", "", "world-mina.db"])
def test_names_never_leave_the_folder(opened, name):
    with pytest.raises(Refusal, match="there is no world"):
        opened().find(name)


def test_there_is_a_limit_on_worlds_in_the_folder(opened):
    opened(most=2).create("one")
    other = opened(most=2)
    other.create("two")
    with pytest.raises(Refusal, match="there are 2 worlds, which is the limit"):
        other.create("three")
