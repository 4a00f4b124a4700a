"""``svc.files``: uploads and downloads, one or many, for sessions with and without ``await``.

`svckit.operations` defines what they do; this module runs it, either way.
"""

from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, overload

from svckit.operations import files as operations
from svckit.operations.batch import Cancel, Plan
from svckit.operations.downloads import Target
from svckit.operations.journals import JournalPath
from svckit.operations.methods import (
    Group,
    async_batch_method,
    async_method,
    batch_method,
    method,
)
from svckit.operations.transfer_plans import ManyFiles, ManyPlaces, To, plan_downloads, plan_uploads
from svckit.operations.transfers import Downloads, Uploads
from svckit.operations.uploads import UploadForm
from svckit.places import Place

__all__ = ["AsyncFiles", "Files"]


class FilesBase(Group):
    """Uploads and downloads."""

    title = "files"
    methods = ("upload", "resume", "download", "copy", "upload_many", "download_many")
    instead = MappingProxyType(
        {
            **dict.fromkeys(
                ("list", "all", "known"), "svckit.frames.files(svc) gives a frame of the known files"
            ),
            "[]": "svc.files.download(place) fetches a file",
            "for": "svckit.frames.files(svc) gives a frame of the known files",
            "get": "download(place) fetches a file",
            "put": "upload(source, to=place) sends a file",
        }
    )


