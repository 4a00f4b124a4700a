"""The SQLite database of a state file: used by one process at a time, written atomically, with checksums."""

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from fakes.persistence import NotSaved, mask_secrets
from fakes.store import counts

__all__ = ["FORMAT", "Damaged", "Database", "Values", "explain_unsaved"]

Values = tuple[Any, ...]

APPLICATION: Final = 0x73766B74
"""Marks a SQLite file as a state file."""
FORMAT: Final = 6
"""Earlier formats had other sample users, of whom a file has only the changes."""
SET_UP = f"""
    DROP TABLE IF EXISTS beginning;
    DROP TABLE IF EXISTS own_data;
    DROP TABLE IF EXISTS rows;
    DROP TABLE IF EXISTS contents;
    DROP TABLE IF EXISTS files;
    CREATE TABLE beginning (users INTEGER NOT NULL, seed INTEGER NOT NULL, now TEXT, checksum INTEGER NOT NULL);
    CREATE TABLE own_data (content BLOB NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE rows (collection TEXT NOT NULL, key NOT NULL, value BLOB NOT NULL, checksum INTEGER NOT NULL,
                       UNIQUE (collection, key));
    CREATE TABLE contents (address TEXT NOT NULL, number INTEGER NOT NULL, chunk BLOB NOT NULL,
                           checksum INTEGER NOT NULL, PRIMARY KEY (address, number)) WITHOUT ROWID;
    CREATE TABLE files (address TEXT PRIMARY KEY, name TEXT NOT NULL, size INTEGER NOT NULL, content INTEGER NOT NULL,
                        checksum INTEGER NOT NULL) WITHOUT ROWID;
    {counts.SET_UP}
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {FORMAT};
"""
PUT_ROW = """
    INSERT INTO rows (collection, key, value, checksum) VALUES (?, ?, ?, ?)
    ON CONFLICT (collection, key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum
    WHERE value <> excluded.value
"""
PUT_CHUNK = """
    INSERT INTO contents (address, number, chunk, checksum) VALUES (?, ?, ?, ?)
    ON CONFLICT (address, number) DO UPDATE SET chunk = excluded.chunk, checksum = excluded.checksum
"""
PUT_FILE = """
    INSERT INTO files (address, name, size, content, checksum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (address) DO UPDATE
    SET name = excluded.name, size = excluded.size, content = excluded.content, checksum = excluded.checksum
"""
OWNER_ONLY: Final = 0o600
UNUSABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}


class Damaged(ValueError):
    """A state file is not as it was written, so its fake is not started; the file stays as it is."""


