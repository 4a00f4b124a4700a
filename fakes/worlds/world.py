"""A world: a fake with a name, secrets of its own, and a limit on the bytes it holds."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import Any, Self

from fakes.engine.request_cycle import RequestCycle
from fakes.handlers import admin
from fakes.handlers.admin_class import InClass
from fakes.handlers.error_formats import format_admin_error
from fakes.http.addresses import BaseURLs, UnknownURL
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse, RequestHead
from fakes.parts.changes import UnsavedChanges
from fakes.parts.ids import Ids
from fakes.parts.snapshot import list_parts
from fakes.parts.state import State
from fakes.persistence import NotSaved
from fakes.rulebook.rules import Rules
from fakes.service import FakeService
from fakes.store.state_rows import CONTENTS, dump_entry, dump_rest, get_content
from fakes.worlds.world_file import WorldFile

__all__ = ["World", "format_refusal"]

JOURNAL_SHARE = 4
"""The journal may hold this part of the bytes of a world; then it drops the oldest requests."""


BESIDE = 1024
"""More bytes than a request leaves beside its body and its response."""


class WorldCycle(RequestCycle):
    """The cycle of a request to a world, which is refused if its body does not fit into the world."""

    __slots__ = ("_sent",)

    _domain: "World"

    def expect(self, size: int) -> None:
        """Check the head before any of the body arrives.

        Raises:
            NotSaved: the body does not fit.
            EnoughSent: the body is not needed.
        """
        self._domain.make_room(size)
        super().expect(size)

    def feed(self, chunk: bytes) -> None:
        """Add the next chunk of the request body.

        Raises:
            NotSaved: it does not fit.
            EnoughSent: the rest is not needed.
        """
        with self._domain.lock:
            self._domain.make_room(len(chunk))
            self._domain.arriving += len(chunk)
        super().feed(chunk)

    def __enter__(self) -> Self:
        with self._domain.lock:
            self._domain.requests += 1
        self._sent = 0
        return super().__enter__()

    def finish(self) -> FakeResponse:
        """Return the response, whose size counts too: it is about that of the record that changed."""
        response = super().finish()
        self._sent = len(response.body) if isinstance(response.body, bytes) else 0
        if not self._domain.is_taken:
            self._domain.is_taken = self._has_secret(response)
        return response

    def _has_secret(self, response: FakeResponse) -> bool:
        """Return whether the request has a secret of this world, so that its sender means this one.

        Those of a sign-in do not count: it ends with a token.
        """
        if self._located.area == "hooks":
            return response.status == 200
        if self._located.area == "admin":
            return admin.has_key(self._head, self._state)
        return self._has_valid_bearer()

    def __exit__(self, *failure: object) -> None:
        super().__exit__(*failure)
        self._domain.complete(self._received, self._sent)


class HeldBytes:
    """The bytes of a state and its journal; after the first time, only what changed is measured.

    Args:
        state: the state.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._unmeasured = state.changes.watch()
        self._unmeasured.update(dict.fromkeys(state.changes.collections))
        self._sizes: dict[str, dict[Any, int]] = {}
        self._total = 0  # of the sizes

    def count(self) -> int:
        """Return how many bytes there are; the caller holds the lock."""
        state = self._state
        self._measure(self._unmeasured.take())
        rest = sum(len(dump_rest(name, part.dump())) for name, part in list_parts(state).items())
        return self._total + rest + state.journal.kept_bytes

    def _measure(self, changed: UnsavedChanges) -> None:
        """Measure the entries that changed."""
        collections = self._state.changes.collections
        for name, changed_keys in changed.items():
            entries: Mapping[Any, Any] = collections.get(name, {})
            sizes = self._sizes.setdefault(name, {})
            keys: Iterable[Any] = [*sizes, *entries] if changed_keys is None else changed_keys
            for key in keys:
                self._total -= sizes.pop(key, 0)
                if key in entries:
                    size = len(dump_entry(name, entries[key]))
                    if name in CONTENTS:
                        size += len(get_content(collections, key))
                    sizes[key] = size
                    self._total += size


