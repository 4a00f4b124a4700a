"""The destination of a download: a file, written from a position and again from there after a failure."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from svckit.display.progress import Advance, progress_bar
from svckit.errors import Cancelled, InvalidInput
from svckit.operations.batch import Cancel, check_cancel

__all__ = ["FileSink", "check", "open_sink"]


class FileSink:
    """A sink that writes a body to a file from its current position, counts the bytes, and stops on request.

    Attributes:
        attempts: how often a body has started.
        received: the number of bytes received of the last one.
    """

    def __init__(self, file: IO[bytes], words: str, *, progress: bool | None, cancel: Cancel | None) -> None:
        self.attempts = 0
        self.received = 0
        self.is_rewindable = file.seekable()
        self._file = file
        self._origin = file.tell() if self.is_rewindable else 0
        self._words = words
        self._progress = progress
        self._cancel = cancel
        self._bar = ExitStack()
        self._advance: Advance | None = None

    def begin(self, size: int | None) -> None:
        """Start a body, and discard an earlier one.

        Raises:
            InvalidInput: bytes were written before, and the file cannot be rewound.
        """
        self.discard()
        self.attempts += 1
        if self._advance is None:
            bar = progress_bar(self._words, size, unit="bytes", shown=self._progress)
            self._advance = self._bar.enter_context(bar)

    def write(self, chunk: bytes, /) -> None:
        """Write the next bytes.

        Raises:
            Cancelled: the download was cancelled.
        """
        check(self._cancel)
        self._file.write(chunk)
        self.received += len(chunk)
        if self._advance is not None:
            self._advance(len(chunk))

    def discard(self) -> None:
        """Remove what was written.

        Raises:
            InvalidInput: the file cannot be rewound.
        """
        if not self.received:
            return
        if not self.is_rewindable:
            raise InvalidInput(f"{self.received} bytes have been written to a file that cannot be rewound")
        self._file.seek(self._origin)
        self._file.truncate()
        if self._advance is not None:
            self._advance(-self.received)
        self.received = 0

    def close(self) -> None:
        """Stop the progress bar. The file stays open."""
        self._bar.close()


@contextmanager
def open_sink(
    file: IO[bytes], words: str, *, progress: bool | None, cancel: Cancel | None
) -> Iterator[FileSink]:
    """Open a sink for a file; on failure, what was written is removed if the file can be rewound."""
    sink = FileSink(file, words, progress=progress, cancel=cancel)
    try:
        yield sink
    except BaseException:
        if sink.is_rewindable and not file.closed:
            sink.discard()
        raise
    finally:
        sink.close()


def check(cancel: Cancel | None) -> None:
    """Stop a download if it was cancelled.

    Raises:
        Cancelled: it was.
    """
    if (cancel := check_cancel(cancel)) is not None and cancel.is_set():
        raise Cancelled("files.download was cancelled; nothing was kept. Call it again to restart.")
