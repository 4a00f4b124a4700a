"""What opens one world opens nothing else: not another world, and nothing that a fake elsewhere can compute."""

import os
import stat
from itertools import product

import httpx
import pytest
import yaml

from fakes import FakeService, Worlds

from ...loopback import local_client
from ...svckit.cli.serving import ROOT, serving
from ..caller import NOW, make

NAME = "bob"
FACTS = ("client_secret", "password", "admin_key", "bot_secret")


def steal(fake):
    """All secrets that somebody who has a fake can see there, or make it issue."""
    facts = fake.facts
    snapshot = fake.snapshot()
    pair = fake.state.tokens.issue("u-001", "client-1", "user,file")
    return {
        *(facts[name] for name in FACTS),
        facts["webhooks"][0].rpartition("/")[2],
        pair.access_token,
        pair.refresh_token,
        *(fake.state.ids.secret(kind) for kind in ("code", "login", "up", "dl", "ak", "cs", "bs", "wh")),
        str(snapshot["ids"]["seed"]),
    }


def make_at_home():
    """Fakes that an attacker may have: with the same name, other names and seeds that people choose."""
    for seed, name in product((0, 1, 7, 42), (NAME, "", "alice")):
        yield FakeService.sample(seed=seed, now=NOW)
        worlds = Worlds(seed=seed, now=NOW)
        yield worlds.create(name or "x")
    for worlds in (Worlds(now=NOW), Worlds(seed=0, now=NOW)):
        yield worlds.create(NAME)
        yield worlds.create("alice", seed=0)


def test_secrets_of_worlds_are_unique():
    worlds = Worlds(now=NOW)
    bob, alice = worlds.create(NAME), worlds.create("alice")
    known = set().union(*map(steal, make_at_home()), steal(alice))
    assert steal(bob) & known == set()
    own = {worlds.facts[name] for name in FACTS} | {worlds.facts["webhooks"][0].rpartition("/")[2]}
    assert own & (known | steal(bob)) == set()


def test_a_token_of_the_world_at_home_opens_nothing():
    worlds = Worlds(now=NOW)
    bob = worlds.create(NAME)
    bob.access_token()  # as the owner has one
    home = Worlds(now=NOW).create(NAME)
    with httpx.Client(transport=worlds.transport()) as http:
        for _ in range(3):
            headers = {"Authorization": f"Bearer {home.access_token()}"}
            assert (
                http.patch(f"{bob.facts['base_url']}/users/u-001", json={}, headers=headers).status_code
                == 401
            )
        assert http.post(home.facts["webhooks"][0], json={"body": {"text": "x"}}).status_code >= 400
        for fake in (FakeService.sample(), home):
            headers = {"Authorization": f"Bearer {fake.facts['admin_key']}"}
            for path in ("/w/bob/clock", "/worlds", "/facts"):
                assert http.get(f"{worlds.facts['admin_url']}{path}", headers=headers).status_code == 401


def test_a_world_that_is_created_again_has_other_secrets():
    worlds = Worlds(now=NOW)
    before = steal(worlds.create(NAME))
    worlds.remove(NAME)
    assert steal(worlds.create(NAME)) & before == set()


def test_users_and_ids_are_those_of_the_seed():
    worlds, plain = Worlds(now=NOW), make()
    bob = worlds.create(NAME)
    ids = ("users", "client_id", "login_id", "bot_id", "channel_id")
    assert [bob.facts[name] for name in ids] == [plain.facts[name] for name in ids]
    assert bob.directory["u-002"] == plain.directory["u-002"]


@pytest.mark.parametrize(("host", "world"), [(7, {}), (None, {"seed": 7}), (5, {"seed": 7})])
def test_seed_repeats_all_secrets_but_the_key(host, world):
    one, other = (Worlds(seed=host, now=NOW).create(NAME, **world) for _ in range(2))
    assert [one.facts[name] for name in FACTS if name != "admin_key"] == [
        other.facts[name] for name in FACTS if name != "admin_key"
    ]
    assert one.access_token() == other.access_token()


@pytest.mark.parametrize("state", [False, True])
def test_a_reset_and_a_fork_keep_the_secrets(state, tmp_path):
    worlds = Worlds(now=NOW, state=tmp_path if state else None)
    for fake in (worlds, worlds.create(NAME)):
        before = {name: fake.facts[name] for name in (*FACTS, "webhooks")}
        fake.reset()
        assert {name: fake.facts[name] for name in (*FACTS, "webhooks")} == before
    fork = worlds.find(NAME).fork()
    assert {name: fork.facts[name] for name in FACTS} == {name: before[name] for name in FACTS}
    worlds.close()


def test_processes_share_a_private_salt(tmp_path):
    (tmp_path / "salt").touch()  # as a process that was killed leaves it
    one, other = Worlds(now=NOW, state=tmp_path), Worlds(now=NOW, state=tmp_path)
    assert one.facts["client_secret"] == other.facts["client_secret"]
    assert (tmp_path / "salt").read_text()
    if os.name == "posix":
        fresh = tmp_path / "fresh"
        Worlds(now=NOW, state=fresh)
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (fresh, fresh / "salt")]
        assert modes == [0o700, 0o600]


def test_a_world_of_an_earlier_version_keeps_its_secrets(tmp_path):
    made = Worlds(seed=0, now=NOW, state=tmp_path)  # as all were made
    before = dict(made.create(NAME).facts)
    made.close()
    again = Worlds(now=NOW, state=tmp_path)
    world = again.find(NAME)
    world.reset()
    assert dict(world.facts) == before
    again.close()


def test_the_command_has_secrets_that_nobody_can_compute(tmp_path):
    options = ("--worlds", "--now", NOW, "--state", tmp_path / "worlds")
    with serving(*options) as running:
        facts = running.admin("POST", "/worlds/bob", {}).json()
        own = running.facts
        home = Worlds(now=NOW).create(NAME)
        with local_client() as http:
            for fake in (home, make()):
                url = (
                    facts["webhooks"][0].rpartition("/")[0]
                    + "/"
                    + fake.facts["webhooks"][0].rpartition("/")[2]
                )
                assert http.post(url, json={"body": {"text": "hello"}}).status_code >= 400
    for each in (facts, own):
        assert {each["client_secret"], each["password"]} & {
            home.facts["client_secret"],
            home.facts["password"],
        } == set()
    with serving(*options) as again:
        assert again.admin("GET", "/worlds/bob").json()["client_secret"] == facts["client_secret"]
        assert again.facts["client_secret"] == own["client_secret"]


def test_a_seed_of_the_command_stays_a_contract():
    with serving("--worlds", "--seed", 7, "--now", NOW) as running:
        facts = running.admin("POST", "/worlds/bob", {}).json()
    assert facts["client_secret"] == Worlds(seed=7, now=NOW).create(NAME).facts["client_secret"]


def test_nothing_shipped_seeds_worlds():
    shipped = [*(ROOT / "binder").glob("*/*"), *(ROOT / "notebooks" / "how-to").glob("*.ipynb")]
    lines = [
        line for path in shipped if path.is_file() for line in path.read_text("utf-8", "replace").splitlines()
    ]
    assert [line for line in lines if "--worlds" in line and "--seed" in line] == []
    container = next(
        item["spec"]["template"]["spec"]["containers"][0]
        for item in yaml.safe_load_all((ROOT / "binder" / "worlds" / "kubernetes.yaml").read_text("utf-8"))
        if item["kind"] == "StatefulSet"
    )
    assert "--worlds" in container["args"]
    assert not any("SEED" in variable["name"] for variable in container["env"])
    assert "--seed" not in container["args"]
