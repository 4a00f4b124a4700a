"""The file store: keeps uploaded files and finds them."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from fakes import rulebook
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.messages import check_field_value
from fakes.parts.changes import Log, Stored
from fakes.parts.part import Shared
from fakes.parts.stored_files import (
    FILE_RESOURCES,
    FIRST_REVISION,
    PHOTOS,
    FilesData,
    KeptRevision,
    PuttableFiles,
    Report,
    ReportData,
    Revision,
    StoredFile,
)
from fakes.parts.uploads import LIFETIME, ContentRange, PendingUpload, Place, UploadURLs, check_size
from svckit.display.tab import PublicNames
from svckit.models.files import UploadRequest

__all__ = ["FileStore"]


class FileStore(
    PuttableFiles,
    PublicNames,
    internal="ask choose_id dump find find_by_address find_container find_file holds list_folder list_requesters load "
    "offer store store_range uploads",
):
    """The store of uploaded files, which finds them by place, ID and revision.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> stored = svc.fake.files.seed(("drive", "u-001"), "file-9", "a.txt", "text/plain", b"hello")
        >>> svc.files.download(svckit.places.drive("u-001").file(stored.file_id))
        b'hello'
        >>> [stored.file_id for stored in svc.fake.files.list_files()]
        ['attachment-1', 'file-9']
        >>> [revision["fileName"] for revision in svc.fake.files.revisions()]
        ['answer.txt', 'a.txt']
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        changes = shared.changes
        self.uploads: UploadURLs = UploadURLs(shared)
        self._files: Stored[str, StoredFile] = Stored(changes, "files.files")  # by ID
        self._revisions: Stored[str, KeptRevision] = Stored(changes, "files.revisions")  # by download address
        # When each file was last stored, as rising numbers; a state file keeps these, and the indexes follow from them.
        self._turns: Stored[str, int] = Stored(changes, "files.newest_named")
        self._next_turn = 0
        # The file last stored at a place, and the files of one name in a folder, the one last stored at the end.
        self._newest_at: Stored[Place, str] = Stored(changes, ordered=False)
        self._named: Stored[tuple[Place, str | None, str], Stored[str, None]] = Stored(changes, ordered=False)
        # The IDs of the files in a folder by position, in the order of `_files`: a page of a list reads no others.
        self._folders: Stored[tuple[Place, str | None], Log[str]] = Stored(changes, ordered=False)
        self._reports: dict[Place, Report] = {}
        # An assumption that decides a file or a download but shows only later is remembered in `_decisions`, as that of
        # `file/<ID>` or `download/<address>`.
        # Of download URLs: those used since they were last asked for, and who asked for each, and when.
        self._sent: Stored[str, None] = Stored(changes, "files.sent")
        self._asked: Stored[str, dict[str, datetime]] = Stored(changes, "files.asked")

    def choose_id(self, place: Place, target_id: str | None, request: UploadRequest) -> str:
        """Return the ID that an upload's file will have: its own if the upload replaces it, or else a new one."""
        if target_id and self.holds(place, target_id):
            return target_id
        namesakes = self._named.get((place, target_id, request.file_name)) if request.overwrite else None
        found = self._choose_overwrite_target(place, namesakes) if namesakes else None
        return self._issue_id() if found is None else found.file_id

    def store(
        self, upload: PendingUpload, name: str | None, content_type: str, content: StoredContent
    ) -> StoredFile:
        """Store the whole content sent to an upload URL.

        Args:
            upload: the upload of the URL.
            name: the name sent with the content; None without one.
            content_type: the media type sent with it; empty without one.
            content: the content.

        Raises:
            Refusal: the content does not have the announced size, or the name is taken.
        """
        announced = upload.request.file_size
        check_size(len(content), self._rules)
        is_announced = len(content) == announced or upload.is_unsized
        if not is_announced and self._rules.apply(rulebook.files.SIZE) == "checked":
            raise Refusal(
                "invalid",
                f"the content must have the {announced} bytes announced as fileSize; given {len(content)} bytes",
            )
        return self._finish(upload, self._choose_target(upload, name), content_type, content)

    def store_range(
        self,
        upload: PendingUpload,
        sent: ContentRange,
        name: str | None,
        content_type: str,
        piece: StoredContent,
    ) -> StoredFile | None:
        """Store the next range of the content sent to an upload URL; return the file after the last range.

        Raises:
            Refusal: the range does not fit, or the name is taken; the upload can resume from where it was.
        """
        if not upload.completes(piece, sent):
            self.uploads.keep(upload.extend(piece, sent))
            return None
        stored = self._choose_target(upload, name)  # may refuse, so the last range is stored after it
        return self._finish(upload, stored, content_type, upload.extend(piece, sent).received)

    def _finish(
        self, upload: PendingUpload, stored: StoredFile, content_type: str, content: StoredContent
    ) -> StoredFile:
        self.uploads.keep(upload.finish())
        decided = content_type or self._rules.apply(rulebook.files.DEFAULT_TYPE)
        stored = self._keep(stored, decided, content, upload.request.modified_time)
        if not content_type:
            self._decisions.remember(rulebook.files.DEFAULT_TYPE, f"download/{stored.latest.address}")
        return stored

    def offer(self, place: Place, content_type: str, write: Callable[[], StoredContent]) -> None:
        """Offer a report in a place, which is written at each download.

        Raises:
            ValueError: the media type cannot be sent in a header.
        """
        content_type = check_field_value(content_type)
        self._reports[place] = Report(self._ids.secret("dl"), content_type, write)

    def ask(self, user_id: str, place: Place, file_id: str | None, revision: str | None) -> Revision | Report:
        """Find a file's revision or a report, and note that a user requested its download URL.

        Raises:
            Refusal: the file or revision is not found.
        """
        found = self.find(place, file_id, revision)
        self._asked[found.address] = self._asked.get(found.address, {}) | {user_id: self._clock.now()}
        return found

    def find(self, place: Place, file_id: str | None, revision: str | None = None) -> Revision | Report:
        """Return a file's revision or a report; a place with a single file needs no ID.

        Raises:
            Refusal: the file or revision is not found.
        """
        found = self._reports.get(place) or self._find_revision(place, file_id, revision)
        self._sent.pop(found.address, None)
        return found

    def find_file(self, place: Place, file_id: str | None) -> StoredFile:
        """Return a file, or refuse, as `find` does."""
        stored = self._files.get(self._newest_at.get(place, "") if file_id is None else file_id)
        if not (stored and (stored.place == place or self._rules.apply(rulebook.files.PLACE) == "anywhere")):
            missing = "no file yet" if file_id is None else f"no file {file_id!r}"
            raise Refusal("no_file", f"there is {missing} at {'/'.join(place)}")
        return stored

    def _find_revision(self, place: Place, file_id: str | None, revision: str | None) -> Revision:
        stored = self.find_file(place, file_id)
        if revision is None:
            return stored.latest
        self._decisions.follow(f"file/{file_id}")
        first = FIRST_REVISION[self._rules.apply(rulebook.files.REVISION_IDS)]
        return stored.find_revision(revision, first)

    def holds(self, place: Place, file_id: str) -> bool:
        """Return whether a place has a file with an ID."""
        stored = self._files.get(file_id)
        return stored is not None and stored.place == place

    def find_by_address(self, address: str, user_id: str) -> Revision | Report:
        """Return the revision or report of a download URL for a user.

        Raises:
            Refusal: the URL was not issued by this service or, if that is assumed to matter, was issued to another
                user, has expired or was used.
        """
        report = next((report for report in self._reports.values() if report.address == address), None)
        kept = self._revisions.get(address)
        found = report or (kept and kept.revision)
        self._decisions.follow(f"download/{address}")
        if found is None:
            raise Refusal(
                "not_found",
                "this download URL was not issued by this service; request one from the file's endpoint",
            )
        self._check_requester(self._asked.get(address, {}), user_id)
        if address in self._sent and self._rules.apply(rulebook.files.DOWNLOAD_REUSE) == "single-use":
            raise Refusal(
                "no_file", "this download URL has been used; request a new one from the file's endpoint"
            )
        self._sent[address] = None
        return found

    def _check_requester(self, requested: Mapping[str, datetime], user_id: str) -> None:
        """Check that a user requested a download URL, and in time, if that is assumed to matter."""
        late = all(self._clock.now() - at > LIFETIME for at in requested.values())
        another = user_id not in requested
        if not late and not another:
            return
        chosen = self._rules.apply(rulebook.files.DOWNLOAD_VALIDITY)
        if another and chosen == "same-user":
            raise Refusal(
                "not_found",
                "this download URL was issued to another user; request one from the file's endpoint",
            )
        if late and chosen == "24h":
            raise Refusal(
                "no_file",
                "this download URL expired after 24 hours; request a new one from the file's endpoint",
            )

    def list_requesters(self, address: str) -> Collection[str]:
        """Return the IDs of the users who requested a download URL."""
        return self._asked.get(address, {})

    def dump(self) -> FilesData:
        """Return the files for a snapshot, shared with their content, which never changes."""
        return FilesData.model_construct(
            files=self._files,
            newest=self._newest_at,
            newest_named=self._turns,
            reports=[ReportData(place=place, address=r.address) for place, r in self._reports.items()],
            sent=self._sent,
            asked=self._asked,
            uploads=self.uploads.dump(),
        )

    def load(self, data: FilesData) -> None:
        """Replace the files with saved ones, and the reports that are also offered here."""
        if self._files.replace(data.files):
            self._reindex(data)
        self._reports = {
            saved.place: replace(self._reports[saved.place], address=saved.address)
            for saved in data.reports
            if saved.place in self._reports
        }
        self._sent.replace(data.sent)
        self._asked.replace(data.asked)
        self.uploads.load(data.uploads)

    def _reindex(self, data: FilesData) -> None:
        """Index loaded files in the order in which they were last stored."""
        files = self._files
        turns = dict.fromkeys(files, -1) | data.newest_named  # files that are not named there come first
        in_turn = sorted(files, key=turns.__getitem__)
        self._next_turn = max(turns.values(), default=-1) + 1
        self._turns.replace(turns)
        self._newest_at.replace({files[file_id].place: file_id for file_id in in_turn})
        self._named.clear()
        for file_id in in_turn:
            self._index(files[file_id])
        self._folders.clear()
        revisions: dict[str, KeptRevision] = {}
        for stored in files.values():
            self._add_to_folder(stored)
            revisions |= {kept.address: KeptRevision(stored.file_id, kept) for kept in stored.revisions}
        self._revisions.replace(revisions)

    def list_files(self) -> list[StoredFile]:
        """Return all files, in the order in which they were first stored."""
        return list(self._files.values())

    def list_folder(self, folder: tuple[Place, str | None]) -> Log[str]:
        """Return the IDs of the files in a folder, or at the top of a place, in that order."""
        return self._folders.get(folder, Log())

    def _add_to_folder(self, stored: StoredFile) -> None:
        folder = stored.place, stored.parent_id
        if folder not in self._folders:
            self._folders[folder] = Log(self._changes)
        self._folders[folder].append(stored.file_id)

    def revisions(self) -> Iterator[dict[str, Any]]:
        """Yield the revisions of all files as data; this does not count as use of a rule."""
        first = FIRST_REVISION[str(self._rules[rulebook.files.REVISION_IDS.id].chosen)]
        for stored in self.list_files():
            yield from stored.revision_records(first)

    def _issue_id(self) -> str:
        while (file_id := self._ids.next("file")) in self._files:  # one that was put may have it
            pass
        return file_id

    def _keep(
        self, stored: StoredFile, content_type: str, content: StoredContent, modified_time: str | None = None
    ) -> StoredFile:
        number = int(stored.latest.number) + 1 if stored.revisions else 1
        address, now = self._ids.secret("dl"), self._clock.now()
        revision = Revision(
            str(number), address, content_type, content, stored_at=now, modified_time=modified_time
        )
        old = self._files.get(stored.file_id)
        if old is not None:
            self._forget(old, stored)
        stored = stored.add(revision)
        if stored.file_id not in self._files:
            self._add_to_folder(stored)
        self._files[stored.file_id] = stored
        self._revisions[revision.address] = KeptRevision(stored.file_id, revision)
        self._turns[stored.file_id], self._next_turn = self._next_turn, self._next_turn + 1
        self._newest_at[stored.place] = stored.file_id
        self._index(stored)
        return stored

    def _choose_target(self, upload: PendingUpload, sent: str | None) -> StoredFile:
        """Return the file of which an upload is a revision, or a new file."""
        place, parent, name = upload.place, upload.target_id, upload.request.file_name
        if sent not in (None, name) and self._rules.apply(rulebook.files.NAME) == "sent":
            name = sent or ""
        stored = self._files.get(upload.file_id or parent or "")
        if stored is not None and stored.place == place:
            return self._make_room(self._rename(stored, name))
        namesakes = self._named.get((place, parent, name))
        if namesakes:
            overwrites = upload.request.overwrite and upload.file_id is None  # else it would have that ID
            overwritten = self._choose_overwrite_target(place, namesakes) if overwrites else None
            if overwritten is not None:
                return self._make_room(overwritten)
            self._refuse_second(name, "; send overwrite to replace it")
        is_second = place[0] in PHOTOS and place in self._newest_at
        if is_second and self._rules.apply(rulebook.files.PHOTO) == "refused":
            raise Refusal("conflict", f"there is already a photo at {'/'.join(place)}")
        file_id = upload.file_id or self._issue_id()
        return StoredFile(file_id, place, parent, name, owner=upload.user_id, created_at=self._clock.now())

    def _choose_overwrite_target(self, place: Place, namesakes: Stored[str, None]) -> StoredFile | None:
        """Return the file to overwrite among files with one name, or None."""
        if len(namesakes) > 1 or place[0] not in FILE_RESOURCES:
            chosen = self._rules.apply(rulebook.files.OVERWRITE_TARGET)
            if chosen == "file-resources" and place[0] not in FILE_RESOURCES:
                return None
            if chosen == "oldest":
                return self._files[next(iter(namesakes))]
        return self._files[next(reversed(namesakes))]

    def _refuse_second(self, name: str, advice: str = "") -> None:
        if self._rules.apply(rulebook.files.SAME_NAME) == "refused":
            raise Refusal("conflict", f"{name!r} already exists{advice}")

    def _rename(self, stored: StoredFile, name: str) -> StoredFile:
        """Return a stored file with the name sent with its new revision."""
        if name == stored.name or self._rules.apply(rulebook.files.REVISION_NAME) == "kept":
            return stored
        if (stored.place, stored.parent_id, name) in self._named:
            self._refuse_second(name, f", and {stored.name!r} cannot be renamed to it")
        return replace(stored, name=name)

    def _make_room(self, stored: StoredFile) -> StoredFile:
        """Return a stored file ready for new content, which is added or replaces the old."""
        newest = f"download/{stored.latest.address}"  # the uploads after the earlier ones have remembered it of these
        if self._decisions.apply(rulebook.files.OVERWRITE, f"file/{stored.file_id}", newest) == "replace":
            return replace(stored, revisions=())
        return stored

    def _index(self, stored: StoredFile) -> None:
        """Index a file as the newest of its name."""
        namesakes = self._named.setdefault(
            (stored.place, stored.parent_id, stored.name), Stored(self._changes)
        )
        if not namesakes or next(reversed(namesakes)) != stored.file_id:
            if stored.file_id in namesakes:
                del namesakes[stored.file_id]
            namesakes[stored.file_id] = None

    def _forget(self, old: StoredFile, stored: StoredFile) -> None:
        """Remove a file's old name and replaced revisions from the indexes, and the file if it was put elsewhere."""
        if not stored.revisions:
            for revision in old.revisions:
                del self._revisions[revision.address]
                self._asked.pop(revision.address, None)
        folder, name = (old.place, old.parent_id), (old.place, old.parent_id, old.name)
        if name != (stored.place, stored.parent_id, stored.name):
            del self._named[name][old.file_id]
            if not self._named[name]:
                del self._named[name]
        if folder != (stored.place, stored.parent_id):
            left = [file_id for file_id in self._folders[folder].values() if file_id != old.file_id]
            self._folders[folder].replace(dict(enumerate(left)))
            del self._files[old.file_id]
            if self._newest_at[old.place] == old.file_id:
                del self._newest_at[old.place]
                others = [file.file_id for file in self._files.values() if file.place == old.place]
                if others:
                    self._newest_at[old.place] = max(others, key=self._turns.__getitem__)
