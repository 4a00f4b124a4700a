"""File content of any size in constant memory: small content in memory, large content in a temporary file."""

import sys
import tempfile
from collections.abc import Iterator
from io import SEEK_END
from threading import Lock
from typing import IO

__all__ = ["StoredContent"]

SPOOL_LIMIT = 1024 * 1024
CHUNK = 64 * 1024


class _Storage:
    """Append-only bytes: in memory at first, then in an anonymous file."""

    __slots__ = ("file", "lock", "memory", "size")

    def __init__(self) -> None:
        self.memory = bytearray()
        self.file: IO[bytes] | None = None
        self.lock = Lock()
        self.size = 0

    def append(self, chunk: bytes | bytearray | memoryview) -> None:
        self.size += len(chunk)
        if self.file is None:
            self.memory += chunk
            if self.size <= SPOOL_LIMIT:
                return
            self.file = tempfile.TemporaryFile(prefix="fake-content-")  # noqa: SIM115 - it lives as long as this object
            chunk, self.memory = self.memory, bytearray()
        self.file.seek(0, SEEK_END)
        self.file.write(chunk)

    def read(self, start: int, end: int) -> bytes:
        with self.lock:
            if self.file is None:
                return bytes(self.memory[start:end])
            self.file.seek(start)
            return self.file.read(end - start)

    def __del__(self) -> None:
        if self.file is not None:
            self.file.close()


class StoredContent:
    """Bytes that are written in chunks and read any number of times, by any number of readers.

    Above 1 MiB the bytes move to an anonymous temporary file, whose disk space is freed with the last
    reference to the content. A copy shares its bytes until either grows.

    Attributes:
        max_size: the largest wanted size in bytes. The content may grow beyond it: writers check `is_full`.

    Examples:
        >>> content = StoredContent()
        >>> content.write(b"hello, ")
        >>> copy = content.copy()
        >>> content.write(b"world")
        >>> copy.write(b"you")
        >>> content.read(), copy.read(), len(copy)
        (b'hello, world', b'hello, you', 10)
    """

    __slots__ = ("_size", "_storage", "max_size")

    def __init__(self, data: bytes = b"") -> None:
        self._storage = _Storage()
        self._size = 0
        self.max_size = sys.maxsize
        if data:
            self.write(data)

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Append a chunk."""
        with self._storage.lock:
            if self._storage.size == self._size:
                self._storage.append(chunk)
                self._size += len(chunk)
                return
        alone = StoredContent()  # a copy has grown beyond this
        for kept in self.chunks():
            alone.write(kept)
        alone.write(chunk)
        self._storage, self._size = alone._storage, alone._size

    def copy(self) -> "StoredContent":
        """Return a copy of the content; later writes to either do not change the other."""
        copy = StoredContent.__new__(StoredContent)
        copy._storage, copy._size, copy.max_size = self._storage, self._size, self.max_size
        return copy

    @property
    def is_full(self) -> bool:
        """True if the content is larger than wanted."""
        return self._size > self.max_size

    def begins_as(self, other: "StoredContent") -> bool:
        """Return whether one is known to be the start of the other, as a copy is of the content that grew."""
        return self._storage is other._storage

    def __len__(self) -> int:
        return self._size

    def read(self) -> bytes:
        """Return all of the content; for content known to be small."""
        return b"".join(self.chunks())

    def chunks(self, start: int = 0) -> Iterator[bytes]:
        """Yield the content in chunks of at most 64 KiB; concurrent readers do not interfere.

        Args:
            start: the offset of the first byte.
        """
        for at in range(start, self._size, CHUNK):
            yield self._storage.read(at, min(at + CHUNK, self._size))
