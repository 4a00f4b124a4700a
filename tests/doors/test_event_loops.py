"""Both async doors under the event loops of asyncio and of trio."""

import asyncio

import httpx
import pytest
import trio

from fakes import FakeService
from fakes.doors.asgi import AsgiDoor

BASE = "http://fake.example"


def under_asyncio(function):
    return asyncio.run(function())


@pytest.fixture(params=[under_asyncio, trio.run], ids=["asyncio", "trio"])
def run(request):
    return request.param


@pytest.fixture(params=["httpx", "ASGI"])
def reached(request):
    """A fake whose clock runs, the addresses it has through a door, and the door."""
    fake = FakeService.sample()
    if request.param == "httpx":
        return fake, fake.facts, fake.transport()
    areas = ("api", "auth", "storage", "hooks", "admin")
    names = ("base_url", "auth_url", "upload_url", "webhook_url", "admin_url")
    addresses = {name: f"{BASE}/{area}" for name, area in zip(names, areas, strict=True)}
    return fake, dict(fake.facts) | addresses, httpx.ASGITransport(AsgiDoor(fake, BASE))


def test_a_file_goes_up_and_comes_down(reached, run):
    fake, facts, transport = reached
    drive = facts["base_url"] + "/users/u-001/drive/files"

    async def there_and_back():
        headers = {"Authorization": f"Bearer {fake.access_token()}"}
        async with httpx.AsyncClient(transport=transport, headers=headers) as http:
            asked = await http.post(drive, json={"fileName": "a.txt", "fileSize": 5})
            sent = await http.post(asked.json()["uploadUrl"], files={"Filedata": ("a.txt", b"hello")})
            found = await http.get(f"{drive}/{sent.json()['fileId']}/download")
            return await http.get(found.headers["Location"])

    assert run(there_and_back).content == b"hello"


def test_an_answer_that_is_slow_and_one_that_may_wait_are_waited_for(reached, run):
    fake, facts, transport = reached
    fake.faults.delay("users.update", seconds=0.001)

    async def slowly():
        async with httpx.AsyncClient(transport=transport) as http:
            user, key = fake.access_token(), facts.get("admin_key", "")
            return [
                await http.patch(f"{facts['base_url']}/users/u-001", json={}, headers=bearer(user)),
                await http.get(f"{facts['admin_url']}/clock", headers=bearer(key)),
            ]

    assert [answer.status_code for answer in run(slowly)] == [200, 200]
    assert len(fake.faults) == 0


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
