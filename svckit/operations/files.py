"""Files, in two steps each way (the service's description, section "File transfer")."""

import mimetypes
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from svckit.errors import InvalidInput, Unreachable
from svckit.models.files import UploadRequest, UploadResult, UploadTicket
from svckit.operations.checks import checked, misread, read
from svckit.places import Place
from svckit.wire import Call, FilePart, Operation, Reply

__all__ = ["download", "save", "upload"]

Source = str | Path | bytes | bytearray | memoryview | IO[bytes]
UNKNOWN_TYPE = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+(;[\t\x20-\x7e]*)?", re.ASCII)
_FILE_NAMES = ("fileId", "attachmentId", "revisionId")
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')


def upload(
    source: Source,
    to: Place,
    *,
    name: str | None = None,
    content_type: str | None = None,
    overwrite: bool = False,
) -> Operation[UploadResult]:
    """Upload a file: ask for an upload URL, then send the content there, in pieces.

    Args:
        source: a path, the content itself as bytes, or an open binary file that can be rewound (it is sent
            whole from its beginning, and stays open).
        to: where to, such as ``places.drive("u-001")``.
        name: name to store it under; that of the file if left out; required for bytes.
        content_type: its media type; guessed from the name if left out.
        overwrite: whether to replace a file of the same name in the same place.

    Returns:
        What the file storage says: ``file_id``, ``file_name``, ``file_size`` and, for drives, more.

    Raises:
        InvalidInput: the place takes no uploads, a name is missing, or the file cannot be rewound.
        OSError: the file cannot be read. Nothing was sent.
        ForeignOrigin: the upload URL is not on the profile's file storage.

    Examples:
        >>> from svckit import places
        >>> next(upload(b"hello", to=places.drive("u-001"), name="hello.txt")).json
        {'fileName': 'hello.txt', 'fileSize': 5}
    """
    _check(to)
    if to.upload_path is None:
        raise InvalidInput(f"files.upload was not sent: nothing can be uploaded there ({to!r})")
    with _opened(source) as content:
        name = name or _name_of(source)
        announced = checked(
            UploadRequest,
            {"file_name": name, "file_size": _size(content)} | ({"overwrite": True} if overwrite else {}),
            operation="files.upload",
            arguments={"file_name": "name"},
        )
        content_type = content_type or mimetypes.guess_type(name)[0] or UNKNOWN_TYPE
        if not _MEDIA_TYPE.fullmatch(content_type):
            raise InvalidInput(f"content_type is written like image/png; given {content_type!r}")
        reply = yield Call(
            operation="files.upload",
            method="POST",
            target=to.upload_path,
            json=announced.to_wire(),
            expects=(200, 201),  # the description does not show the status of this step
        )
        reply = yield Call(
            operation="files.upload",
            method="POST",
            target=read(UploadTicket, reply).upload_url,
            area="storage",
            file=FilePart(name, content_type, content),
            expects=(201,),
        )
    return read(UploadResult, reply)


def download(place: Place) -> Operation[bytes]:
    """Download a file into memory: ask where the content is, then fetch it there.

    Args:
        place: which file, such as ``places.drive("u-001").file(file_id)``.

    Raises:
        InvalidInput: the place names no file yet.
        NotFound: there is no such file.
        ForeignOrigin: the content is not on the profile's file storage; nothing was asked there.
    """
    content = BytesIO()
    yield from _fetch(place, content)
    return content.getvalue()


def save(place: Place, to: str | Path, *, overwrite: bool = False) -> Operation[Path]:
    """Download a file to disk: it appears there whole, or not at all.

    Args:
        place: which file.
        to: the file to write, or a directory (one that exists, or a path ending in a slash); there the file
            is named after its ID and its media type, because the service does not say what it is called.
        overwrite: whether a file that is there may be replaced.

    Returns:
        The file that was written.

    Raises:
        FileExistsError: there is a file already.
        InvalidInput, NotFound, ForeignOrigin: as with `download`.
    """
    _download_path(place)  # before a directory is made
    target = Path(to)
    into_directory = target.is_dir() or str(to).endswith(("/", os.sep))
    directory = target if into_directory else target.parent
    if not into_directory:
        _may_write(target, overwrite)
    directory.mkdir(parents=True, exist_ok=True)
    part = directory / f".{secrets.token_hex(8)}.part"
    try:
        with part.open("xb") as content:
            reply = yield from _fetch(place, content)
        if into_directory:
            target = directory / _file_name(place, reply.headers.get("content-type", ""))
        _may_write(target, overwrite)
        return part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _fetch(place: Place, sink: IO[bytes]) -> Operation[Reply]:
    found = yield Call(
        operation="files.download",
        method="GET",
        target=_download_path(place),
        expects=(302,),
        repeatable=True,
    )
    if "location" not in found.headers:
        raise misread(found, "it has no Location header, which says where the content is")
    reply = yield Call(
        operation="files.download", method="GET", target=found.headers["location"], area="storage", sink=sink
    )
    announced, received = reply.headers.get("content-length"), sink.tell()
    if announced is not None and "content-encoding" not in reply.headers and int(announced) != received:
        raise Unreachable(
            f"files.download: {received} of {announced} bytes came, so nothing was kept. Try again.",
            status=reply.status,
            operation=reply.operation,
            request=reply.request,
        )
    return reply


def _check(place: Place) -> None:
    if not isinstance(place, Place):
        raise InvalidInput(
            f'a place is written like places.drive("u-001"); given a value of type {type(place).__name__}'
        )


def _download_path(place: Place) -> str:
    _check(place)
    if place.download_path is None:
        raise InvalidInput(f"files.download was not sent: no file is named ({place!r})")
    return place.download_path


@contextmanager
def _opened(source: Source) -> Iterator[IO[bytes]]:
    if isinstance(source, bytes | bytearray | memoryview):
        yield BytesIO(source)
    elif isinstance(source, str | Path):
        with Path(source).open("rb") as content:
            yield content
    elif hasattr(source, "read") and source.read(0) == b"":
        yield source
    else:
        raise InvalidInput(
            "files.upload was not sent: the source is a path, bytes, or a file that is open for reading bytes "
            f'("rb"); given a value of type {type(source).__name__}'
        )


def _name_of(source: Source) -> str:
    path = source if isinstance(source, str | Path) else getattr(source, "name", None)
    if not isinstance(path, str | Path):
        raise InvalidInput('files.upload was not sent: give the file a name, with name="report.pdf"')
    return Path(path).name


def _size(content: IO[bytes]) -> int:
    if not content.seekable():
        raise InvalidInput("files.upload was not sent: the file cannot be rewound; read it into bytes first")
    size = content.seek(0, os.SEEK_END)
    content.seek(0)
    return size


def _may_write(target: Path, overwrite: bool) -> None:
    if target.exists() and not overwrite:
        raise FileExistsError(f"{target} is there already; overwrite=True replaces it")


def _file_name(place: Place, content_type: str) -> str:
    """A safe name for a file whose name is not known."""
    own = [value for name, value in place.names if name in _FILE_NAMES]
    stem = (
        _UNSAFE.sub("_", "-".join(own or [place.store, *dict(place.names).values()])).strip(". ")
        or place.store
    )
    suffix = mimetypes.guess_extension(content_type.partition(";")[0].strip()) or ""
    return stem if stem.endswith(suffix) else stem + suffix
