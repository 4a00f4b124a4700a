"""The contents of the file store: files with their revisions, and reports that are written on request."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, Self

from pydantic import model_validator

from fakes.data.places import parse_place
from fakes.http.content import StoredContent
from fakes.http.errors import Refusal
from fakes.http.messages import check_field_value
from fakes.http.unpicklable import Unpicklable
from fakes.parts.part import Part
from fakes.parts.uploads import Place, UploadsData, UploadURLs
from fakes.persistence import (
    AsList,
    FieldValue,
    Instant,
    Names,
    Saved,
    SavedContent,
    key_by,
)
from svckit.models.problems import shorten
from svckit.models.times import format_date_time

__all__ = [
    "FILE_RESOURCES",
    "FIRST_REVISION",
    "PHOTOS",
    "FilesData",
    "KeptRevision",
    "PuttableFiles",
    "Report",
    "ReportData",
    "Revision",
    "StoredFile",
]

FILE_RESOURCES = frozenset({"drive", "shared_folder", "shared_drive", "group_folder"})
"""The stores of drive and folder files, which the description calls file resources."""
PHOTOS = frozenset({"photo", "contact_photo"})
"""The kinds of places whose downloads name no file."""
FIRST_REVISION = {"from-1": 1, "from-0": 0}
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Revision(Unpicklable):
    """One content of a file; ``address`` is the last part of the URL it is downloaded from."""

    number: str
    address: str = field(repr=False)
    content_type: FieldValue
    content: SavedContent = field(repr=False)
    stored_at: Instant
    modified_time: str | None = None

    @property
    def modified(self) -> str:
        """The time of the last change: that sent with the upload, or else the time of storing."""
        return format_date_time(self.stored_at) if self.modified_time is None else self.modified_time


class KeptRevision(NamedTuple):
    """A revision with the ID of its file."""

    file_id: str
    revision: Revision


@dataclass(frozen=True, slots=True)
class StoredFile(Unpicklable):
    """A file and its revisions, the newest last; never changed, only replaced."""

    file_id: str
    place: Place
    parent_id: str | None
    name: str
    owner: str
    created_at: Instant
    revisions: tuple[Revision, ...] = ()

    @property
    def latest(self) -> Revision:
        """The newest revision."""
        return self.revisions[-1]

    def add(self, revision: Revision) -> "StoredFile":
        """Return the file with another revision."""
        kept = self.file_id, self.place, self.parent_id, self.name, self.owner, self.created_at
        return StoredFile(*kept, (*self.revisions, revision))

    def find_revision(self, revision: str, first: int) -> Revision:
        """Return the revision with an ID; the number ``first`` names the oldest.

        Raises:
            Refusal: there is no such revision.
        """
        numbers = range(first, first + len(self.revisions))
        number = int(revision) if NUMBER.fullmatch(revision) else -1
        if number not in numbers:
            ids = str(first) if len(numbers) == 1 else f"{first} to {numbers[-1]}"
            why = f"the file {self.file_id} has the revisions {ids}; given {shorten(revision)!r}"
            raise Refusal("no_file", why)
        return self.revisions[numbers.index(number)]

    def record(self) -> dict[str, Any]:
        """Return the file as data, as frames show it."""
        latest = self.latest
        return {
            "place": "/".join(self.place),
            "fileId": self.file_id,
            "parentFileId": self.parent_id,
            "fileName": self.name,
            "contentType": latest.content_type,
            "fileSize": len(latest.content),
            "revision": latest.number,
            "createdTime": format_date_time(self.created_at),
            "modifiedTime": latest.modified,
            "owner": self.owner or None,
        }

    def revision_records(self, first: int) -> Iterator[dict[str, Any]]:
        """Yield the revisions as data, oldest first; the number ``first`` names the oldest in downloads."""
        for number, kept in enumerate(self.revisions, 1):
            yield {
                "place": "/".join(self.place),
                "fileId": self.file_id,
                "number": number,
                "revisionId": str(number - 1 + first),
                "newest": kept is self.latest,
                "fileName": self.name,
                "contentType": kept.content_type,
                "fileSize": len(kept.content),
                "storedTime": format_date_time(kept.stored_at),
                "modifiedTime": kept.modified,
            }


@dataclass(frozen=True, slots=True)
class Report(Unpicklable):
    """A file that is written again for each download, such as a log."""

    address: str = field(repr=False)
    content_type: str
    write: Callable[[], StoredContent] = field(repr=False)


class ReportData(Saved):
    """The address of a report in a snapshot, without the function that writes it."""

    place: Place
    address: str


class PuttableFiles(Part, ABC):
    """Files that can be put at a place without a request.

    Attributes:
        find_container: returns the ID of the user or bot in the path of a place, by the parameter's name and its value.
    """

    uploads: UploadURLs
    find_container: Callable[[str, str], str] = staticmethod(lambda _, value: value)

    def seed(self, place: Place, file_id: str, name: str, content_type: str, data: bytes) -> StoredFile:
        """Put a file in a place, also one for which the service has no upload, without a request.

        Args:
            place: the kind of the place, such as ``drive``, and the IDs in its path.
            file_id: the ID of the file.
            name: the file name.
            content_type: the media type.
            data: the content.

        Returns:
            The file.

        Raises:
            ValueError: the media type cannot be sent in a header.
        """
        content_type = check_field_value(content_type)
        stored = StoredFile(file_id, place, None, name, owner="", created_at=self._clock.now())
        return self._keep(stored, content_type, StoredContent(data))

    def put(
        self,
        place: str,
        name: str,
        content: bytes | str,
        *,
        content_type: str | None = None,
        file_id: str | None = None,
    ) -> StoredFile:
        """Put a file at a place, by its path, without a request.

        Args:
            place: the path of the place, as for an upload: ``/users/u-001/drive/files``; an ID after it is a folder's.
            name: the file name.
            content: the content; text is encoded as UTF-8.
            content_type: the media type; by default ``text/plain; charset=UTF-8`` for text, else
                ``application/octet-stream``.
            file_id: the ID of the file, which replaces a file with that ID; by default, one is issued.

        Returns:
            The file; its ``file_id`` is what downloads name.

        Raises:
            ValueError: there is no such place, or the media type cannot be sent in a header.
            Refusal: the user or bot of the place is not found, or the ID is promised to an upload.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> stored = svc.fake.files.put("/users/u-002/drive/files", "a.txt", "hello")
            >>> stored.file_id, svc.files.download(svckit.places.drive("u-002").file(stored.file_id))
            ('file-1', b'hello')
        """
        found = parse_place(place)
        containers = [self.find_container(name, value) for name, value in found.parameters.items()]
        default = "text/plain; charset=UTF-8" if isinstance(content, str) else "application/octet-stream"
        kind = check_field_value(default if content_type is None else content_type)
        data = content.encode() if isinstance(content, str) else content
        if file_id and self.uploads.has_promised(file_id):
            raise Refusal(
                "conflict",
                f"the ID {shorten(file_id)!r} is promised to an upload that has not been sent yet; send it, or choose "
                "another ID",
            )
        stored = StoredFile(
            file_id or self._issue_id(),
            (found.place[0], *containers),
            found.parent_id,
            name,
            owner="",
            created_at=self._clock.now(),
        )
        return self._keep(stored, kind, StoredContent(data))

    @abstractmethod
    def _issue_id(self) -> str:
        """Return the next ID of a file."""

    @abstractmethod
    def _keep(
        self, stored: StoredFile, content_type: str, content: StoredContent, modified_time: str | None = None
    ) -> StoredFile:
        """Keep a file with a further content."""


def _by_place(file_ids: list[str]) -> dict[Place, str]:
    return {(file_id,): file_id for file_id in file_ids}  # files know their places


def _in_turn(kept: dict[str, int]) -> list[str]:
    return sorted(kept, key=kept.__getitem__)


def _turns(file_ids: list[str]) -> dict[str, int]:
    return {file_id: turn for turn, file_id in enumerate(file_ids)}


class FilesData(Saved):
    """The files in a snapshot, with all their content.

    ``newest_named`` has the IDs in the order in which files were last stored, as rising numbers. It decides which of
    the files with one name is meant. ``newest`` has the IDs of the newest files of places. ``asked`` has the users who
    requested each download URL, and when they last did.
    """

    files: Annotated[dict[str, StoredFile], key_by("file_id")]
    newest: Annotated[dict[Place, str], AsList(lambda kept: sorted(kept.values()), _by_place)]
    newest_named: Annotated[dict[str, int], AsList(_in_turn, _turns, names=True)]
    reports: list[ReportData]
    sent: Names
    asked: dict[str, dict[str, Instant]]
    uploads: UploadsData

    def check_consistency(self) -> None:
        """Check that the files and their revisions are complete.

        Raises:
            ValueError: something is missing.
        """
        missing = sorted({*self.newest.values(), *self.newest_named} - self.files.keys())
        if missing:
            raise ValueError(f"the files {', '.join(missing)} are missing")
        for stored in self.files.values():
            numbers = [revision.number for revision in stored.revisions]
            if not numbers or not all(number.isdecimal() for number in numbers):
                raise ValueError(f"the file {stored.file_id} needs numbered revisions")

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        self.check_consistency()
        return self
