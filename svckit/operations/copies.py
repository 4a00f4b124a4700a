"""Copies of files from one place of the service to another."""

from contextlib import suppress
from hashlib import blake2b
from tempfile import TemporaryFile

from svckit.errors import Cancelled, InvalidInput, ServiceError
from svckit.http.messages import Operation, Response
from svckit.models.files import UploadResult
from svckit.operations.batch import Cancel
from svckit.operations.downloads import FileSink, fetch, make_file_name
from svckit.operations.uploads import upload
from svckit.places import Place, check_place

__all__ = ["copy"]


def copy(
    source: Place,
    to: Place,
    *,
    name: str | None = None,
    overwrite: bool = False,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> Operation[UploadResult]:
    """Copy a file from one place to another, and compare the hash of the copy with that of the original.

    The description shows no operation that copies, so the file is downloaded into a temporary file, uploaded in
    ranges, and downloaded again to compare: three times its size goes over the wire, and memory holds only pieces of
    it. Places without a download, such as a contact's photo, are not compared.

    Args:
        source: the file, such as ``places.drive("u-001").file(file_id)``.
        to: the place for the copy, such as ``places.drive("u-002")``.
        name: name of the copy; by default made of the file's ID and media type, as the service does not tell names.
        overwrite: whether to replace a file of the same name in the same place.
        progress: ``True`` or ``False`` for bars or none; by default as with `upload`.
        cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the copy stops.

    Returns:
        The response of the file storage to the upload.

    Raises:
        InvalidInput: a place does not name a file, or accepts no uploads. Nothing was sent.
        ServiceError: it broke or was refused, or the copy is stored and differs.
        Cancelled: it was cancelled.

    Examples:
        >>> from svckit import places
        >>> next(copy(places.drive("u-001").file("file-1"), places.drive("u-002"))).target
        '/users/u-001/drive/files/file-1/download'
    """
    if check_place(to).upload_path is None:
        raise InvalidInput(f"files.copy was not sent: the place accepts no uploads ({to!r})")
    with TemporaryFile() as file:
        with HashedSink(file, f"download {source}", progress=progress, cancel=cancel) as original:
            found = yield from fetch(source, original, to=to)
        kind = found.headers.get("content-type", "")
        stored = yield from upload(
            file,
            to,
            name=name or make_file_name(source, kind),
            content_type=kind or None,
            overwrite=overwrite,
            resumable=True,
            progress=progress,
            cancel=cancel,
        )
        copied = _find_copy(to, stored)
        if copied is None:
            return stored
        file.seek(0)
        with HashedSink(file, f"compare {copied}", progress=progress, cancel=cancel) as again:
            try:
                response = yield from fetch(copied, again)
            except (ServiceError, Cancelled) as error:
                error.add_note(f"The copy is stored, {copied}, but it was not compared with the original.")
                raise
        _compare(original, again, copied, response)
        return stored


class HashedSink(FileSink):
    """A sink that hashes what it writes."""

    def begin(self, size: int | None) -> None:
        """Start a body, and forget an earlier one."""
        super().begin(size)
        self.hash: blake2b = blake2b()

    def write(self, chunk: bytes, /) -> None:
        """Write and hash the next bytes."""
        super().write(chunk)
        self.hash.update(chunk)


def _find_copy(to: Place, stored: UploadResult) -> Place | None:
    """Return the place of a file that was stored, if it can be downloaded."""
    place = Place(to.store, tuple(pair for pair in to.names if pair[0] != "fileId"))
    with suppress(InvalidInput):  # such as a photo, which has no ID
        place = place.file(stored.file_id or "")
    return place if place.download_path else None


def _compare(original: HashedSink, copied: HashedSink, place: Place, response: Response) -> None:
    if original.hash.digest() != copied.hash.digest():
        raise ServiceError(
            f"files.copy: the copy is stored, {place}, but its content differs: {original.received} bytes were "
            f"copied, and {copied.received} came back ({response.request}). Compare them before you use it.",
            **(response.context | {"operation": "files.copy"}),
        )
