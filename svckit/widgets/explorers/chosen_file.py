"""The files of an explorer as rows, and the chosen one: its place, what is known about it, and a preview."""

import codecs
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from svckit.errors import InvalidInput
from svckit.places import Place
from svckit.session.session import Session
from svckit.widgets.base.folding import fold, fold_words
from svckit.widgets.base.instants import shorten_instant
from svckit.widgets.explorers.file_places import parse_place

__all__ = ["PREVIEWED", "ChosenFile", "build_file_row", "find_files", "format_size", "make_preview"]

PREVIEWED = 2_000_000
"""The largest size of a file with a preview, in bytes."""

PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
TEXT_SHOWN = 20_000  # characters
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, because it starts with the same mark
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks and their encodings. Other encodings, such as Shift_JIS, cannot be recognized for certain."""


class ChosenFile(NamedTuple):
    """A file, or one of its revisions.

    Attributes:
        container: the store and IDs that hold it, such as ``drive/u-001``.
        file_id: its ID.
        revision: the ID of the revision; None for the newest.
    """

    container: str
    file_id: str
    revision: str | None = None

    def matches(self, record: Mapping[str, Any]) -> bool:
        """Return whether the record of a file or revision belongs to this file."""
        return (record["place"], record.get("fileId")) == (self.container, self.file_id)

    def to_place(self) -> Place:
        """Return the place it is downloaded from.

        Raises:
            InvalidInput: the container is not a place whose files have IDs.

        Examples:
            >>> print(ChosenFile("drive/u-001", "file-1", "2").to_place())
            places.drive('u-001').file('file-1').revision('2')
        """
        place = parse_place(self.container)
        if place is None:
            raise InvalidInput(f"{self.container!r} is not a place whose files have IDs, such as drive/u-001")
        file = place if place.download_path is not None else place.file(self.file_id)
        return file if self.revision is None else file.revision(self.revision)

    def find_name(self, records: Sequence[Mapping[str, Any]]) -> str:
        """Return its name from the file records, or else its ID."""
        return str(self._record(records).get("fileName") or self.file_id or "file")

    def find_size(self, records: Sequence[Mapping[str, Any]]) -> int:
        """Return its size in bytes from the file records, or else 0."""
        return int(self._record(records).get("fileSize") or 0)

    def build_view(self, svc: Session, records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the file and its revisions for a view; only a fake lists revisions."""
        return {
            "name": self.find_name(records),
            "file": self.file_id,
            "place": self.container,
            "revision": self.revision or "",
            "revisions": [
                (
                    str(entry["revisionId"]),
                    f"{entry['revisionId']}: {format_size(entry['fileSize'])}, {shorten_instant(entry['storedTime'])}",
                )
                for entry in svc.records("revisions")
                # The response to an upload does not name the revision it created.
                if self.matches(entry) and entry.get("revisionId")
            ],
        }

    def _record(self, records: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return next((record for record in records if self.matches(record)), {})


def format_size(size: int | None) -> str:
    """Return the size of a file in words.

    Examples:
        >>> format_size(1), format_size(1200), format_size(None)
        ('1 byte', '1,200 bytes', 'size not known')
    """
    return "size not known" if size is None else f"{size:,} byte{'' if size == 1 else 's'}"


def find_files(records: Sequence[Mapping[str, Any]], words: str) -> Sequence[Mapping[str, Any]]:
    """Return the file records that have all of the words in their row.

    Examples:
        >>> records = [{"fileName": name, "fileId": "file-1", "place": "drive/u-001"} for name in ("a.txt", "b.txt")]
        >>> [file["fileName"] for file in find_files(records, "B.T drive")]
        ['b.txt']
    """
    wanted = fold_words(words)
    if not wanted:
        return records
    rows = ((record, fold(" ".join(build_file_row(record, None)["cells"]))) for record in records)
    return [record for record, text in rows if all(word in text for word in wanted)]


def build_file_row(record: Mapping[str, Any], chosen: ChosenFile | None) -> dict[str, Any]:
    """Return a file record as a row of a grid.

    Examples:
        >>> record = {"fileName": "a.txt", "fileId": "file-1", "fileSize": 1200, "place": "drive/u-001"}
        >>> row = build_file_row(record, None)
        >>> row["key"], row["cells"], row["selected"]
        ('drive/u-001/file-1', ('a.txt', 'file-1', '1,200', 'drive/u-001'), False)
    """
    name, file_id = str(record.get("fileName") or ""), str(record.get("fileId") or "")
    size = "" if record.get("fileSize") is None else f"{record['fileSize']:,}"
    folder = record.get("parentFileId")
    is_inside = folder is not None and folder != record.get("permissionRootFileId")
    return {
        "key": f"{record['place']}/{file_id}",
        "cells": (
            name,
            file_id,
            size,
            f"{record['place']}, folder {folder}" if is_inside else record["place"],
        ),
        "selected": chosen is not None and chosen.matches(record),
    }


def make_preview(content: bytes) -> dict[str, str]:
    """Return the media type of a picture, or the text, with a description; SVG counts as text.

    Examples:
        >>> make_preview("grün".encode())
        {'kind': '', 'text': 'grün', 'words': '5 bytes of text'}
        >>> make_preview(b"GIF89a")["kind"], make_preview(bytes([255, 0]))["words"]
        ('image/gif', '2 bytes, no preview: neither text nor a PNG, JPEG or GIF picture')
        >>> make_preview("日本".encode("utf-16"))["text"], make_preview(b"BM\\0\\0")["text"]
        ('日本', '')
    """
    size = format_size(len(content))
    kind = next((kind for mark, kind in PICTURES.items() if content.startswith(mark)), "")
    if kind:
        return {"kind": kind, "text": "", "words": f"{size}, a picture"}
    text = _decode(content)
    if text is None:
        words = f"{size}, no preview: neither text nor a PNG, JPEG or GIF picture"
        return {"kind": "", "text": "", "words": words}
    cut = "" if len(text) <= TEXT_SHOWN else f", first {TEXT_SHOWN:,} characters shown"
    return {"kind": "", "text": text[:TEXT_SHOWN], "words": f"{size} of text{cut}"}


def _decode(content: bytes) -> str | None:
    """Decode the content, or return None if it is not text; text never contains a NUL."""
    encoding = next((encoding for mark, encoding in MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
