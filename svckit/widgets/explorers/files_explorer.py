"""Files: choose a place, upload, list, preview, inspect revisions, download."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import traitlets

from svckit.errors import Cancelled, InvalidInput
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.folding import fold
from svckit.widgets.base.watched import (
    LimitedBuffer,
    OnProgress,
    WatchedBytes,
    WatchedFile,
)
from svckit.widgets.explorers.chosen_file import ChosenFile, build_file_row
from svckit.widgets.explorers.file_places import (
    STORES,
    build_place_view,
    list_missing_ids,
    make_place,
    parse_place,
)
from svckit.widgets.explorers.file_preview import PREVIEWED, make_preview
from svckit.widgets.explorers.working_explorer import WorkingExplorer
from svckit.widgets.form.field_names import check_names

__all__ = ["FilesExplorer"]

SHOWN = 100
REPLACE = "Replace a file with the same name in the folder"
MAX_PICKED = 5_000_000
"""The largest file that can go through the browser, in bytes; a Jupyter server drops much larger messages."""

FAILED = "Failed; see the error above"  # the error line shows the reason
IDLE: Mapping[str, Any] = {"running": False, "words": "", "done": 0, "total": 0, "result": "", "at": "upload"}


@dataclass(frozen=True, slots=True)
class FilesDraft:
    """The text typed so far."""

    store: str = "drive"
    ids: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    folder: str = "."
    file_id: str = ""
    words: str = ""
    overwrite: bool = False
    replace: bool = False


class FilesExplorer(WorkingExplorer[FilesDraft]):
    """An explorer for files: upload to a place, and preview or download files.

    The description shows no operation that lists files. For an in-process fake, all files are listed; otherwise the
    list has this session's uploads, and you can paste the ID of any file. Transfers run in the background, one at a
    time, and can be cancelled. A file picked in the browser is limited to 5 MB; upload larger ones from their path on
    the kernel's machine. Nothing is uploaded to a real service before :meth:`confirm`.

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
        Files [FAKE]: 2 of 2
            file                     ID            size  place
            answer.txt               attachment-1  20    form_response/form-1/response-1
          > notes.txt                file-1        5     drive/u-001
        notes.txt: 5 bytes of text
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
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/takeover.js",
        "explorers/explorer.js",
        "base/rows.js",
        "explorers/files_explorer.js",
    )
    _css = style("explorers/explorer.css", "base/rows.css", "explorers/files_explorer.css")
    template = "widgets/explorers/files.html"
    make_draft = FilesDraft

    job = traitlets.Dict(dict(IDLE)).tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)

    def __init__(self, svc: Session) -> None:
        self._chosen: ChosenFile | None = None
        self._preview: dict[str, str] = {}
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
        return make_place(self.draft.store, self.draft.ids)

    @clear_error
    def upload(self) -> None:
        """Upload the file at the path, in the background; for a real service, ask for confirmation first.

        Raises:
            InvalidInput: the place does not accept uploads, or a transfer is running.
            OSError: the file cannot be read.
        """
        if not self.draft.path.strip():
            raise InvalidInput("nothing was sent: enter the path of a file on the kernel's machine")
        path = _parse_path(self.draft.path)
        if not path.is_file():
            raise InvalidInput(f"nothing was sent: no file {str(path)!r} on the kernel's machine")
        self._upload(path.name, path.stat().st_size, lambda on_progress: WatchedFile(path, on_progress))

    @clear_error
    def upload_bytes(self, name: str, content: bytes) -> None:
        """Upload content from memory, such as a file picked in the browser; otherwise like :meth:`upload`.

        Args:
            name: the file name.
            content: the content.
        """
        self._upload(name, len(content), lambda on_progress: WatchedBytes(content, on_progress))

    @clear_error
    def select(self, container: str, file_id: str, revision: str | None = None) -> None:
        """Choose a file by its container and its ID, or one of its revisions.

        Args:
            container: the kind and the IDs of its place, such as ``drive/u-001``.
            file_id: its ID.
            revision: the ID of a revision; by default the newest.

        Raises:
            InvalidInput: the container is not a place whose files have IDs.
        """
        if parse_place(container) is None:
            raise InvalidInput(f"{container!r} is not a place whose files have IDs, such as drive/u-001")
        self._chosen = ChosenFile(container, file_id, revision)
        self._clear_preview()

    @clear_error
    def choose(self) -> None:
        """Choose the file with the pasted ID in the chosen place."""
        place = self.place
        self.select(_format_container(place), self.draft.file_id.strip())

    @clear_error
    def preview(self) -> None:
        """Download the chosen file for a preview, up to 2 MB: text and pictures."""
        file, records = self._require_chosen(), self._list_records()
        words = f"Preview of {file.find_name(records)}"

        def fetch(on_progress: OnProgress) -> str:
            with LimitedBuffer(PREVIEWED, on_progress) as target:
                self.svc.files.download(file.to_place(), target, progress=False, cancel=self._work)
                content = target.getvalue()
            self._preview = make_preview(content)
            self.picture = content if self._preview["kind"] else b""
            return words

        self._begin(words, file.find_size(records), fetch, at="preview")

    @clear_error
    def download(self) -> None:
        """Download the chosen file to the folder on the kernel's machine, under its name or a similar safe one.

        Raises:
            InvalidInput: no file is chosen, or a transfer is running.
        """
        file, records = self._require_chosen(), self._list_records()
        place, name = file.to_place(), file.find_name(records)
        target = _parse_path(self.draft.folder or ".") / clean_file_name(name)
        replaces = self.draft.replace

        def fetch(_: OnProgress) -> str:
            if target.is_dir():  # otherwise the file would be saved inside it
                raise FileExistsError(f"{target} is a folder; choose another folder to save to")
            try:
                written = self.svc.files.download(
                    place, target, overwrite=replaces, progress=False, cancel=self._work
                )
            except FileExistsError:
                raise FileExistsError(f"{target} already exists; to replace it, tick “{REPLACE}”") from None
            return f"Saved as {written}"

        self._begin(f"Download {name}", file.find_size(records), fetch, at="download")

    def _end(self) -> None:
        """Cancel a running transfer."""
        self.picture = b""
        super()._end()

    def _upload(self, name: str, size: int, open_source: Callable[[OnProgress], IO[bytes]]) -> None:
        if missing := list_missing_ids(self.draft.store, self.draft.ids):
            be = "is" if len(missing) == 1 else "are"
            raise InvalidInput(f"nothing was sent: {' and '.join(missing)} {be} required")
        place = self.place
        if place.upload_path is None:
            raise InvalidInput(f"nothing was sent: {place} does not accept uploads")
        overwrite = self.draft.overwrite

        def send(on_progress: OnProgress) -> str:
            with open_source(on_progress) as source:
                stored = self.svc.files.upload(
                    source, place, name=name, overwrite=overwrite, progress=False, cancel=self._work
                )
            replaced = ChosenFile(_format_container(place), stored.file_id or "")
            if self._chosen and self._chosen[:2] == replaced[:2]:
                self._chosen = replaced
                self._clear_preview()  # it shows an older revision
            return f"Uploaded {name}, ID {stored.file_id or 'unknown'}"

        self._ask_first(
            f"This uploads {name} ({size:,} bytes) to {place}",
            lambda: self._begin(f"Upload {name}", size, send),
        )

    def _begin(self, words: str, total: int, do: Callable[[OnProgress], str], *, at: str = "upload") -> None:
        """Start a transfer and show its progress next to the button `at`."""
        if self.job["running"]:
            raise InvalidInput(f"a transfer is running ({self.job['words']}); wait for it, or cancel it")
        self.job = {**IDLE, "running": True, "words": words, "total": total, "at": at}
        self._start(self._steps(do))

    def _steps(self, do: Callable[[OnProgress], str]) -> Generator[None, None, None]:
        result = "Failed"
        try:
            result = do(self._report_progress)
        except Cancelled:
            result = "Cancelled; nothing was kept"
        except Exception as failure:  # noqa: BLE001 - a thread has no caller to handle it
            self._fail(failure)
            result = FAILED
        finally:
            self.job = {**IDLE, "result": result, "at": self.job["at"]}
            self._show()
        yield

    def _report_progress(self, done: int) -> None:
        """Show the progress, at most a hundred times per transfer."""
        job = self.job
        if job["total"] and abs(done - job["done"]) * 100 >= job["total"]:
            self.job = {**job, "done": min(done, job["total"])}

    def _clear_preview(self) -> None:
        self._preview = {}
        self.picture = b""
        self._show()

    def _require_chosen(self) -> ChosenFile:
        if self._chosen is None:
            raise InvalidInput("no file is chosen; select one, or paste its ID")
        return self._chosen

    def _list_records(self) -> list[Mapping[str, Any]]:
        return list(self.svc.records("files"))

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], buffers: Any) -> None:
        """Handle a message from the browser."""
        match content:
            case {"do": "write", "field": str(name), "text": str() | bool() as text}:
                self.write(**{name: text})
            case {"do": "pick", "name": str(name)}:
                self.upload_bytes(name, bytes(buffers[0]))
            case {
                "do": "select",
                "place": str(place),
                "file": str(file),
                "revision": str() | None as revision,
            }:
                self.select(place, file, revision)
            case {
                "do": "upload"
                | "preview"
                | "download"
                | "stop"
                | "choose"
                | "refresh"
                | "confirm"
                | "cancel" as step
            }:
                getattr(self, step)()
            case _:
                raise ValueError(f"a files explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view, HTML and text."""
        draft, records = self.draft, self._list_records()
        words = fold(draft.words).split()
        rows = [build_file_row(record, self._chosen) for record in records]
        rows = [row for row in rows if all(w in fold(row["words"]) for w in words)]
        return {
            "badge": self.badge,
            "note": self.svc.listing_note or "",
            "draft": {**asdict(draft), "ids": dict(draft.ids)},
            **build_place_view(draft.store, draft.ids),
            "place": self._describe_place(),
            "maxPicked": MAX_PICKED,
            "replaces": REPLACE,
            "count": f"{len(rows)} of {len(records)}"
            + (f", newest {SHOWN} shown" if len(rows) > SHOWN else ""),
            "rows": rows[-SHOWN:],
            "chosen": None if self._chosen is None else self._chosen.build_view(self.svc, records),
            "preview": self._preview,
            "asking": self._question,
        }

    def _describe_place(self) -> dict[str, Any]:
        try:
            place = self.place
        except InvalidInput as error:
            missing = list_missing_ids(self.draft.store, self.draft.ids)
            return {"words": f"Required: {', '.join(missing)}" if missing else str(error), "uploads": False}
        return {"words": str(place), "uploads": place.upload_path is not None}

    def _text(self) -> str:
        view = self.view
        rows = [("", "file", "ID", "size", "place")]
        rows += [
            (">" if r["selected"] else "", r["name"], r["file"], r["size"], r["place"]) for r in view["rows"]
        ]
        lines = [f"Files [{view['badge']}]: {view['count']}", *([view["note"]] if view["note"] else [])]
        lines += [f"  {line}" for line in plain.columns(rows, widest=40)]
        lines += [f"? {view['asking']}"] if view["asking"] else []
        if view["chosen"] and view["preview"]:
            lines.append(f"{view['chosen']['name']}: {view['preview']['words']}")
        return "\n".join(lines)


def _format_container(place: Place) -> str:
    """Return the name of the place in records."""
    return "/".join([place.store, *(value for _, value in place.names)])


def _parse_path(typed: str) -> Path:
    """Return a path on the kernel's machine; ``~`` is expanded to a home directory."""
    try:
        return Path(typed.strip()).expanduser()
    except RuntimeError as error:
        raise InvalidInput(f"{typed.strip()!r}: no such home directory on the kernel's machine") from error
