"""The folder that keeps worlds: a state file for each, with a lock, so that one process at a time has it."""

import re
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from threading import Lock

from filelock import FileLock, Timeout

from fakes.http.errors import Refusal
from fakes.store.group_commit import GroupCommit, NotSaved
from fakes.store.state_file import Beginning, StateFile
from fakes.worlds.world import World

__all__ = ["NAME", "WorldFile", "WorldFolder"]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Names that are different in paths and on every file system."""
PREFIX = "world-"
"""Some names, such as ``con``, are not valid for files on Windows."""
OWNER_ONLY = 0o600


class WorldFile(StateFile):
    """The state file of a world, with a lock, until it is closed.

    The lock is a file beside it, which is never deleted: another process might have the lock already.

    Args:
        name: the name of the world.
        path: the file; created if it does not exist.

    Raises:
        Refusal: another process has it.
        NotSaved: it cannot be used.
    """

    def __init__(self, name: str, path: Path) -> None:
        self._name, self._path = name, path
        self._closing = Lock()  # a response may wait for its commit meanwhile
        self._is_closed = False
        self._lock = FileLock(path.with_suffix(".lock"), mode=OWNER_ONLY, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
            super().__init__(path)
        except (Timeout, BlockingIOError):
            self._lock.release()
            raise Refusal(
                "misdirected",
                f"another process has the world {name!r} of {path.parent}; send requests for it there",
            ) from None
        except (OSError, ValueError) as error:
            self._lock.release()
            raise NotSaved(str(error), f"the world {name!r} cannot be used") from None

    def load(self, most_bytes: int) -> World | None:
        """Return the world as it was saved; None if it was not saved yet.

        Raises:
            NotSaved: the file is damaged.
        """
        try:
            beginning = self.beginning
            if beginning is None:
                return None
            key, settings = "admin_key", self.settings
            world = World(
                self._name,
                most_bytes,
                **beginning._asdict(),
                data=self.own_data,
                **{name: value for name, value in settings.items() if name != key},
            )
            world.state.admin_key = settings[key]
            self.keep(world, beginning)
        except (LookupError, TypeError, ValueError) as error:
            raise NotSaved(str(error), f"the world {self._name!r} cannot be used") from None
        return world

    def keep(self, world: World, beginning: Beginning) -> None:
        """Save the changes of a world from now on.

        Raises:
            ValueError: the beginning cannot be saved, or the file is damaged.
            NotSaved: the beginning could not be saved.
        """
        self.attach(world, beginning)
        world.settle = GroupCommit(self.settle).settle

    def settle(self) -> None:
        """Commit for a response.

        Raises:
            NotSaved: it is closed, or cannot be written.
        """
        with self._closing:
            if self._is_closed:
                raise NotSaved(f"the world {self._name!r} was closed meanwhile", "nothing was changed")
            super().settle()

    def close(self, *, delete: bool = False) -> None:
        """Save the last changes or delete the file, and let other processes have the world.

        Raises:
            NotSaved: the changes could not be saved, and are lost.
        """
        with self._closing:
            self._is_closed = True
            try:
                with suppress(*[NotSaved] if delete else []):
                    super().close()
                if delete:
                    self._path.unlink()
                    rmtree(self._folder, ignore_errors=True)  # of large uploads
            finally:
                self._lock.release()


class WorldFolder:
    """The files of worlds in a folder, which several processes may share.

    Args:
        path: the folder; made if it does not exist, but not the one above it.

    Raises:
        OSError: it cannot be made.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as path:
        ...     folder = WorldFolder(Path(path))
        ...     folder.start(World("mina", 1_000_000)).close()
        ...     world, file = folder.load("mina", 1_000_000)
        ...     file.close()
        ...     folder.names(), world.name, folder.load("ada", 1_000_000)
        (['mina'], 'mina', None)
    """

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700, exist_ok=True)
        self._path = path

    def _get_path(self, name: str) -> Path:
        return self._path / f"{PREFIX}{name}.db"

    def read_salt(self) -> str:
        """Return the random text that the secrets of the fake with the worlds depend on; it is made only once.

        Raises:
            OSError: its file cannot be used.
        """
        path = self._path / "salt"
        with FileLock(path.with_suffix(".lock"), mode=OWNER_ONLY):
            with suppress(FileNotFoundError):
                if salt := path.read_text("ascii"):  # empty if its process was killed before it was written
                    return salt
            path.touch(OWNER_ONLY)
            path.write_text(salt := token_hex(16), "ascii")
            return salt

    def names(self) -> list[str]:
        """Return the names of the worlds, sorted."""
        found = (path.stem.removeprefix(PREFIX) for path in self._path.glob(f"{PREFIX}*.db"))
        return sorted(filter(NAME.fullmatch, found))

    def start(self, world: World) -> WorldFile:
        """Start the file of a new world.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used.
            ValueError: the beginning of the world cannot be saved.
        """
        file = WorldFile(world.name, self._get_path(world.name))
        try:
            file.keep(world, world.beginning)
        except BaseException:
            file.close(delete=True)
            raise
        return file

    def load(self, name: str, most_bytes: int) -> tuple[World, WorldFile] | None:
        """Return a world as it was saved, and its file; None if there is none.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used.
        """
        path = self._get_path(name)
        if not path.exists():
            return None
        file, world = WorldFile(name, path), None
        try:
            world = file.load(most_bytes)
        finally:
            if world is None:
                file.close()
        return None if world is None else (world, file)
