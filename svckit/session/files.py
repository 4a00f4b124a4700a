"""``svc.files``: uploads and downloads, one or many, for sessions with and without ``await``.

`svckit.operations` defines what they do; this module runs it, either way.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, Final, overload

from svckit.operations import files as operations
from svckit.operations.batch import Cancel
from svckit.operations.downloads import Target
from svckit.operations.methods import (
    Group,
    async_batch_method,
    async_method,
    batch_method,
    method,
)
from svckit.operations.transfer_plans import download_many, upload_many
from svckit.places import Place

__all__ = ["AsyncFiles", "Files"]


class FilesBase(Group):
    """Uploads and downloads."""

    title = "files"
    methods: Sequence[str] = ("upload", "resume", "download", "copy", "upload_many", "download_many")
    instead: Mapping[str, str] = MappingProxyType(
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


class Files(FilesBase):
    """Uploads and downloads."""

    upload: Final = method(
        operations.upload,
        """\
>>> from svckit import places
>>> stored = svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
>>> stored.file_name, stored.file_size
('hello.txt', 5)
""",
    )
    resume: Final = method(
        operations.resume,
        """\
>>> from svckit import places
>>> fault = svc.fake.faults.reset("storage.receive")
>>> try:
...     svc.files.upload(b"hello", to=places.drive("u-001"), name="hello.txt")
... except svckit.Unreachable as error:
...     broken = error.upload
>>> svc.files.resume(broken, b"hello").file_size
5
""",
    )
    copy: Final = method(
        operations.copy,
        """\
>>> from svckit import places
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
            InvalidInput: the place names no file. Nothing was sent.
            FileExistsError: the target exists, and `overwrite` is off. Nothing was sent.
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

    upload_many: Final = batch_method(upload_many)
    download_many: Final = batch_method(download_many)


class AsyncFiles(FilesBase):
    """Uploads and downloads."""

    upload: Final = async_method(operations.upload)
    resume: Final = async_method(operations.resume)
    copy: Final = async_method(operations.copy)

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

    upload_many: Final = async_batch_method(
        upload_many,
        """Upload many files in parallel tasks; otherwise like `Files.upload_many`.

        To learn the outcomes afterwards, stop it with ``cancel``, such as an ``asyncio.Event``. If the task itself is
        cancelled, as ``asyncio.timeout`` does, the ``CancelledError`` holds no ``result``.
        """,
    )
    download_many: Final = async_batch_method(
        download_many, "Download many files in parallel tasks; see `Files.download_many` and `upload_many`."
    )
