"""Downloads, in two steps (the service's description, section "File transfer"), complete or not at all.

`download`, `write` and `save` open a `FileSink` for memory, a file or a new file, and `fetch` fills it: it asks for the
URL of the content, then gets the content, again from the first position if that breaks.
"""

import io
import mimetypes
import os
import secrets
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Self, TypeAlias

from svckit.display.progress import Advance, progress_bar
from svckit.errors import Cancelled, InvalidInput, NotFound, Retired, Unreachable
from svckit.http.messages import Operation, Request, Response
from svckit.local_files import clean_file_name, put_in_place
from svckit.models.header_values import parse_whole_number
from svckit.models.phrases import describe_given
from svckit.operations.batch import Cancel, check_cancel
from svckit.operations.checks import check_absolute, check_flags, make_response_error
from svckit.places import Place, check_place

__all__ = ["FileSink", "Target", "download", "download_to", "fetch", "make_file_name", "save", "write"]

Target: TypeAlias = str | Path | IO[bytes] | None
"""A file or directory to write to, a file that is open for writing bytes, or ``None`` for memory."""

_FILE_NAMES = ("fileId", "attachmentId", "revisionId")
NOT_SENT = "files.download was not sent"
EXAMPLE = 'places.drive("u-001").file(file_id)'
LONGEST_STEM = 150  # bytes; leaves room for an extension


def download(place: Place, *, progress: bool | None = None, cancel: Cancel | None = None) -> Operation[bytes]:
    """Download a file into memory: ask for the URL of the content, then fetch it.

    Args:
        place: the file, such as ``places.drive("u-001").file(file_id)``.
        progress: ``True`` or ``False`` for a bar or none. By default one appears after a second, in a notebook or
            at a terminal, if tqdm is installed; elsewhere, such as in a log, ``True`` writes lines.
        cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the download stops.

    Returns:
        The content.

    Raises:
        InvalidInput: the place does not name a file yet.
        NotFound: no such file.
        ForeignOrigin: the content is not on the profile's file storage; nothing was sent there.
        Unreachable: the content was incomplete, also on a second attempt.
        Cancelled: it was cancelled.

    Examples:
        >>> from svckit import places
        >>> next(download(places.drive("u-001").file("file-1"))).target
        '/users/u-001/drive/files/file-1/download'
    """
    content = io.BytesIO()
    yield from write(place, content, progress=progress, cancel=cancel)
    return content.getvalue()


def write(
    place: Place, file: IO[bytes], *, progress: bool | None = None, cancel: Cancel | None = None
) -> Operation[int]:
    """Download a file into an open binary file, from its current position; it stays open.

    If the content is incomplete, what was written is removed again, if the file can be rewound.

    Args:
        place: the file to download.
        file: the file to write to. If it cannot be rewound, such as a pipe, a broken download is not restarted.
        progress: as with `download`.
        cancel: as with `download`.

    Returns:
        The number of bytes written.

    Raises:
        InvalidInput, NotFound, ForeignOrigin, Unreachable, Cancelled: as with `download`.

    Examples:
        >>> from svckit import places
        >>> next(write(places.drive("u-001").file("file-1"), io.BytesIO())).target
        '/users/u-001/drive/files/file-1/download'
    """
    check_flags(NOT_SENT, progress=progress)
    words = f"download {_make_stem(check_place(place, EXAMPLE))}"
    with FileSink(file, words, progress=progress, cancel=cancel) as sink:
        yield from fetch(place, sink)
        return sink.received


