"""The file that is chosen in an explorer: where it is, and what is known of it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from svckit.errors import InvalidInput
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.explorers.file_places import place_at

__all__ = ["ChosenFile"]


class ChosenFile(NamedTuple):
    """A file, or one of its revisions.

    Attributes:
        container: what holds it, such as ``drive/u-001``.
        file_id: its ID.
        revision: the ID of the revision; None for the newest.
    """

    container: str
    file_id: str
    revision: str | None = None

    def matches(self, record: Mapping[str, Any]) -> bool:
        """Whether the record of a file, or of a revision, is of this one."""
        return (record["place"], record.get("fileId")) == (self.container, self.file_id)

    def place(self) -> Place:
        """Where it is downloaded from.

        Raises:
            InvalidInput: there can be no such place.

        Examples:
            >>> print(ChosenFile("drive/u-001", "file-1", "2").place())
            places.drive('u-001').file('file-1').revision('2')
        """
        place = place_at(self.container)
        if place is None:
            raise InvalidInput(f"{self.container!r} is no place whose files can be named")
        file = place if place.download_path is not None else place.file(self.file_id)
        return file if self.revision is None else file.revision(self.revision)

    def name(self, records: Sequence[Mapping[str, Any]]) -> str:
        """Its name by the records of files, or else its ID."""
        return str(self._record(records).get("fileName") or self.file_id or "file")

    def size(self, records: Sequence[Mapping[str, Any]]) -> int:
        """Its bytes by the records of files, or else 0."""
        return int(self._record(records).get("fileSize") or 0)

    def view(self, svc: Session, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """It and its revisions as a view shows them; only a fake names those there are, so only its can be chosen."""
        return {
            "name": self.name(records),
            "file": self.file_id,
            "place": self.container,
            "revision": self.revision,
            "revisions": [
                {
                    "id": str(each["revisionId"]),
                    "size": each.get("fileSize"),
                    "at": str(each.get("storedTime") or ""),
                    "newest": bool(each.get("newest")),
                }
                for each in svc.records("revisions")
                # An answer to an upload does not name the revision it made.
                if self.matches(each) and each.get("revisionId")
            ],
        }

    def _record(self, records: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return next((each for each in records if self.matches(each)), {})
