"""Correct ways to write the exercise of lesson 06."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps

import httpx


def announce(http, place, token, path):
    size = os.path.getsize(path)
    headers = {"Authorization": f"Bearer {token}"}
    response = http.post(place, headers=headers, json={"fileName": path.name, "fileSize": size})
    return response.raise_for_status().json()["uploadUrl"]


def upload(http, place, token, path):
    url = announce(http, place, token, path)
    with open(path, "rb") as file:
        headers = {"Authorization": f"Bearer {token}"}
        http.post(url, headers=headers, files={"Filedata": (path.name, file)}).raise_for_status()


def plain(http, place, token, folder):
    for path in folder.iterdir():
        upload(http, place, token, path)


def functional(http, place, token, folder):
    return list(map(partial(upload, http, place, token), folder.iterdir()))


class Bearer(httpx.Auth):
    def __init__(self, token):
        self.token = token

    def auth_flow(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        yield request


def with_auth(http, place, token, folder):
    http.auth = Bearer(token)
    for path in folder.iterdir():
        first = http.post(place, json={"fileName": path.name, "fileSize": path.stat().st_size})
        with path.open("rb") as file:
            http.post(first.json()["uploadUrl"], files={"Filedata": (path.name, file)})


def in_ranges(size, http, place, token, folder):
    bearer = {"Authorization": f"Bearer {token}"}
    for path in folder.iterdir():
        url, total, start = announce(http, place, token, path), path.stat().st_size, 0
        with path.open("rb") as file:
            while piece := file.read(size):
                covers = {"Content-Range": f"{start}-{start + len(piece) - 1}/{total}"}
                http.post(url, headers=bearer | covers, files={"Filedata": (path.name, piece)})
                start += len(piece)


class Uploader:
    def __init__(self, *given):
        if given:
            self(*given)

    def __call__(self, http, place, token, folder):
        for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_size):
            upload(http, place, token, path)
            path.unlink()


async def coroutine(http, place, token, folder):
    for path in folder.iterdir():
        await asyncio.to_thread(upload, http, place, token, path)


def in_pool(http, place, token, folder):
    with ThreadPoolExecutor(1) as pool:
        list(pool.map(partial(upload, http, place, token), folder.iterdir()))


def quietly(function):
    @wraps(function)
    def wrapper(*given):
        function(*given)

    return wrapper


VARIANTS = {
    "plain": plain,
    "functional": functional,
    "auth": with_auth,
    "ranges": partial(in_ranges, 64 * 1024),
    "large ranges": partial(in_ranges, 1024 * 1024),
    "class": Uploader,
    "object": Uploader(),
    "coroutine": coroutine,
    "pool": in_pool,
    "decorated": quietly(plain),
}
