"""The folder that keeps worlds: a state file for each, with a lock, so that one process at a time has it."""

import re
import sys
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from filelock import FileLock

from fakes.persistence import NotSaved
from fakes.worlds.world import World
from fakes.worlds.world_file import OWNER_ONLY, WANTED, WorldFile

__all__ = ["NAME", "WorldFolder", "find_most_open"]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Names that are different in paths and on every file system."""
PREFIX = "world-"
"""Some names, such as ``con``, are not valid for files on Windows."""
FILES_EACH = 4
"""The files that an open world has: its state with SQLite's log, its lock, and a large upload while it is used."""
OTHER_FILES = 256
"""The files that are left for connections, and for all else that the process does."""
SETTABLE = 10_240
"""The highest limit that macOS accepts, whatever it says."""


def find_most_open() -> int:
    """Let the process open as many files as it may, and return how many worlds can be open at once."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for higher in (most, SETTABLE):
        if limit != resource.RLIM_INFINITY and (higher == resource.RLIM_INFINITY or higher > limit):
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (higher, most))
                limit = higher
    return sys.maxsize if limit == resource.RLIM_INFINITY else max((limit - OTHER_FILES) // FILES_EACH, 1)


class WorldFolder:
    """The files of worlds in a folder, which several processes may share.

    Args:
        path: the folder; made if it does not exist, but not the one above it.

    Attributes:
        most_open: how many of its worlds this process can have open at once.

    Raises:
        OSError: it cannot be made.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as path:
        ...     folder = WorldFolder(Path(path))
        ...     world = World("mina", 1_000_000)
        ...     folder.start(world)
        ...     world.file.close()
        ...     folder.names(), world.file.find(world.beginning), folder.load("ada", 1_000_000)
        ...     world.file.close()
        (['mina'], True, None)
    """

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700, exist_ok=True)
        self.most_open: int = find_most_open()
        self._path = path
        self._count = 0  # of the worlds, when they were last counted, and of those made here since
        self._uncounted = 0  # those made here since
        self._is_counted = False

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

    def names(self, suffix: str = ".db") -> list[str]:
        """Return the names of the worlds, or of those that have another file, sorted."""
        found = (path.stem.removeprefix(PREFIX) for path in self._path.glob(f"{PREFIX}*{suffix}"))
        return sorted(filter(NAME.fullmatch, found))

    def wanted(self) -> list[str]:
        """Return the names of the worlds that a process asked for since another has them."""
        return self.names(WANTED)

    def is_full(self, most: int) -> bool:
        """Return whether there are so many worlds.

        Listing the folder for each new world would take longer the more there are. Those that other processes make or
        delete meanwhile are counted whenever this process made as many as an eighth of them.
        """
        if not self._is_counted or self._uncounted > self._count // 8 or self._count >= most:
            self._count, self._uncounted, self._is_counted = len(self.names()), 0, True
        return self._count >= most

    def start(self, world: World) -> None:
        """Start the file of a new world.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used.
            ValueError: the beginning of the world cannot be saved.
        """
        file = WorldFile(world.name, self._get_path(world.name))
        try:
            file.keep(world, world.beginning)
            world.file = file
        except BaseException:
            file.delete()
            raise
        self._count += 1
        self._uncounted += 1

    def load(self, name: str, most_bytes: int) -> World | None:
        """Return a world as it was saved; None if it never was.

        Raises:
            Refusal: another process has it.
            NotSaved: it cannot be used.
        """
        path = self._get_path(name)
        if not path.exists():
            return None
        file, world = WorldFile(name, path), None
        try:
            world = read_world(file, name, most_bytes)
        except (LookupError, TypeError, ValueError) as error:
            raise NotSaved(str(error), f"the world {name!r} cannot be used") from None
        finally:
            if world is None:
                file.abandon()
        return world


def read_world(file: WorldFile, name: str, most_bytes: int) -> World | None:
    """Return the world of a file, which saves its changes from now on; None if it was not saved yet.

    Raises:
        ValueError: the file is damaged.
        LookupError: a setting is missing.
        TypeError: a setting is unknown.
    """
    beginning = file.beginning
    if beginning is None:
        return None
    settings = file.settings
    key = settings.pop("admin_key")
    world = World(name, most_bytes, **beginning._asdict(), data=file.own_data, **settings)
    world.state.admin_key = key
    file.keep(world, beginning)
    world.file = file
    return world
