"""Doors: each sends the same literal request in another way, and returns what arrived."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import requests

from fakes.engine.request_cycle import EnoughSent
from fakes.faults.kinds import BrokenConnection
from fakes.http.messages import RequestHead

from ..conformance.doors import AsyncDoor, RequestsDoor, SyncDoor
from ..loopback import PATIENCE
from .service.expecting import Broken, Reply
from .service.wire import Request

AREAS = {
    "api": "base_url",
    "auth": "auth_url",
    "storage": "upload_url",
    "hooks": "webhook_url",
    "admin": "admin_url",
}


class Door:
    """A way to a fake.

    Args:
        facts: what its clients are configured with.
    """

    def __init__(self, facts: Any) -> None:
        self._urls = {area: facts[key] for area, key in AREAS.items()}
        self._found = sorted(
            ((url, f"{{{area}}}") for area, url in self._urls.items()), key=lambda pair: -len(pair[0])
        )
        self._admin = {"Authorization": f"Bearer {facts['admin_key']}"}

    def call(self, request: Request) -> Reply | Broken:
        """Send a request; in what arrives, URLs of the fake are those of no door."""
        url = self._urls[request.area] + request.path + (f"?{request.query}" if request.query else "")
        headers = request.headers | self._admin if request.area == "admin" else request.headers
        try:
            reply = self._send(request.method, url, headers, request.body)
        except (httpx.TimeoutException, requests.Timeout):
            raise
        except (BrokenConnection, httpx.TransportError, requests.RequestException) as error:
            return Broken(repr(error))
        if "location" in reply.headers:
            reply.headers["location"] = self._name(reply.headers["location"])
        if b"http" in reply.body[:4096]:
            reply.body = self._name(reply.body.decode("latin-1")).encode("latin-1")
        return reply

    def _name(self, text: str) -> str:
        for url, name in self._found:
            text = text.replace(url + "/", name + "/")
        return text

    def _send(self, method: str, url: str, headers: dict[str, str], body: bytes) -> Reply:
        raise NotImplementedError

    def close(self) -> None:
        """Close what it holds open."""


def read(response: httpx.Response | requests.Response) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status_code, headers, response.content)


class EngineDoor(Door):
    """The engine itself, as a door uses it, which costs least."""

    def __init__(self, fake: Any, facts: Any) -> None:
        super().__init__(facts)
        self._fake = fake

    def _send(self, method: str, url: str, headers: dict[str, str], body: bytes) -> Reply:
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        with self._fake.open(RequestHead(method, url, raw)) as cycle:
            cycle.connect()
            if body:
                with suppress(EnoughSent):
                    cycle.feed(body)
            response = cycle.finish()
        whole = response.body if isinstance(response.body, bytes) else b"".join(response.body)
        return Reply(response.status, {name.lower(): value for name, value in response.headers}, whole)


class TransportDoor(Door):
    """The transport alone, sync, without a client."""

    def __init__(self, fake: Any, facts: Any) -> None:
        super().__init__(facts)
        self._transport = fake.transport()

    def _send(self, method: str, url: str, headers: dict[str, str], body: bytes) -> Reply:
        response = self._transport.handle_request(httpx.Request(method, url, headers=headers, content=body))
        response.read()
        return read(response)


class ClientDoor(Door):
    """A client of httpx or requests, as the conformance suite has them."""

    def __init__(self, client: Any, facts: Any) -> None:
        super().__init__(facts)
        self._client = client
        self.close = client.close

    def _send(self, method: str, url: str, headers: dict[str, str], body: bytes) -> Reply:
        return read(self._client.send(method, url, None, headers=headers, content=body))


def open_over_tcp(facts: Any) -> Door:
    """A client of httpx over TCP."""
    return ClientDoor(SyncDoor(None, timeout=PATIENCE), facts)


IN_PROCESS: dict[str, Callable[[Any, Any], Door]] = {
    "engine": EngineDoor,
    "transport": TransportDoor,
    "httpx": lambda fake, facts: ClientDoor(SyncDoor(fake.transport()), facts),
    "async": lambda fake, facts: ClientDoor(AsyncDoor(fake.transport()), facts),
    "requests": lambda fake, facts: ClientDoor(RequestsDoor(fake), facts),
}
