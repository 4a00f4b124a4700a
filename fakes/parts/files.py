"""The file store: keeps what is uploaded, and finds it again."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fakes import rulebook
from fakes.clock import Clock
from fakes.content import Content
from fakes.ids import Ids
from fakes.parts.stored_files import FilesData, Report, ReportData, Revision, StoredFile
from fakes.parts.uploads import ContentRange, Place, Upload, Uploads, hold_to_size
from fakes.refusals import Refused
from fakes.rules import Rules

__all__ = ["FileStore"]

FIRST_REVISION = {"from-1": 1, "from-0": 0}


class FileStore:
    """Keeps what is uploaded and finds it by place, id and revision."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self.uploads = Uploads(clock=clock, ids=ids, rules=rules)
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._files: dict[str, StoredFile] = {}
        self._newest_at: dict[Place, StoredFile] = {}
        self._named: dict[tuple[Place, str | None, str], dict[str, StoredFile]] = {}
        self._revisions: dict[str, Revision] = {}
        self._reports: dict[Place, Report] = {}
        self._sent: set[str] = set()

    def store(self, upload: Upload, name: str, content_type: str, content: Content) -> StoredFile:
        """Keep the whole content sent to an upload address, under a name.

        Raises:
            Refused: the content has not the size announced, or the name is taken.
        """
        announced = upload.request.file_size
        hold_to_size(len(content), self._rules)
        if len(content) != announced and self._rules.choice(rulebook.files.SIZE) == "checked":
            raise Refused(
                "invalid",
                f"fileSize was announced as {announced} bytes, and {len(content)} bytes of content came",
            )
        return self._finish(upload, self._target(upload, name), content_type, content)

    def store_range(
        self, upload: Upload, sent: ContentRange, name: str, content_type: str, piece: Content
    ) -> StoredFile | None:
        """Take the next range of the content sent to an upload address; the file, once that was the last of them.

        Raises:
            Refused: the range does not fit, or the name is taken; the upload goes on from where it was.
        """
        if not upload.completes(piece, sent):
            upload.append(piece)
            return None
        stored = self._target(upload, name)  # may refuse, so the last range is taken after it
        upload.append(piece)
        return self._finish(upload, stored, content_type, upload.received)

    def _finish(self, upload: Upload, stored: StoredFile, content_type: str, content: Content) -> StoredFile:
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
        first = FIRST_REVISION[self._rules.choice(rulebook.files.REVISION_IDS)]
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
            newest_named=[file_id for alike in self._named.values() for file_id in alike],
            reports=[ReportData(place=place, address=r.address) for place, r in self._reports.items()],
            sent=sorted(self._sent),
            uploads=self.uploads.dump(),
        )

    def load(self, data: FilesData) -> None:
        """Replace the files by saved ones; of the reports, those that are offered here as well."""
        files = self._files = {stored.file_id: stored for stored in data.files}
        self._newest_at = {files[file_id].place: files[file_id] for file_id in data.newest}
        self._named = {}
        for stored in (*data.files, *(files[file_id] for file_id in data.newest_named)):
            self._index(stored)
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

    def revisions(self) -> Iterator[dict[str, Any]]:
        """The revisions of all files as plain data; a look, which no answer rests on."""
        first = FIRST_REVISION[str(self._rules[rulebook.files.REVISION_IDS.id].chosen)]
        for stored in self.stored():
            yield from stored.revision_records(first)

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
        self._index(stored)
        self._revisions[revision.address] = revision
        return stored

    def _target(self, upload: Upload, name: str) -> StoredFile:
        """The stored file this upload makes a revision of, or a new one."""
        place, parent = upload.place, upload.target_id
        stored = self._files.get(parent) if parent else None
        if stored is not None and stored.place == place:
            self._rename(stored, name)
            self._replace(stored)
            return stored
        namesake = self._newest_named(place, parent, name)
        if namesake is not None:
            if upload.request.overwrite:
                self._replace(namesake)
                return namesake
            self._refuse_second(name, "; send overwrite to replace it")
        return StoredFile(self._ids.next("file"), place, parent, name, upload.user_id, self._clock.now())

    def _newest_named(self, place: Place, parent_id: str | None, name: str) -> StoredFile | None:
        """Of the files of a name in a folder, the one that was stored last."""
        alike = self._named.get((place, parent_id, name))
        return next(reversed(alike.values())) if alike else None

    def _refuse_second(self, name: str, advice: str = "") -> None:
        if self._rules.choice(rulebook.files.SAME_NAME) == "refused":
            raise Refused("conflict", f"{name!r} is there already{advice}")

    def _rename(self, stored: StoredFile, name: str) -> None:
        """Give a stored file the name that came with a new revision of it."""
        if name == stored.name or self._rules.choice(rulebook.files.REVISION_NAME) == "kept":
            return
        if self._newest_named(stored.place, stored.parent_id, name) is not None:
            self._refuse_second(name, f", and {stored.name!r} cannot be renamed to it")
        former = stored.place, stored.parent_id, stored.name
        del self._named[former][stored.file_id]
        if not self._named[former]:
            del self._named[former]
        stored.name = name

    def _index(self, stored: StoredFile) -> None:
        """Make a file the newest of its name."""
        alike = self._named.setdefault((stored.place, stored.parent_id, stored.name), {})
        alike.pop(stored.file_id, None)
        alike[stored.file_id] = stored

    def _replace(self, stored: StoredFile) -> None:
        """Make room for a new content of a stored file: beside its earlier ones, or in their place."""
        if self._rules.choice(rulebook.files.OVERWRITE) == "replace":
            for revision in stored.revisions:
                del self._revisions[revision.address]
            stored.revisions.clear()
