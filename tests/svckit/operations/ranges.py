"""Uploads in ranges, for tests: what is sent, from where, and how it breaks."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest

from fakes import FakeService
from svckit import places
from svckit.errors import ServiceError
from svckit.session.connect import connect

from ..conftest import Face

DRIVE = places.drive("u-001")
CONTENT = bytes(range(256)) * 40  # 10,240 bytes
RANGE = 4096
SEND = "storage.receive"


def in_pieces(content: bytes = CONTENT) -> Iterator[bytes]:
    yield b""
    for start in range(0, len(content), 1000):
        yield content[start : start + 1000]


def stored(fake: FakeService) -> list[bytes]:
    """The contents of all files that were uploaded."""
    records = [record for record in fake.records("files") if record["place"] == "drive/u-001"]
    with connect(fake) as svc:
        return [svc.files.download(DRIVE.file(record["fileId"])) for record in records]


def ranges(fake: FakeService) -> list[str]:
    """What each request that reached the upload address said to carry."""
    return [
        value
        for entry in fake.journal
        for name, value in entry.request_headers
        if name.lower() == "content-range"
    ]


class Pipe(BytesIO):
    """What is read or written once, from its beginning to its end."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: object) -> int:
        raise OSError("a pipe cannot be rewound")

    def tell(self) -> int:
        raise OSError("a pipe has no places")


Make = Callable[[], Any]


SOURCES: dict[str, Make] = {
    "bytes": lambda: CONTENT,
    "file": lambda: BytesIO(CONTENT),
    "generator": in_pieces,
}


def upload(face: Face, source: Any, **options: Any) -> Any:
    options = {"name": "x.bin", "size": len(CONTENT), "resumable": RANGE} | options
    return face(lambda svc: svc.files.upload(source, to=DRIVE, **options))


def broken(face: Face, source: Any, kind: type[Exception] = ServiceError, **options: Any) -> Any:
    with pytest.raises(kind) as caught:
        upload(face, source, **options)
    return caught.value


class Breaking:
    """Content that has the connection break while it is sent, at a place of it."""

    def __init__(self, source: Any, fake: FakeService, *, at: int, applied: bool) -> None:
        self._source = source
        self._fake = fake
        self._at = at
        self._applied = applied

    def __iter__(self) -> Iterator[bytes]:
        content = self._source if isinstance(self._source, bytes) else b"".join(self._source)
        for start in range(0, len(content), 512):
            if start <= self._at < start + 512:
                self._fake.faults.reset(SEND, applied=self._applied)
            yield content[start : start + 512]


class Cancelling:
    """Is set once it has been asked so many times."""

    def __init__(self, after: int) -> None:
        self._left = after

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0
