"""Files as a view shows them: a row for each, and the one that is chosen with its revisions."""

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["Chosen", "file_row", "revision_views"]

Chosen = tuple[str, str, str | None]
"""What holds a file, such as ``drive/u-001``, its ID, and a revision or None for the newest."""


def file_row(record: Mapping[str, Any], chosen: Chosen | None) -> dict[str, Any]:
    """The record of a file as a row, and the words to search it by.

    Examples:
        >>> row = file_row({"fileName": "a.txt", "fileId": "file-1", "fileSize": 1200, "place": "drive/u-001"}, None)
        >>> row["words"], row["size"], row["selected"]
        ('a.txt file-1 drive/u-001', '1,200', False)
    """
    name, file_id = str(record.get("fileName") or ""), str(record.get("fileId") or "")
    place = record["place"]
    return {
        "name": name,
        "file": file_id,
        "place": place,
        "size": "" if record.get("fileSize") is None else f"{record['fileSize']:,}",
        "words": f"{name} {file_id} {place}",
        "selected": chosen is not None and chosen[:2] == (place, file_id),
    }


def revision_views(records: Iterable[Mapping[str, Any]], chosen: Chosen) -> list[dict[str, Any]]:
    """The revisions of the chosen file; only a fake names those there are, so only its can be chosen.

    Examples:
        >>> revision = {"place": "drive/u-001", "fileId": "file-1", "revisionId": "rev-1", "newest": True}
        >>> revision_views([revision, revision | {"fileId": "file-2"}], ("drive/u-001", "file-1", None))
        [{'id': 'rev-1', 'size': None, 'at': '', 'newest': True}]
    """
    return [
        {
            "id": str(each["revisionId"]),
            "size": each.get("fileSize"),
            "at": str(each.get("storedTime") or ""),
            "newest": bool(each.get("newest")),
        }
        for each in records
        # An answer to an upload does not name the revision it made.
        if (each["place"], each.get("fileId")) == chosen[:2] and each.get("revisionId")
    ]
