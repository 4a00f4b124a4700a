"""Many files at once: which, and what came of each. How they run side by side is in `svckit.operations.batch`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Protocol, Self, TypeAlias, TypeVar

from svckit.display.progress import progress_bar
from svckit.errors import Cancelled, InvalidInput, SizeDiffers
from svckit.http.messages import Operation
from svckit.models.files import UploadResult
from svckit.models.phrases import name_type
from svckit.operations.batch import (
    Batch,
    Cancel,
    Job,
    Outcome,
    Outcomes,
)
from svckit.operations.downloads import download, save
from svckit.operations.sources import get_name
from svckit.operations.uploads import UploadForm, resume, upload
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

OneFile: TypeAlias = str | Path | bytes | bytearray | memoryview | IO[bytes]
"""A source that can be read more than once, so that what failed can be sent again."""


class Transfer(Protocol[T]):
    """One file to transfer."""

    @property
    def label(self) -> str:
        """What is transferred, for people."""

    @property
    def place(self) -> Place:
        """Where to, or where from."""

    def begin(self, cancel: Cancel, before: Outcome[T]) -> Operation[T]:
        """The operation; `before` is what came of an earlier attempt."""


@dataclass(frozen=True, slots=True)
class OneUpload:
    """One file to upload."""

    label: str
    source: OneFile
    place: Place
    options: Mapping[str, Any]

    def begin(self, cancel: Cancel, before: Outcome[UploadResult]) -> Operation[UploadResult]:
        """Upload it, or go on where it broke; what is stored, if with another size, is not sent again."""
        if isinstance(before.error, SizeDiffers):
            raise before.error
        broken = getattr(before.error, "upload", None)
        if broken is not None:
            return resume(broken, self.source, progress=False, cancel=cancel)
        return upload(self.source, self.place, **self.options, progress=False, cancel=cancel)


@dataclass(frozen=True, slots=True)
class OneDownload:
    """One file to download, into a directory, under a name or one that is made up, or into memory."""

    place: Place
    to: Path | None
    overwrite: bool
    name: str = ""

    @property
    def label(self) -> str:
        """The place, as one writes it."""
        return str(self.place)

    def begin(self, cancel: Cancel, before: Outcome[Path | bytes]) -> Operation[Path | bytes]:
        """Download it; one that broke begins anew."""
        if self.to is None:
            return (yield from download(self.place, progress=False, cancel=cancel))
        into = self.to / self.name if self.name else f"{self.to}/"
        return (yield from save(self.place, into, overwrite=self.overwrite, progress=False, cancel=cancel))


class Transfers(Outcomes[T]):
    """Files to transfer, and what came of each, in the order they were given in.

    Give it to ``upload_many`` or ``download_many`` once more, and what failed is done again, and nothing else.
    """

    def __init__(
        self, title: str, transfers: Sequence[Transfer[T]], outcomes: Iterable[Outcome[T]] | None = None
    ) -> None:
        if outcomes is None:
            outcomes = [Outcome(each.label, begun=False) for each in transfers]
        super().__init__(title, outcomes)
        self._transfers = tuple(transfers)

    @contextmanager
    def prepare_batch(self, progress: bool | None, cancel: Cancel | None) -> Iterator[Batch[T]]:
        """A batch of what is not done yet, with a bar that counts files."""
        jobs = [
            Job(each.label, lambda cancel, each=each, before=before: each.begin(cancel, before))  # type: ignore[misc]  # mypy infers no types for lambdas with defaults
            for each, before in zip(self._transfers, self, strict=True)
            if before.state != "ok"
        ]
        with progress_bar(self.title, len(jobs), unit="items", shown=progress) as advance:
            yield Batch(jobs, cancel=cancel, on_settled=lambda _: advance(1))

    def collect(self, batch: Batch[T]) -> Self:
        """What came of all, after the batch has run.

        Raises:
            Cancelled: it was cut short; ``result`` is what came of all.
        """
        settled = iter(batch.outcomes)
        found = [each if each.state == "ok" else _merge(each, next(settled)) for each in self]
        result = type(self)(self.title, self._transfers, found)
        if batch.was_cut_short:
            words = f"files.{self.title}_many"
            raise Cancelled(
                f"{words} was cancelled: {len(result.ok)} of {len(result)} files are done. "
                f"{words}(error.result) goes on with the others.",
                result=result,
            )
        return result

    def frame(self) -> Any:
        """A pandas frame, a row a file: `item`, `state`, `why` it failed, `place`, and what came of it."""
        frame = super().frame()
        frame.insert(3, "place", [str(each.place) for each in self._transfers])
        return frame.astype({"place": "string"})


def _merge(before: Outcome[T], after: Outcome[T]) -> Outcome[T]:
    """The later of two outcomes; one that was not begun again keeps what can be resumed."""
    return after if after.begun else before


class Uploads(Transfers[UploadResult]):
    """What came of many uploads; ``value`` of each is its `svckit.models.UploadResult`."""

    def _record(self, outcome: Outcome[UploadResult]) -> dict[str, Any]:
        found = outcome.value or UploadResult()
        own = {"file_id": found.file_id, "file_name": found.file_name, "file_size": found.file_size}
        return super()._record(outcome) | own


class Downloads(Transfers[Path | bytes]):
    """What came of many downloads; ``value`` of each is the file that was written, or the content."""

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
) -> Uploads:
    """Plan uploads.

    Args:
        files: paths, open binary files, or a mapping of names to these or to bytes; or what came of uploads
            before, of which what failed is to be done again.
        to: the place for all, or a function that makes one from a file's name; not with uploads from before.
        overwrite: as with `svckit.operations.uploads.upload`, as are the others.
        modified: when the files were last changed.
        resumable: whether they are sent in ranges.
        form: the form that their content is sent in.

    Raises:
        InvalidInput: it is none of that, or a file has no name. Nothing is sent.
    """
    if isinstance(files, Uploads):
        if to is not None:
            raise InvalidInput(
                "files.upload_many was not sent: uploads from before have their places; leave out to="
            )
        return files
    if isinstance(files, str | bytes | bytearray | memoryview | Path) or not isinstance(files, Iterable):
        raise InvalidInput(
            "files.upload_many was not sent: files is a list of paths or open files, or a mapping of names to them "
            f"or to bytes; given {name_type(files)}{_suggest_files(files)}"
        )
    if to is None:
        raise InvalidInput('files.upload_many was not sent: say where to, such as to=places.drive("u-001")')
    named = files.items() if isinstance(files, Mapping) else ((get_name(each), each) for each in files)
    plan = []
    open_files: set[int] = set()
    for name, source in named:
        if hasattr(source, "seek"):  # it has one place to read from, and uploads run side by side
            if id(source) in open_files:
                raise InvalidInput(
                    f"files.upload_many was not sent: the open file for {name!r} is given twice; give its path or bytes"
                )
            open_files.add(id(source))
        place = check_place(to if isinstance(to, Place) or not callable(to) else to(name))
        options = {"overwrite": overwrite, "modified": modified, "resumable": resumable, "form": form}
        plan.append(OneUpload(name, source, place, {"name": name} | options))
    return Uploads("upload", plan)


def _suggest_files(given: object) -> str:
    """How to write the files of a folder, where one was given."""
    if not isinstance(given, str | Path) or not Path(given).is_dir():
        return ""
    return (
        f". The files of that folder are [path for path in Path({str(given)!r}).iterdir() if path.is_file()]"
    )


def plan_downloads(places: ManyPlaces, to: str | Path | None, *, overwrite: bool = False) -> Downloads:
    """Plan downloads.

    Args:
        places: which files, or a mapping of these to the names they get; or what came of downloads before, of which
            what failed is to be done again.
        to: the directory to write to; left out, the contents are returned.
        overwrite: whether files that are there may be replaced.

    Raises:
        InvalidInput: it is none of that, a place names no file, or a name is none for a file in a directory. Nothing
            is sent.
    """
    if isinstance(places, Downloads):
        if to is not None:
            raise InvalidInput(
                "files.download_many was not sent: downloads from before know where to; leave out to="
            )
        return places
    if isinstance(places, str | Place) or not isinstance(places, Iterable):
        raise InvalidInput(
            f"files.download_many was not sent: places is a list of them; given {name_type(places)}"
        )
    found = [check_place(place) for place in places]
    for place in found:
        if place.download_path is None:
            raise InvalidInput(f"files.download_many was not sent: no file is named ({place!r})")
    directory = None if to is None else Path(to)
    if directory is not None and directory.is_file():
        raise InvalidInput(f"files.download_many was not sent: {directory} is a file; to is a directory")
    names = _check_file_names(places, directory) if isinstance(places, Mapping) else [""] * len(found)
    plan = [OneDownload(place, directory, overwrite, name) for place, name in zip(found, names, strict=True)]
    return Downloads("download", plan)


def _check_file_names(places: Mapping[Place, str], directory: Path | None) -> list[str]:
    """The names that files get, each of a file of its own within the directory.

    Raises:
        InvalidInput: there is no directory, or a name is none.
    """
    if directory is None:
        raise InvalidInput("files.download_many was not sent: files with names go into a directory; give to=")
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
                f"files.download_many was not sent: {name!r} is no name for a file in {directory}"
            )
        if names.count(name) > 1:
            raise InvalidInput(
                f"files.download_many was not sent: {name!r} is the name of more than one file"
            )
    return names
