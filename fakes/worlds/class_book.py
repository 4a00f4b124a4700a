"""The book of a class: the progress of its learners, and what its trainer pushed to them."""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from fakes.worlds.world_file import OWNER_ONLY

__all__ = ["ClassBook"]

SET_UP = """
    CREATE TABLE IF NOT EXISTS progress (world TEXT, lesson TEXT, record TEXT, PRIMARY KEY (world, lesson));
    CREATE TABLE IF NOT EXISTS pushes (number INTEGER PRIMARY KEY AUTOINCREMENT, push TEXT);
"""
MOST_LESSONS = 100
"""The most lessons of one world, as its learner posts what they like."""
MOST_PUSHES = 1000
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""


class ClassBook:
    """The progress of a class by world and lesson, and the pushes of its trainer.

    Args:
        path: the file, which processes that share the worlds share too; None keeps it in memory.

    Examples:
        >>> book = ClassBook()
        >>> for at, tries in (("09:00", 1), ("09:05", 2)):
        ...     tried = {"lesson": "08", "outcome": "not yet", "check": "too soon", "tries": tries, "at": at}
        ...     book.post("mina", tried)
        >>> [(record["world"], record["tries"], record["since"]) for record in book.read()]
        [('mina', 2, '09:00')]
        >>> book.push({"clear": "faults"}), book.pushes(since=1)
        ({'number': 1, 'clear': 'faults'}, [])
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = Lock()

    @cached_property
    def _file(self) -> sqlite3.Connection:
        if self._path is not None:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
        file = sqlite3.connect(
            self._path or ":memory:", timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        finalize(self, file.close)
        file.executescript(SET_UP)
        return file

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._file
        except (OSError, sqlite3.Error) as error:
            raise NotSaved(
                f"the file of the class cannot be used ({error})",
                "nothing changed; check its disk, and send it again",
            ) from None

    def post(self, world: str, progress: Mapping[str, Any]) -> None:
        """Replace the progress of a world in a lesson.

        Raises:
            Refusal: the world has too many lessons.
            NotSaved: the file cannot be used.
        """
        lesson = progress["lesson"]
        with self._use() as file:
            found = dict(file.execute("SELECT lesson, record FROM progress WHERE world = ?", (world,)))
            if lesson not in found and len(found) >= MOST_LESSONS:
                raise Refusal("conflict", f"a world has the progress of up to {MOST_LESSONS} lessons")
            before = json.loads(found.get(lesson, "{}"))
            is_same = all(before.get(name) == progress[name] for name in ("outcome", "check"))
            record = {"world": world, **progress, "since": before["since"] if is_same else progress["at"]}
            file.execute("REPLACE INTO progress VALUES (?, ?, ?)", (world, lesson, json.dumps(record)))

    def read(self, world: str = "") -> list[dict[str, Any]]:
        """Return the progress in a world, or in all, by world and lesson."""
        select = "SELECT record FROM progress WHERE world BETWEEN ? AND ? ORDER BY world, lesson"
        with self._use() as file:
            names = world, world or "~"  # which sorts after all names of worlds
            return [json.loads(record) for (record,) in file.execute(select, names)]

    def push(self, push: Mapping[str, Any]) -> dict[str, Any]:
        """Add a push, and return it with its number; the oldest of very many are dropped."""
        with self._use() as file:
            number = file.execute("INSERT INTO pushes (push) VALUES (?)", (json.dumps(push),)).lastrowid or 0
            file.execute("DELETE FROM pushes WHERE number <= ?", (number - MOST_PUSHES,))
        return {"number": number, **push}

    def pushes(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the pushes after a number, oldest first."""
        select = "SELECT number, push FROM pushes WHERE number > ? ORDER BY number"
        with self._use() as file:
            return [{"number": number, **json.loads(push)} for number, push in file.execute(select, (since,))]

    def forget(self, world: str) -> None:
        """Forget the progress in a world."""
        with self._use() as file:
            file.execute("DELETE FROM progress WHERE world = ?", (world,))

    def close(self) -> None:
        """Close the file, which the next use opens again; what is kept in memory stays."""
        with self._lock:
            if self._path is not None and "_file" in self.__dict__:
                self.__dict__.pop("_file").close()
