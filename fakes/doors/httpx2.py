"""The door for httpx2, the fork of httpx that is maintained: the same, built against it."""

from types import ModuleType
from typing import ClassVar

import httpx2

from fakes.doors.transport import StreamedBody, StreamingTransport

__all__ = ["FakeTransport", "Transport"]

Transport = httpx2.BaseTransport | httpx2.AsyncBaseTransport


class Body(StreamedBody, httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body in pieces, as httpx2 has it."""


class FakeTransport(StreamingTransport, httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """An httpx2 transport that answers from a fake; see `fakes.doors.httpx.FakeTransport`."""

    library: ClassVar[ModuleType] = httpx2
    body: ClassVar[type[StreamedBody]] = Body
