"""The fake that has the worlds: it creates, finds and removes them, and passes their requests on."""

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import RLock
from typing import Any

from fakes.engine.request_cycle import RequestCycle
from fakes.handlers.admin_worlds import WorldHost, world_path
from fakes.handlers.error_formats import format_admin_error
from fakes.http.addresses import BaseURLs, UnknownURL
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.service import FakeService
from fakes.worlds.world import World
from svckit.models.problems import shorten

__all__ = ["Worlds"]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""Names that are different in paths and on every file system."""
MOST = 1000
MOST_BYTES = 64 * 1024 * 1024
IDLE = 24 * 60 * 60.0


class Worlds(FakeService, WorldHost):
    """A fake that has worlds: independent fakes whose URLs start with ``/w/`` and their name.

    Each world has its own clock, users, files, rate limits, faults, journal and admin key, and no token or other secret
    of one world is valid in another. This fake has its own, as every fake, and the admin calls ``/worlds``, which do
    what these methods do. All its doors are doors of the worlds too: ``transport()``, ``asgi``, ``serve()`` and so on.

    A world is removed once no request reached it for the idle time. In a world that is full, a request with a body that
    does not fit gets a 507, and in process raises `NotSaved`.

    Args:
        users: the number of sample users, of this fake and of the worlds that are created without; so are all other
            arguments of `FakeService.sample`, of which ``addresses`` are those of this fake.
        seed: determines the users and IDs; secrets also depend on the name of the world.
        now: the instant at which the clocks stand.
        most: the maximum number of worlds.
        most_bytes: the most bytes that a world may hold: content, records and messages, and its journal, which keeps at
            most a quarter of them.
        idle: seconds without a request after which a world is removed.
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
        seed: int = 0,
        now: str | datetime | None = None,
        *,
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
        idle: float = IDLE,
        monotonic: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        super().__init__(users, seed, now, **options)
        self._most, self._most_bytes, self._idle, self._monotonic = most, most_bytes, idle, monotonic
        self._worlds: OrderedDict[str, tuple[World, float]] = OrderedDict()  # the one last used is the last
        self._changing = RLock()

    def names(self) -> list[str]:
        """Return the names of all worlds, sorted."""
        with self._changing:
            self._remove_idle()
            return sorted(self._worlds)

    def create(self, name: str, **sample: Any) -> World:
        """Create a world.

        Args:
            name: its name: lower-case letters, digits, ``-`` and ``_``.
            sample: arguments of `FakeService.sample`; the others are those of this fake.

        Returns:
            The world, a `FakeService` with a ``name``.

        Raises:
            Refusal: the name is not valid or is taken, or there are too many worlds.
            ValueError: an argument is not valid.

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
        sample = self._beginning | sample | {"addresses": {}}
        with self._changing:
            self._remove_idle()
            if name in self._worlds:
                raise Refusal(
                    "conflict", f"there is a world {name!r} already; delete it first, or choose another name"
                )
            if len(self._worlds) >= self._most:
                raise Refusal(
                    "conflict", f"there are {self._most} worlds, which is the limit; delete one first"
                )
            world = World(name, self._most_bytes, **sample)
            world.auth.auto_login = self.auth.auto_login
            world.base_urls = self.base_urls.within(world_path(name))
            self._worlds[name] = world, self._monotonic()
        return world

    def find(self, name: str) -> World:
        """Return a world, whose idle time then starts again.

        Args:
            name: the name.

        Raises:
            Refusal: there is no such world.

        Examples:
            >>> worlds = Worlds()
            >>> worlds.find("mina")
            Traceback (most recent call last):
            ...
            fakes.http.errors.Refusal: there is no world 'mina'; POST /worlds of the admin URL creates one, ...
        """
        with self._changing:
            self._remove_idle()
            if name not in self._worlds:
                raise Refusal(
                    "not_found",
                    f"there is no world {shorten(name)!r}; POST /worlds of the admin URL creates one, and one that is "
                    f"not used for {self._idle:g} seconds is removed",
                )
            world = self._worlds[name][0]
            self._worlds[name] = world, self._monotonic()
            self._worlds.move_to_end(name)
        return world

    def remove(self, name: str) -> None:
        """Remove a world with all its data.

        Args:
            name: the name.

        Raises:
            Refusal: there is no such world.

        Examples:
            >>> worlds = Worlds()
            >>> world = worlds.create("mina")
            >>> worlds.remove("mina")
            >>> worlds.names()
            []
        """
        with self._changing:
            self.find(name)
            del self._worlds[name]

    def _remove_idle(self) -> None:
        """Remove the worlds that were not used for too long."""
        latest = self._monotonic() - self._idle
        while self._worlds and next(iter(self._worlds.values()))[1] <= latest:
            self._worlds.popitem(last=False)

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
