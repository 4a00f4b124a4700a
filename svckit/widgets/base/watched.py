"""Content on its way to or from a service, watched: how much of it has passed."""

from collections.abc import Callable
from io import BytesIO, FileIO
from pathlib import Path

from svckit.errors import InvalidInput

__all__ = ["LimitedBuffer", "OnProgress", "WatchedBytes", "WatchedFile"]

OnProgress = Callable[[int], None]
"""Told how many bytes have passed."""


class WatchedFile(FileIO):
    """A file on disk that is read.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path, on_progress: OnProgress) -> None:
        super().__init__(path)
        self._on_progress = on_progress

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        found = super().read(-1 if size is None else size)
        self._on_progress(self.tell())
        return found or b""


class WatchedBytes(BytesIO):
    """Content in memory that is read."""

    def __init__(self, content: bytes, on_progress: OnProgress) -> None:
        super().__init__(content)
        self._on_progress = on_progress

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        found = super().read(size)
        self._on_progress(self.tell())
        return found


class LimitedBuffer(BytesIO):
    """Content that is written to memory, up to a limit."""

    def __init__(self, most: int, on_progress: OnProgress) -> None:
        super().__init__()
        self._most = most
        self._on_progress = on_progress

    def write(self, data: object, /) -> int:
        """Take in more.

        Raises:
            InvalidInput: that is too much.
        """
        written = super().write(data)  # type: ignore[arg-type]  # any buffer, as BytesIO checks itself
        if self.tell() > self._most:
            raise InvalidInput(f"it has more than {self._most:,} bytes, so it is not previewed; download it")
        self._on_progress(self.tell())
        return written
