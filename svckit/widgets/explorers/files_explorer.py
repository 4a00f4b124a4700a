"""Files: choose a place, upload, list what is known, preview, look at revisions, download."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import traitlets

from svckit.errors import Cancelled, InvalidInput
from svckit.frames.source import records_of
from svckit.local_files import clean_file_name
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.base.watched import (
    LimitedBuffer,
    OnProgress,
    WatchedBytes,
    WatchedFile,
)
from svckit.widgets.explorers.chosen_file import ChosenFile
from svckit.widgets.explorers.file_places import (
    STORES,
    missing_ids,
    place_at,
    place_of,
    place_view,
)
from svckit.widgets.explorers.file_preview import PREVIEWED, preview_of
from svckit.widgets.explorers.file_views import file_row
from svckit.widgets.explorers.working_explorer import WorkingExplorer
from svckit.widgets.form.field_names import check_names
from svckit.widgets.table.cells import fold

__all__ = ["FilesExplorer"]

SHOWN = 100
REPLACE = "Replace a file of that name in the folder"
PICKED = 5_000_000
"""Bytes of a file that goes through the browser; a Jupyter server drops messages that are much larger."""

FAILED = "Failed, as is said above"  # the reason stands in the line for errors
IDLE: Mapping[str, Any] = {"running": False, "words": "", "done": 0, "total": 0, "told": "", "at": "upload"}


@dataclass(frozen=True, slots=True)
class FilesDraft:
    """What was typed."""

    store: str = "drive"
    ids: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    folder: str = "."
    file_id: str = ""
    words: str = ""
    overwrite: bool = False
    replace: bool = False


class FilesExplorer(WorkingExplorer[FilesDraft]):
    """Upload to a place, and preview or download what is there.

    The service has no operation that lists files. Of a fake in process all are listed; else what this session has
    uploaded, and any file whose ID is pasted. Transfers run beside the notebook, one at a time, and can be
    cancelled. A file that is picked in the browser has 5 MB at most; a larger one is uploaded from its path, on
    the machine of the kernel. To a service that is no fake nothing is uploaded before :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: what was typed.
        error: what the last request failed with, or empty text.

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
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/succession.js",
        "explorers/explorer.js",
        "base/rows.js",
        "explorers/files_explorer.js",
    )
    _css = style("explorers/explorer.css", "base/rows.css", "explorers/files_explorer.css")
    template = "widgets/explorers/files.html"
    begin = FilesDraft

    job = traitlets.Dict(dict(IDLE)).tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)

    def __init__(self, svc: Session) -> None:
        self._chosen: ChosenFile | None = None
        self._preview: dict[str, str] = {}
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Put texts into fields as if they were typed.

        They are ``store``, ``path``, ``folder``, ``file_id``, ``words``, and IDs, which are named as in the paths of
        the service, such as ``userId``. ``overwrite`` says whether an upload replaces a file of the same name, and
        ``replace`` whether a download does.

        Raises:
            InvalidInput: there is no such field, or no such place.
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
        """The place that is chosen.

        Raises:
            InvalidInput: an ID is missing.
        """
        return place_of(self.draft.store, self.draft.ids)

    @clear_error
    def upload(self) -> None:
        """Upload the file at the path, beside the notebook; where the service is no fake, only ask.

        Raises:
            InvalidInput: the place takes no uploads, or a transfer is on its way.
            OSError: the file cannot be read.
        """
        path = _path(self.draft.path)
        if not self.draft.path.strip() or not path.is_file():
            raise InvalidInput(f"nothing was sent: there is no file {str(path)!r} on the kernel's machine")
        self._upload(path.name, path.stat().st_size, lambda seen: WatchedFile(path, seen))

    @clear_error
    def upload_bytes(self, name: str, content: bytes) -> None:
        """Upload content that is there already, such as a file picked in the browser; otherwise as :meth:`upload`."""
        self._upload(name, len(content), lambda seen: WatchedBytes(content, seen))

    @clear_error
    def select(self, container: str, file_id: str, revision: str | None = None) -> None:
        """Choose a file, by what holds it, such as ``drive/u-001``, and its ID; or one of its revisions.

        Raises:
            InvalidInput: there can be no such place.
        """
        if place_at(container) is None:
            raise InvalidInput(f"{container!r} is no place whose files can be named")
        self._chosen = ChosenFile(container, file_id, revision)
        self._clear_preview()

    @clear_error
    def look(self) -> None:
        """Choose the file whose ID was pasted, in the place that is chosen."""
        place = self.place
        self.select(_container(place), self.draft.file_id.strip())

    @clear_error
    def preview(self) -> None:
        """Download what is chosen to look at it, up to 2 MB: text and pictures."""
        file, records = self._need(), self._records()
        words = f"Preview of {file.name(records)}"

        def fetch(seen: OnProgress) -> str:
            with LimitedBuffer(PREVIEWED, seen) as target:
                self.svc.files.download(file.place(), target, progress=False, cancel=self._work)
                content = target.getvalue()
            self._preview = preview_of(content)
            self.picture = content if self._preview["kind"] else b""
            return words

        self._begin(words, file.size(records), fetch, at="preview")

    @clear_error
    def download(self) -> None:
        """Download what is chosen to the folder, on the kernel's machine, under its name or a safe one much like it.

        Raises:
            InvalidInput: nothing is chosen, or a transfer is on its way.
        """
        file, records = self._need(), self._records()
        place, name = file.place(), file.name(records)
        target = _path(self.draft.folder or ".") / clean_file_name(name)
        replaces = self.draft.replace

        def fetch(_: OnProgress) -> str:
            if target.is_dir():  # or else it would be saved in there
                raise FileExistsError(f"{target} is a folder; save to another one")
            try:
                written = self.svc.files.download(
                    place, target, overwrite=replaces, progress=False, cancel=self._work
                )
            except FileExistsError:
                raise FileExistsError(f"{target} is there already; to replace it, tick “{REPLACE}”") from None
            return f"Saved as {written}"

        self._begin(f"Download {name}", file.size(records), fetch, at="download")

    def refresh(self) -> None:
        """List again what is known."""
        self._show()

    def _end(self) -> None:
        """Cancel what is on its way."""
        self.picture = b""
        super()._end()

    def _upload(self, name: str, size: int, opened: Callable[[OnProgress], IO[bytes]]) -> None:
        place = self.place
        if place.upload_path is None:
            raise InvalidInput(f"nothing was sent: nothing can be uploaded to {place}")
        overwrite = self.draft.overwrite

        def send(seen: OnProgress) -> str:
            with opened(seen) as source:
                stored = self.svc.files.upload(
                    source, place, name=name, overwrite=overwrite, progress=False, cancel=self._work
                )
            replaced = ChosenFile(_container(place), stored.file_id or "")
            if self._chosen and self._chosen[:2] == replaced[:2]:
                self._chosen = replaced
                self._clear_preview()  # what was shown of it is no longer the newest
            return f"Uploaded {name}, ID {stored.file_id or 'not told'}"

        self._ask_first(
            f"This uploads {name} ({size:,} bytes) to {place}",
            lambda: self._begin(f"Upload {name}", size, send),
        )

    def _begin(self, words: str, total: int, do: Callable[[OnProgress], str], *, at: str = "upload") -> None:
        """Begin a transfer, to be told of beside the button that began it."""
        if self.job["running"]:
            raise InvalidInput(f"{self.job['words']} is on its way; wait for it, or cancel it")
        self.job = {**IDLE, "running": True, "words": words, "total": total, "at": at}
        self._start(self._steps(do))

    def _steps(self, do: Callable[[OnProgress], str]) -> Generator[None, None, None]:
        told = "Failed"
        try:
            told = do(self._report_progress)
        except Cancelled:
            told = "Cancelled; nothing is kept"
        except Exception as failure:  # noqa: BLE001 - there is nobody in a thread to handle it
            self._fail(failure)
            told = FAILED
        finally:
            self.job = {**IDLE, "told": told, "at": self.job["at"]}
            self._show()
        yield

    def _report_progress(self, done: int) -> None:
        """Show how much has passed, a hundred times at most."""
        job = self.job
        if job["total"] and abs(done - job["done"]) * 100 >= job["total"]:
            self.job = {**job, "done": min(done, job["total"])}

    def _clear_preview(self) -> None:
        self._preview = {}
        self.picture = b""
        self._show()

    def _need(self) -> ChosenFile:
        if self._chosen is None:
            raise InvalidInput("no file is chosen; select one, or paste its ID")
        return self._chosen

    def _records(self) -> list[Mapping[str, Any]]:
        return records_of(self.svc, "files")

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], buffers: Any) -> None:
        """Do what the browser asks for."""
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
                | "look"
                | "refresh"
                | "confirm"
                | "cancel" as step
            }:
                getattr(self, step)()
            case _:
                raise ValueError(f"a files explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        draft, records = self.draft, self._records()
        words = fold(draft.words).split()
        rows = [file_row(record, self._chosen) for record in records]
        rows = [row for row in rows if all(w in fold(row["words"]) for w in words)]
        return {
            "badge": self.badge,
            "note": self.svc.listing_note or "",
            "draft": {**asdict(draft), "ids": dict(draft.ids)},
            **place_view(draft.store, draft.ids),
            "place": self._place_words(),
            "picked": PICKED,
            "replaces": REPLACE,
            "count": f"{len(rows)} of {len(records)}"
            + (f", the newest {SHOWN} shown" if len(rows) > SHOWN else ""),
            "rows": rows[-SHOWN:],
            "chosen": None if self._chosen is None else self._chosen.view(self.svc, records),
            "preview": self._preview,
            "asking": self._question,
        }

    def _place_words(self) -> dict[str, Any]:
        try:
            place = self.place
        except InvalidInput as wrong:
            missing = missing_ids(self.draft.store, self.draft.ids)
            return {"words": f"Required: {', '.join(missing)}" if missing else str(wrong), "uploads": False}
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


def _container(place: Place) -> str:
    """What records name the place by."""
    return "/".join([place.store, *(value for _, value in place.names)])


def _path(typed: str) -> Path:
    """A path on the kernel's machine, also from somebody's home."""
    try:
        return Path(typed.strip()).expanduser()
    except RuntimeError as unknown:
        raise InvalidInput(
            f"there is no {typed.strip()!r} on the kernel's machine: it has no such home"
        ) from unknown