def upload_many(
    _session: Any,
    files: ManyFiles,
    to: To | None = None,
    *,
    overwrite: bool = False,
    modified: bool | str | datetime | None = None,
    resumable: bool | int = False,
    form: UploadForm = "Filedata",
    journal: JournalPath | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> AbstractContextManager[Plan[Uploads]]:
    """Upload many files in parallel; a failure does not stop the others.

    Uses threads; where none can be started, such as in a browser, files are uploaded one by one.

    Args:
        files: paths, open binary files, or a mapping of names to these or to bytes; or the result of an earlier
            call, to repeat only what failed.
        to: the place for all, or a function that makes one from a file's name.
        overwrite: whether to replace files of the same names.
        modified: as with ``upload``.
        resumable: as with ``upload``.
        form: as with ``upload``.
        journal: as with ``upload``, one file for all: the same call in another process skips what is done and
            resumes the others.
        workers: how many at a time. By default 4; while a fake's clock stands still 1, so that IDs are the same in
            every run.
        progress: as with ``upload``; the bar counts files.
        cancel: as with ``upload``. Stopping the notebook's cell cancels too.

    Returns:
        The outcome of each, in the order given: ``ok``, ``failed``, ``frame()``.

    Raises:
        InvalidInput: the arguments make no sense. Nothing was sent.
        Cancelled: it was cancelled; ``result`` holds the outcomes until then.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> with svckit.connect() as svc:
        ...     svc.files.upload_many({"a.txt": b"A", "b.txt": b"B"}, to=places.drive("u-001"))
        upload: 2 of 2 done
    """
    uploads = plan_uploads(
        files,
        to,
        overwrite=overwrite,
        modified=modified,
        resumable=resumable,
        form=form,
        journal=journal,
    )
    return uploads.plan(workers, progress, cancel)


def download_many(
    _session: Any,
    places: ManyPlaces,
    to: str | Path | None = None,
    *,
    overwrite: bool = False,
    journal: JournalPath | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    cancel: Cancel | None = None,
) -> AbstractContextManager[Plan[Downloads]]:
    """Download many files in parallel, into a directory or memory; otherwise like ``upload_many``.

    Args:
        places: the files, or a mapping of files to their names in the directory; or the result of an earlier
            call, to repeat only what failed.
        to: the directory to write to, where a file without a name is named after its ID and media type; by
            default the contents are returned.
        overwrite: whether existing files may be replaced.
        journal: a file that records what is done, so that the same call in another process skips files that are
            still there, and downloads the others; deleted when all are done. Needs `to`.
        workers: how many at a time. By default 4; while a fake's clock stands still 1, so that IDs are the same in
            every run.
        progress: as with ``upload_many``.
        cancel: as with ``upload_many``.

    Returns:
        The outcome of each, in the order given: ``ok``, ``failed``, ``frame()``. A ``value`` is the path or
            the content.

    Raises:
        InvalidInput: the arguments make no sense. Nothing was sent.
        Cancelled: it was cancelled; ``result`` holds the outcomes until then.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
        >>> svc.files.download_many([places.drive("u-001").file(stored.file_id)])
        download: 1 of 1 done
    """
    downloads = plan_downloads(places, to, overwrite=overwrite, journal=journal)
    return downloads.plan(workers, progress, cancel)


class Files(FilesBase):
    """Uploads and downloads."""

    upload = method(
        operations.upload,
        """\
>>> import svckit
>>> from svckit import places
>>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
>>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
>>> stored.file_name, stored.file_size
('hello.txt', 5)
""",
    )
    resume = method(
        operations.resume,
        """\
>>> import svckit
>>> from svckit import places
>>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
>>> fault = svc.fake.faults.reset("storage.receive")
>>> try:
...     svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
... except svckit.Unreachable as error:
...     broken = error.upload
>>> svc.files.resume(broken, b"hello").file_size
5
""",
    )
    copy = method(
        operations.copy,
        """\
>>> import svckit
>>> from svckit import places
>>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
>>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
>>> original = places.drive("u-001").file(stored.file_id)
>>> svc.files.copy(original, places.drive("u-002"), name="copy.txt").file_size
5
""",
    )

    @overload
    def download(
        self, place: Place, to: None = None, *, progress: bool | None = None, cancel: Cancel | None = None
    ) -> bytes: ...
    @overload
    def download(
        self,
        place: Place,
        to: str | Path,
        *,
        overwrite: bool = False,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Path: ...
    @overload
    def download(
        self, place: Place, to: IO[bytes], *, progress: bool | None = None, cancel: Cancel | None = None
    ) -> int: ...
    def download(
        self,
        place: Place,
        to: Target = None,
        *,
        overwrite: bool = False,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> bytes | Path | int:
        """Download a file into memory, to disk, or into an open file; see `svckit.operations.downloads`.

        Args:
            place: the file, such as ``places.drive("u-001").file(file_id)``.
            to: a file or a directory to write to, left untouched unless the download completes; or a file open for
                writing bytes. By default the content is returned.
            overwrite: whether an existing file may be replaced.
            progress: ``True`` or ``False`` for a bar or none; by default one after a second, if anyone is watching.
            cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the download stops.

        Returns:
            The content, the path of the file, or the number of bytes written to the open file.

        Raises:
            InvalidInput: the place names no file, or the target exists. Nothing was sent.
            Cancelled: it was cancelled.
            ServiceError: the service refused it, or the connection broke.

        Examples:
            >>> import svckit
            >>> from svckit import places
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
            >>> svc.files.download(places.drive("u-001").file(stored.file_id))
            b'hello'
        """
        operation = operations.download_to(place, to, overwrite=overwrite, progress=progress, cancel=cancel)
        found: bytes | Path | int = self._session.run(operation)
        return found

    upload_many = batch_method(upload_many)
    download_many = batch_method(download_many)


class AsyncFiles(FilesBase):
    """Uploads and downloads."""

    upload = async_method(operations.upload)
    resume = async_method(operations.resume)
    copy = async_method(operations.copy)

    @overload
    async def download(
        self, place: Place, to: None = None, *, progress: bool | None = None, cancel: Cancel | None = None
    ) -> bytes: ...
    @overload
    async def download(
        self,
        place: Place,
        to: str | Path,
        *,
        overwrite: bool = False,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Path: ...
    @overload
    async def download(
        self, place: Place, to: IO[bytes], *, progress: bool | None = None, cancel: Cancel | None = None
    ) -> int: ...
    async def download(
        self,
        place: Place,
        to: Target = None,
        *,
        overwrite: bool = False,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> bytes | Path | int:
        """Download a file into memory, to disk, or into an open file; see `Files.download`."""
        operation = operations.download_to(place, to, overwrite=overwrite, progress=progress, cancel=cancel)
        found: bytes | Path | int = await self._session.run(operation)
        return found

    upload_many = async_batch_method(
        upload_many,
        """Upload many files in parallel tasks; otherwise like `Files.upload_many`.

        To learn the outcomes afterwards, stop it with ``cancel``, such as an ``asyncio.Event``. If the task itself is
        cancelled, as ``asyncio.timeout`` does, the ``CancelledError`` holds no ``result``.
        """,
    )
    download_many = async_batch_method(
        download_many, "Download many files in parallel tasks; see `Files.download_many` and `upload_many`."
    )
