"""Files: choose a place, upload, list, preview, inspect revisions, download."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import IO, Any, ClassVar, Final, cast

import traitlets

from svckit.errors import InvalidInput
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.base.labels import in_words
from svckit.widgets.base.watched import WatchedFile
from svckit.widgets.explorers.chosen_file import (
    ChosenFile,
    build_file_row,
    find_files,
    format_size,
    make_preview,
)
from svckit.widgets.explorers.explorer import WorkingExplorer
from svckit.widgets.explorers.file_downloads import REPLACE, FileDownloads
from svckit.widgets.explorers.file_places import STORES, format_container, parse_path
from svckit.widgets.explorers.file_uploads import LARGEST, FileUpload, FileUploads
from svckit.widgets.explorers.files_draft import FilesDraft

__all__ = ["FilesExplorer"]

SHOWN: Final = 100
NAME_OF: Final = "name of "  # the start of the name of a file's field


class FilesExplorer(WorkingExplorer[FilesDraft]):
    """An explorer for files: upload to a place, and preview or download files.

    The description shows no operation that lists files. For an in-process fake, all files are listed; otherwise the
    list has this session's uploads, and you can paste the ID of any file.

    Files on your own computer are chosen or dropped in the browser, up to 100 MiB each; you can change their names
    before you upload them. Files are also saved to your computer from there, up to the same size. Larger ones are
    read from, and saved to, the kernel's machine. Transfers run in the background, and can be cancelled. Nothing is
    uploaded to a real service before :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: the text typed so far.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> from svckit import places
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = FilesExplorer(svc)
        >>> explorer.write(store="drive", userId="u-001")
        >>> explorer.upload_bytes("notes.txt", b"hello")
        >>> explorer.wait()
        >>> explorer.select("drive/u-001", "file-1")
        >>> explorer.preview()
        >>> explorer.wait()
        >>> explorer
        Files [FAKE]
        2 of 2 files
        Files
             File        ID            Bytes  Place
             answer.txt  attachment-1  20     form_response/form-1/response-1
          >  notes.txt   file-1        5      drive/u-001
        notes.txt: 5 bytes of text
        hello
        Place: places.drive('u-001')
        - notes.txt, 5 bytes: Uploaded, ID file-1
        >>> print(explorer.code)
        from svckit import places
        <BLANKLINE>
        svc.files.download(places.drive("u-001").file("file-1"), to="notes.txt")
        >>> explorer.write(file_id="file-1")
        >>> explorer.choose()
        >>> print(explorer.place)
        places.drive('u-001')
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     explorer.write(folder=folder, path=f"{folder}/notes.txt")
        ...     explorer.download()
        ...     explorer.wait()
        ...     explorer.upload()
        ...     explorer.wait()
        >>> explorer.upload_chosen()
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: nothing was sent: choose files first
        >>> explorer.stop()
        >>> explorer.close()
    """

    template = "widgets/explorers/files.html"
    make_draft: ClassVar[type[FilesDraft]] = FilesDraft

    picture: "traitlets.Bytes" = traitlets.Bytes(b"").tag(sync=True)  # of the preview, if it is one

    _by_itself = WorkingExplorer._by_itself | {"give", "unreadable", "saved"}  # while files are on their way

    def __init__(self, svc: Session) -> None:
        self._chosen: ChosenFile | None = None  # the file to preview or download
        self._preview: dict[str, str] = {}  # of the chosen file; its picture is in `picture`
        self._uploads = FileUploads(self._send_file, self.send, self._show)
        self._downloads = FileDownloads(svc, send=self.send, on_change=self._show, on_failure=self._fail)
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in fields as if typed.

        The fields are ``store``, ``path``, ``folder``, ``file_id``, ``words``, and IDs named as in the service's
        paths, such as ``userId``. With ``overwrite`` an upload replaces a file with the same name; with ``replace`` a
        download does.

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field, or no such place.
        """
        names = {name for names in STORES.values() for name in names}
        own = {*FilesDraft.__slots__} - {"ids"}
        check_names(fields, sorted(names | own))
        check_names([fields.get("store", "drive")], STORES, what="place")
        ids = {name: str(value) for name, value in fields.items() if name in names}
        others = {name: value for name, value in fields.items() if name not in names}
        self._keep(replace(self.draft, ids={**self.draft.ids, **ids}, **others))

    @property
    def place(self) -> Place:
        """The chosen place.

        Raises:
            InvalidInput: an ID is missing.
        """
        return self.draft.place

    @property
    def code(self) -> str:
        """The svckit calls that upload what is to be uploaded, or else download the chosen file; empty without any."""
        return next((calls for _, calls in self._write_code() if calls), "")

    @button
    def upload(self) -> None:
        """Upload the file at the path, in the background; for a real service, ask for confirmation first.

        Raises:
            InvalidInput: the place does not accept uploads, or there is no such file.
        """
        if not self.draft.path.strip():
            raise InvalidInput("nothing was sent: enter the path of a file on the kernel's machine")
        path = parse_path(self.draft.path)
        if not path.is_file():
            raise InvalidInput(f"nothing was sent: no file {str(path)!r} on the kernel's machine")
        self._add_upload(path.name, path.stat().st_size, lambda: path.open("rb"))

    @clear_error
    def upload_bytes(self, name: str, content: bytes) -> None:
        """Upload content from memory; otherwise like :meth:`upload`.

        Args:
            name: the file name.
            content: the content.
        """
        self._add_upload(name, len(content), lambda: BytesIO(content))

    @button
    def upload_chosen(self) -> None:
        """Upload the files that were chosen in the browser, and those that failed; otherwise like :meth:`upload`."""
        self._upload(self._uploads.waiting)

    @button
    def select(self, container: str, file_id: str, revision: str | None = None) -> None:
        """Choose a file by its container and its ID, or one of its revisions.

        Args:
            container: the kind and the IDs of its place, such as ``drive/u-001``.
            file_id: its ID.
            revision: the ID of a revision; by default the newest.

        Raises:
            InvalidInput: no such file is possible: the container is not a place whose files have IDs, or they have no
                revisions.
        """
        chosen = ChosenFile(container, file_id, revision)
        chosen.to_place()  # raises what is wrong
        self._chosen = chosen
        self._show_preview(None)

    @button
    def choose(self) -> None:
        """Choose the file with the pasted ID in the chosen place."""
        place = self.place
        self.select(format_container(place), self.draft.file_id.strip())

    @button
    def preview(self) -> None:
        """Download the chosen file for a preview, up to 2 MB: text and pictures."""
        self._downloads.preview(*self._describe_chosen(), self._show_preview)

    @button
    def download(self) -> None:
        """Download the chosen file to the folder on the kernel's machine, under its name or a similar safe one.

        Raises:
            InvalidInput: no file is chosen, or a transfer is running.
        """
        place, name, size = self._describe_chosen()
        target = parse_path(self.draft.folder or ".") / clean_file_name(name)
        self._downloads.save(place, target, size, overwrite=self.draft.replace)

    def stop(self) -> None:
        """Cancel all transfers."""
        self._downloads.stop()
        self._uploads.stop()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the transfers are finished that don't wait for the browser.

        Args:
            timeout: seconds to wait at most for the uploads, and for the others; None waits until then.
        """
        self._downloads.wait(timeout)
        self._uploads.wait(timeout)

    def _end(self) -> None:
        self.picture = b""
        super()._end()

    def _add_upload(self, name: str, size: int, open_content: Callable[[], IO[bytes]]) -> None:
        self.draft.require_upload_place()  # else nothing is added
        self._upload([self._uploads.add(name, size, open_content)])

    def _upload(self, files: Sequence[FileUpload]) -> None:
        """Upload files to the place, after confirmation."""
        if not files:
            raise InvalidInput("nothing was sent: choose files first")
        if not all(file.name for file in files):
            raise InvalidInput("nothing was sent: each file needs a name")
        place, overwrite = self.draft.require_upload_place(), self.draft.overwrite
        what = files[0].name if len(files) == 1 else f"{len(files)} files"
        size = sum(file.size for file in files)
        self._ask_first(
            f"This uploads {what} ({format_size(size)}) to {place}",
            lambda: self._uploads.start(files, place, overwrite=overwrite),
        )

    def _send_file(self, upload: FileUpload, content: IO[bytes]) -> str:
        """Send a file to the service, and return the result in words."""
        place = cast("Place", upload.place)
        source = WatchedFile(content, partial(self._uploads.report, upload))
        stored = self.svc.files.upload(
            cast("IO[bytes]", source),
            place,
            name=upload.name,
            overwrite=upload.overwrite,
            progress=False,
            cancel=upload.cancel,
        )
        replaced = ChosenFile(format_container(place), stored.file_id or "")
        if self._chosen and self._chosen[:2] == replaced[:2]:
            self._chosen = replaced
            self._show_preview(None)  # it shows an older revision
        return f"Uploaded, ID {stored.file_id or 'unknown'}"

    def _show_preview(self, content: bytes | None) -> None:
        self._preview = {} if content is None else make_preview(content)
        self.picture = content if content and self._preview["kind"] else b""
        self._show()

    def _describe_chosen(self) -> tuple[Place, str, int]:
        """Return the place of the chosen file, its name and its size."""
        file, records = self._require_chosen(), self._list_records()
        return file.to_place(), file.find_name(records), file.find_size(records)

    def _write_code(self) -> list[tuple[str, str]]:
        names = [(file.source, file.name) for file in self._uploads.waiting]
        download = self.draft.write_download(*self._describe_chosen()[:2]) if self._chosen else ""
        return [("Upload", self.draft.write_uploads(names)), ("Download", download)]

    def _require_chosen(self) -> ChosenFile:
        if self._chosen is None:
            raise InvalidInput("no file is chosen; select one, or paste its ID")
        return self._chosen

    def _list_records(self) -> list[Mapping[str, Any]]:
        return list(self.svc.records("files"))

    def _do_select_row(self, key: str) -> None:
        for record in self._list_records():
            if build_file_row(record, None)["key"] == key:
                self.select(record["place"], str(record.get("fileId") or ""))
                return
        raise InvalidInput(f"no such file: {key!r}")

    def _do_give(self, key: str, offset: int, buffers: Sequence[memoryview] = ()) -> None:
        self._uploads.take(key, offset, b"".join(map(bytes, buffers)))

    def _do_unreadable(self, key: str, why: str) -> None:
        self._uploads.fail(key, why)

    def _do_saved(self, number: int, received: int) -> None:
        self._downloads.acknowledge(number, received)

    def _do_offer(self, files: Sequence[Mapping[str, Any]]) -> None:
        self._uploads.offer(files)
        self.cancel()

    def _do_remove(self, key: str) -> None:
        self._uploads.remove(key)

    def _do_save(self, view: str) -> None:
        self._downloads.save_in_browser(*self._describe_chosen(), view)

    def _do_stop(self) -> None:
        self._downloads.stop()

    def _write(self, name: str, text: str | bool) -> None:
        if name == "revision":
            file = self._require_chosen()
            self.select(file.container, file.file_id, str(text) or None)
        elif name.startswith(NAME_OF):
            self._uploads.find(name.removeprefix(NAME_OF)).name = str(text)
            self.cancel()  # what was to be confirmed has changed
        else:
            super()._write(name, text)

    def _view(self) -> dict[str, Any]:
        """Return the data of the template."""
        draft, records = self.draft, self._list_records()
        found = find_files(records, draft.words)
        shown = found[-SHOWN:]
        return {
            "note": self.svc.listing_note or "",
            "people": list(self._people.names.items()),
            "stores": [(name, in_words(name)) for name in STORES],
            "ids": [(name, in_words(name), draft.ids.get(name, "")) for name in STORES[draft.store]],
            "place": draft.describe_place(),
            "uploads": self._uploads.view,
            "waiting": bool(self._uploads.waiting),
            "nameOf": NAME_OF,
            "largest": f"{LARGEST // 1024**2} MiB",
            "replaces": REPLACE,
            "count": f"{len(found)} of {len(records)} files"
            + (f", newest {SHOWN} shown" if len(found) > SHOWN else ""),
            "rows": [build_file_row(record, self._chosen) for record in shown],
            "chosen": None if self._chosen is None else self._chosen.build_view(self.svc, records),
            "job": self._downloads.view,
            "preview": self._preview,
            "code": self._write_code(),
        }
