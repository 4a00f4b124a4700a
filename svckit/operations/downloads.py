"""Downloads, in two steps (the service's description, section "File transfer"): whole, or not at all."""

import io
import mimetypes
import os
import secrets
from pathlib import Path
from typing import IO, TypeAlias

from svckit.errors import Ended, InvalidInput, NotFound, Unreachable
from svckit.http.messages import Operation, Request, Response
from svckit.local_files import clean_file_name
from svckit.models.header_values import parse_whole_number
from svckit.operations.batch import Cancel
from svckit.operations.checks import check_absolute, make_response_error
from svckit.operations.sinks import FileSink, check, open_sink
from svckit.places import Place, check_place

__all__ = ["Target", "copy", "download", "download_to", "save"]

Target: TypeAlias = str | Path | IO[bytes] | None
"""A file or directory to write to, a file that is open for writing bytes, or ``None`` for memory."""

_FILE_NAMES = ("fileId", "attachmentId", "revisionId")
LONGEST_STEM = 150  # bytes; leaves room for an extension


def download(place: Place, *, progress: bool | None = None, cancel: Cancel | None = None) -> Operation[bytes]:
    """Download a file into memory: ask where the content is, then fetch it there.

    Args:
        place: which file, such as ``places.drive("u-001").file(file_id)``.
        progress: ``True`` or ``False`` for a bar or none. Left out, there is one after a second, in a notebook or
            at a terminal, if tqdm is there.
        cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the download stops.

    Returns:
        The content.

    Raises:
        InvalidInput: the place names no file yet.
        NotFound: there is no such file.
        ForeignOrigin: the content is not on the profile's file storage; nothing was asked there.
        Unreachable: the content did not come whole, also not when it was asked for again.
        Cancelled: it was cancelled.
    """
    content = io.BytesIO()
    yield from copy(place, content, progress=progress, cancel=cancel)
    return content.getvalue()


def copy(
    place: Place, file: IO[bytes], *, progress: bool | None = None, cancel: Cancel | None = None
) -> Operation[int]:
    """Download a file into one that is open for writing bytes, from where it stands; it stays open.

    If the content does not come whole, what was written is taken back, where the file can be rewound.

    Args:
        place: which file.
        file: the file to write to. Into one that cannot be rewound, such as a pipe, a download that broke is not
            begun anew.
        progress: as with `download`.
        cancel: as with `download`.

    Returns:
        How many bytes were written.

    Raises:
        InvalidInput, NotFound, ForeignOrigin, Unreachable, Cancelled: as with `download`.
    """
    with open_sink(
        file, f"download {_make_stem(check_place(place))}", progress=progress, cancel=cancel
    ) as sink:
        yield from _fetch(place, sink, cancel)
        return sink.received


def save(
    place: Place,
    to: str | Path,
    *,
    overwrite: bool = False,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> Operation[Path]:
    """Download a file to disk: it appears there whole, or not at all.

    It is written beside its own place first, under a name that begins with a dot. It is not forced out of the
    system's buffers, so this holds for whatever goes wrong with the program, not for a power cut.

    Args:
        place: which file.
        to: the file to write, or a directory (one that exists, or a path ending in a slash); there the file
            is named after its ID and its media type, because the service does not say what it is called.
        overwrite: whether a file that is there may be replaced.
        progress: as with `download`.
        cancel: as with `download`.

    Returns:
        The file that was written.

    Raises:
        FileExistsError: there is a file already.
        InvalidInput, NotFound, ForeignOrigin, Unreachable, Cancelled: as with `download`.
    """
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
        with part.open("xb") as file, open_sink(file, words, progress=progress, cancel=cancel) as sink:
            reply = yield from _fetch(place, sink, cancel)
        if into_directory:
            target = directory / _make_file_name(place, reply.headers.get("content-type", ""))
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
    """Download a file into memory (`download`), to disk (`save`) or into an open file (`copy`).

    Raises:
        InvalidInput: the target is none of these.
    """
    if to is None:
        return (yield from download(place, progress=progress, cancel=cancel))
    if isinstance(to, str | Path):
        return (yield from save(place, to, overwrite=overwrite, progress=progress, cancel=cancel))
    if not hasattr(to, "write") or isinstance(to, io.TextIOBase):
        raise InvalidInput(
            "files.download was not sent: to is a path, or a file that is open for writing bytes "
            f'("wb"); given a value of type {type(to).__name__}'
        )
    return (yield from copy(place, to, progress=progress, cancel=cancel))


def _fetch(place: Place, sink: FileSink, cancel: Cancel | None) -> Operation[Response]:
    check(cancel)
    try:
        return (yield from _fetch_once(place, sink))
    except (NotFound, Ended):
        if not sink.begun:
            raise
    # It broke, and its address has been used up: perhaps one is good for one time only; that is not shown.
    return (yield from _fetch_once(place, sink))


def _fetch_once(place: Place, sink: FileSink) -> Operation[Response]:
    found = yield Request(
        operation="files.download",
        method="GET",
        target=_require_path(place),
        expects=(302,),
        repeatable=True,
    )
    if "location" not in found.headers:
        raise make_response_error(found, "it has no Location header, which says where the content is")
    reply = yield Request(
        operation="files.download",
        method="GET",
        target=check_absolute(found.headers["location"], found).reveal(),
        area="storage",
        sink=sink,
        repeatable=sink.is_rewindable,
    )
    announced = parse_whole_number(reply.headers.get("content-length"))
    if announced not in (None, sink.received) and "content-encoding" not in reply.headers:
        raise Unreachable(
            f"files.download: {sink.received} of {announced} bytes came, so nothing was kept. Try again.",
            status=reply.status,
            operation=reply.operation,
            request=reply.request,
        )
    return reply


def _require_path(place: Place) -> str:
    path = check_place(place).download_path
    if path is None:
        raise InvalidInput(f"files.download was not sent: no file is named ({place!r})")
    return path


def _check_target(target: Path, overwrite: bool) -> None:
    if (target.exists() or target.is_symlink()) and not overwrite:  # a link to nothing is there too
        raise FileExistsError(f"{target} is there already; overwrite=True replaces it")


def _move(part: Path, target: Path, overwrite: bool) -> Path:
    """Give a whole file its name; one that has come to be there meanwhile is not replaced unasked."""
    if overwrite:
        return part.replace(target)
    try:
        target.hardlink_to(part)
    except FileExistsError:
        _check_target(target, overwrite)
        raise
    except (OSError, NotImplementedError):  # a file system without links
        _check_target(target, overwrite)
        return part.replace(target)
    return target


def _make_stem(place: Place) -> str:
    """A name for what a place names, without an extension."""
    own = [value for name, value in place.names if name in _FILE_NAMES]
    words = "-".join(own or [place.store, *dict(place.names).values()])
    stem = words.strip(". ") or place.store
    return stem.encode()[:LONGEST_STEM].decode(errors="ignore")


def _make_file_name(place: Place, content_type: str) -> str:
    """A safe name for a file whose name is not known."""
    stem = _make_stem(place)
    suffix = mimetypes.guess_extension(content_type.partition(";")[0].strip()) or ""
    return clean_file_name(stem if stem.endswith(suffix) else stem + suffix, otherwise=place.store)
