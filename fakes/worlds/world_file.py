"""The state file of a world, which one process at a time has open."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from threading import RLock
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic_core import from_json

from fakes.engine.engine import Engine
from fakes.http.errors import Refusal
from fakes.parts.domain import Beginning
from fakes.persistence import NotSaved
from fakes.store.group_commit import GroupCommit
from fakes.store.state_file import StateFile

__all__ = ["OWNER_ONLY", "WANTED", "WorldFile"]

T = TypeVar("T")

OWNER_ONLY = 0o600
WANTED = ".wanted"
"""The suffix of the file that asks for a world."""


class WorldFile(StateFile):
    """The state file of a world. While it is open, a lock keeps it from other processes.

    The lock is a file beside it, which is deleted only with the world. Whoever finds it locked leaves another file,
    which asks for the world.

    Args:
        name: the name of the world.
        path: the file; created if it does not exist.

    Raises:
        Refusal: another process has it.
        NotSaved: it cannot be used.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._name, self._path = name, path
        self._using = RLock()  # a response may wait for its commit while another thread closes the file
        self._is_open = False
        self._is_set_aside = False  # closed soon, unless it is used again before
        self._lock = FileLock(path.with_suffix(".lock"), mode=OWNER_ONLY, thread_local=False)
        self._wanted = path.with_suffix(WANTED)
        self._own_writer = token_hex(8).encode()
        start = super().__init__  # which a lambda cannot say
        self._take(lambda: start(path))

    def _take(self, start: Callable[[], T]) -> T:
        """Lock the world, and start to use its file.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used.
        """
        try:
            self._lock.acquire(blocking=False)
            started = start()
        except (Timeout, BlockingIOError):
            self._lock.release()
            with suppress(OSError):
                self._wanted.touch(OWNER_ONLY)
            raise Refusal(
                "misdirected",
                f"another process has the world {self._name!r} of {self._path.parent}; send requests for it there",
            ) from None
        except (OSError, ValueError) as error:
            self._lock.release()
            raise NotSaved(str(error), f"the world {self._name!r} cannot be used") from None
        with suppress(OSError):
            self._wanted.unlink()
        self._is_open = True
        return started

    def keep(self, world: Engine, beginning: Beginning) -> None:
        """Save the changes of a world from now on.

        Raises:
            ValueError: the beginning cannot be saved, or the file is damaged.
            NotSaved: the beginning could not be saved.
        """
        self.attach(world, beginning)
        world.settle = GroupCommit(self.settle, self.has_changes).settle

    def settle(self) -> None:
        """Commit changes before the response is sent.

        Raises:
            NotSaved: it is closed, or cannot be written.
        """
        with self._using:
            if not self._is_open:
                raise NotSaved(
                    f"the world {self._name!r} was closed meanwhile", "the change is not saved; send it again"
                )
            super().settle()

    def find(self, beginning: Beginning) -> bool:
        """Open the file again for the same world, with what another process may have changed meanwhile.

        Args:
            beginning: that of the world.

        Returns:
            Whether it still is the file of that world, and not deleted or that of a later world of that name.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used, or changes that were made while it was closed are lost.
        """
        with self._using:
            self._is_set_aside = False
            if self._is_open:
                return True
            engine = self._engine
            if engine is None or not self._path.exists():
                return False
            if self._take(self.reopen):
                return True
            loaded, is_saved = False, self.is_saved
            try:
                if self.beginning == beginning and self.settings == from_json(self._settings):
                    self.attach(engine, beginning)
                    loaded = True
            except ValueError as error:
                raise NotSaved(str(error), f"the world {self._name!r} cannot be used") from None
            finally:
                if not loaded:
                    self.abandon()
            if loaded and not is_saved:
                self.close()
                raise NotSaved(
                    f"another process changed the world {self._name!r} while its file was closed here",
                    "the latest changes here are lost, and the world is as that process left it; find it, or send the "
                    "request, again",
                )
            return loaded

    def set_aside(self) -> None:
        """Prepare to close it, unless it is opened again before."""
        self._is_set_aside = True

    def close_if_set_aside(self) -> None:
        """Close it if it still is set aside; no response acknowledged changes that cannot be saved."""
        with self._using:
            if self._is_open and self._is_set_aside:
                with suppress(NotSaved):
                    self.close()

    def close(self) -> None:
        """Save the last changes, and let other processes have the world.

        Raises:
            NotSaved: the changes could not be saved, and are lost.
        """
        with self._using:
            try:
                if self._is_open:
                    super().close()
            finally:
                self._is_open = False
                self._lock.release()

    def abandon(self) -> None:
        """Close it without saving anything."""
        self._engine = None
        self.close()

    def delete(self) -> None:
        """Delete the world's files: its lock last, which others who wait for it notice."""
        with self._using:
            self._engine, self._is_open = None, False  # nothing is saved any more
            super().close()
            try:
                self._path.unlink(missing_ok=True)
                self._wanted.unlink(missing_ok=True)
                rmtree(self._folder, ignore_errors=True)  # of large uploads
            finally:
                lock = Path(self._lock.lock_file)
                with suppress(OSError):  # Windows deletes no file that is open
                    lock.unlink()
                self._lock.release()
                if os.name == "nt":
                    with suppress(OSError):  # another process has it already
                        lock.unlink()
