"""What becomes of the bodies of requests: content that a world keeps, that arrives for it too late, or has no room."""

import asyncio

import httpx
import pytest

from fakes import Worlds

from ..caller import NOW, calling

LARGE = 2 * 1024 * 1024
"""Content in a file of its own."""


@pytest.fixture
def folder(tmp_path):
    """Worlds in a folder, which are closed at the end."""
    worlds = Worlds(users=3, now=NOW, state=tmp_path)
    yield worlds
    worlds.close()


def call(worlds, world, method, path, body, **headers):
    """Call the resource API of a world through the ASGI door, which reads the body as the app asks for it."""
    headers |= {"Authorization": f"Bearer {world.access_token()}", "Content-Type": "application/json"}

    async def send():
        transport = httpx.ASGITransport(worlds.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://app.example") as http:
            return await http.request(
                method, f"/w/{world.name}/api{path}", content=body, headers=headers, timeout=None
            )

    return asyncio.run(send())


def sizes(path):
    """The sizes of the files in a folder."""
    return [file.stat().st_size for file in path.rglob("*") if file.is_file()]


@pytest.mark.parametrize("found_again", [False, True])
def test_the_large_files_of_a_removed_world_are_deleted(folder, tmp_path, found_again):
    with calling(folder.create("mina")) as me:
        assert me.upload(content=bytes(LARGE))["fileId"]
    if found_again:
        folder.close()
        folder.find("mina")
    assert LARGE in sizes(tmp_path)
    folder.remove("mina")
    assert [size for size in sizes(tmp_path) if size >= LARGE] == []
    assert [path for path in tmp_path.rglob("*") if path.is_dir()] == []


@pytest.mark.parametrize("how", ["remove", "close"])
def test_a_change_that_comes_after_its_world_is_not_acknowledged(folder, tmp_path, how):
    """The world is removed, or given to other processes, while the body of an update arrives."""
    world = folder.create("mina")

    async def body():
        yield b'{"nickName": '
        folder.remove("mina") if how == "remove" else folder.close()
        yield b'"Late"}'

    response = call(folder, world, "PATCH", "/users/u-001", body())
    assert (response.status_code, response.json()["code"]) == (507, "NOT_SAVED")
    assert response.json()["description"].endswith("so the change is not saved; send it again")
    if how == "close":
        other = Worlds(state=tmp_path)
        assert other.find("mina").directory["u-001"]["nickName"] != "Late"
        other.close()


def test_a_body_without_room_is_refused_before_it_is_sent():
    worlds = Worlds(now=NOW, most_bytes=50_000)
    world, asked = worlds.create("mina"), []

    async def body():
        asked.append("a piece")
        yield bytes(60_000)

    response = call(worlds, world, "PATCH", "/users/u-001", body(), **{"Content-Length": "60000"})
    assert (response.status_code, response.json()["code"]) == (507, "NOT_SAVED")
    assert asked == []
