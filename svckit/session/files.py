"""``svc.files``: uploads and downloads, one at a time or many, for sessions with and without ``await``.

What they do is in `svckit.operations`; here it is run, in the one way or the other.
"""

from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO, overload

from svckit.operations import files as operations
from svckit.operations.batch import Cancel, run_tasks, run_threads
from svckit.operations.downloads import Target
from svckit.operations.methods import Group, async_method, method
from svckit.operations.transfers import (
    Downloads,
    ManyFiles,
    ManyPlaces,
    To,
    Uploads,
    plan_downloads,
    plan_uploads,
)
from svckit.operations.uploads import UploadForm
from svckit.places import Place

__all__ = ["AsyncFiles", "Files"]


class FilesBase(Group):
    """Uploads and downloads."""

    title = "files"
    methods = ("upload", "resume", "download", "upload_many", "download_many")
    instead = MappingProxyType(
        {
            **dict.fromkeys(
                ("list", "all", "known"), "svckit.frames.files(svc) gives a frame of those that are known"
            ),
            "get": "a file is fetched with download(place)",
            "put": "a file is sent with upload(source, to=place)",
        }
    )


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
    resume = method(operations.resume)

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
            place: which file, such as ``places.drive("u-001").file(file_id)``.
            to: a file or a directory to write to, which is left untouched unless all comes; or a file open for
                writing bytes. Left out, the content is returned.
            overwrite: whether a file that is there may be replaced.
            progress: ``True`` or ``False`` for a bar or none; left out, one where somebody looks, after a second.
            cancel: a ``threading.Event`` or another object with ``is_set()``; when set, the download stops.

        Returns:
            The content, the path that was written, or how many bytes went into the open file.
        """
        operation = operations.download_to(place, to, overwrite=overwrite, progress=progress, cancel=cancel)
        found: bytes | Path | int = self._session.run(operation)
        return found

    def upload_many(
        self,
        files: ManyFiles,
        to: To | None = None,
        *,
        overwrite: bool = False,
        modified: bool | str | datetime | None = None,
        resumable: bool | int = False,
        form: UploadForm = "Filedata",
        workers: int | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Uploads:
        """Upload many files side by side; one that fails keeps no other back.

        In threads; where none can be started, such as in a browser, one after the other.

        Args:
            files: paths, open binary files, or a mapping of names to these or to bytes; or what an earlier call
                returned, of which what failed is done again and nothing else.
            to: the place for all, or a function that makes one from a file's name.
            overwrite: whether to replace files of the same names.
            modified: as with ``upload``.
            resumable: as with ``upload``.
            form: as with ``upload``.
            workers: how many at a time. Left out, 4; under a fake's standing clock 1, so that IDs are the same in
                every run.
            progress: as with ``upload``; the bar counts files.
            cancel: as with ``upload``. Stopping the notebook's cell cancels too.

        Returns:
            What came of each, in the order given: ``ok``, ``failed``, ``frame()``.

        Raises:
            InvalidInput: what is asked makes no sense. Nothing was sent.
            Cancelled: it was cancelled; ``result`` is what came of each until then.

        Examples:
            >>> import svckit
            >>> from svckit import places
            >>> with svckit.connect() as svc:
            ...     svc.files.upload_many({"a.txt": b"A", "b.txt": b"B"}, to=places.drive("u-001"))
            upload: 2 of 2 done
        """
        plan = plan_uploads(files, to, overwrite=overwrite, modified=modified, resumable=resumable, form=form)
        with plan.prepare_batch(progress, cancel) as batch:
            run_threads(self._session.run, batch, self._session.choose_workers(workers))
        return plan.collect(batch)

    def download_many(
        self,
        places: ManyPlaces,
        to: str | Path | None = None,
        *,
        overwrite: bool = False,
        workers: int | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Downloads:
        """Download many files side by side, into a directory or into memory; otherwise as ``upload_many``.

        Args:
            places: which files, or a mapping of these to the names they get in the directory; or what an earlier
                call returned, of which what failed is done again.
            to: the directory to write to, where each file without a name is named after its ID and its media type;
                left out, the contents are returned.
            overwrite: whether files that are there may be replaced.
            workers: how many at a time. Left out, 4; under a fake's standing clock 1, so that IDs are the same in
                every run.
            progress: as with ``upload_many``.
            cancel: as with ``upload_many``.
        """
        plan = plan_downloads(places, to, overwrite=overwrite)
        with plan.prepare_batch(progress, cancel) as batch:
            run_threads(self._session.run, batch, self._session.choose_workers(workers))
        return plan.collect(batch)


class AsyncFiles(FilesBase):
    """Uploads and downloads."""

    upload = async_method(operations.upload)
    resume = async_method(operations.resume)

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

    async def upload_many(
        self,
        files: ManyFiles,
        to: To | None = None,
        *,
        overwrite: bool = False,
        modified: bool | str | datetime | None = None,
        resumable: bool | int = False,
        form: UploadForm = "Filedata",
        workers: int | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Uploads:
        """Upload many files side by side, in tasks; otherwise as `Files.upload_many`.

        To know afterwards what came of each, stop it with ``cancel``, such as an ``asyncio.Event``. A task that is
        cancelled itself, as ``asyncio.timeout`` does, ends with ``CancelledError``, which holds no ``result``.
        """
        plan = plan_uploads(files, to, overwrite=overwrite, modified=modified, resumable=resumable, form=form)
        with plan.prepare_batch(progress, cancel) as batch:
            await run_tasks(self._session.run, batch, self._session.choose_workers(workers))
        return plan.collect(batch)

    async def download_many(
        self,
        places: ManyPlaces,
        to: str | Path | None = None,
        *,
        overwrite: bool = False,
        workers: int | None = None,
        progress: bool | None = None,
        cancel: Cancel | None = None,
    ) -> Downloads:
        """Download many files side by side, in tasks; otherwise as `Files.download_many`; stop it like that."""
        plan = plan_downloads(places, to, overwrite=overwrite)
        with plan.prepare_batch(progress, cancel) as batch:
            await run_tasks(self._session.run, batch, self._session.choose_workers(workers))
        return plan.collect(batch)
