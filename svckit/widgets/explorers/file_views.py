"""Rows for a list of files."""

from collections.abc import Mapping
from typing import Any

from svckit.widgets.explorers.chosen_file import ChosenFile

__all__ = ["build_file_row"]


def build_file_row(record: Mapping[str, Any], chosen: ChosenFile | None) -> dict[str, Any]:
    """Return a file record as a row, with the text to search in.

    Examples:
        >>> record = {"fileName": "a.txt", "fileId": "file-1", "fileSize": 1200, "place": "drive/u-001"}
        >>> row = build_file_row(record, None)
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
        "selected": chosen is not None and chosen.matches(record),
    }
