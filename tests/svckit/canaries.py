"""A fake whose secrets look like nothing, and a search for them in everything that may be shown.

The secrets of a fake are known by their shape. Those of a real service are not, so a transport between the two gives
every one of them another name, at random, on its way to the session, and the old one on its way back.
"""

import pickle
import re
import secrets
import traceback
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import httpx
from IPython.core.formatters import DisplayFormatter

T = TypeVar("T")

ISSUED = re.compile(r"(?:wh|at|rt|cs|bs|ak|code|login|up|dl)_[0-9a-f]{40,}|pw_[0-9a-f]{20,}")
OWN_FRAMES = ("canaries.py", "test_canaries.py")  # which know the secrets


class Renaming(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport that renames the secrets of the fake behind another one.

    Args:
        inner: what reaches the fake, with and without ``await``.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._names: dict[str, str] = {}
        self.states: set[str] = set()

    @property
    def secrets(self) -> list[str]:
        """Every secret there was so far, by either name."""
        return [*self._names, *self._names.values(), *self.states]

    def facts(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The fake's facts, renamed."""
        return {name: self._renamed_fact(value) for name, value in facts.items()}

    def _renamed_fact(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._renamed(value)
        return [self._renamed(item) for item in value] if isinstance(value, list) else value

    def _renamed(self, text: str) -> str:
        return ISSUED.sub(lambda found: self._names.setdefault(found[0], secrets.token_urlsafe(30)), text)

    def _original(self, text: str) -> str:
        for old, new in self._names.items():
            text = text.replace(new, old)
        return text

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        response = self._inner.handle_request(self._inwards(request))
        return self._outwards(response, response.read())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        response = await self._inner.handle_async_request(self._inwards(request))
        return self._outwards(response, await response.aread())

    def _inwards(self, request: httpx.Request) -> httpx.Request:
        self.states.update(parse_qs(urlsplit(str(request.url)).query).get("state", []))
        headers = {
            name: self._original(value) for name, value in request.headers.items() if name != "content-length"
        }
        content = self._original(request.content.decode("latin-1")).encode("latin-1")
        return httpx.Request(
            request.method, self._original(str(request.url)), headers=headers, content=content
        )

    def _outwards(self, response: httpx.Response, content: bytes) -> httpx.Response:
        headers = [
            (name, self._renamed(value))
            for name, value in response.headers.multi_items()
            if name != "content-length"
        ]
        content = self._renamed(content.decode("latin-1")).encode("latin-1")
        return httpx.Response(response.status_code, headers=headers, content=content)

    def close(self) -> None:
        self._inner.close()

    async def aclose(self) -> None:
        await self._inner.aclose()


def held(raised: BaseException, kind: type[T]) -> list[T]:
    """What there is of a kind in the frames that an exception came through."""
    frames = (frame for frame, _ in traceback.walk_tb(raised.__traceback__))
    return [value for frame in frames for value in frame.f_locals.values() if isinstance(value, kind)]


def shown(raised: BaseException) -> str:
    """A traceback as debuggers show it, without the frames of tests, which know the secrets."""
    trace = traceback.TracebackException.from_exception(raised, capture_locals=True)
    return "".join(line for line in trace.format() if "/tests/svckit/" not in line)


def faces(thing: Any) -> Iterable[str]:
    """All the ways in which something may be shown or stored."""
    yield repr(thing)
    yield str(thing)
    yield f"{[thing]}"
    data, metadata = DisplayFormatter().format(thing)  # what a notebook stores
    yield repr((data, metadata))
    # What refuses to be pickled tells nothing.
    with suppress(TypeError, AttributeError, pickle.PicklingError):
        yield pickle.dumps(thing).decode("latin-1")
    if isinstance(thing, BaseException):
        whole = traceback.TracebackException.from_exception(thing, capture_locals=True)
        frames = [frame for frame in whole.stack if not frame.filename.endswith(OWN_FRAMES)]
        yield "".join(traceback.StackSummary.from_list(frames).format())
        for link in (thing.__cause__, None if thing.__suppress_context__ else thing.__context__):
            yield from faces(link) if link is not None else ()
        yield repr(vars(thing))
