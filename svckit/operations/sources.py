"""The sources of uploads: content of a known size, sent in parts that can be sent again.

`open_source` makes a `RewindableFile` or a `StreamContent` of whatever was given. Each request reads a `CountedPart` of
it, which records in `SentContent` what goes over the wire, so that a resumed upload continues with the same content.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from errno import EISDIR
from hashlib import blake2b
from io import BytesIO, UnsupportedOperation
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeGuard

from svckit.display.normal_form import compose
from svckit.display.progress import Advance
from svckit.errors import Cancelled, InvalidInput
from svckit.models.phrases import count_bytes, describe_given
from svckit.models.times import format_date_time
from svckit.operations.batch import Cancel

__all__ = [
    "CountedPart",
    "SentContent",
    "SizedContent",
    "Source",
    "format_modified",
    "get_name",
    "open_source",
]

Source: TypeAlias = str | Path | bytes | bytearray | memoryview | IO[bytes] | Iterable[bytes]
"""A path, the content itself, a file that is open for reading bytes, or an iterable of bytes."""

CHUNK = 64 * 1024


class RewindableFile:
    """The whole content of a file that can be rewound, so that any part can be read at any time.

    Attributes:
        size: the size in bytes.

    Raises:
        InvalidInput: the file has another size than was announced.
    """

    is_rewindable = True

    def __init__(self, file: IO[bytes], size: int | None) -> None:
        self.size: int = file.seek(0, os.SEEK_END)
        self._file = file
        if size is not None and size != self.size:
            raise InvalidInput(
                f"nothing was sent: the content must have the size {size!r}; given {count_bytes(self.size)}"
            )

    def read(self, start: int, size: int) -> bytes:
        """Return at most `size` bytes from `start` on; none at the end of the content."""
        self._file.seek(start)
        return self._file.read(size)

    def keep(self, start: int) -> None:
        """Do nothing: the file can be read again anyway."""


class StreamContent:
    """Content that arrives in pieces, once. Only the part to keep is held in memory.

    Raises:
        InvalidInput: the size is unknown.
    """

    is_rewindable = False

    def __init__(self, pieces: Iterable[bytes], size: int | None) -> None:
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise InvalidInput(
                "files.upload was not sent: content that comes in pieces needs its size in bytes, which is sent to the "
                f"service first: size=1024; given {size!r}"
            )
        self.size = size
        self._pieces = iter(pieces)
        self._held = bytearray()  # what was taken from the pieces, and may be read again
        self._from = 0  # where the bytes that are held begin
        self._kept: int | None = None  # from where on bytes must stay held; None if each is read once

    def read(self, start: int, size: int) -> bytes:
        """Return bytes from `start` on.

        Raises:
            InvalidInput: they have been read and were not kept, or there are more bytes than `size` in total.
        """
        if start < self._from:
            raise InvalidInput(
                "the content can be read only once, but has to be sent again from its beginning: "
                "upload it again, with resumable=True to keep what may be needed"
            )
        first = start if self._kept is None else self._kept
        end = min(start + size, self.size)
        self._drop(first)
        while self._end < end and (piece := self._next()):
            self._held += piece
            self._drop(first)
        # At the end, one more piece would show that there is more than was announced.
        after = self._next() if end == self.size == self._end else b""
        if end == self.size and (after or self._end > self.size):
            raise explain_size(self.size, f"at least {self._end + len(after)}")
        return bytes(memoryview(self._held)[start - self._from : end - self._from])

    def keep(self, start: int) -> None:
        """Keep what is read from `start` on, and nothing before."""
        self._kept = start

    @property
    def _end(self) -> int:
        return self._from + len(self._held)

    def _drop(self, before: int) -> None:
        gone = min(before, self._end) - self._from
        if gone > 0:
            del self._held[:gone]
            self._from += gone

    def _next(self) -> bytes:
        """Return the next piece that is not empty; an empty one at the end."""
        for piece in self._pieces:
            if not isinstance(piece, bytes | bytearray | memoryview):
                raise InvalidInput(f"the content must come in pieces of bytes; given {describe_given(piece)}")
            if len(piece):
                return bytes(piece)
        return b""


SizedContent: TypeAlias = RewindableFile | StreamContent
"""Content of a known size."""


class SentContent:
    """The size and hash of the content sent so far, from its beginning.

    `begin_part` comes before each part, and `record` with each chunk that is read of it. Another attempt begins with
    `restart`: it records from the beginning again, and fails once it has read as much, if that differs.

    Args:
        size: the number of bytes sent by an earlier attempt; 0 for none.
        digest: their hash, in hexadecimal digits.

    Attributes:
        size: the number of bytes sent, all from the beginning.

    Examples:
        >>> sent = SentContent()
        >>> sent.record(0, b"hello")
        >>> sent.restart().record(0, b"help!")
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: the source has changed: its first 5 bytes are not those that were sent before, ...
    """

    def __init__(self, size: int = 0, digest: str = "") -> None:
        self.size: int = 0
        self._hash = blake2b()
        self._earlier = size, digest  # of the earlier attempt, to compare with once as much is sent
        self._part = 0, self._hash.copy()  # where the last part begins, and the hash up to there

    @property
    def earlier(self) -> int:
        """The number of bytes to compare with those of an earlier attempt."""
        return self._earlier[0]

    @property
    def digest(self) -> str:
        """The hash of the bytes sent, in hexadecimal digits."""
        return self._hash.hexdigest()

    def restart(self) -> "SentContent":
        """Start another attempt, whose content is compared with this one's."""
        return (
            SentContent(*self._earlier) if self.size < self.earlier else SentContent(self.size, self.digest)
        )

    def begin_part(self, at: int) -> None:
        """Start the next part here; if it is sent again, it is compared with the first time."""
        if at == self.size:
            self._part = at, self._hash.copy()

    def record(self, at: int, chunk: bytes) -> None:
        """Record the bytes that are sent next, or sent again from the start of the part.

        Raises:
            InvalidInput: this is not the content of the earlier attempt.
        """
        if at == self._part[0] < self.size:  # sent again: what was sent of the part is compared, too
            self._earlier = self.restart()._earlier
            self.size, self._hash = at, self._part[1].copy()
        if not at <= self.size < at + len(chunk):
            return  # recorded before, or beyond a part that was not read, as the service had it already
        new = memoryview(chunk)[self.size - at :]
        if self.size < self.earlier:
            known = self._hash.copy()
            known.update(new[: self.earlier - self.size])
            if self.earlier - self.size <= len(new) and known.hexdigest() != self._earlier[1]:
                raise InvalidInput(
                    f"the source has changed: its first {self.earlier} bytes are not those that were sent before, so "
                    "the upload was stopped. If all bytes had been sent before, the file may be stored: look for it. "
                    "Upload the source as it is now with svc.files.upload. A source that can be read only once, such "
                    "as a generator or a pipe, must be created again: it continues where the last attempt left it"
                )
        self._hash.update(new)
        self.size += len(new)


