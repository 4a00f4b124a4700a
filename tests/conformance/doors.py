"""The doors the cases go through: clients that send literal HTTP, whole or in pieces."""

import asyncio
from importlib import import_module

import httpx

from .header_fields import malformed


class SyncDoor:
    """The Client of httpx, or of its fork."""

    def __init__(self, transport, library=httpx, **options):
        self._client = library.Client(transport=transport, trust_env=False, **options)

    def send(self, method, url, chunks, **options):
        if chunks is not None:
            options["content"] = iter(chunks)
        return self._client.request(method, url, **options)

    def send_during(self, outer, inner):
        answers = []

        def body():
            yield outer["content"][:1]
            answers.append(self._client.request(**inner))
            yield outer["content"][1:]

        return self._client.request(**outer | {"content": body()}), *answers

    def close(self):
        self._client.close()


class WireDoor(SyncDoor):
    """httpx.Client over a wire, on which no header value ends with a blank, and httpx sends none that does."""

    def send(self, method, url, chunks, **options):
        headers = {name: value.rstrip(" ") for name, value in options.pop("headers", {}).items()}
        return super().send(method, url, chunks, headers=headers, **options)


class AsyncDoor:
    """Their AsyncClient, each call driven to its end."""

    def __init__(self, transport, library=httpx):
        self._runner = asyncio.Runner()
        self._client = library.AsyncClient(transport=transport, trust_env=False)

    def send(self, method, url, chunks, **options):
        async def one_by_one():
            for chunk in chunks:
                yield chunk

        if chunks is not None:
            options["content"] = one_by_one()
        return self._runner.run(self._client.request(method, url, **options))

    def send_during(self, outer, inner):
        answers = []

        async def body():
            yield outer["content"][:1]
            answers.append(await self._client.request(**inner))
            yield outer["content"][1:]

        return self._runner.run(self._client.request(**outer | {"content": body()})), *answers

    def close(self):
        self._runner.run(self._client.aclose())
        self._runner.close()


class RequestsDoor:
    """requests.Session, with what it reaches replaced as long as the door is open."""

    def __init__(self, fake):
        self._mock = fake.responses()
        self._mock.start()
        self._session = import_module("requests").Session()
        self._session.trust_env = False

    def send(self, method, url, chunks, *, content=None, **options):
        if chunks is not None:
            content = iter(chunks)
        if content is not None:
            options["data"] = content
        return self._session.request(method, url, allow_redirects=False, **options)

    def send_during(self, outer, inner):
        answers = []

        def body():
            yield outer["content"][:1]
            answers.append(self.send(inner.pop("method"), inner.pop("url"), None, **inner))
            yield outer["content"][1:]

        options = {name: value for name, value in outer.items() if name != "content"}
        return self.send(options.pop("method"), options.pop("url"), body(), **options), *answers

    def close(self):
        self._session.close()
        self._mock.stop()


class HeldToHeaders:
    """A door of a fake, whose every response has headers that a server can send."""

    def __init__(self, door):
        self._door = door

    def send(self, method, url, chunks, **options):
        return self._held(self._door.send(method, url, chunks, **options))

    def send_during(self, outer, inner):
        return tuple(map(self._held, self._door.send_during(outer, inner)))

    def close(self):
        self._door.close()

    def _held(self, answer):
        raw = answer.headers.raw if hasattr(answer.headers, "raw") else answer.raw.headers.items()
        assert malformed(raw) == [], f"no server can send these headers: {malformed(raw)}"
        return answer
