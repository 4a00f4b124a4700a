"""Files as a tree: places, folders, files and their revisions, as far as they are known."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from svckit.widgets.explorers.chosen_file import ChosenFile, format_size

__all__ = ["build_file_tree"]

Record = Mapping[str, Any]


def build_file_tree(
    files: Sequence[Record], revisions: Iterable[Record], chosen: ChosenFile | None
) -> list[dict[str, Any]]:
    """Return the places with their folders, files and revisions, in the order of the files.

    Args:
        files: records of files; those that name no folder are at the root of their place.
        revisions: records of revisions, also of other files.
        chosen: the chosen file or revision.

    Examples:
        >>> files = [{"place": "drive/u-001", "fileId": "file-1", "fileName": "a.txt", "parentFileId": "folder-1"}]
        >>> [place] = build_file_tree(files, [], None)
        >>> place["place"], place["folders"][0]["folder"], place["folders"][0]["files"][0]["name"]
        ('drive/u-001', 'folder-1', 'a.txt')
    """
    by_file: dict[tuple[str, Any], list[Record]] = {}
    for revision in revisions:
        by_file.setdefault((revision["place"], revision.get("fileId")), []).append(revision)
    places: dict[str, dict[str, list[Record]]] = {}
    for file in files:
        places.setdefault(file["place"], {}).setdefault(_find_folder(file), []).append(file)
    return [
        {
            "place": place,
            "folders": [
                {
                    "folder": folder,
                    "files": [
                        _build_file(file, by_file.get((place, file.get("fileId")), []), chosen)
                        for file in found
                    ],
                }
                for folder, found in folders.items()
            ],
        }
        for place, folders in places.items()
    ]


def _find_folder(record: Record) -> str:
    """Return the ID of the folder a file is in; empty at the root, or if it is not known."""
    parent = record.get("parentFileId")
    return "" if parent is None or parent == record.get("permissionRootFileId") else str(parent)


def _build_file(record: Record, revisions: Sequence[Record], chosen: ChosenFile | None) -> dict[str, Any]:
    file_id = str(record.get("fileId") or "")
    return {
        "name": record.get("fileName") or file_id,
        "file": file_id,
        "size": format_size(record.get("fileSize")),
        "selected": chosen is not None and chosen.revision is None and chosen.matches(record),
        "revisions": [
            {
                "number": number,
                "revision": revision.get("revisionId"),
                "size": format_size(revision.get("fileSize")),
                "at": revision.get("storedTime") or revision.get("modifiedTime") or "",
                "selected": chosen is not None
                and chosen.matches(revision)
                and chosen.revision is not None
                and chosen.revision == revision.get("revisionId"),
            }
            for number, revision in enumerate(revisions, 1)
        ],
    }
