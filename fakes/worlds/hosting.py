"""The fake that has the worlds: it creates, finds and removes them, and passes their requests on."""

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from os import PathLike
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any, NamedTuple, Self

from fakes.engine.request_cycle import RequestCycle
from fakes.handlers.admin_worlds import WorldHost, world_path
from fakes.handlers.error_formats import format_admin_error
from fakes.http.addresses import BaseURLs, UnknownURL
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.ids import Ids
from fakes.service import FakeService
from fakes.store.group_commit import NotSaved
from fakes.worlds.folder import NAME, WorldFile, WorldFolder
from fakes.worlds.world import World
from svckit.models.problems import shorten

__all__ = ["Worlds"]

MOST = 1000
MOST_BYTES = 64 * 1024 * 1024
IDLE = 24 * 60 * 60.0
MOST_FILES = 200
"""The most worlds of a folder that are open at once: each needs three of the files that a process may open."""


class UsedWorld(NamedTuple):
    """A world, when it was last used, and its file in the folder."""

    world: World
    at: float
    file: WorldFile | None


class Worlds(FakeService, WorldHost):
    """A fake that has worlds: independent fakes whose URLs start with ``/w/`` and their name.

    Each world has its own clock, users, files, rate limits, faults, journal and admin key, and no token or other secret
    of one world is valid in another. This fake has its own, as every fake, and the admin calls ``/worlds``, which do
    what these methods do. All its doors are doors of the worlds too: ``transport()``, ``asgi``, ``serve()`` and so on.

    A world is removed once no request reached it for the idle time. In a world that is full, a request with a body that
    does not fit gets a 507, and in process raises ``NotSaved``.

    Args:
        users: the number of sample users, of this fake and of the worlds that are created without; so are all other
            arguments of `FakeService.sample`, of which ``addresses`` are those of this fake.
        seed: determines the users, the IDs and, with the name of a world, its secrets, so whoever guesses the seed can
            compute them. Without one the users and IDs are those of the seed 0, and all secrets are random; a folder
            keeps those of this fake.
        now: the instant at which the clocks stand.
        most: the maximum number of worlds.
        most_bytes: the most bytes that a world may hold: content, records and messages, and its journal, which keeps at
            most a quarter of them.
        idle: seconds without a request after which a world is removed.
        state: a folder that keeps the worlds, each in a file that one process at a time has. A server sends a response
            only after the changes that it acknowledges are on the disk; other doors need `close`. Unused worlds are
            closed instead of removed, and so are some if very many are in use.
        monotonic: a clock of seconds, for tests.
        options: the other arguments of `FakeService.sample`.

    Examples:
        >>> import httpx
        >>> worlds = Worlds(now="2026-06-01T09:00:00+09:00")
        >>> mina, ada = worlds.create("mina"), worlds.create("ada", users=3)
        >>> mina.facts["base_url"]
        'https://api.fake.test/w/mina'
        >>> with httpx.Client(transport=worlds.transport()) as http:
        ...     for bearer in (mina.access_token(), ada.access_token()):
        ...         headers = {"Authorization": f"Bearer {bearer}"}
        ...         print(http.patch(mina.facts["base_url"] + "/users/u-001", headers=headers, json={}))
        <Response [200 OK]>
        <Response [401 Unauthorized]>
        >>> len(mina.journal), len(ada.journal), worlds.names()
        (2, 0, ['ada', 'mina'])
    """

    def __init__(
        self,
        users: int | None = None,
        seed: int | None = None,
        now: str | datetime | None = None,
        *,
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
        idle: float = IDLE,
        state: str | PathLike[str] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        self._folder = None if state is None else WorldFolder(Path(state))
        self._salt = ""
        if seed is None:
            self._salt = token_hex(16) if self._folder is None else self._folder.read_salt()
        super().__init__(users, seed or 0, now, **options)
        self._most, self._most_bytes, self._idle, self._monotonic = most, most_bytes, idle, monotonic
        self._worlds: OrderedDict[str, UsedWorld] = OrderedDict()  # the one last used is the last
        self._changing = RLock()

    def _make_ids(self, seed: int) -> Ids:
        return Ids(self._salt or seed)

    def _create_fresh(self) -> Self:
        fresh = type(self).__new__(type(self))
        fresh._salt = self._salt  # noqa: SLF001 - it is one of this class
        FakeService.__init__(fresh, **self._beginning)
        return fresh

    def names(self) -> list[str]:
        """Return the names of all worlds, sorted."""
        with self._changing:
            self._close_unused()
            return sorted(self._worlds) if self._folder is None else self._folder.names()

    def create(self, name: str, **sample: Any) -> World:
        """Create a world.

        Args:
            name: its name: lower-case letters, digits, ``-`` and ``_``.
            sample: arguments of `FakeService.sample`; others, and other rules of ``assume``, are those of this fake. With
                a ``seed``, of the world or of this fake, the secrets follow from it and the name.

        Returns:
            The world, a `FakeService` with a ``name``.

        Raises:
            Refusal: the name is not valid or is taken, or there are too many worlds.
            ValueError: an argument is not valid.
            NotSaved: the data are more than a world may hold, or its file cannot be used.

        Examples:
            >>> Worlds().create("mina", users=3, now="2026-06-01T09:00:00+09:00")
            <World: 3 users, clock standing at 2026-06-01T09:00:00+09:00>
        """
        if not NAME.fullmatch(name):
            raise Refusal(
                "invalid",
                "the name of a world has 1 to 63 lower-case letters, digits, - and _, and starts with a letter or "
                f"digit; given {shorten(name)!r}",
            )
        if "data" in sample:  # instead of the users here
            sample = {"users": None, **sample}
        salt = token_hex(16) if self._salt and "seed" not in sample else ""
        assume = self._beginning["assume"] | sample.pop("assume", {})
        sample = self._beginning | sample | {"assume": assume, "addresses": {}}
        world = World(name, self._most_bytes, salt=salt, **sample)
        if "data" in sample:
            world.make_room(1)
        with self._changing:
            self._close_unused()
            if self._load(name):
                raise Refusal(
                    "conflict", f"there is a world {name!r} already; delete it first, or choose another name"
                )
            if len(self.names()) >= self._most:
                raise Refusal(
                    "conflict", f"there are {self._most} worlds, which is the limit; delete one first"
                )
            self._add(world, None if self._folder is None else self._folder.start(world))
        return world

    def _add(self, world: World, file: WorldFile | None) -> None:
        """Add a world that is in use now."""
        world.auth.auto_login = self.auth.auto_login
        world.base_urls = self.base_urls.within(world_path(world.name))
        self._worlds[world.name] = UsedWorld(world, self._monotonic(), file)

    def _load(self, name: str) -> bool:
        """Return whether there is a world, after loading it if its file is in the folder.

        Raises:
            Refusal: another process has it.
            NotSaved: its file cannot be used.
        """
        if name in self._worlds:
            return True
        if self._folder is None or not NAME.fullmatch(name):
            return False
        loaded = self._folder.load(name, self._most_bytes)
        if loaded is not None:
            self._add(*loaded)
        return loaded is not None

    def find(self, name: str) -> World:
        """Return a world, whose idle time then starts again.

        Args:
            name: the name.

        Raises:
            Refusal: there is no such world, or another process has it.
            NotSaved: its file cannot be used.

        Examples:
            >>> worlds = Worlds()
            >>> worlds.find("mina")
            Traceback (most recent call last):
            ...
            fakes.http.errors.Refusal: there is no world 'mina'; POST /worlds of the admin URL creates one, ...
        """
        with self._changing:
            self._close_unused()
            if not self._load(name):
                removed = (
                    ""
                    if self._folder
                    else f", and one that is not used for {self._idle:g} seconds is removed"
                )
                raise Refusal(
                    "not_found",
                    f"there is no world {shorten(name)!r}; POST /worlds of the admin URL creates one{removed}",
                )
            self._worlds[name] = used = self._worlds.pop(name)._replace(at=self._monotonic())
        return used.world

    def remove(self, name: str) -> None:
        """Remove a world with all its data.

        Args:
            name: the name.

        Raises:
            Refusal: there is no such world, or another process has it.

        Examples:
            >>> worlds = Worlds()
            >>> world = worlds.create("mina")
            >>> worlds.remove("mina")
            >>> worlds.names()
            []
        """
        with self._changing:
            self.find(name)
            file = self._worlds.pop(name).file
            if file is not None:
                file.close(delete=True)

    def close(self) -> None:
        """Save all worlds of the folder, and let other processes have them.

        Raises:
            NotSaved: changes could not be saved, and are lost.
        """
        with self._changing, ExitStack() as stack:
            for used in self._worlds.values():
                if used.file is not None:
                    stack.callback(used.file.close)
            self._worlds.clear()

    def _close_unused(self) -> None:
        """Close the worlds that were not used for too long, and those of a folder that are too many to be open."""
        latest = self._monotonic() - self._idle
        most = self._most if self._folder is None else MOST_FILES
        for _ in range(len(self._worlds)):
            name, used = next(iter(self._worlds.items()))
            if used.at > latest and len(self._worlds) <= most:
                return
            del self._worlds[name]
            if used.world.requests:
                self._worlds[name] = used._replace(at=self._monotonic())
            elif used.file is not None:
                with suppress(NotSaved):  # no response acknowledged these changes
                    used.file.close()

    def _locate(
        self, head: RequestHead, base_urls: BaseURLs | None
    ) -> tuple[FakeService, BaseURLs | None] | None:
        """Return the world that a request is for, and its base URLs; None if it is for this fake.

        Raises:
            Refusal: there is no such world.
        """
        below = (base_urls or self.base_urls).find_after(world_path(""), head.url)
        if below is None:
            return None
        name = below.partition("/")[0]
        return self.find(name), base_urls and base_urls.within(world_path(name))

    def open(self, head: RequestHead, base_urls: BaseURLs | None = None) -> RequestCycle:
        """Start the cycle of one request, in the world that it is for.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.

        Raises:
            UnknownURL: the URL is not below one of these base URLs, or there is no such world.
            BrokenConnection: a fault refuses the connection.
            BudgetSpent: the call is one too many.
        """
        try:
            located = self._locate(head, base_urls)
        except Refusal as missing:
            raise UnknownURL(missing.description, is_own_origin=True) from None
        return super().open(head, base_urls) if located is None else located[0].open(head, located[1])

    def turn_away(self, head: RequestHead, base_urls: BaseURLs | None = None) -> FakeResponse:
        """Return the response to a request to no base URL, or to no world.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.
        """
        try:
            located = self._locate(head, base_urls)
        except Refusal as missing:
            response = format_admin_error(missing, self.rules)
            return response.head_only() if head.method == "HEAD" else response
        return (
            super().turn_away(head, base_urls) if located is None else located[0].turn_away(head, located[1])
        )
