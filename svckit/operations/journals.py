"""Journals: files that record work as it is done, so that another process can resume it."""

import errno
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

from svckit.errors import InvalidInput
from svckit.models.phrases import describe_given

__all__ = ["Entry", "Journal", "JournalPath"]

JournalPath: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")


class Journal(os.PathLike[str]):
    """A file, the owner's alone (mode 0600), with a line of JSON for each change of an entry.

    Each line is written at once, so a crash loses at most the last one. One process may write at a time.

    Args:
        path: the file, which is created when something is recorded.
        kind: the kind of its entries, such as ``uploads``; a journal of another kind is refused.
        keeps_results: whether the result of finished work is kept until `remove`; otherwise an entry is deleted when
            its work is finished, and the file with the last entry.

    Raises:
        InvalidInput: the file is not a journal of this kind.
        OSError: the file cannot be read.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Journal(f"{folder}/a.journal", "uploads").write("a.txt", {"offset": 5})
        ...     Journal(f"{folder}/a.journal", "uploads").entries
        {'a.txt': {'offset': 5}}
    """

    def __init__(self, path: JournalPath, kind: str, *, keeps_results: bool = False) -> None:
        if not isinstance(path, str | os.PathLike):
            raise InvalidInput(f"journal must be the path of a file; given {describe_given(path)}")
        self.path: Path = Path(path)
        self.keeps_results = keeps_results
        self.entries: dict[str, Any] = {}
        self._header = {"journal": kind, "version": 1}  # the first line of the file
        self._writing = threading.Lock()
        self._read()

    def __fspath__(self) -> str:
        return str(self.path)

    def write(self, name: str, entry: Any) -> None:
        """Replace an entry; ``None`` deletes it.

        Raises:
            OSError: it could not be written; the file is as before.
        """
        with self._writing, open(self.path, "ab", buffering=0, opener=_open_private) as file:
            before = file.tell()
            line = (b"" if before else _to_line(self._header)) + _to_line({"name": name, "entry": entry})
            try:
                if file.write(line) < len(line):  # as much as there was room for
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            except BaseException:
                file.truncate(before)  # or the next line would continue a cut one
                raise
            self.entries[name] = entry

    def remove(self) -> None:
        """Delete the file."""
        self.entries.clear()
        self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        if not self.path.exists():
            return
        content = self.path.read_bytes()
        complete, _, cut = content.rpartition(b"\n")
        if not complete and _to_line(self._header).startswith(cut):
            complete = _to_line(self._header)
        try:
            header, *lines = map(json.loads, complete.splitlines())
            self.entries = {line["name"]: line["entry"] for line in lines}
        except (ValueError, TypeError, KeyError, RecursionError):
            header = None
        if header != self._header or not all(map(_is_entry, self.entries.values())):
            raise InvalidInput(
                f"{self.path} is not a journal of {self._header['journal']} that this version writes; name a file "
                "that does not exist yet"
            )
        self.path.chmod(0o600)
        os.truncate(self.path, len(content) - len(cut))  # what a crash cut off


class Entry(NamedTuple):
    """One entry of a journal."""

    journal: Journal
    name: str

    def read(self) -> Any:
        """Return the entry; ``None`` if it has not been written."""
        return self.journal.entries.get(self.name)

    def read_as(self, check: Callable[[dict[str, Any]], T]) -> T | None:
        """Return what a function makes of the entry; ``None`` if it has not been written.

        Raises:
            InvalidInput: the function refused it, as somebody else has changed the file.
        """
        found = self.read()
        try:
            return None if found is None else check(found)
        except (ValueError, TypeError, LookupError):
            pass  # raised below, without a cause: that would show the entry, which holds a secret
        raise InvalidInput(f"nothing was sent: the journal {self.journal.path} is damaged; delete it")

    def write(self, entry: Any) -> None:
        """Replace it."""
        self.journal.write(self.name, entry)

    def finish(self, result: Any) -> None:
        """Record that its work is finished."""
        if self.journal.keeps_results:
            self.write({"result": result})
        else:
            self.forget()

    def forget(self) -> None:
        """Delete it, and the file with the last one."""
        self.write(None)
        if not any(self.journal.entries.values()):
            self.journal.remove()


def _is_entry(entry: object) -> bool:
    return entry is None or isinstance(entry, dict)


def _to_line(record: Any) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