class Database:
    """The tables of a state file: the beginning of its fake, rows, and contents in pieces.

    Args:
        path: the file; created if it does not exist.
        is_known: whether this process had it open before, so that its integrity needs no check.

    Attributes:
        is_new: whether the file has no tables yet.

    Raises:
        ValueError: the file is not a state file, is damaged, or was written by another version.
        BlockingIOError: another process uses it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, *, is_known: bool = False) -> None:
        self._path = path
        check_regular_file(path)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
        path.chmod(OWNER_ONLY)  # it may have existed before
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
        try:
            self.is_new: bool = self._prepare(is_known)
            if not self.is_new:
                counts.keep_counts(self._file)
        except sqlite3.Error as error:
            self._file.close()
            code = error.sqlite_errorcode & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise BlockingIOError(f"{path} is in use by another process") from None
            if code in UNUSABLE:
                raise OSError(f"the state file {path} cannot be used: {error}") from None
            raise ValueError(f"{path} is not a state file of a fake, or is damaged: {error}") from None
        except BaseException:
            self._file.close()
            raise

    def _prepare(self, is_known: bool) -> bool:
        """Lock the file for this process, check its integrity, and return whether it is new."""
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        empty = not self._file.execute("SELECT 1 FROM sqlite_master").fetchone()
        application, version = (
            self._file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if not empty and application != APPLICATION:
            raise ValueError(f"{self._path} is not a state file of a fake, but another program's database")
        if version > FORMAT:
            raise ValueError(
                f"{self._path} has version {version}, and this fake reads version {FORMAT}; use a newer svckit"
            )
        if 0 < version < FORMAT:
            raise ValueError(
                f"{self._path} has version {version}, and this fake reads version {FORMAT}, as its sample users were "
                "others; delete the file, or name another one, to start again (the file was not changed)"
            )
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        # Takes the lock now, and not with the first write: this locking mode keeps it until the file is closed.
        self._file.execute("BEGIN EXCLUSIVE")
        self._file.execute("COMMIT")
        if empty:
            return True
        (found,) = ("ok",) if is_known else self._file.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok" or version < 1:
            raise self.make_damage_error(found if version > 0 else "its version is missing")
        return False

    def make_damage_error(self, what: str) -> Damaged:
        """Return an error that says what is damaged, and what to do."""
        return Damaged(
            f"{self._path} is damaged: {what}; replace it with a copy, or name another file to start again "
            "(the file was not changed)"
        )

    def read_beginning(self) -> Values | None:
        """Return the beginning of the fake, or None if the file is new.

        Raises:
            Damaged: the beginning is missing, or not as it was written.
        """
        found = self._read_one("the beginning of its fake is not as it was", "users, seed, now", "beginning")
        if found is None and self._fetch_one("0", "rows"):
            raise self.make_damage_error("the beginning of its fake is missing")
        return found

    def read_own_data(self) -> bytes | None:
        """Return the user's own data that the fake started with, or None.

        Raises:
            Damaged: they are not as they were written.
        """
        found = self._read_one("the data of its fake are not as they were", "content", "own_data")
        return None if found is None else bytes(found[0])

    def read_row(self, name: str, key: str) -> bytes | None:
        """Return one row, or None if it was not written.

        Raises:
            Damaged: it is not as it was written.
        """
        these = "rows WHERE collection = ? AND key = ?"
        wrong = f"the {key} of its {name} are not as they were"
        found = self._read_one(wrong, "collection, key, value", these, name, key)
        return None if found is None else bytes(found[2])

    def _read_one(self, wrong: str, columns: str, these: str, *values: object) -> Values | None:
        """Return the values of one row, or None; ``wrong`` begins the error if they do not fit their checksum."""
        found = self._fetch_one(columns, these, *values)
        if found is None:
            return None
        *read, expected = found
        if expected != checksum(*read):
            raise self.make_damage_error(f"{wrong} written")
        return tuple(read)

    def _fetch_one(self, columns: str, these: str, *values: object) -> Values | None:
        """Return one row with its checksum, or None if it is missing, or if the file is new."""
        if self.is_new:
            return None
        try:
            found: Values | None = self._select(columns, these, *values).fetchone()
        except sqlite3.Error as error:
            raise self.make_damage_error(str(error)) from None
        return found

    def read_rows(self, receivers: bool) -> Iterator[tuple[str, Any, bytes]]:
        """Yield the rows in the order in which they were written: those of receivers, or all others.

        Raises:
            Damaged: a row is not as it was written.
        """
        these, found = "rows WHERE (collection = 'receivers') = ? ORDER BY rowid", counts.RowCounts()
        for name, key, value, expected in self._select("collection, key, value", these, receivers):
            if expected != checksum(name, key, value):
                raise Damaged(f"the row {mask_secrets(str(key))} of {name} is not as it was written")
            found.add(name, expected)
            yield name, key, value
        for name, (read, written) in counts.find_differences(self._file, "rows", found).items():
            if (name == "receivers") == receivers:
                raise Damaged(
                    f"{name} does not have the rows that were written: {written[0]} were written, {read[0]} were found"
                )

    def read_pieces(self) -> Iterator[tuple[str, int, bytes, bool]]:
        """Yield the pieces of contents by address and number, each with whether it is as it was written.

        A lost piece is yielded empty, where its loss is noticed.
        """
        found = counts.RowCounts()
        for address, number, chunk, expected in self._select(
            "address, number, chunk", "contents ORDER BY address, number"
        ):
            place, _ = found.get(address, (0, 0))  # how many came before it: its number, if none is lost
            found.add(address, expected)
            sound = expected == checksum(address, number, chunk)
            yield address, min(place, number), chunk, sound and place == number
        for address, (read, _) in counts.find_differences(self._file, "contents", found).items():
            yield address, read[0], b"", False

    def _select(self, columns: str, these: str, *values: object) -> sqlite3.Cursor:
        """Select columns and their checksum."""
        return self._file.execute(f"SELECT {columns}, checksum FROM {these}", values)  # noqa: S608 - only values vary

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all writes inside to the disk, or none of them.

        Raises:
            NotSaved: the disk is full, or the file cannot be written.
        """
        try:
            self._file.execute("BEGIN IMMEDIATE")
            yield
            self._file.execute("COMMIT")
        except sqlite3.Error as error:
            raise make_not_saved(self._path, error) from None
        finally:
            if self._file.in_transaction:  # SQLite may have ended it, as when the disk is full
                self._file.execute("ROLLBACK")

    def set_up(self, beginning: Values, own_data: bytes | None = None) -> None:
        """Create empty tables, and replace any there are."""
        for statement in SET_UP.split(";")[:-1]:
            self._file.execute(statement)
        counts.keep_counts(self._file)
        self._file.execute("INSERT INTO beginning VALUES (?, ?, ?, ?)", add_checksum(beginning))
        if own_data is not None:
            self._file.execute("INSERT INTO own_data VALUES (?, ?)", add_checksum((own_data,)))

    def empty(self, collections: Iterable[str]) -> None:
        """Delete all rows of collections."""
        self._file.executemany("DELETE FROM rows WHERE collection = ?", ((name,) for name in collections))

    def drop(self, keys: Iterable[tuple[str, Any]]) -> None:
        """Delete rows, by collection and key."""
        self._file.executemany("DELETE FROM rows WHERE collection = ? AND key = ?", keys)

    def put(self, rows: Iterable[tuple[str, Any, bytes]]) -> None:
        """Write rows: replace those of the same collection and key, or append."""
        self._file.executemany(PUT_ROW, map(add_checksum, rows))

    def drop_content(self, address: str) -> None:
        """Delete a content."""
        for table in ("contents", "files"):
            self._file.execute(f"DELETE FROM {table} WHERE address = ?", (address,))  # noqa: S608 - both are ours

    def put_file(self, *values: object) -> None:
        """Write that a content is a file: its address, and the file's name, size and checksum."""
        self._file.execute(PUT_FILE, add_checksum(values))

    def read_files(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield the contents that are files: the address, and the file's name, size and checksum.

        Raises:
            Damaged: a row is not as it was written, or is lost.
        """
        found = counts.RowCounts()
        for *values, expected in self._select("address, name, size, content", "files"):
            if expected != checksum(*values):
                raise Damaged("the name of the file of a content is not as it was written")
            found.add(values[0], expected)
            yield values[0], values[1], values[2], values[3]
        if counts.find_differences(self._file, "files", found):
            raise Damaged("the name of the file of a content is missing")

    def put_pieces(self, pieces: Iterable[tuple[str, int, bytes]]) -> None:
        """Write pieces of contents."""
        self._file.executemany(PUT_CHUNK, map(add_checksum, pieces))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def check_regular_file(path: Path) -> None:
    """Check that a path is a regular file or does not exist: opening anything else may block forever.

    Raises:
        ValueError: the path is something else.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
        kind = kinds.get(stat.S_IFMT(mode), "a device")
        raise ValueError(f"{path} is {kind}, and a state file must be a regular file; name another one")


def checksum(*values: object) -> int:
    """Return the checksum that is stored with values.

    Examples:
        >>> checksum("statuses.by_user", "u-001", b"{}") == checksum("statuses.by_user", "u-001", b"{ ")
        False
    """
    *names, last = values
    return crc32(last if isinstance(last, bytes) else repr(last).encode(), crc32(repr(names).encode()))


def add_checksum(values: Values) -> Values:
    """Return values with their checksum appended."""
    return *values, checksum(*values)


def make_not_saved(path: Path, error: sqlite3.Error) -> NotSaved:
    """Return an error that says why changes are not saved, and what to do."""
    if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
        why, advice = f"the disk of the state file {path} is full", "free some space on it"
    else:
        why, advice = f"the state file {path} could not be written ({error})", "check its disk"
    return NotSaved(why, explain_unsaved(advice))


def explain_unsaved(advice: str) -> str:
    """Return the consequence for the changes, and what to do."""
    what = f"the changes are kept in memory only: {advice}, and the next request saves them too"
    return f"{what}; the admin call POST /reset discards them"
