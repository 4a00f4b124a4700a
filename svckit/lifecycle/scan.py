"""Find uses of retired features in Python files and notebooks by reading them; nothing is run.

The table of `svckit.models.lifecycle` says what to look for: the paths of retired operations, the old value of the
messenger protocol, and the singular ``/attachment``, however the path before it is built.
`svckit.lifecycle.source_texts` reads the files.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from svckit.display.masking import mask
from svckit.display.terminal import on_one_line
from svckit.lifecycle.source_texts import Cell, Unreadable, read_cells
from svckit.models.lifecycle import (
    MESSENGER_OLD_VALUE_END,
    OLD_MESSENGER,
    RETIREMENTS,
    LifecycleStatus,
)
from svckit.retirements import HasClock, table

__all__ = ["Unreadable", "Use", "list_files", "scan"]

SUFFIXES = (".py", ".ipynb")
SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})
"""Folders without the user's own code; folders whose names start with a dot are skipped too."""

COMMENT_ATTACHMENT = "board-comment-attachment"
MAIL_BULK_DELETE = "mail-bulk-delete"
SEGMENT = r"""(?:[^/\s"']+|["']\s*\+[^/"']+\+\s*f?["'])"""
"""A variable part of a path: a name, a placeholder, or an expression between two strings."""
START = r"""(?:/|^|\0|(?<=["'\s]))"""
"""A path may be written without its first slash, as is usual with a base URL."""
END = r"(?![\w/-])"


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a retired feature.

    Attributes:
        path: the file.
        cell: the number of the notebook cell, from 1, counting all cells; None in a Python file.
        id: the ID of that cell, if it has one.
        line: the number of the line in the file or cell, from 1.
        source: the line, with secrets masked.
        feature: the feature that is used, with its status on the date of the scan.
    """

    path: Path
    cell: int | None
    id: str | None
    line: int
    source: str
    feature: LifecycleStatus

    @property
    def where(self) -> str:
        """The place in words: ``lesson.ipynb, cell 3 (c3), line 2`` or ``client.py:17``."""
        if self.cell is None:
            return f"{self.path}:{self.line}"
        return f"{self.path}, cell {self.cell}{f' ({self.id})' if self.id else ''}, line {self.line}"

    @property
    def is_retired(self) -> bool:
        """True if the feature is retired, so that the code no longer works."""
        return self.feature.status == "retired"

    def record(self) -> dict[str, object]:
        """Return the use as plain data for JSON."""
        place = {
            "path": str(self.path),
            "cell": self.cell,
            "id": self.id,
            "line": self.line,
            "source": self.source,
        }
        return place | self.feature.record()

    def __str__(self) -> str:
        feature = self.feature
        replacement = (
            f"the replacement is {feature.replacement}" if feature.replacement else "no replacement is named"
        )
        when = f"{feature.status}; its retirement is {feature.date_wording}"
        if feature.date is not None:
            is_iso = feature.date_wording.replace("/", "-") == feature.date.isoformat()
            when = f"{feature.status}, on {feature.date}" + (
                "" if is_iso else f" (described as {feature.date_wording})"
            )
        where, source = on_one_line(self.where), on_one_line(self.source)
        return f"{where}: {feature.item}: {when}; {replacement}\n    {source}"


def _make_pattern(template: str) -> str:
    path = re.sub(r"\\{\w+\\}", lambda _: SEGMENT, re.escape(template.removeprefix("/")).replace("/", "/+"))
    return START + path + END


def _make_patterns() -> dict[str, re.Pattern[str]]:
    found = {
        item.key: "|".join(sorted({_make_pattern(path) for _, path in item.operations}, reverse=True))
        for item in RETIREMENTS
        if item.operations
    }
    found[COMMENT_ATTACHMENT] += "|/attachment" + END
    found[MESSENGER_OLD_VALUE_END.key] = rf"\b{OLD_MESSENGER}\b"
    return {key: re.compile(pattern) for key, pattern in found.items()}


PATTERNS = _make_patterns()
METHODS = {item.key: {method.lower() for method, _ in item.operations} for item in RETIREMENTS}
"""The retired methods by key, for calls whose method is known."""
DELETE = re.compile(r"delete", re.IGNORECASE)
"""The path of a user's mail is retired for one method only, which is then near it."""


def scan(paths: Sequence[Path], today: date | HasClock | None = None) -> Iterator[Use]:
    """Find every use, file by file in the order of their names, and line by line.

    Python code is parsed: a path may be built from literals, f-strings, ``+``, ``.format`` and
    ``urljoin``, within one expression. Of operations that share a path with others, only the retired one is reported:
    a user's mail where it is deleted, or, if the call does not show the method, where the word *delete* is on the
    same line or on the one before or after it.

    Args:
        paths: files, and folders whose ``.py`` and ``.ipynb`` files are read.
        today: the date on which to decide whether a feature is retired, or a session, whose clock has it; if
            omitted, today in UTC.

    Raises:
        Unreadable: some files cannot be read; all others have been scanned by then.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "client.py")
        ...     _ = file.write_text('ids = get(f"/users/{user}/mail/vipmailfolders")')
        ...     print([(use.line, use.feature.key) for use in scan([file])])
        [(1, 'vip-mail-folders')]
    """
    statuses = {status.key: status for status in table(today)}
    unreadable = []
    for path in list_files(paths):
        try:
            cells = read_cells(path)
        except Unreadable as error:
            unreadable.append(str(error))
            continue
        for cell in cells:
            for line, key in sorted(set(_find_uses(cell))):
                source = mask(cell.lines[line - 1].strip())
                yield Use(path, cell.number, cell.id, line, source=source, feature=statuses[key])
    if unreadable:
        raise Unreadable("\n".join(unreadable))


def list_files(paths: Sequence[Path]) -> Iterator[Path]:
    """List the files to scan: the named ones, and the Python files and notebooks in folders, sorted."""
    for path in paths:
        if path.is_dir():
            below = (found for suffix in SUFFIXES for found in path.rglob(f"*{suffix}") if found.is_file())
            yield from sorted(found for found in below if not _is_skipped(found.relative_to(path)))
        else:
            yield path


def _is_skipped(path: Path) -> bool:
    return any(part in SKIPPED or part.startswith(".") for part in path.parts[:-1])


def _find_uses(cell: Cell) -> Iterator[tuple[int, str]]:
    """Find the lines that use a retired feature, with its key."""
    for text in cell.texts():
        for key, pattern in PATTERNS.items():
            retired = METHODS.get(key)
            if text.method and retired and text.method not in retired:
                continue
            for found in pattern.finditer(text.content):
                number = text.line_of(found.end(), cell.lines)
                nearby = cell.lines[max(0, number - 2) : number + 1]
                if key != MAIL_BULK_DELETE or text.method or any(map(DELETE.search, nearby)):
                    yield number, key
