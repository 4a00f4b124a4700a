"""The door for httpx2, the maintained fork of httpx."""

from types import ModuleType
from typing import ClassVar

import httpx2

from fakes.doors.transport import StreamedBody, StreamingTransport

__all__ = ["FakeTransport", "Transport"]

Transport = httpx2.BaseTransport | httpx2.AsyncBaseTransport


class Body(StreamedBody, httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A streamed body for httpx2."""


class FakeTransport(StreamingTransport, httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """An httpx2 transport that serves a fake; see `fakes.doors.httpx.FakeTransport`."""

    library: ClassVar[ModuleType] = httpx2
    body: ClassVar[type[StreamedBody]] = Body
