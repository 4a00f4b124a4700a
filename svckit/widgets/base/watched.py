"""Files that report the progress of a transfer."""

from collections.abc import Callable
from typing import IO, Any

from svckit.errors import InvalidInput

__all__ = ["LimitedFile", "OnProgress", "WatchedFile"]

OnProgress = Callable[[int], None]
"""Called with the number of bytes transferred so far."""


class _Wrapped:
    """An open binary file, with some of its methods replaced."""

    def __init__(self, file: IO[bytes], on_progress: OnProgress) -> None:
        self._file = file
        self._on_progress = on_progress

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class WatchedFile(_Wrapped):
    """A file that reports how much of it was read."""

    def read(self, size: int = -1, /) -> bytes:
        """Read the next bytes."""
        found = self._file.read(size)
        self._on_progress(self._file.tell())
        return found


class LimitedFile(_Wrapped):
    """A file that takes content up to a limit, and reports how much of it was written."""

    def __init__(self, file: IO[bytes], most: int, advice: str, on_progress: OnProgress) -> None:
        super().__init__(file, on_progress)
        self._most = most
        self._advice = advice

    def write(self, data: bytes, /) -> int:
        """Append more content.

        Raises:
            InvalidInput: the content exceeds the limit.
        """
        written = self._file.write(data)
        if self._file.tell() > self._most:
            raise InvalidInput(f"it has more than {self._most:,} bytes, {self._advice}")
        self._on_progress(self._file.tell())
        return written
