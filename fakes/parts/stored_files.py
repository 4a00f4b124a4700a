"""What the file store keeps: files with their revisions, and reports that are written when they are asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import model_validator

from fakes.content import Content
from fakes.parts.uploads import Place, UploadsData
from fakes.saved import Instant, Saved, SavedContent
from fakes.unpicklable import Unpicklable
from svckit.models.times import format_date_time

__all__ = ["FilesData", "Report", "ReportData", "Revision", "StoredFile"]


@dataclass(frozen=True, slots=True)
class Revision(Unpicklable):
    """One content of a file; ``address`` is the last part of the URL it is downloaded from."""

    number: str
    address: str = field(repr=False)
    content_type: str
    content: SavedContent = field(repr=False)
    stored_at: Instant
    modified_time: str | None = None

    @property
    def modified(self) -> str:
        """When the content was changed last: as was said at its upload, or else when it was stored."""
        return format_date_time(self.stored_at) if self.modified_time is None else self.modified_time


@dataclass(slots=True)
class StoredFile(Unpicklable):
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

    def revision_records(self, first: int) -> Iterator[dict[str, Any]]:
        """The revisions as plain data, oldest first; downloads name the oldest by the number ``first``."""
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
    """A file that is written anew each time it is downloaded, such as a log."""

    address: str = field(repr=False)
    content_type: str
    write: Callable[[], Content] = field(repr=False)


class ReportData(Saved):
    """The address of a report as a snapshot has it; what writes it is code."""

    place: Place
    address: str


class FilesData(Saved):
    """Files as a snapshot has them, with all their content.

    ``newest`` are the ids of the files that places stand for. ``newest_named`` are those of all that a name in a
    place may stand for: of files of one name, the one that was stored last comes last.
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
