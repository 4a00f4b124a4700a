"""The transfers of many files and their outcomes; `svckit.operations.batch` runs them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from svckit.display.card import render_groups
from svckit.display.progress import progress_bar
from svckit.errors import Cancelled, SizeDiffers
from svckit.http.messages import Operation
from svckit.models.files import UploadResult
from svckit.operations.batch import (
    Batch,
    Cancel,
    Job,
    Outcome,
    Outcomes,
    Plan,
)
from svckit.operations.checks import check_flags
from svckit.operations.downloads import download, save
from svckit.operations.journals import Entry, Journal
from svckit.operations.kept_uploads import find_entry
from svckit.operations.uploads import resume, upload
from svckit.places import Place

__all__ = ["Downloads", "OneDownload", "OneFile", "OneUpload", "Transfers", "Uploads"]

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

    def find_earlier(self) -> T | None:
        """Return the result that an earlier process recorded in a journal."""


class OneUpload(NamedTuple):
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

    def find_earlier(self) -> UploadResult | None:
        """Return the result of an earlier process that uploaded the file as it is now."""
        if self.options["journal"] is not None:
            with suppress(OSError):  # reported when its turn comes
                entry = find_entry(self.options["journal"], self.source, self.place, self.label)
                return entry.read_as(get_result)
        return None


class OneDownload(NamedTuple):
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

    def find_earlier(self) -> Path | None:
        """Return the file that an earlier process downloaded, if it is still there."""
        return None if self.entry is None else self.entry.read_as(find_file)


def get_result(kept: Mapping[str, Any]) -> UploadResult | None:
    """Return the result of an upload that a journal has as finished."""
    return UploadResult.model_validate(kept["result"]) if "result" in kept else None


def find_file(kept: Mapping[str, Any]) -> Path | None:
    """Return the file of a download that a journal has as finished, if it is still there."""
    path, size = Path(kept["result"]["path"]), kept["result"]["size"]
    return path if path.is_file() and path.stat().st_size == size else None


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
            earlier = [(transfer.label, transfer.find_earlier()) for transfer in transfers]
            outcomes = [Outcome(label, result, begun=result is not None) for label, result in earlier]
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
    def plan(self, workers: int | None, progress: bool | None, cancel: Cancel | None) -> Iterator[Plan[Self]]:
        """Plan the remaining transfers, with a bar that counts files."""
        check_flags(f"files.{self.title}_many was not sent", progress=progress)
        jobs = [
            Job(one.label, partial(one.begin, before=before))
            for one, before in zip(self._transfers, self, strict=True)
            if before.state != "ok"
        ]
        with progress_bar(self.title, len(jobs), unit="items", shown=progress) as advance:
            batch = Batch(jobs, cancel=cancel, on_settled=lambda _: advance(1))
            yield Plan(batch, workers, lambda: self._collect(batch))

    def _collect(self, batch: Batch[T]) -> Self:
        """Return all outcomes after the batch has run.

        Raises:
            Cancelled: it was cancelled; ``result`` holds all outcomes.
        """
        settled = iter(batch.outcomes)  # of those only that were not done before, in their order
        found = [before if before.state == "ok" else _merge(before, next(settled)) for before in self]
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
        frame.insert(3, "place", [str(transfer.place) for transfer in self._transfers])
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
