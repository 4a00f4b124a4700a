"""Files and buffers that report the progress of a transfer."""

from collections.abc import Callable
from io import BytesIO, FileIO
from pathlib import Path

from svckit.errors import InvalidInput

__all__ = ["LimitedBuffer", "OnProgress", "WatchedBytes", "WatchedFile"]

OnProgress = Callable[[int], None]
"""Called with the number of bytes transferred so far."""


class WatchedFile(FileIO):
    """A file on disk that reports how much of it was read.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path, on_progress: OnProgress) -> None:
        super().__init__(path)
        self._on_progress = on_progress

    def read(self, size: int | None = -1, /) -> bytes:
        """Read the next bytes."""
        found = super().read(-1 if size is None else size)
        self._on_progress(self.tell())
        return found or b""


class WatchedBytes(BytesIO):
    """Content in memory that reports how much of it was read."""

    def __init__(self, content: bytes, on_progress: OnProgress) -> None:
        super().__init__(content)
        self._on_progress = on_progress

    def read(self, size: int | None = -1, /) -> bytes:
        """Read the next bytes."""
        found = super().read(size)
        self._on_progress(self.tell())
        return found


class LimitedBuffer(BytesIO):
    """A buffer in memory that takes content up to a limit."""

    def __init__(self, most: int, on_progress: OnProgress) -> None:
        super().__init__()
        self._most = most
        self._on_progress = on_progress

    def write(self, data: object, /) -> int:
        """Append more content.

        Raises:
            InvalidInput: the content exceeds the limit.
        """
        written = super().write(data)  # type: ignore[arg-type]  # any buffer, as BytesIO checks itself
        if self.tell() > self._most:
            raise InvalidInput(f"it has more than {self._most:,} bytes, so it is not previewed; download it")
        self._on_progress(self.tell())
        return written
