"""A state file: the state of a served fake in SQLite, saved change by change, so that no answer promises too much."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from fakes import snapshot as snapshots
from fakes.content import CHUNK, Content
from fakes.engine import Engine
from fakes.receivers import HttpReceiver
from fakes.snapshot import SavedState
from fakes.state_rows import Rows, assembled, rows_of, written

__all__ = ["Beginning", "StateFile"]

APPLICATION: Final = 0x73766B74
"""Marks a SQLite file as a state file."""
FORMAT: Final = 1
RECEIVERS = "receivers"
TABLES = """
    CREATE TABLE beginning (users INTEGER NOT NULL, seed INTEGER NOT NULL, now TEXT);
    CREATE TABLE rows (collection TEXT NOT NULL, key NOT NULL, value BLOB NOT NULL, UNIQUE (collection, key));
    CREATE TABLE contents (address TEXT NOT NULL, number INTEGER NOT NULL, chunk BLOB NOT NULL,
                           PRIMARY KEY (address, number)) WITHOUT ROWID;
"""
PUT = """
    INSERT INTO rows (collection, key, value) VALUES (?, ?, ?)
    ON CONFLICT (collection, key) DO UPDATE SET value = excluded.value
"""
DROP = "DELETE FROM rows WHERE collection = ? AND key = ?"
PUT_CHUNK = "INSERT OR REPLACE INTO contents (address, number, chunk) VALUES (?, ?, ?)"
DROP_CONTENT = "DELETE FROM contents WHERE address = ?"
MISSING = object()


class Beginning(NamedTuple):
    """What the fake of a state file began as, and begins as again after a reset."""

    users: int
    seed: int
    now: str | None


class Log(NamedTuple):
    """A log as it was saved last: its entries, and the number of the first."""

    first: int
    entries: list[Any]


class StateFile:
    """The state of one fake on disk.

    `commit` writes what has changed since the last one, in one transaction that is on the disk when it returns; a
    process or machine that dies leaves the file as after the last whole commit. What the file is worth depends on
    who waits for a commit before promising anything: see `fakes.group_commit`.

    It holds what a snapshot holds, the secrets of the fake among it, and so only its owner may read it; besides, the
    URLs to which callbacks of bots go, which no snapshot has. The journal is not saved. One process at a time may
    use it.

    Args:
        path: the file; made where there is none.

    Raises:
        ValueError: there is a file, and it is no state file, or one of a newer version.
        BlockingIOError: another process uses it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._saved = Rows({}, {}, {})
        self._logs: dict[str, Log] = {}
        self._engine: Engine | None = None
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        self._file = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=0)
        try:
            self._prepare()
        except sqlite3.Error as failed:
            self._file.close()
            if "locked" in str(failed):
                raise BlockingIOError(f"{self._path} is in use by another process") from None
            raise ValueError(f"{self._path} is no state file of a fake: {failed}") from None
        except BaseException:
            self._file.close()
            raise

    @property
    def beginning(self) -> Beginning | None:
        """What its fake began as; None where there is none yet."""
        found = self._file.execute("SELECT users, seed, now FROM beginning").fetchone()
        return None if found is None else Beginning(*found)

    def attach(self, engine: Engine, beginning: Beginning) -> None:
        """Have a fake go on from here, or, where the file is new, begin with that fake.

        Raises:
            ValueError: what was saved is damaged.
        """
        if self.beginning is None:
            self._engine = engine
            self._commit(beginning)
            return
        try:
            saved, receivers = self._read()
        except (ValueError, LookupError, TypeError, AttributeError, sqlite3.Error) as failed:
            raise ValueError(f"{self._path} is damaged: {failed}") from None
        with engine.lock:
            snapshots.load(saved, engine.state)
            for bot_id, receiver in receivers.items():
                engine.state.callbacks.bot(bot_id).receiver = receiver
        self._engine = engine  # not before it holds what the file holds, or that would be overwritten
        self._saved = self._rows()
        first = dict(self._file.execute("SELECT collection, min(key) FROM rows GROUP BY collection"))
        self._logs = {name: Log(first.get(name, 0), entries) for name, entries in self._saved.logs.items()}

    def commit(self) -> None:
        """Save all changes since the last commit; where there are none, do nothing."""
        self._commit(None)

    def close(self) -> None:
        """Save what has changed last, and close the file."""
        with closing(self._file):
            if self._engine is not None:
                self.commit()

    def _prepare(self) -> None:
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        empty = not self._file.execute("SELECT 1 FROM sqlite_master").fetchone()
        application, version = (
            self._file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if not empty and application != APPLICATION:
            raise ValueError(f"{self._path} is no state file of a fake, but another program's database")
        if version > FORMAT:
            raise ValueError(
                f"{self._path} has version {version}, and this fake reads up to {FORMAT}; a newer one wrote it"
            )
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("BEGIN EXCLUSIVE")
        if empty:
            for statement in TABLES.split(";")[:-1]:
                self._file.execute(statement)
            self._file.execute(f"PRAGMA application_id = {APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {FORMAT}")
        self._file.execute("COMMIT")

    def _read(self) -> tuple[SavedState, dict[str, HttpReceiver]]:
        contents: dict[str, Content] = {}
        for address, chunk in self._file.execute(
            "SELECT address, chunk FROM contents ORDER BY address, number"
        ):
            contents.setdefault(address, Content()).write(chunk)
        rows = self._file.execute(
            "SELECT collection, key, value FROM rows WHERE collection <> ? ORDER BY rowid", [RECEIVERS]
        )
        saved = assembled(rows, contents)
        urls = self._file.execute("SELECT key, value FROM rows WHERE collection = ?", [RECEIVERS])
        receivers = {bot_id: HttpReceiver(url.decode()) for bot_id, url in urls}
        unknown = receivers.keys() - {bot.bot_id for bot in saved.callbacks.bots}
        if unknown:
            raise ValueError(f"there is no bot {', '.join(sorted(unknown))}")
        return saved, receivers

    def _rows(self) -> Rows:
        """The state now; only to look at it takes the fake's lock."""
        if self._engine is None:
            raise RuntimeError("no fake is attached to this state file yet")
        state = self._engine.state
        with self._engine.lock:
            dumped = {name: getattr(state, name).dump() for name in snapshots.PARTS}
            receivers = {bot.bot_id: bot.receiver for bot in state.callbacks.bots.values()}
        rows = rows_of(dumped)
        rows.maps[RECEIVERS] = {
            bot_id: receiver.url.encode()
            for bot_id, receiver in receivers.items()
            if isinstance(receiver, HttpReceiver) and receiver.transport is None
        }
        return rows

    def _commit(self, beginning: Beginning | None) -> None:
        rows = self._rows()
        logs = {name: moved(self._logs.get(name), entries) for name, entries in rows.logs.items()}
        put = [*self._put_entries(rows), *self._put_logged(logs)]
        drop = [*self._drop_entries(rows), *self._drop_logged(logs)]
        grown = list(grown_contents(self._saved.contents, rows.contents))
        lost = lost_contents(self._saved.contents, rows.contents)
        if put or drop or grown or lost or beginning is not None:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                if beginning is not None:
                    self._file.execute("INSERT INTO beginning VALUES (?, ?, ?)", beginning)
                self._file.executemany(DROP, drop)
                self._file.executemany(PUT, put)
                self._file.executemany(DROP_CONTENT, [(address,) for address in lost])
                for address, start in grown:
                    chunks = enumerate(rows.contents[address].chunks(start * CHUNK), start)
                    self._file.executemany(PUT_CHUNK, ((address, number, chunk) for number, chunk in chunks))
                self._file.execute("COMMIT")
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
        self._saved, self._logs = rows, logs

    def _put_entries(self, rows: Rows) -> Iterator[tuple[str, str, bytes]]:
        for collection, entries in rows.maps.items():
            saved = self._saved.maps.get(collection, {})
            for key, entry in entries.items():
                was = saved.get(key, MISSING)
                if was is not entry and was != entry:
                    yield collection, key, written(collection, entry)

    def _drop_entries(self, rows: Rows) -> Iterator[tuple[str, str]]:
        for collection, entries in self._saved.maps.items():
            for key in entries.keys() - rows.maps[collection].keys():
                yield collection, key

    def _put_logged(self, logs: Mapping[str, Log]) -> Iterator[tuple[str, int, bytes]]:
        for collection, log in logs.items():
            old = self._logs.get(collection, Log(log.first, []))
            known = old.entries[log.first - old.first :]
            for at, entry in enumerate(log.entries):
                if at >= len(known) or known[at] is not entry:
                    yield collection, log.first + at, written(collection, entry)

    def _drop_logged(self, logs: Mapping[str, Log]) -> Iterator[tuple[str, int]]:
        for collection, old in self._logs.items():
            log = logs.get(collection, Log(old.first, []))
            kept = range(log.first, log.first + len(log.entries))
            for number in range(old.first, old.first + len(old.entries)):
                if number not in kept:
                    yield collection, number


def moved(old: Log | None, entries: list[Any]) -> Log:
    """A log as it is now, numbered on: what it has lost, it has lost at its beginning.

    Examples:
        >>> one, two, three = [object() for _ in range(3)]
        >>> [moved(Log(5, [one, two]), now).first for now in ([one, two, three], [two], [three], [])]
        [5, 6, 7, 7]
    """
    if old is None:
        return Log(0, entries)
    lost = len(old.entries)
    if entries:
        lost = next((at for at, entry in enumerate(old.entries) if entry is entries[0]), lost)
    return Log(old.first + lost, entries)


def grown_contents(
    saved: Mapping[str, Content], contents: Mapping[str, Content]
) -> Iterator[tuple[str, int]]:
    """The addresses whose content is new or has grown, and the number of the first chunk that is to be written."""
    for address, content in contents.items():
        was = saved.get(address)
        if was is None or not continues(was, content):
            yield address, 0
        elif len(was) < len(content):
            yield address, len(was) // CHUNK


def lost_contents(saved: Mapping[str, Content], contents: Mapping[str, Content]) -> list[str]:
    """The addresses whose saved content is no longer there, nor the beginning of what is."""
    return [
        address
        for address, was in saved.items()
        if address not in contents or not continues(was, contents[address])
    ]


def continues(was: Content, content: Content) -> bool:
    """Whether a content is another one, or that and more."""
    return content.begins_as(was) and len(content) >= len(was)
