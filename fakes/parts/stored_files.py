"""What the file store keeps: files with their revisions, and reports that are written when they are asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, model_validator

from fakes.http.content import StoredContent
from fakes.http.unpicklable import Unpicklable
from fakes.parts.uploads import Place, UploadsData
from fakes.persistence import (
    AsList,
    FieldValue,
    Instant,
    Names,
    Saved,
    SavedContent,
    key_by,
)
from svckit.models.times import format_date_time

__all__ = ["FILE_RESOURCES", "FilesData", "KeptRevision", "Report", "ReportData", "Revision", "StoredFile"]

FILE_RESOURCES = frozenset({"drive", "shared_folder", "shared_drive", "group_folder"})
"""The places of files of drives and folders, which the description calls file resources."""


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
        """When the content was changed last: as was said at its upload, or else when it was stored."""
        return format_date_time(self.stored_at) if self.modified_time is None else self.modified_time


class KeptRevision(NamedTuple):
    """A revision by itself, with the id of its file."""

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
    write: Callable[[], StoredContent] = field(repr=False)


class ReportData(Saved):
    """The address of a report as a snapshot has it; what writes it is code."""

    place: Place
    address: str


def _by_place(file_ids: list[str]) -> dict[Place, str]:
    return {(file_id,): file_id for file_id in file_ids}  # the places are those of the files


def _in_turn(kept: dict[str, int]) -> list[str]:
    return sorted(kept, key=kept.__getitem__)


def _turns(file_ids: list[str]) -> dict[str, int]:
    return {file_id: turn for turn, file_id in enumerate(file_ids)}


class FilesData(Saved):
    """Files as a snapshot has them, with all their content.

    ``newest_named`` has the ids in the order in which files were last stored, as numbers that rise. It decides which
    of the files of one name is meant. ``newest`` are the ids of the files that places stand for. ``asked`` has the
    users who asked for each download URL, and when they last did.
    """

    files: Annotated[dict[str, StoredFile], key_by("file_id")]
    newest: Annotated[dict[Place, str], AsList(lambda kept: sorted(kept.values()), _by_place)]
    newest_named: Annotated[dict[str, int], AsList(_in_turn, _turns, names=True)]
    reports: list[ReportData]
    sent: Names
    asked: dict[str, dict[str, Instant]] = Field(default={})
    uploads: UploadsData

    def check_consistency(self) -> None:
        """Hold files to what they consist of.

        Raises:
            ValueError: something is not there.
        """
        lost = sorted({*self.newest.values(), *self.newest_named} - self.files.keys())
        if lost:
            raise ValueError(f"the files {', '.join(lost)} are not there")
        for stored in self.files.values():
            numbers = [revision.number for revision in stored.revisions]
            if not numbers or not all(number.isdecimal() for number in numbers):
                raise ValueError(f"the file {stored.file_id} needs numbered revisions")

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        self.check_consistency()
        return self
