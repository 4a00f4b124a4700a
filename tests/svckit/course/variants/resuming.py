"""Correct ways to write the exercise of lesson 07."""

import asyncio
from functools import partial
from urllib.parse import urlsplit

import httpx


def origin(url):
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def fetch(http, token, storage, source):
    bearer = {"Authorization": f"Bearer {token}"}
    location = http.get(source, headers=bearer).headers["location"]
    if origin(location) != origin(storage):
        return None
    return http.get(location, headers=bearer).content


def send(http, token, target, content, start, size):
    piece = content[start : start + size]
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Range": f"{start}-{start + len(piece) - 1}/{len(content)}",
    }
    return http.post(target, headers=headers, files={"Filedata": ("film.mp4", piece)})


def carry(http, token, storage, source, target, size=10_000):
    content = fetch(http, token, storage, source)
    if content is None:
        return
    start = 0
    again = False
    while start < len(content):
        try:
            response = send(http, token, target, content, start, size)
        except httpx.HTTPError:
            again = True
        else:
            if response.is_success or (again and response.status_code == 400):
                start, again = start + size, False
            else:
                response.raise_for_status()


class Carrier:
    def __init__(self, http, token, storage, source, target):
        self.http, self.target = http, target
        http.headers["Authorization"] = f"Bearer {token}"
        location = http.get(source).headers["Location"]
        if httpx.URL(location).host == httpx.URL(storage).host:
            self.content = http.get(location).content
            self.carry()

    def carry(self):
        position = 0
        while position < len(self.content):
            position = self.send(position)

    def send(self, start):
        end = min(start + 10_000, len(self.content))
        for _ in range(10):
            try:
                response = self.http.post(
                    self.target,
                    files={"Filedata": ("film.mp4", self.content[start:end], "video/mp4")},
                    headers={"Content-Range": f"bytes {start}-{end - 1}/{len(self.content)}"},
                )
                return response.json().get("offset", end) if response.is_success else end
            except httpx.RequestError:
                pass
        raise RuntimeError


class Bearer(httpx.Auth):
    def __init__(self, token):
        self.token = token

    def auth_flow(self, request):
        request.headers["Authorization"] = f"Bearer {self.token}"
        yield request


def with_auth(http, token, storage, source, target):
    http.auth = Bearer(token)
    found, own = httpx.URL(http.get(source).headers["Location"]), httpx.URL(storage)
    if (found.scheme, found.host, found.port) != ("https", own.host, own.port):
        return
    with http.stream("GET", found) as response:
        content = b"".join(response.iter_bytes())
    deliver(http, token, target, content)


async def coroutine(http, token, storage, source, target):
    content = await asyncio.to_thread(fetch, http, token, storage, source)
    start = 0
    while content is not None and start < len(content):
        try:
            await asyncio.to_thread(send, http, token, target, content, start, 10_000)
        except httpx.TransportError:
            await asyncio.sleep(1)
        else:
            start += 10_000


def redirecting(http, token, storage, source, target):
    request = http.build_request("GET", source, headers={"Authorization": f"Bearer {token}"})
    response = http.send(request)
    following = response.next_request
    if following.url.host == httpx.URL(storage).host:
        following.headers["Authorization"] = f"Bearer {token}"
        content = http.send(following).read()
        deliver(http, token, target, content)


def deliver(http, token, target, content):
    for start in range(0, len(content), 10_000):
        while True:
            try:
                send(http, token, target, content, start, 10_000)
                break
            except httpx.ReadError:
                pass


def retrying(times):
    def decorate(function):
        def wrapper(*given):
            for _ in range(times):
                try:
                    return function(*given)
                except httpx.TransportError as error:
                    raised = error
            raise raised

        return wrapper

    return decorate


def decorated(http, token, storage, source, target):
    content = fetch(http, token, storage, source)
    for start in range(0, len(content or b""), 10_000):
        retrying(4)(send)(http, token, target, content, start, 10_000)


VARIANTS = {
    "plain": carry,
    "partial": partial(carry, size=5_000),
    "class": Carrier,
    "auth": with_auth,
    "coroutine": coroutine,
    "next request": redirecting,
    "decorated": decorated,
    "lambda": lambda *given: carry(*given, size=9_000),
}
