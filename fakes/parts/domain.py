"""The domain of a fake: its state, which is saved, restored, copied and reset as a whole."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from os import PathLike
from pathlib import Path
from threading import RLock
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from fakes.clock import Clock
from fakes.data.population import MOST_USERS
from fakes.faults.injection import Faults
from fakes.http.addresses import Area, BaseURLs
from fakes.http.unpicklable import Unpicklable
from fakes.parts import snapshot as snapshots
from fakes.parts.ids import Ids
from fakes.parts.snapshot import Snapshot
from fakes.parts.state import ALL_SCOPES, State
from fakes.rulebook.assumptions_file import AssumptionsSource, read_measured
from fakes.rulebook.refusing import Policy
from fakes.rulebook.rules import Rules
from fakes.stubs.records import StubSource, read_records
from svckit.models.signature import HEADER_WORD, describe_bad_word, is_header_word
from svckit.models.token import TokenSet

if TYPE_CHECKING:
    from fakes.parts.own_data import OwnData

__all__ = ["Beginning", "Domain"]

ARGUMENTS: Mapping[str, tuple[type | UnionType, str]] = {
    "users": (int | None, "a whole number"),
    "seed": (int, "a whole number"),
    "now": (str | datetime | None, "a time: a datetime, or text such as 2026-06-01T09:00:00+09:00"),
    "assume": (Mapping | None, 'a mapping of rules to alternatives, such as {"api.unauthorized": "403"}'),
    "assume_from": (str | PathLike | Mapping | None, "a file, such as assumptions.toml, or its data"),
    "addresses": (
        Mapping | None,
        'a mapping of keys of the facts to URLs, such as {"base_url": "https://www.example.com/v1.0"}',
    ),
    "header_word": (str, "text, such as ACME"),
    "deviations": (Mapping | None, 'a mapping of deviations to values, such as {"file.stored": "200"}'),
    "stubs": (
        str | PathLike | list | tuple | None,
        'a file, "common", or a list of stubs, such as [{"method": "GET", "path": "/groups", "json": {}}]',
    ),
}
"""The types of the arguments that describe a sample domain, and how a message names them."""


SETTINGS = ("assume", "assume_from", "assumptions", "header_word", "deviations", "stubs")
"""The arguments that a state file keeps beside those of `Beginning` and the data."""
USERS = 20
"""The number of sample users, if there are no others."""


class Beginning(NamedTuple):
    """The arguments that the fake of a state file started with, and restarts with after a reset."""

    users: int
    seed: int
    now: str | None


class Domain(Unpicklable, ABC):
    """The state of one fake, with the lock to hold while using it; `FakeService.sample` explains the arguments.

    Attributes:
        base_urls: the base URLs in process.
        content_folder: where large uploads are written, so that a state file can keep them; None without one.
        lock: the lock to hold while using the state.
        in_progress: the requests in progress, by the user that only one of them may update at a time.
        served_at: the base URLs at which it is served now.
        state: the parts.
    """

    settle: Callable[[], Awaitable[None]] | None = None
    """Saves what a response acknowledges, before a server sends it."""
    content_folder: Path | None = None
    _operations: ClassVar[tuple[str, ...]] = ()
    """The names of the operations that can be targets of faults."""

    def __init__(
        self,
        users: int | None = None,
        seed: int = 0,
        now: str | datetime | None = None,
        *,
        assume: Mapping[str, str] | None = None,
        assume_from: AssumptionsSource | None = None,
        assumptions: Policy = "allow",
        header_word: str = HEADER_WORD,
        addresses: Mapping[str, str] | None = None,
        deviations: Mapping[str, str] | None = None,
        data: Any = None,
        stubs: StubSource | None = None,
    ) -> None:
        _check_types(
            users=users,
            seed=seed,
            now=now,
            assume=assume,
            assume_from=assume_from,
            header_word=header_word,
            addresses=addresses,
            deviations=deviations,
            stubs=stubs,
        )
        if not is_header_word(header_word):
            raise ValueError(f"header_word {describe_bad_word(header_word)}")
        own = None
        if data is not None:
            from fakes.parts.own_data import OwnData  # most fakes have none

            own = OwnData.read(data)
        own_users = len(own.users) if own else 0
        if users is None:
            users = 0 if own_users else USERS
        if not users and not own_users:
            raise ValueError(f"a domain must have 1 to {MOST_USERS} users; given {users}")
        measured = None if assume_from is None else read_measured(assume_from)
        # The arguments, checked and as plain data, with which a reset and a fork create the domain again.
        self._beginning: dict[str, Any] = {
            "users": users,
            "seed": seed,
            "now": now,
            "assume": dict(assume or {}),
            "assume_from": measured and measured.model_dump(),
            "assumptions": assumptions,
            "header_word": header_word,
            "addresses": dict(addresses or {}),
            "deviations": dict(deviations or {}),
            "data": own,
            "stubs": None if stubs is None else read_records(stubs),
        }
        self.base_urls: BaseURLs = BaseURLs.from_facts(addresses or {})
        self.lock: RLock = RLock()
        self.in_progress: dict[str, list[Any]] = {}
        self.served_at: set[str] = set()
        self.state: State = State(
            users=users,
            seed=seed,
            clock=Clock(now),
            rules=Rules(assume, assumptions, deviations, measured),
            faults=Faults(self._operations),
            lock=self.lock,
            own=own,
            ids=self._make_ids(seed),
            explain_refusal=self._explain_stub_refusal,
        )
        self.state.settings.header_word = header_word
        if stubs is not None:
            self.state.stubs.add_file(self._beginning["stubs"])
            self._beginning["stubs"] = [stub.to_wire() for stub in self.state.stubs]

    def _make_ids(self, seed: int) -> Ids:
        """Return what issues the IDs and secrets."""
        return Ids(seed)

    @abstractmethod
    def _explain_stub_refusal(self, area: Area, method: str, path: str, is_new: bool) -> str:
        """Return why a call cannot be stubbed: it is described or, for a new stub, has retired; empty if it can be."""

    @property
    def own_data(self) -> "OwnData | None":
        """The data of your own with which the domain began, and begins again after a reset."""
        own: OwnData | None = self._beginning["data"]
        return own

    @property
    def beginning(self) -> Beginning:
        """The arguments with which the domain began, as a state file keeps them."""
        users, seed, now = (self._beginning[name] for name in Beginning._fields)
        return Beginning(users, seed, now and str(now))

    @property
    def first_settings(self) -> dict[str, Any]:
        """The settings with which the domain began, and begins again after a reset, as plain data."""
        return {name: self._beginning[name] for name in SETTINGS}

    @abstractmethod
    def openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the responses and events as an OpenAPI document; the engine does, which knows all routes."""

    @abstractmethod
    def admin_openapi(self, base_urls: BaseURLs | None = None) -> dict[str, Any]:
        """Describe the admin calls as an OpenAPI document."""

    def access_token(self, user_id: str | None = None, scope: str = ALL_SCOPES) -> str:
        """Issue an access token without a sign-in, for tests of other features.

        Args:
            user_id: ID, login e-mail, or ``externalKey:<key>`` of the user; by default the one in the facts.
            scope: the scopes, separated by commas; by default all.

        Returns:
            The token, valid for 24 hours by the fake's clock.

        Raises:
            Refusal: no such user.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.access_token("u-002") == fake.access_token("u-002")
            False
        """
        with self.lock:
            return self.state.issue_tokens(user_id, scope).access_token

    def tokens(self, user_id: str | None = None, scope: str = ALL_SCOPES) -> TokenSet:
        """Issue both tokens without a sign-in, for tests of how a client renews them.

        Args:
            user_id: ID, login e-mail, or ``externalKey:<key>`` of the user; by default the one in the facts.
            scope: the scopes, separated by commas; by default all.

        Returns:
            What the exchange of an authorization code responds with (the service's description, section "Token set"):
            the access token and the refresh token as secrets, and the lifetime of the access token. The application
            of the facts, ``client_id`` with ``client_secret``, can use the refresh token for 90 days.

        Raises:
            Refusal: no such user.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> tokens = fake.tokens("u-001")
            >>> tokens.access_token, tokens.refresh_token, tokens.lifetime
            (Secret('***'), Secret('***'), datetime.timedelta(days=1))
            >>> header = {"Authorization": f"Bearer {tokens.access_token.reveal()}"}
        """
        with self.lock:
            issued = self.state.issue_tokens(user_id, scope)
        return TokenSet.from_wire(issued.to_wire())

    def snapshot(self) -> Snapshot:
        """Return everything a client can observe of this fake as plain, versioned JSON data, including all files.

        The snapshot holds the fake's secrets in the clear: tokens, codes, webhook IDs, and passwords, which follow
        from the seed. It leaves out the journal and the use counts of rules, which record the past and are not state;
        the admin key; and anything that is code: the receivers of bots, stubs with functions, and reports that you
        added.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> snapshot = fake.snapshot()
            >>> moved = fake.clock.advance(hours=1)
            >>> fake.restore(snapshot)
            >>> fake
            <FakeService: 20 users, clock standing at 2026-06-01T09:00:00+09:00>
        """
        with self.lock:
            saved = snapshots.copy_collections(snapshots.dump(self.state))
        return snapshots.to_data(saved)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Restore the state from a snapshot; ``fake.clock``, ``fake.files`` and so on stay the same objects.

        The journal is kept. Bots that exist before and after stay connected to their receivers, and stubs with
        functions stay.

        Args:
            snapshot: what `snapshot` of this or another fake returned.

        Raises:
            ValueError: the snapshot is damaged, incomplete, or of a newer version; nothing is changed then.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.restore(FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00").snapshot())
            >>> fake
            <FakeService: 3 users, clock standing at 2026-06-01T09:00:00+09:00>
        """
        saved = snapshots.read(snapshot)
        with self.lock:
            snapshots.load(saved, self.state)
            self.in_progress.clear()

    def fork(self) -> Self:
        """Return an independent copy with an empty journal; receivers and stubs with functions are left out.

        File content is shared.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fork = fake.fork()
            >>> moved = fork.clock.advance(hours=1)
            >>> fake.clock.now().isoformat(), fork.clock.now().isoformat()
            ('2026-06-01T09:00:00+09:00', '2026-06-01T10:00:00+09:00')
        """
        forked = self._create_fresh()
        with self.lock:
            snapshots.load(snapshots.dump(self.state), forked.state)
            forked.state.callbacks.disconnect()
            forked.state.admin_key = self.state.admin_key
        return forked

    def reset(self) -> None:
        """Restore the sample this fake started from: its clock, choices and stubs, no faults, an empty journal.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> moved = fake.clock.advance(hours=1)
            >>> fake.reset()
            >>> fake
            <FakeService: 20 users, clock standing at 2026-06-01T09:00:00+09:00>
        """
        fresh = self._create_fresh().state
        beginning = snapshots.dump(fresh)
        with self.lock:
            snapshots.load(beginning, self.state)
            self.in_progress.clear()
            self.state.callbacks.connect_as(fresh.callbacks)
            self.state.stubs.remove_functions()
            self.state.rules.forget()
            self.state.journal.restart()

    def _create_fresh(self) -> Self:
        return type(self)(**self._beginning)


def _check_types(**given: object) -> None:
    for name, value in given.items():
        kinds, words = ARGUMENTS[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise TypeError(f"{name} must be {words}; given {value!r}")
