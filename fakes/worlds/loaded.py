"""The worlds in memory, and which of their files are open."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from itertools import islice
from threading import RLock
from weakref import WeakValueDictionary

from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from fakes.worlds.folder import NAME, WorldFolder
from fakes.worlds.world import World

__all__ = ["LoadedWorlds"]


class LoadedWorlds:
    """The worlds that were used, without a folder or with one that keeps them.

    Without a folder, those that were not used for too long are removed. With one, only their files are closed, and so
    are the files of others if very many are in use: a world that a program holds stays the same object.

    A new world is given to `add`, and `remove` deletes one. For each request, `find` returns the world, with its file
    open; `World.open` calls `take`, as the file may have been closed for a program that holds the world. After the
    request, `give_back` closes the file again if its sender knew no secret of the world. Whoever else wants it leaves a
    note, which `give_back_wanted` looks for. `close` saves all.

    Args:
        folder: the folder.
        most_bytes: the most bytes that a world may hold.
        idle: seconds without a request after which a world is not used any more.
        monotonic: a clock of seconds.
        prepare: called with each world that was added or loaded.

    Attributes:
        lock: held by whoever looks and then changes something.
    """

    def __init__(
        self,
        folder: WorldFolder | None,
        most_bytes: int,
        *,
        idle: float,
        monotonic: Callable[[], float],
        prepare: Callable[[World], None],
    ) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._idle, self._monotonic, self._prepare = idle, monotonic, prepare
        self.lock: RLock = RLock()
        # In these two, the one last used is the last.
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._open: OrderedDict[str, World] = OrderedDict()  # those of a folder whose files are open
        # Those of a folder that are in memory: a program may still have one that was not used for too long.
        self._known: WeakValueDictionary[str, World] = WeakValueDictionary()

    def names(self) -> list[str]:
        """Return the names of all worlds, sorted."""
        with self.lock:
            self._close_unused()
            return sorted(self._worlds) if self._folder is None else self._folder.names()

    def is_full(self, most: int) -> bool:
        """Return whether there are so many worlds, which takes no longer the more there are."""
        return len(self._worlds) >= most if self._folder is None else self._folder.is_full(most)

    def add(self, world: World) -> None:
        """Add a new world, and start its file.

        Raises:
            Refusal: another process has one of that name.
            NotSaved: its file cannot be used.
            ValueError: its beginning cannot be saved.
        """
        if self._folder is not None:
            self._folder.start(world)
        self._add(world)

    def _add(self, world: World) -> None:
        self._prepare(world)
        world.give_back = self.give_back
        if self._folder is not None:
            world.take = self.take
        self._use(world)

    def _use(self, world: World) -> None:
        """Note that a world is in use now; its file is open."""
        world.used_at = self._monotonic()
        self._worlds[world.name] = world
        self._worlds.move_to_end(world.name)
        if world.file is not None:
            self._known[world.name] = self._open[world.name] = world
            self._open.move_to_end(world.name)

    def find(self, name: str) -> World | None:
        """Return a world, after opening its file if it is in the folder; None if there is none.

        Raises:
            Refusal: another process has it.
            NotSaved: its file cannot be used.
        """
        self._close_unused()
        world = self._worlds.get(name) if self._folder is None else self._open.get(name)
        if world is None and self._folder is not None and NAME.fullmatch(name):
            world = self._open_file(self._folder, name)
        if world is not None:
            self._use(world)
        return world

    def _open_file(self, folder: WorldFolder, name: str) -> World | None:
        world = self._known.get(name)
        if world is None or not (world.file and world.file.find(world.beginning)):  # new here, or deleted
            self._forget(name)
            world = folder.load(name, self._most_bytes)
            if world is not None:
                self._add(world)
        if world is not None:
            world.is_taken = False
        return world

    def _forget(self, name: str) -> None:
        for worlds in (self._worlds, self._open, self._known):
            worlds.pop(name, None)

    def remove(self, world: World) -> None:
        """Remove a world with its file, which is open."""
        self._forget(world.name)
        if world.file is not None:
            world.file.delete()

    def close(self) -> None:
        """Save all worlds of the folder, and let other processes have them.

        Raises:
            NotSaved: changes could not be saved, and are lost.
        """
        with self.lock, ExitStack() as stack:
            stack.callback(self._worlds.clear)
            for world in list(self._known.values()):
                stack.callback(self._save, world)

    def _save(self, world: World) -> None:
        """Save a world, also one that a program changed after its file was closed, and close its file."""
        file, is_open = world.file, self._open.pop(world.name, None) is not None
        if file is None:
            return
        try:
            if is_open or (not file.is_saved and file.find(world.beginning)):
                file.close()
        except Refusal as error:
            raise NotSaved(error.description, f"the latest changes to {world.name!r} are lost") from None

    def take(self, world: World) -> None:
        """Open the file of a world for a request, also one that did not come through the fake that has the worlds.

        Raises:
            Refusal: another process has it, or deleted it.
            NotSaved: its file cannot be used.
        """
        with self.lock:
            if self.find(world.name) is not world:
                raise Refusal(
                    "not_found", f"the world {world.name!r} was deleted; create one, and use its URLs"
                )

    def give_back(self, world: World) -> None:
        """Close the file of a world that was called without a secret of it; its fake stays."""
        with self.lock:
            if not (world.requests or world.is_taken) and self._open.get(world.name) is world:
                self._close_file(world)

    def give_back_wanted(self) -> None:
        """Close the files of the worlds that another process asked for, if they are not in use."""
        for name in () if self._folder is None else self._folder.wanted():
            with self.lock:
                world = self._open.get(name)
                if world is not None and not world.requests:
                    self._close_file(world)

    def _close_file(self, world: World) -> None:
        """Close the file of a world, in a thread if there is an event loop that would have to wait."""
        self._open.pop(world.name, None)
        if world.file is None:
            return
        world.file.set_aside()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            world.file.close_if_set_aside()
        else:
            loop.run_in_executor(None, world.file.close_if_set_aside)

    def _close_unused(self) -> None:
        """Remove the worlds that were not used for too long, and close files of a folder if too many are open."""
        latest = self._monotonic() - self._idle
        while self._worlds:
            world = next(iter(self._worlds.values()))
            if world.used_at > latest:
                break
            if world.requests:  # it has not finished one that takes long
                world.used_at = self._monotonic()
                self._worlds.move_to_end(world.name)
            else:
                del self._worlds[world.name]
                self._close_file(world)
        surplus = 0 if self._folder is None else len(self._open) - self._folder.most_open
        for world in list(islice(self._open.values(), max(surplus, 0))):
            if world.requests:
                self._open.move_to_end(world.name)
            else:
                self._close_file(world)
