"""The admin calls of a fake elsewhere, and what its parts say that cannot work there."""

import ssl
from collections.abc import Collection
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Never, cast

import httpx

from fakes.http.errors import Refusal

__all__ = ["FUNCTION", "WHY", "AdminCaller", "Elsewhere", "RemotePart"]

WHY = {
    "budget": "a budget stops the code that calls it, and that runs in another process than the fake",
    "fork": "a fork lives in the process of its fake; FakeService.sample() and restore(svc.fake.snapshot()) make one "
    "in this process",
    "sleeping": "sleeping() replaces the functions that sleep in the fake's own process; move the clock with advance()",
    **dict.fromkeys(
        ("transport", "httpx", "responses", "asgi", "browser", "serve"),
        "clients reach it over the network, at the URLs of its facts",
    ),
    "to_har": "no admin call sends the headers of requests; svc.trace() records those of this session",
    "request_headers": "no admin call sends them; svc.trace() records those of this session",
    "response_headers": "no admin call sends them; svc.trace() records those of this session",
}
"""The reasons why something does not work with a fake elsewhere."""
FUNCTION = (
    "a function cannot be sent to a fake elsewhere: give a JSON value, or further responses with then(); "
    "functions work where the fake is in this process"
)


@dataclass(eq=False, repr=False)
class AdminCaller:
    """Makes the admin calls of one fake, each on a connection of its own.

    Attributes:
        url, key, trust, transport, missing: as in `fakes.doors.remote.RemoteFake`.
    """

    url: str
    key: str
    _: KW_ONLY
    trust: ssl.SSLContext | None = None
    transport: httpx.BaseTransport | None = None
    missing: Collection[str] = ()

    @cached_property
    def _verify(self) -> ssl.SSLContext:
        """The certificates to trust, which take longer to read than a call takes."""
        return httpx.create_ssl_context() if self.trust is None else self.trust

    def at(self, url: str, key: str) -> "AdminCaller":
        """Return what makes the admin calls of another fake of the same server."""
        return AdminCaller(url, key, trust=self._verify, transport=self.transport)

    def __call__(self, method: str, path: str, body: object = None, /, **query: object) -> Any:
        """Make an admin call and return the JSON of its response; None without a body."""
        __tracebackhide__ = True
        if self.missing:
            raise LookupError(
                f"svc.fake controls a fake outside this process by admin calls; set {' and '.join(self.missing)} to "
                "the admin_url and the admin_key of its facts, or of the ready line of `svckit serve`"
            )
        headers = {"Authorization": f"Bearer {self.key}"}
        sent = {name: value for name, value in query.items() if value is not None}
        with httpx.Client(transport=self.transport, verify=self._verify, headers=headers) as http:
            try:
                response = http.request(method, self.url + path, json=body, params=cast("Any", sent or None))
            except httpx.LocalProtocolError:  # it quotes the key
                raise ValueError("the admin key is empty, or has a space or a line break") from None
            except (httpx.TransportError, httpx.InvalidURL) as failed:
                raise ConnectionError(f"the fake did not respond at {self.url}: {failed}") from None
        try:
            content: Any = response.json() if response.content else None
            said = "" if response.is_success else str(content["description"])
        except (ValueError, KeyError, TypeError):
            wrong = f"{self.url} responded with {response.status_code}; is it the admin_url of a fake?"
            raise ConnectionError(wrong) from None
        match response.status_code:
            case 400:
                raise ValueError(said)
            case 401 | 403:
                raise PermissionError(said)
            case 404:
                raise Refusal("no_class" if content.get("code") == "NO_CLASS" else "not_found", said)
            case 409:
                raise Refusal("conflict", said)
        if response.is_success:
            return content
        raise RuntimeError(f"the fake responded with {response.status_code}: {said}")


class Elsewhere:
    """A part of a fake elsewhere, which says why it lacks a name that the same part has in process."""

    def __getattr__(self, name: str) -> Never:
        __tracebackhide__ = True
        if name.startswith("__"):
            raise AttributeError(name)
        known = ", ".join(attribute for attribute in dir(self) if not attribute.startswith("_"))
        why = (
            WHY.get(name)
            or f"what works is {known}; make other admin calls over HTTP, with the key of its facts"
        )
        raise AttributeError(f"{name} does not work with a fake outside this process: {why}")


class RemotePart(Elsewhere):
    """A part of a fake elsewhere that has nothing but its admin calls."""

    def __init__(self, call: AdminCaller) -> None:
        self._call = call
