"""File content of any size in constant memory: small in memory, large in a temporary file."""

import tempfile
from collections.abc import Iterator
from threading import Lock
from typing import IO

__all__ = ["Content"]

SPOOL_LIMIT = 1024 * 1024
CHUNK = 64 * 1024


class Content:
    """Bytes that are written once, in chunks, and then read any number of times, by any number of readers.

    Above 1 MiB the bytes move to an anonymous temporary file, whose disk space returns when the last
    reference to the content goes.

    Examples:
        >>> content = Content()
        >>> content.write(b"hello, ")
        >>> content.write(b"world")
        >>> len(content), b"".join(content.chunks())
        (12, b'hello, world')
    """

    __slots__ = ("_file", "_memory", "_reading", "_size")

    def __init__(self, data: bytes = b"") -> None:
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self._reading = Lock()
        self._size = 0
        if data:
            self.write(data)

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Append a chunk."""
        self._size += len(chunk)
        if self._file is None:
            self._memory += chunk
            if self._size <= SPOOL_LIMIT:
                return
            # No `with`: the file lives as long as the content does, and is deleted with it.
            self._file = tempfile.TemporaryFile(prefix="fake-content-")  # noqa: SIM115
            chunk, self._memory = self._memory, bytearray()
        self._file.write(chunk)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return self._size

    def read(self) -> bytes:
        """The whole content; for what is known to be small."""
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        """The content in pieces of at most 64 KiB; readers at different places do not disturb each other."""
        for start in range(0, self._size, CHUNK):
            if self._file is None:
                yield bytes(self._memory[start : start + CHUNK])
                continue
            with self._reading:
                self._file.seek(start)
                chunk = self._file.read(CHUNK)
            yield chunk