def explain_size(announced: int, given: str) -> InvalidInput:
    """Explain that the content of an upload does not have the size that was announced."""
    return InvalidInput(
        f"files.upload was stopped, and nothing was stored: the content must have the size "
        f"{announced}, as announced; given {given} bytes"
    )


@dataclass(kw_only=True, eq=False, repr=False)
class CountedPart:
    """A part of the content while it is sent: counts the bytes read, and stops on request.

    It is a file for httpx, which takes the position of its end as its size and rewinds it before sending.

    Attributes:
        content: the whole content.
        start: where the part begins in it.
        size: the bytes of the part.
        sent: records what goes over the wire; the part was begun there.
        advance: moves the progress bar.
        cancel: when set, reading fails.
        on_start: called each time that sending it starts.
        starts: how often sending it has started.
        counted: the bytes read the last time, as the bar shows them.
    """

    content: SizedContent
    start: int
    size: int
    sent: SentContent
    advance: Advance
    cancel: Cancel | None
    on_start: Callable[[], object]
    starts: int = 0
    counted: int = 0
    _at: int = 0  # the position within the part

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes.

        Raises:
            Cancelled: the upload was cancelled.
            InvalidInput: the content has another size, or differs from what an earlier attempt sent.
        """
        if not self._at:
            self.starts += 1
            self.on_start()
        left = self.size - self._at
        if left and self.cancel is not None and self.cancel.is_set():
            raise Cancelled("stopped")
        chunk = self.content.read(self.start + self._at, min(size, left) if size >= 0 else left)
        if left and size and not chunk:
            raise explain_size(self.content.size, str(self.start + self._at))
        self.sent.record(self.start + self._at, chunk)
        self._at += len(chunk)
        self.advance(self._at - self.counted)
        self.counted = self._at
        return chunk

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to a position, or to the end to learn the size."""
        self._at = offset + (self.size if whence == os.SEEK_END else 0)
        return self._at

    def tell(self) -> int:
        """Return the position of the next byte."""
        return self._at


