"""The door for httpx."""

from types import ModuleType
from typing import ClassVar

import httpx

from fakes.doors.transport import StreamedBody, StreamingTransport

__all__ = ["FakeTransport", "Transport"]

Transport = httpx.BaseTransport | httpx.AsyncBaseTransport


class Body(StreamedBody, httpx.SyncByteStream, httpx.AsyncByteStream):
    """A streamed body for httpx."""


class FakeTransport(StreamingTransport, httpx.BaseTransport, httpx.AsyncBaseTransport):
    """An httpx transport that serves a fake, and reaches other hosts only through ``pass_through``.

    Args:
        engine: the fake.
        pass_through: the transport for other hosts; without one they cannot be reached.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> httpx.Client(transport=fake.transport()).get("https://example.com")
        Traceback (most recent call last):
        ...
        httpx.ConnectError: https://example.com is not served by this fake, ...
    """

    library: ClassVar[ModuleType] = httpx
    body: ClassVar[type[StreamedBody]] = Body