class World(
    FakeService,
    InClass,
    internal="arriving book complete file give_back is_taken make_room requests take used_at",
):
    """A fake with a name, and with secrets that open nothing in another world.

    Args:
        name: the name.
        most_bytes: the most bytes that it may hold.
        salt: a random text, which then determines the secrets, so that nobody can compute them. Without one they follow
            from the seed and the name.
        sample: the arguments of `FakeService.sample`.

    Attributes:
        name: the name.
        requests: the number of requests in progress.
        arriving: the bytes of their bodies.
        file: its file in the folder, if it has one.
        used_at: when it was last used.
        is_taken: whether it was created, found by a program, or called with one of its secrets since its file was
            opened; otherwise the file is closed after a request, so that another process can have it.
        give_back: closes the file if the world is not in use, and not taken.
        take: opens the file for a request, if it was closed meanwhile.
    """

    _cycle = WorldCycle
    file: WorldFile | None = None
    used_at: float = 0.0
    is_taken = True
    give_back: "Callable[[World], None]" = staticmethod(lambda world: None)
    take: "Callable[[World], None]" = staticmethod(lambda world: None)

    def __init__(self, name: str, most_bytes: int, *, salt: str = "", **sample: Any) -> None:
        self.name = name
        self._salt = salt
        self._most_bytes = most_bytes
        self._held = most_bytes  # at most; counted again if that leaves no room
        self.requests: int = 0
        self.arriving: int = 0
        super().__init__(**sample)
        self._counted = HeldBytes(self.state)
        self.state.admin_key = secrets.token_urlsafe(32)
        self.state.journal.most_bytes = most_bytes // JOURNAL_SHARE

    def _make_ids(self, seed: int) -> Ids:
        digest = blake2b(f"{seed}:{self.name}".encode(), digest_size=7).digest()
        return Ids(self._salt or int.from_bytes(digest))

    def _create_fresh(self) -> Self:
        return type(self)(self.name, self._most_bytes, salt=self._salt, **self._beginning)

    @property
    def first_settings(self) -> dict[str, Any]:
        """The settings with which the world began, and its salt and admin key, which a state file keeps too."""
        return super().first_settings | {"salt": self._salt, "admin_key": self.state.admin_key}

    def open(self, head: RequestHead, base_urls: BaseURLs | None = None) -> RequestCycle:
        """Start the cycle of one request.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.

        Raises:
            UnknownURL: the URL is not below one of these base URLs, or another process has the world or deleted it.
            NotSaved: its file cannot be used.
            BrokenConnection: a fault refuses the connection.
            BudgetSpent: the call is one too many.
        """
        try:
            self.take(self)
        except Refusal as refusal:
            (base_urls or self.base_urls).locate(head.url)
            raise UnknownURL(refusal.description, is_own_origin=True) from None
        try:
            return super().open(head, base_urls)
        except BaseException:
            self.give_back(self)
            raise

    def turn_away(self, head: RequestHead, base_urls: BaseURLs | None = None) -> FakeResponse:
        """Return the response to a request to none of its URLs, or if another process has the world or deleted it.

        Args:
            head: method, absolute URL and headers.
            base_urls: the base URLs of the door, if not those in process.
        """
        try:
            self.take(self)
        except Refusal as refusal:
            return format_refusal(refusal, head, self.rules)
        try:
            return super().turn_away(head, base_urls)
        finally:
            self.give_back(self)

    def make_room(self, size: int) -> None:
        """Check that so many more bytes fit.

        Raises:
            NotSaved: they do not.
        """
        with self.lock:
            if not size or self._held + self.arriving + size <= self._most_bytes:
                return
            self._held = self._counted.count()
            if self._held + self.arriving + size <= self._most_bytes:
                return
        raise NotSaved(
            f"the world {self.name!r} may hold {self._most_bytes} bytes, and holds {self._held + self.arriving}",
            f"{size} more do not fit; send less, or call POST /reset of its admin URL, which takes it back to its "
            "beginning",
        )

    def complete(self, received: int, sent: int) -> None:
        """Add the most that a complete request may have left, until what is held is counted again.

        The state and the journal may each have its body and the response.
        """
        with self.lock:
            self.requests -= 1
            self.arriving -= received
            self._held += 2 * (received + sent) + BESIDE
        if not self.is_taken:
            self.give_back(self)


def format_refusal(refusal: Refusal, head: RequestHead, rules: Rules) -> FakeResponse:
    """Return the response to a request for which a world cannot be opened."""
    response = format_admin_error(refusal, rules)
    return response.head_only() if head.method == "HEAD" else response
