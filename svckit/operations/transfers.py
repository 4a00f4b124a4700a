"""Plan the transfer of many files, and collect the outcomes; `svckit.operations.batch` runs them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Protocol, Self, TypeAlias, TypeVar

from svckit.display.card import render_groups
from svckit.display.progress import progress_bar
from svckit.errors import Cancelled, InvalidInput, SizeDiffers
from svckit.http.messages import Operation
from svckit.models.files import UploadResult
from svckit.models.flags import check_flags
from svckit.models.phrases import describe_given
from svckit.operations.batch import (
    Batch,
    Cancel,
    Job,
    Outcome,
    Outcomes,
)
from svckit.operations.downloads import download, save
from svckit.operations.journals import Entry, Journal, JournalPath
from svckit.operations.kept_uploads import find_entry
from svckit.operations.sources import get_name
from svckit.operations.uploads import UploadForm, parse_resumable, resume, upload
from svckit.places import Place, check_place

__all__ = [
    "Downloads",
    "ManyFiles",
    "ManyPlaces",
    "To",
    "Transfers",
    "Uploads",
    "plan_downloads",
    "plan_uploads",
]

T = TypeVar("T")

SHOWN = 100
"""The number of finished transfers that a notebook lists."""

OneFile: TypeAlias = str | Path | bytes | bytearray | memoryview | IO[bytes]
"""A source that can be read more than once, so that failed uploads can be repeated."""


class Transfer(Protocol[T]):
    """One file to transfer."""

    @property
    def label(self) -> str:
        """A name for the transfer, for people."""

    @property
    def place(self) -> Place:
        """The place to upload to or download from."""

    def begin(self, cancel: Cancel, before: Outcome[T]) -> Operation[T]:
        """Start the operation; `before` is the outcome of an earlier attempt."""

    def find_earlier(self) -> Outcome[T]:
        """Return the outcome that a journal has of an earlier process; by default, not begun."""


@dataclass(frozen=True, slots=True)
class OneUpload:
    """One file to upload."""

    label: str
    source: OneFile
    place: Place
    options: Mapping[str, Any]

    def begin(self, cancel: Cancel, before: Outcome[UploadResult]) -> Operation[UploadResult]:
        """Upload it, or resume where it broke; a file that was stored with another size is not sent again."""
        if isinstance(before.error, SizeDiffers):
            raise before.error
        broken = getattr(before.error, "upload", None)
        if broken is not None:
            return resume(broken, self.source, progress=False, cancel=cancel)
        return upload(self.source, self.place, **self.options, progress=False, cancel=cancel)

    def find_earlier(self) -> Outcome[UploadResult]:
        """Return the outcome of an earlier process that uploaded the file as it is now."""
        journal, kept = self.options["journal"], None
        if journal is not None:
            with suppress(OSError):  # reported when its turn comes
                kept = find_entry(journal, self.source, self.place, self.label).read()
        if kept is not None and "result" in kept:
            return Outcome(self.label, UploadResult.model_validate(kept["result"]))
        return Outcome(self.label, begun=False)


@dataclass(frozen=True, slots=True)
class OneDownload:
    """One file to download, into memory or a directory, under a given or generated name."""

    place: Place
    to: Path | None
    overwrite: bool
    name: str = ""
    entry: Entry | None = None

    @property
    def label(self) -> str:
        """The place, as written in code."""
        return str(self.place)

    def begin(self, cancel: Cancel, before: Outcome[Path | bytes]) -> Operation[Path | bytes]:
        """Download it; a broken download is restarted."""
        if self.to is None:
            return (yield from download(self.place, progress=False, cancel=cancel))
        into = self.to / self.name if self.name else f"{self.to}/"
        path = yield from save(self.place, into, overwrite=self.overwrite, progress=False, cancel=cancel)
        if self.entry is not None:
            self.entry.finish({"path": str(path.absolute()), "size": path.stat().st_size})
        return path

    def find_earlier(self) -> Outcome[Path | bytes]:
        """Return the outcome of an earlier process that downloaded it, if the file is still there."""
        if self.entry is not None and (kept := self.entry.read()) is not None:
            path = Path(kept["result"]["path"])
            if path.is_file() and path.stat().st_size == kept["result"]["size"]:
                return Outcome(self.label, path)
        return Outcome(self.label, begun=False)


class Transfers(Outcomes[T]):
    """The transfers and their outcomes, in the order they were given.

    Pass it to ``upload_many`` or ``download_many`` again to repeat only what failed.
    """

    def __init__(
        self,
        title: str,
        transfers: Sequence[Transfer[T]],
        outcomes: Iterable[Outcome[T]] | None = None,
        journal: Journal | None = None,
    ) -> None:
        if outcomes is None:
            outcomes = [each.find_earlier() for each in transfers]
        super().__init__(title, outcomes)
        self._transfers = tuple(transfers)
        self._journal = journal

    def _repr_html_(self) -> str:
        html, done = super()._repr_html_(), self.ok
        if not done:
            return html
        records = [self._record(outcome) for outcome in done[:SHOWN]]
        columns = [name for name in records[0] if name not in ("state", "why")]
        title = "done" if len(done) <= SHOWN else f"done, the first of {len(done)}"
        rows = [[str(record[name]) for name in columns] for record in records]
        return html + render_groups("", columns, {title: rows})

    @contextmanager
    def prepare_batch(self, progress: bool | None, cancel: Cancel | None) -> Iterator[Batch[T]]:
        """Prepare a batch of the remaining transfers, with a bar that counts files."""
        check_flags(f"files.{self.title}_many was not sent", progress=progress)
        jobs = [
            Job(each.label, lambda cancel, each=each, before=before: each.begin(cancel, before))  # type: ignore[misc]  # mypy cannot infer these
            for each, before in zip(self._transfers, self, strict=True)
            if before.state != "ok"
        ]
        with progress_bar(self.title, len(jobs), unit="items", shown=progress) as advance:
            yield Batch(jobs, cancel=cancel, on_settled=lambda _: advance(1))

    def collect(self, batch: Batch[T]) -> Self:
        """Return all outcomes after the batch has run.

        Raises:
            Cancelled: it was cancelled; ``result`` holds all outcomes.
        """
        settled = iter(batch.outcomes)
        found = [each if each.state == "ok" else _merge(each, next(settled)) for each in self]
        result = type(self)(self.title, self._transfers, found, self._journal)
        if self._journal is not None and not result.failed:
            self._journal.remove()
        if batch.was_cut_short:
            words = f"files.{self.title}_many"
            raise Cancelled(
                f"{words} was cancelled: {len(result.ok)} of {len(result)} files are done. "
                f"{words}(error.result) continues with the others.",
                result=result,
            )
        return result

    def frame(self) -> Any:
        """Return a pandas frame with a row per file: `item`, `state`, `why` it failed, `place`, and the result."""
        frame = super().frame()
        frame.insert(3, "place", [str(each.place) for each in self._transfers])
        return frame.astype({"place": "string"})


def _merge(before: Outcome[T], after: Outcome[T]) -> Outcome[T]:
    """Return the later of two outcomes, or the earlier one if the job was not started again."""
    return after if after.begun else before


class Uploads(Transfers[UploadResult]):
    """The outcomes of many uploads; the ``value`` of each is its `svckit.models.UploadResult`."""

    def _record(self, outcome: Outcome[UploadResult]) -> dict[str, Any]:
        found = outcome.value or UploadResult()
        own = {"file_id": found.file_id, "file_name": found.file_name, "file_size": found.file_size}
        return super()._record(outcome) | own


class Downloads(Transfers[Path | bytes]):
    """The outcomes of many downloads; the ``value`` of each is the path of the file, or the content."""

    def _record(self, outcome: Outcome[Path | bytes]) -> dict[str, Any]:
        path = str(outcome.value) if isinstance(outcome.value, Path) else None
        return super()._record(outcome) | {"path": path}


ManyFiles: TypeAlias = Iterable[OneFile] | Mapping[str, OneFile] | Uploads
ManyPlaces: TypeAlias = Iterable[Place] | Mapping[Place, str] | Downloads
To: TypeAlias = Place | Callable[[str], Place]


def plan_uploads(
    files: ManyFiles,
    to: To | None,
    *,
    overwrite: bool = False,
    modified: bool | str | datetime | None = None,
    resumable: bool | int = False,
    form: UploadForm = "Filedata",
    journal: JournalPath | None = None,
) -> Uploads:
    """Plan uploads.

    Args:
        files: paths, open binary files, or a mapping of names to these or to bytes; or earlier uploads, of which the
            failed ones are repeated.
        to: the place for all, or a function that makes one from a file's name; not with earlier uploads.
        overwrite: as with `svckit.operations.uploads.upload`, like the other options.
        modified: when the files were last changed.
        resumable: whether they are sent in ranges.
        form: the form that their content is sent in.
        journal: a file that records what is done and how much of the rest has arrived; not with earlier uploads.

    Raises:
        InvalidInput: `files` is of another kind, or a file has no name. Nothing is sent.
    """
    if isinstance(files, Uploads):
        _check_earlier("upload", "their places", to=to, journal=journal)
        return files
    if isinstance(files, str | bytes | bytearray | memoryview | Path) or not isinstance(files, Iterable):
        raise InvalidInput(
            "files.upload_many was not sent: files must be a list of paths or open files, or a mapping of names to "
            f"these or to bytes; given {describe_given(files)}{_suggest_files(files)}"
        )
    if to is None:
        raise InvalidInput(
            'files.upload_many was not sent: the place is missing; pass to=places.drive("u-001")'
        )
    check_flags("files.upload_many was not sent", overwrite=overwrite)
    parse_resumable(resumable)
    named = files.items() if isinstance(files, Mapping) else ((get_name(each), each) for each in files)
    plan = []
    open_files: set[int] = set()
    opened = None if journal is None else Journal(journal, "uploads", keeps_results=True)
    for name, source in named:
        if hasattr(source, "seek"):  # it has one position, and uploads run in parallel
            if id(source) in open_files:
                raise InvalidInput(
                    f"files.upload_many was not sent: the open file for {name!r} is given twice; pass its path or bytes"
                )
            open_files.add(id(source))
        place = check_place(to if isinstance(to, Place) or not callable(to) else to(name))
        options = {"overwrite": overwrite, "modified": modified, "resumable": resumable, "form": form}
        plan.append(OneUpload(name, source, place, {"name": name, "journal": opened} | options))
    return Uploads("upload", plan, journal=opened)


def _check_earlier(title: str, kept: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None:
            kept = kept if name == "to" else "their journal, if any"
            raise InvalidInput(
                f"files.{title}_many was not sent: earlier {title}s have {kept}; leave out {name}="
            )


def _suggest_files(given: object) -> str:
    """Suggest code for the files of a folder, if one was given."""
    if not isinstance(given, str | Path) or not Path(given).is_dir():
        return ""
    return (
        f". The files of that folder are [path for path in Path({str(given)!r}).iterdir() if path.is_file()]"
    )


def plan_downloads(
    places: ManyPlaces,
    to: str | Path | None,
    *,
    overwrite: bool = False,
    journal: JournalPath | None = None,
) -> Downloads:
    """Plan downloads.

    Args:
        places: the files, or a mapping of files to their names; or earlier downloads, of which the failed ones are
            repeated.
        to: the directory to write to; by default the contents are returned.
        overwrite: whether existing files may be replaced.
        journal: a file that records what is done; needs a directory; not with earlier downloads.

    Raises:
        InvalidInput: `places` is of another kind, a place does not name a file, or a name is not a valid file name.
            Nothing is sent.
    """
    if isinstance(places, Downloads):
        _check_earlier("download", "their directory", to=to, journal=journal)
        return places
    if isinstance(places, str | Place) or not isinstance(places, Iterable):
        raise InvalidInput(
            f"files.download_many was not sent: places must be a list of places; given {describe_given(places)}"
        )
    check_flags("files.download_many was not sent", overwrite=overwrite)
    found = [check_place(place) for place in places]
    for place in found:
        if place.download_path is None:
            raise InvalidInput(
                f"files.download_many was not sent: the place does not name a file ({place!r})"
            )
    directory = None if to is None else Path(to)
    if directory is not None and directory.is_file():
        raise InvalidInput(f"files.download_many was not sent: {directory} is a file; to must be a directory")
    names = _check_file_names(places, directory) if isinstance(places, Mapping) else [""] * len(found)
    if journal is not None and directory is None:
        raise InvalidInput("files.download_many was not sent: a journal needs a directory; pass to=DIRECTORY")
    opened = None if journal is None else Journal(journal, "downloads", keeps_results=True)
    plan = []
    for place, name in zip(found, names, strict=True):
        entry = (
            None if opened is None else Entry(opened, f"{place} to {Path(directory or '.', name).absolute()}")
        )
        plan.append(OneDownload(place, directory, overwrite, name, entry))
    return Downloads("download", plan, journal=opened)


def _check_file_names(places: Mapping[Place, str], directory: Path | None) -> list[str]:
    """Check the names of files in a directory, and return them; each must be valid and unique.

    Raises:
        InvalidInput: the directory is missing, or a name is invalid.
    """
    if directory is None:
        raise InvalidInput(
            "files.download_many was not sent: to save files under their own names, pass to=DIRECTORY"
        )
    names = list(places.values())
    for name in names:
        if (
            not isinstance(name, str)
            or name in ("", "..")
            or Path(name).name != name
            or "\\" in name
            or "\0" in name
        ):
            raise InvalidInput(
                f"files.download_many was not sent: {name!r} is not a valid name for a file in {directory}"
            )
        if names.count(name) > 1:
            raise InvalidInput(
                f"files.download_many was not sent: {name!r} is the name of more than one file"
            )
    return names