@contextmanager
def open_source(source: Source, size: int | None) -> Iterator[SizedContent]:
    """Open a source for reading; a file that is opened here is closed again.

    Raises:
        InvalidInput: it is not a source, or its size is unknown.
        OSError: the file cannot be opened.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        yield RewindableFile(BytesIO(source), size)
    elif isinstance(source, str | Path):
        with _open(source) as file:
            yield RewindableFile(file, size)
    elif _is_binary_file(source) and source.seekable():
        yield RewindableFile(source, size)
    elif _is_binary_file(source) or (isinstance(source, Iterable) and not hasattr(source, "read")):
        yield StreamContent(_iterate(source), size)
    else:
        raise InvalidInput(
            "files.upload was not sent: the source must be a path, bytes, a file that is open for reading bytes "
            f'("rb"), or an iterable of bytes; given {describe_given(source)}'
        )


def _open(path: str | Path) -> IO[bytes]:
    file = Path(path)
    # Opening a pipe might never return, and a device might never end.
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise InvalidInput(
            f"files.upload was not sent: {file} is a pipe, a socket or a device, which has no size; open it for "
            'reading bytes ("rb"), and pass the size: upload(file, size=1024, …)'
        )
    if file.is_dir():
        words = "Is a folder; svc.files.upload_many sends many files, such as those of Path(folder).iterdir()"
        raise IsADirectoryError(EISDIR, words, path)
    try:
        return file.open("rb")
    except FileNotFoundError as missing:
        if isinstance(path, str):
            words = "No such file (text is a path; pass content as bytes, such as text.encode())"
            raise FileNotFoundError(missing.errno, words, path) from None
        raise


def _is_binary_file(source: Any) -> TypeGuard[IO[bytes]]:
    return hasattr(source, "read") and hasattr(source, "seekable") and source.read(0) == b""


def _iterate(source: Any) -> Iterable[bytes]:
    return iter(lambda: source.read(CHUNK), b"") if hasattr(source, "read") else source


def get_name(source: Source) -> str:
    """Return the name of a source's file, composed (NFC): macOS decomposes names, which then match no other.

    Raises:
        InvalidInput: the source has no name.
    """
    path = source if isinstance(source, str | Path) else getattr(source, "name", None)
    if not isinstance(path, str | Path):
        raise InvalidInput('files.upload was not sent: give the file a name, with name="report.pdf"')
    return compose(Path(path).name)


def format_modified(source: Source, given: bool | str | datetime) -> str:
    """Format the modification time of a source for the service.

    Args:
        source: the source.
        given: the time itself, or ``True`` for that of the file.

    Raises:
        InvalidInput: the time is unknown, or has no offset from UTC.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, datetime):
        try:
            return format_date_time(given)
        except ValueError as wrong:
            raise InvalidInput(f"files.upload was not sent: modified {wrong}") from None
    if given is not True:
        raise InvalidInput(f"files.upload was not sent: modified must be a time, or True; given {given!r}")
    return format_date_time(datetime.fromtimestamp(_stat(source).st_mtime, UTC))


def _stat(source: Any) -> os.stat_result:
    if isinstance(source, str | Path):
        return Path(source).stat()
    try:
        return os.fstat(source.fileno())
    except (AttributeError, UnsupportedOperation):
        raise InvalidInput(
            "files.upload was not sent: modified=True needs a file; pass the time itself"
        ) from None
