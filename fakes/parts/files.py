"""The file store: stored files, their revisions, and where they are downloaded from."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pydantic import model_validator

from fakes import rulebook
from fakes.clock import Clock
from fakes.content import Content
from fakes.ids import Ids
from fakes.parts.uploads import Place, Upload, Uploads, UploadsData
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.saved import Instant, Saved, SavedContent
from svckit.models.times import format_date_time

__all__ = ["FileStore", "FilesData", "Report", "Revision", "StoredFile"]


@dataclass(frozen=True, slots=True)
class Revision:
    """One content of a file; ``address`` is the last part of the URL it is downloaded from."""

    number: str
    address: str
    content_type: str
    content: SavedContent = field(repr=False)
    stored_at: Instant
    modified_time: str | None = None

    @property
    def modified(self) -> str:
        """When the content was changed last: as was said at its upload, or else when it was stored."""
        return format_date_time(self.stored_at) if self.modified_time is None else self.modified_time


@dataclass(slots=True)
class StoredFile:
    """A file and its revisions, the newest last."""

    file_id: str
    place: Place
    parent_id: str | None
    name: str
    owner: str
    created_at: Instant
    revisions: list[Revision] = field(default_factory=list)

    @property
    def latest(self) -> Revision:
        """The newest revision."""
        return self.revisions[-1]

    def record(self) -> dict[str, Any]:
        """The file as plain data: what frames show."""
        latest = self.latest
        return {
            "place": "/".join(self.place),
            "fileId": self.file_id,
            "fileName": self.name,
            "contentType": latest.content_type,
            "fileSize": len(latest.content),
            "revision": latest.number,
            "createdTime": format_date_time(self.created_at),
            "modifiedTime": latest.modified,
            "owner": self.owner,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """A file that is written anew each time it is downloaded, such as a log."""

    address: str
    content_type: str
    write: Callable[[], Content] = field(repr=False)


class ReportData(Saved):
    """The address of a report as a snapshot has it; what writes it is code."""

    place: Place
    address: str


class FilesData(Saved):
    """Files as a snapshot has them, with all their content.

    ``newest`` and ``newest_named`` are the ids of the files that a place, and a name in a place, stand for.
    """

    files: list[StoredFile]
    newest: list[str]
    newest_named: list[str]
    reports: list[ReportData]
    sent: list[str]
    uploads: UploadsData

    @model_validator(mode="after")
    def _are_whole(self) -> Self:
        known = {stored.file_id for stored in self.files}
        lost = sorted({*self.newest, *self.newest_named} - known)
        if lost:
            raise ValueError(f"the files {', '.join(lost)} are not there")
        for stored in self.files:
            numbers = [revision.number for revision in stored.revisions]
            if not numbers or not all(number.isdecimal() for number in numbers):
                raise ValueError(f"the file {stored.file_id} needs numbered revisions")
        return self


class FileStore:
    """Keeps what is uploaded and finds it by place, id and revision."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self.uploads = Uploads(clock=clock, ids=ids, rules=rules)
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._files: dict[str, StoredFile] = {}
        self._newest_at: dict[Place, StoredFile] = {}
        self._newest_named: dict[tuple[Place, str | None, str], StoredFile] = {}
        self._revisions: dict[str, Revision] = {}
        self._reports: dict[Place, Report] = {}
        self._sent: set[str] = set()

    def store(self, upload: Upload, name: str, content_type: str, content: Content) -> StoredFile:
        """Keep the whole content sent to an upload address, under a name.

        Raises:
            Refused: the content has not the size announced, or the name is taken.
        """
        announced = upload.request.file_size
        if len(content) != announced and self._rules.choice(rulebook.files.SIZE) == "checked":
            raise Refused(
                "invalid",
                f"fileSize was announced as {announced} bytes, and {len(content)} bytes of content came",
            )
        stored = self._target(upload, name)
        upload.used, upload.received = True, Content()  # what came is the file's now
        return self._keep(stored, content_type, content, upload.request.modified_time)

    def seed(self, place: Place, file_id: str, name: str, content_type: str, data: bytes) -> StoredFile:
        """Put a file in its place without an upload, where the service offers none."""
        stored = StoredFile(file_id, place, None, name, "", self._clock.now())
        return self._keep(stored, content_type, Content(data))

    def offer(self, place: Place, content_type: str, write: Callable[[], Content]) -> None:
        """Have a place answer with a report that is written at each download."""
        self._reports[place] = Report(self._ids.secret("dl"), content_type, write)

    def find(self, place: Place, file_id: str | None, revision: str | None = None) -> Revision | Report:
        """What a place holds under an id; a place that holds a single file needs no id.

        Raises:
            Refused: there is no such file or revision.
        """
        found = self._reports.get(place) or self._revision(place, file_id, revision)
        self._sent.discard(found.address)
        return found

    def _revision(self, place: Place, file_id: str | None, revision: str | None) -> Revision:
        stored = self._newest_at.get(place) if file_id is None else self._files.get(file_id)
        if stored is None or not self._is_at(place, stored):
            what = "no file yet" if file_id is None else f"no file {file_id!r}"
            raise Refused("no_file", f"there is {what} at {'/'.join(place)}")
        if revision is None:
            return stored.latest
        first = 1 if self._rules.choice(rulebook.files.REVISION_IDS) == "from-1" else 0
        named = {str(number): kept for number, kept in enumerate(stored.revisions, first)}
        if revision not in named:
            raise Refused(
                "no_file", f"the file {file_id} has the revisions {', '.join(named)}, and no {revision!r}"
            )
        return named[revision]

    def holds(self, place: Place, file_id: str) -> bool:
        """Whether a place holds a file with an id."""
        stored = self._files.get(file_id)
        return stored is not None and stored.place == place

    def _is_at(self, place: Place, stored: StoredFile) -> bool:
        return stored.place == place or self._rules.choice(rulebook.files.PLACE) == "anywhere"

    def at_address(self, address: str) -> Revision | Report:
        """What a download URL stands for.

        Raises:
            Refused: the URL was not issued by this service.
        """
        report = next((report for report in self._reports.values() if report.address == address), None)
        found = report or self._revisions.get(address)
        if found is None:
            raise Refused(
                "not_found", "this download address was not issued here; ask the place of the file for one"
            )
        if address in self._sent and self._rules.choice(rulebook.files.DOWNLOAD_REUSE) == "single-use":
            raise Refused(
                "no_file", "this download address has been used; ask the place of the file for another"
            )
        self._sent.add(address)
        return found

    def dump(self) -> FilesData:
        """The files as a snapshot has them; their content is shared, for it is never written again."""
        return FilesData(
            files=[replace(stored, revisions=[*stored.revisions]) for stored in self._files.values()],
            newest=[stored.file_id for stored in self._newest_at.values()],
            newest_named=[stored.file_id for stored in self._newest_named.values()],
            reports=[ReportData(place=place, address=r.address) for place, r in self._reports.items()],
            sent=sorted(self._sent),
            uploads=self.uploads.dump(),
        )

    def load(self, data: FilesData) -> None:
        """Replace the files by saved ones; of the reports, those that are offered here as well."""
        files = self._files = {stored.file_id: stored for stored in data.files}
        self._newest_at = {files[file_id].place: files[file_id] for file_id in data.newest}
        named = [files[file_id] for file_id in data.newest_named]
        self._newest_named = {(stored.place, stored.parent_id, stored.name): stored for stored in named}
        self._revisions = {kept.address: kept for stored in data.files for kept in stored.revisions}
        self._reports = {
            saved.place: replace(self._reports[saved.place], address=saved.address)
            for saved in data.reports
            if saved.place in self._reports
        }
        self._sent = set(data.sent)
        self.uploads.load(data.uploads)

    def stored(self) -> list[StoredFile]:
        """All files, in the order they were first stored."""
        return list(self._files.values())

    def _keep(
        self, stored: StoredFile, content_type: str, content: Content, modified_time: str | None = None
    ) -> StoredFile:
        number = int(stored.latest.number) + 1 if stored.revisions else 1
        revision = Revision(
            str(number), self._ids.secret("dl"), content_type, content, self._clock.now(), modified_time
        )
        stored.revisions.append(revision)
        self._files[stored.file_id] = stored
        self._newest_at[stored.place] = stored
        self._newest_named[stored.place, stored.parent_id, stored.name] = stored
        self._revisions[revision.address] = revision
        return stored

    def _target(self, upload: Upload, name: str) -> StoredFile:
        """The stored file this upload makes a revision of, or a new one."""
        rules, place = self._rules, upload.place
        stored = self._files.get(upload.target_id) if upload.target_id else None
        if stored is not None and stored.place == place:
            self._replace(stored)
            return stored
        namesake = self._newest_named.get((place, upload.target_id, name))
        if namesake is not None:
            if upload.request.overwrite:
                self._replace(namesake)
                return namesake
            if rules.choice(rulebook.files.SAME_NAME) == "refused":
                raise Refused("conflict", f"{name!r} is there already; send overwrite to replace it")
        return StoredFile(
            self._ids.next("file"), place, upload.target_id, name, upload.user_id, self._clock.now()
        )

    def _replace(self, stored: StoredFile) -> None:
        """Make room for a new content of a stored file: beside its earlier ones, or in their place."""
        if self._rules.choice(rulebook.files.OVERWRITE) == "replace":
            for revision in stored.revisions:
                del self._revisions[revision.address]
            stored.revisions.clear()
