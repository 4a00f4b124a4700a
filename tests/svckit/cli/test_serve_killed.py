"""`svckit serve --state`, killed under load: what was acknowledged is still there."""

import asyncio
import json
import signal
from base64 import b64encode

import httpx
import pytest

from ...loopback import PATIENCE, local_client
from .serving import serving_process

NOW = "2026-06-01T09:00:00+09:00"
WRITES = 500


def size_of(number):
    """Some files are large, which are not kept in the state file itself."""
    return 1_100_000 if number % 50 == 3 else 100_000


async def write(facts, process, until):
    """Send writes all at once; kill the server once so many are acknowledged. The numbers of those, of each kind."""
    acknowledged, limits = (
        {"user": set(), "message": set(), "file": set()},
        httpx.Limits(max_connections=WRITES),
    )
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False, limits=limits) as http:
        key = {"Authorization": f"Bearer {facts['admin_key']}"}
        issued = await http.post(facts["admin_url"] + "/tokens", json={}, headers=key)
        bearer = {"Authorization": f"Bearer {issued.json()['accessToken']}"}

        async def user(number):
            change = {"nickName": f"n{number}", "task": f"n{number}", "location": f"n{number}"}
            url = f"{facts['base_url']}/users/{facts['users'][number]}"
            return await http.patch(url, json=change, headers=bearer)

        async def message(number):
            return await http.post(facts["webhooks"][0], json={"body": {"text": f"n{number}"}})

        async def file(number):
            content = bytes(size_of(number))
            given = {"fileName": f"n{number}", "fileSize": len(content)}
            url = f"{facts['base_url']}/users/{facts['users'][number]}/photo"
            url = (await http.post(url, json=given, headers=bearer)).json()["uploadUrl"]
            return await http.post(url, files={"Filedata": (f"n{number}", content)}, headers=bearer)

        async def one(number):
            kind = ("user", "message", "user", "file", "user")[number % 5]
            try:
                response = await {"user": user, "message": message, "file": file}[kind](number)
            except (httpx.TransportError, json.JSONDecodeError, KeyError):
                return
            if response.is_success:
                acknowledged[kind].add(number)
                if sum(map(len, acknowledged.values())) == until:
                    process.kill()

        await asyncio.gather(*map(one, range(WRITES)))
    return acknowledged


@pytest.mark.parametrize(
    "until", [pytest.param(1, marks=pytest.mark.wide), 150, pytest.param(400, marks=pytest.mark.wide)]
)
def test_kill_during_concurrent_writes(tmp_path, until):
    options = ("--state", tmp_path / "fake.db", "--now", NOW, "--users", WRITES)
    with serving_process(*options) as running:
        acknowledged = asyncio.run(write(running.facts, running.process, until))
        assert running.process.wait(PATIENCE) == -signal.SIGKILL
    assert sum(map(len, acknowledged.values())) >= until
    with serving_process(*options) as running:
        check_kept(acknowledged, running.admin("GET", "/snapshot").json())


@pytest.mark.long
def test_a_kill_loses_nothing_that_a_world_acknowledged(tmp_path):
    options = ("--worlds", "--state", tmp_path / "worlds", "--now", NOW, "--users", WRITES)

    async def write_all(running, worlds):
        return await asyncio.gather(*(write(facts, running.process, 150) for facts in worlds))

    with serving_process(*options) as running:
        worlds = [running.admin("POST", "/worlds", {"name": f"w{number}"}).json() for number in range(3)]
        acknowledged = asyncio.run(write_all(running, worlds))
        assert running.process.wait(PATIENCE) == -signal.SIGKILL
    with serving_process(*options) as running:
        for facts, kept in zip(worlds, acknowledged, strict=True):
            found = running.admin("GET", f"/worlds/{facts['name']}").json()
            assert found["admin_key"] == facts["admin_key"]
            headers = {"Authorization": f"Bearer {found['admin_key']}"}
            with local_client(headers=headers) as http:
                check_kept(kept, http.get(found["admin_url"] + "/snapshot").json())


def check_kept(acknowledged, state):
    """Check that a state has all that was acknowledged, and nothing partial."""
    changed = {
        int(user_id[2:]) - 1: record for user_id, record in state["directory"]["users"]["changed"].items()
    }
    assert acknowledged["user"] <= changed.keys()
    for number, record in changed.items():
        assert [record[name] for name in ("nickName", "task", "location")] == [f"n{number}"] * 3
    texts = [message["text"] for message in state["webhooks"]["rooms"]["channel-1"]]
    assert {f"n{number}" for number in acknowledged["message"]} <= set(texts)
    assert len(texts) == len(set(texts)) == len(state["webhooks"]["limiter"]["window"])
    photos = {file["name"]: file for file in state["files"]["files"] if file["place"][0] == "photo"}
    assert {f"n{number}" for number in acknowledged["file"]} <= photos.keys()
    for name, file in photos.items():
        content = b64encode(bytes(size_of(int(name[1:])))).decode()
        assert all(revision["content"] == content for revision in file["revisions"])
