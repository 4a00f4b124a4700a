"""Both async doors under the event loops of asyncio and of trio."""

import asyncio

import anyio
import anyio.lowlevel
import httpx
import pytest
import trio

from fakes import FakeService
from fakes.doors.asgi import AsgiDoor
from fakes.doors.layout import Layout

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
    return fake, dict(fake.facts) | addresses, httpx.ASGITransport(AsgiDoor(fake, Layout(BASE)))


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


SIZE = 1024 * 1024
FORM = b'--b\r\nContent-Disposition: form-data; name="Filedata"; filename="a"\r\n\r\n', b"\r\n--b--\r\n"


class InPieces:
    """No generator, which trio would miss the end of where an upload is broken off."""

    def __init__(self):
        self._left = [FORM[0], *[bytes(SIZE // 16)] * 16, FORM[1]]

    def __aiter__(self):
        return self

    async def __anext__(self):
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)


BODIES = {"in pieces": InPieces, "whole": lambda: FORM[0] + bytes(SIZE) + FORM[1]}


async def upload(http, body):
    asked = await http.post(
        "https://api.fake.test/users/u-001/drive/files", json={"fileName": "a", "fileSize": SIZE}
    )
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    return await http.post(asked.json()["uploadUrl"], content=body(), headers=headers)


async def download(http, file_id):
    found = await http.get(f"https://api.fake.test/users/u-001/drive/files/{file_id}/download")
    return await http.get(found.headers["Location"])


def client_of(fake):
    return httpx.AsyncClient(transport=fake.transport(), headers=bearer(fake.access_token()))


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_others_have_their_turn_while_a_file_goes_up_and_comes_down(run, body):
    fake, turns = FakeService.sample(), []

    async def count(http):
        async with anyio.create_task_group() as group:
            group.start_soon(other)
            sent = await upload(http, body)
            turns.append("up")
            await download(http, sent.json()["fileId"])
            group.cancel_scope.cancel()

    async def other():
        while True:
            turns.append("other")
            await anyio.lowlevel.checkpoint()

    async def both():
        async with client_of(fake) as http:
            await count(http)

    run(both)
    assert turns.index("up") >= 3
    assert len(turns) - turns.index("up") >= 10


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_time_limit_ends_an_upload_which_then_has_not_been_made(run, body):
    fake = FakeService.sample()
    before = len(fake.files.list_files())

    async def limited():
        async with client_of(fake) as http:
            with anyio.move_on_after(0) as limit:
                await upload(http, body)
            return limit.cancelled_caught

    assert run(limited)
    assert len(fake.files.list_files()) == before


def test_a_time_limit_ends_a_download(run):
    fake = FakeService.sample()

    async def limited():
        async with client_of(fake) as http:
            sent = await upload(http, InPieces)
            with anyio.move_on_after(0) as limit:
                await download(http, sent.json()["fileId"])
            return limit.cancelled_caught

    assert run(limited)


def test_a_response_that_is_slow_and_one_that_may_wait_are_waited_for(reached, run):
    fake, facts, transport = reached
    fake.faults.delay("users.update", seconds=0.001)

    async def slowly():
        async with httpx.AsyncClient(transport=transport) as http:
            user, key = fake.access_token(), facts.get("admin_key", "")
            return [
                await http.patch(f"{facts['base_url']}/users/u-001", json={}, headers=bearer(user)),
                await http.get(f"{facts['admin_url']}/clock", headers=bearer(key)),
            ]

    assert [response.status_code for response in run(slowly)] == [200, 200]
    assert len(fake.faults) == 0


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