def save(
    place: Place,
    to: str | Path,
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> Operation[Path]:
    """Download a file to disk: it appears there complete, or not at all.

    It is first written to the same directory, under a name that starts with a dot. It is not synced to disk, so this
    protects against a failure of the program, not against a power cut.

    Args:
        place: the file to download.
        to: the file to write, or a directory (one that exists, or a path ending in a slash); there the file
            is named after its ID and its media type: the description shows no name in the response, and names in
            the service need be neither unique nor safe here. ``download_many({place: name})`` takes names of yours.
        overwrite: whether an existing file may be replaced.
        progress: as with `download`.
        cancel: as with `download`.

    Returns:
        The path of the file.

    Raises:
        FileExistsError: the file exists.
        InvalidInput, NotFound, ForeignOrigin, Unreachable, Cancelled: as with `download`.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> import svckit
        >>> from svckit import places
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="a.txt")
        >>> with TemporaryDirectory() as folder:
        ...     svc.run(save(places.drive("u-001").file(stored.file_id), f"{folder}/a.txt")).name
        'a.txt'
    """
    check_flags(NOT_SENT, overwrite=overwrite, progress=progress)
    _require_path(place)  # before a directory is made
    target = Path(to)
    into_directory = target.is_dir() or str(to).endswith(("/", os.sep))
    directory = target if into_directory else target.parent
    if not into_directory:
        _check_target(target, overwrite)
    directory.mkdir(parents=True, exist_ok=True)
    part = directory / f".{secrets.token_hex(8)}.part"
    words = f"download {_make_stem(place)}"
    try:
        with part.open("xb") as file, FileSink(file, words, progress=progress, cancel=cancel) as sink:
            response = yield from fetch(place, sink)
        if into_directory:
            target = directory / make_file_name(place, response.headers.get("content-type", ""))
        _check_target(target, overwrite)
        return _move(part, target, overwrite)
    finally:
        part.unlink(missing_ok=True)


def download_to(
    place: Place,
    to: Target,
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> Operation[bytes | Path | int]:
    """Download a file into memory (`download`), to disk (`save`) or into an open file (`write`).

    Args:
        place: the file to download.
        to: ``None``, a path, or a file open for writing bytes.
        overwrite: whether an existing file may be replaced.
        progress: as with `download`.
        cancel: as with `download`.

    Returns:
        The content, the path of the file, or the number of bytes written.

    Raises:
        InvalidInput: the target is of another kind.

    Examples:
        >>> from svckit import places
        >>> next(download_to(places.drive("u-001").file("file-1"), None)).target
        '/users/u-001/drive/files/file-1/download'
    """
    if to is None:
        return (yield from download(place, progress=progress, cancel=cancel))
    if isinstance(to, str | Path):
        return (yield from save(place, to, overwrite=overwrite, progress=progress, cancel=cancel))
    if not hasattr(to, "write") or isinstance(to, io.TextIOBase):
        raise InvalidInput(
            f"{NOT_SENT}: to must be a path, or a file that is open for writing bytes "
            f'("wb"); given {describe_given(to)}'
        )
    return (yield from write(place, to, progress=progress, cancel=cancel))


class FileSink:
    """A sink that writes a body to a file from its current position, counts the bytes, and stops on request.

    The transport calls `begin` for each body, again for one that is restarted, and `write` for each chunk. It is a
    context, which leaves the file open. If its block fails, what was written is removed if the file can be rewound.

    Attributes:
        attempts: how often a body has started.
        received: the number of bytes received of the last one.

    Raises:
        InvalidInput: `cancel` cannot stop it.
    """

    def __init__(self, file: IO[bytes], words: str, *, progress: bool | None, cancel: Cancel | None) -> None:
        self.attempts: int = 0
        self.received: int = 0
        self.is_rewindable: bool = file.seekable()
        self._file = file
        self._origin = file.tell() if self.is_rewindable else 0  # where each attempt begins
        self._words = words
        self._progress = progress
        self._cancel = check_cancel(cancel)
        self._bar = ExitStack()  # the progress bar, once a body has begun, for all attempts
        self._advance: Advance = lambda _: None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with self._bar:
            if error is not None and self.is_rewindable and not self._file.closed:
                self.discard()

    def begin(self, size: int | None) -> None:
        """Start a body, and discard an earlier one.

        Raises:
            InvalidInput: bytes were written before, and the file cannot be rewound.
        """
        self.discard()
        self.attempts += 1
        if self.attempts == 1:
            bar = progress_bar(self._words, size, unit="bytes", shown=self._progress)
            self._advance = self._bar.enter_context(bar)

    def write(self, chunk: bytes, /) -> None:
        """Write the next bytes.

        Raises:
            Cancelled: the download was cancelled.
        """
        self.check_cancelled()
        self._file.write(chunk)
        self.received += len(chunk)
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
        self._advance(-self.received)
        self.received = 0

    def check_cancelled(self) -> None:
        """Stop a download if it was cancelled.

        Raises:
            Cancelled: it was.
        """
        if self._cancel is not None and self._cancel.is_set():
            raise Cancelled("files.download was cancelled; nothing was kept. Call it again to restart.")


def fetch(place: Place, sink: FileSink, *, to: Place | None = None) -> Operation[Response]:
    """Download a file into a sink; `to` is the place of its copy, if it is downloaded for one.

    Examples:
        >>> from svckit import places
        >>> sink = FileSink(io.BytesIO(), "download", progress=False, cancel=None)
        >>> next(fetch(places.audit_logs(), sink)).target
        '/audits/logs/download'
    """
    sink.check_cancelled()
    try:
        return (yield from _fetch_once(place, sink, to))
    except (NotFound, Retired):
        if not sink.attempts:
            raise
    # The download broke, and its URL no longer works: it may be valid only once; the description does not say.
    return (yield from _fetch_once(place, sink, to))


def _fetch_once(place: Place, sink: FileSink, to: Place | None) -> Operation[Response]:
    found = yield Request(
        operation="files.download",
        method="GET",
        target=_require_path(place),
        place=(to and to.upload_path) or "",  # the session remembers a copy where it is stored
        expects=(302,),
        repeatable=True,
    )
    if "location" not in found.headers:
        raise make_response_error(found, "it has no Location header with the URL of the content")
    response = yield Request(
        operation="files.download",
        method="GET",
        target=check_absolute(found.headers["location"], found).reveal(),
        area="storage",
        sink=sink,
        repeatable=sink.is_rewindable,
    )
    announced = parse_whole_number(response.headers.get("content-length"))
    if announced not in (None, sink.received) and "content-encoding" not in response.headers:
        raise Unreachable(
            f"files.download: {sink.received} of {announced} bytes arrived, so nothing was kept. Try again.",
            **response.context,
        )
    return response


def _require_path(place: Place) -> str:
    path = check_place(place, EXAMPLE).download_path
    if path is None:
        way = f", such as {place}.file(file_id)" if "file" in dir(place) else ""
        raise InvalidInput(f"{NOT_SENT}: {place} does not name a file; download needs one{way}")
    return path


def _check_target(target: Path, overwrite: bool) -> None:
    if (target.exists() or target.is_symlink()) and not overwrite:  # a dangling link exists too
        raise FileExistsError(f"{target} exists already; overwrite=True replaces it")


def _move(part: Path, target: Path, overwrite: bool) -> Path:
    """Move a complete file to its name; without `overwrite`, a file created there meanwhile is not replaced."""
    if overwrite:
        return put_in_place(part, target)
    try:
        target.hardlink_to(part)  # which fails if the name is taken, and leaves the part to be removed
    except FileExistsError:
        _check_target(target, overwrite)
        raise
    except (OSError, NotImplementedError):  # a file system without links
        _check_target(target, overwrite)
        return put_in_place(part, target)
    return target


def _make_stem(place: Place) -> str:
    """Make a file name for a place, without an extension."""
    own = [value for name, value in place.names if name in _FILE_NAMES]
    words = "-".join(own or [place.store, *dict(place.names).values()])
    stem = words.strip(". ") or place.store
    return stem.encode()[:LONGEST_STEM].decode(errors="ignore")


def make_file_name(place: Place, content_type: str) -> str:
    """Make a safe name for a file whose name is unknown."""
    stem = _make_stem(place)
    suffix = mimetypes.guess_extension(content_type.partition(";")[0].strip()) or ""
    return clean_file_name(stem if stem.endswith(suffix) else stem + suffix, otherwise=place.store)
