"""File content of any size in constant memory: small content in memory, large content in a file."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from secrets import token_hex
from threading import Lock
from typing import IO
from zlib import crc32

__all__ = ["PREFIX", "StoredContent"]

SPOOL_LIMIT = 1024 * 1024
CHUNK = 64 * 1024
PREFIX = "content-"
"""The start of the names of its files in a folder."""
OWNER_ONLY = 0o600


class _Storage:
    """Append-only bytes: in memory at first, then in a file, which is anonymous if no folder is given."""

    __slots__ = ("file", "folder", "is_saved", "lock", "memory", "path", "size")

    def __init__(self, folder: Path | None = None) -> None:
        self.memory = bytearray()  # all of the bytes, or none once they are in a file
        self.file: IO[bytes] | None = None  # the anonymous one
        self.folder = folder
        self.path: Path | None = None  # the one in the folder
        self.is_saved = False  # a state file names it, so it stays when the content goes
        self.lock = Lock()
        self.size = 0

    @property
    def is_in_memory(self) -> bool:
        return len(self.memory) == self.size

    def append(self, chunk: bytes | bytearray | memoryview) -> None:
        is_in_memory = self.is_in_memory
        start, self.size = self.size, self.size + len(chunk)
        if is_in_memory:  # else only the chunk is written, behind what the file has
            self.memory += chunk
            if self.size <= SPOOL_LIMIT:
                return
            start, chunk = 0, self.memory  # the memory has become too large: all of it moves to a file
            if self.folder is not None and self.path is None:
                self.path = self._create_file(self.folder)
        with self.open() as file:
            file.seek(start)
            file.write(chunk)
        self.memory = bytearray()

    def _create_file(self, folder: Path) -> Path:
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / f"{PREFIX}{token_hex(16)}"
        path.touch(OWNER_ONLY, exist_ok=False)
        return path

    def open(self) -> AbstractContextManager[IO[bytes]]:
        """Open its file; one in a folder is closed after each use, as a process may have few files open."""
        if self.path is not None:
            return self.path.open("r+b")
        if self.file is None:
            self.file = tempfile.TemporaryFile(prefix="fake-content-")  # noqa: SIM115 - open as long as the content
        return nullcontext(self.file)

    def read(self, start: int, end: int) -> bytes:
        with self.lock:
            if self.is_in_memory:
                return bytes(self.memory[start:end])
            with self.open() as file:
                file.seek(start)
                return file.read(end - start)

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
        if self.path is not None and not self.is_saved:
            with self.lock:  # Windows deletes no file that is being read
                self.path.unlink(missing_ok=True)

    __del__ = close


class StoredContent:
    """Bytes that are written in chunks and read any number of times, by any number of readers.

    Above 1 MiB the bytes move to a file, whose disk space is freed with the last reference to the content. It is an
    anonymous temporary file, unless a folder is given, where it may be saved; that one is open only while it is used.
    A copy shares its bytes until either grows.

    Args:
        data: the first bytes.
        folder: where its file is made.

    Attributes:
        checksum: the CRC-32 of the bytes, if a folder is given.
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

    __slots__ = ("_size", "_storage", "checksum", "max_size")

    def __init__(self, data: bytes = b"", folder: Path | None = None) -> None:
        self._storage = _Storage(folder)  # shared with copies
        self.checksum: int = 0
        self._size = 0  # the storage may have more, which a copy has written
        self.max_size: int = sys.maxsize
        if data:
            self.write(data)

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Append a chunk."""
        with self._storage.lock:
            if self._storage.size == self._size:
                self._storage.append(chunk)
                self._size += len(chunk)
                if self._storage.folder is not None:
                    self.checksum = crc32(chunk, self.checksum)
                return
        # A copy has grown beyond this, so the bytes must part.
        alone = StoredContent(folder=self._storage.folder)
        for kept in self.chunks():
            alone.write(kept)
        alone.write(chunk)
        self._storage, self._size, self.checksum = alone._storage, alone._size, alone.checksum

    def copy(self) -> "StoredContent":
        """Return a copy of the content; later writes to either do not change the other."""
        copy = StoredContent.__new__(StoredContent)
        copy._storage, copy._size, copy.max_size = self._storage, self._size, self.max_size
        copy.checksum = self.checksum
        return copy

    @classmethod
    def open(cls, path: Path, size: int) -> "StoredContent":
        """Open a saved file, of which only the first bytes may be saved; the checksum is that of what it has.

        Raises:
            OSError: the file cannot be opened.
        """
        path.chmod(OWNER_ONLY)  # a copy may be open to others
        content = cls(folder=path.parent)
        storage = content._storage
        storage.path, storage.is_saved = path, True
        storage.size = content._size = size
        for chunk in content.chunks():
            content.checksum = crc32(chunk, content.checksum)
        return content

    @property
    def path(self) -> Path | None:
        """Its file, if it has one in a folder."""
        return self._storage.path

    def save(self) -> None:
        """Write its file to the disk.

        Raises:
            OSError: it cannot be written.
        """
        storage = self._storage
        with storage.lock:
            if storage.path is not None:
                with storage.open() as file:
                    os.fsync(file.fileno())
                for folder in storage.path.parents[:2]:  # the folder itself may be new too
                    sync_folder(folder)

    def discard(self) -> None:
        """Free the bytes now, if the rest will not arrive; the content cannot be read anymore."""
        self._storage.close()

    def keep_file(self, keep: bool) -> None:
        """Keep its file, or delete it with the last reference to the content."""
        self._storage.is_saved = keep

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


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can do that separately."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
