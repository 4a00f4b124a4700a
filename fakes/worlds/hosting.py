"""The fake that has the worlds: it creates, finds and removes them, and passes their requests on."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from os import PathLike
from pathlib import Path
from posixpath import normpath
from secrets import token_hex
from typing import Any, Self
from urllib.parse import unquote

from fakes.engine.request_cycle import RequestCycle
from fakes.handlers.admin_class import InClass
from fakes.handlers.admin_worlds import WorldHost, world_path
from fakes.http.addresses import BaseURLs, UnknownURL
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.ids import Ids
from fakes.parts.snapshot import Snapshot
from fakes.service import FakeService
from fakes.worlds.class_book import ClassBook
from fakes.worlds.folder import NAME, WorldFolder
from fakes.worlds.loaded import LoadedWorlds
from fakes.worlds.world import World, format_refusal
from svckit.models.problems import shorten

__all__ = ["Worlds"]

MOST = 1000
MOST_BYTES = 64 * 1024 * 1024
IDLE = 24 * 60 * 60.0


class Worlds(FakeService, WorldHost, InClass, internal="book name"):
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
            closed instead of removed; those used within the idle time stay in memory, ``most`` times ``most_bytes``
            at worst, also if so many are in use that the files of some are closed.
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
        self.book: ClassBook = ClassBook(None if state is None else Path(state) / "class.db")
        self._most, self._most_bytes, self._idle = most, most_bytes, idle
        self._loaded = LoadedWorlds(
            self._folder, most_bytes, idle=idle, monotonic=monotonic, prepare=self._prepare
        )

    def _make_ids(self, seed: int) -> Ids:
        return Ids(self._salt or seed)

    def _create_fresh(self) -> Self:
        fresh = type(self).__new__(type(self))
        fresh._salt = self._salt
        FakeService.__init__(fresh, **self._beginning)
        return fresh

    def names(self) -> list[str]:
        """Return the names of all worlds, sorted."""
        return self._loaded.names()

    def create(self, name: str, **sample: Any) -> World:
        """Create a world.

        Args:
            name: its name: lower-case letters, digits, ``-`` and ``_``.
            sample: arguments of `FakeService.sample`; others, and other rules of ``assume``, are those of this fake.
                With ``data`` the sample users of this fake are left out. With ``users``, the data of this fake are left
                out if they have users: all of them, also rooms and files.
                With a ``seed``, of the world or of this fake, the secrets follow from it and the name.

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
        elif "users" in sample and self.own_data is not None and self.own_data.users:  # instead of those here
            sample = {"data": None, **sample}
        salt = token_hex(16) if self._salt and "seed" not in sample else ""
        assume = self._beginning["assume"] | sample.pop("assume", {})
        sample = self._beginning | sample | {"assume": assume, "addresses": {}}
        world = World(name, self._most_bytes, salt=salt, **sample)
        if "data" in sample:
            world.make_room(1)
        with self._loaded.lock:
            if (found := self._loaded.find(name)) is not None:
                self._loaded.give_back(found)
                raise Refusal(
                    "conflict", f"there is a world {name!r} already; delete it first, or choose another name"
                )
            if self._loaded.is_full(self._most):
                raise Refusal(
                    "conflict", f"there are {self._most} worlds, which is the limit; delete one first"
                )
            self._loaded.add(world)
        return world

    def _prepare(self, world: World) -> None:
        """Set what a world has of this fake."""
        world.book = self.book
        world.auth.auto_login = self.auth.auto_login
        world.base_urls = self.base_urls.within(world_path(world.name))

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
        with self._loaded.lock:
            world = self._loaded.find(name)
            if world is None:
                missing = f"there is no world {shorten(name)!r}; POST /worlds of the admin URL creates one"
                if not self._folder:
                    missing += f", and one that is not used for {self._idle:g} seconds is removed"
                raise Refusal("not_found", missing)
            world.is_taken = True
        return world

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
        with self._loaded.lock:
            self._loaded.remove(self.find(name))
        self.book.forget(name)

    def snapshot(self) -> Snapshot:
        """Refuse to take a snapshot, which would be without the worlds; each world has its own.

        Raises:
            Refusal: always.

        Examples:
            >>> Worlds().create("mina", now="2026-06-01T09:00:00+09:00").snapshot()
            <Snapshot, version 2: 20 users, 1 file, clock 2026-06-01T09:00:00+09:00>
        """
        raise Refusal(
            "conflict",
            "a snapshot of the fake that has the worlds would be without them; take one of each world: GET /snapshot "
            "of its admin URL, or worlds.find(name).snapshot()",
        )

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Refuse to restore a snapshot, whose secrets this fake would then have; each world can.

        Args:
            snapshot: what `snapshot` of another fake returned.

        Raises:
            Refusal: always.

        Examples:
            >>> world = Worlds().create("mina", now="2026-06-01T09:00:00+09:00")
            >>> world.restore(world.snapshot())
        """
        raise Refusal(
            "conflict",
            "the fake that has the worlds would get the secrets of the snapshot; restore one in a world: PUT /snapshot "
            "of its admin URL, or worlds.find(name).restore(snapshot)",
        )

    def fork(self) -> Self:
        """Refuse to make a copy, which would be without the worlds; fork each world.

        Raises:
            Refusal: always.

        Examples:
            >>> Worlds().create("mina", now="2026-06-01T09:00:00+09:00").fork()
            <World: 20 users, clock standing at 2026-06-01T09:00:00+09:00>
        """
        raise Refusal(
            "conflict",
            "a copy of the fake that has the worlds would be without them; fork each world: worlds.find(name).fork()",
        )

    def close(self) -> None:
        """Save all worlds of the folder, and let other processes have them.

        Raises:
            NotSaved: changes could not be saved, and are lost.
        """
        self._loaded.close()
        self.book.close()

    def give_back(self) -> None:
        """Let other processes have the worlds that they asked for in vain, if these are not in use.

        ``svckit serve`` calls this every second.

        Examples:
            >>> import tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     one, other = Worlds(state=folder), Worlds(state=folder)
            ...     world = one.create("mina")
            ...     try:
            ...         other.find("mina")
            ...     except Refusal:
            ...         one.give_back()
            ...     print(other.find("mina").name)
            ...     other.close()
            mina
        """
        self._loaded.give_back_wanted()

    def _locate(self, head: RequestHead, base_urls: BaseURLs | None) -> tuple[World, BaseURLs | None] | None:
        """Return the world that a request is for, and its base URLs; None if it is for this fake.

        Raises:
            Refusal: there is no such world, or segments of dots lead to another.
        """
        below = (base_urls or self.base_urls).find_after(world_path(""), head.url)
        if below is None:
            return None
        name = below.partition("/")[0]
        # A proxy that normalizes paths may read another world.
        if name and normpath(unquote(below)).partition("/")[0] != name:
            raise Refusal("invalid", "segments . and .. lead out of the world; send the path without them")
        with self._loaded.lock:
            world = self._loaded.find(name)
            if world is None:
                world = self.find(name)  # which says that there is none
        return world, base_urls and base_urls.within(world_path(name))

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
        if located is None:
            return super().open(head, base_urls)
        world, below = located
        return world.open(head, below)

    def turn_away(self, head: RequestHead, base_urls: BaseURLs | None = None) -> FakeResponse:
        """Return the response to a request to no base URL, or to no world.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.
        """
        try:
            located = self._locate(head, base_urls)
        except Refusal as missing:
            return format_refusal(missing, head, self.rules)
        if located is None:
            return super().turn_away(head, base_urls)
        world, below = located
        return world.turn_away(head, below)
