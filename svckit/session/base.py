"""The common base of both sessions: settings, records, and display."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, get_args

from svckit.display.card import Shown, render_card
from svckit.display.suggestions import no_attribute
from svckit.display.tab import PublicNames
from svckit.http.explain import Explanation, explain
from svckit.http.messages import Operation, Response
from svckit.http.notices import Notices
from svckit.http.rate_limit import RateGauge
from svckit.http.retry import RETRIES, check_retries
from svckit.http.trace import Trace
from svckit.http.transport import AsyncClient, Client, Trust
from svckit.models.lifecycle import list_lifecycle_statuses
from svckit.models.records import Kind
from svckit.models.secret import Secret
from svckit.operations.authorization import Visitor
from svckit.operations.methods import Group
from svckit.operations.notification_setup import NotificationSetup
from svckit.profiles.credentials import Credentials, SessionTokens, Tokens
from svckit.profiles.keys import read_time_zone
from svckit.profiles.profiles import Profile
from svckit.session.driver import Driver
from svckit.session.steps import Clock, Lock, SystemClock
from svckit.session.token_steps import SigningIn

if TYPE_CHECKING:
    from fakes import FakeService, RemoteFake

__all__ = ["SessionBase"]

CarrierT = TypeVar("CarrierT")
ClientT = TypeVar("ClientT", bound=Client | AsyncClient)

WORKERS = 4
LISTING_NOTE = (
    "The service's description shows no list operation, so this shows what this session has read, changed or "
    "uploaded."
)
_VIEWS = (
    ("svc.explore()", "opens users, files, notifications and more in a notebook"),
    ("svc.trace()", "records the requests of a with block"),
    ("svckit.explain", "shows what a call would send, and what comes back"),
    ("svckit.frames", "makes pandas frames: users, statuses, files, journal, …"),
    ("svckit.plots", "draws rate_window, deliveries, credentials, timeline, …"),
    ("guide", "notebooks/00-start.ipynb; svckit lab opens it"),
)


class SessionBase(
    PublicNames,
    Shown,
    Generic[CarrierT, ClientT],
    internal="choose_workers connected_to listing_note local_fake sign_in_status user_record",
):
    """The part of a session that is the same with and without ``await``.

    Attributes:
        profile: the profile of the service.
        fake: the ``FakeService`` behind it; for a fake elsewhere, with the ``admin_url`` and the ``admin_key`` of its
            profile, a ``RemoteFake``, which controls it by admin calls; ``None`` for a real service.
    """

    users: Group
    files: Group
    _connector: ClassVar[str]
    """The code that makes a session of this kind."""
    _groups: ClassVar[tuple[Callable[[Any], Group], Callable[[Any], Group]]]
    """What makes its groups of methods: users and files."""
    _make_lock: Callable[[], Lock]
    """Makes a lock of the kind that its `Turn` acquires: of threads or of tasks."""
    _open_client: Callable[[CarrierT | None, Trust], ClientT]
    """Opens the client that its requests go through."""

    def __init__(
        self,
        profile: Profile,
        credentials: Credentials,
        *,
        transport: CarrierT | None = None,
        fake: Any = None,
        remote_fake: Any = None,
        clock: Clock | None = None,
        retries: int = RETRIES,
        tokens: SessionTokens | None = None,
        visitor: Visitor | None = None,
        signing_in: SigningIn | None = None,
        trust: Trust = None,
        strict: bool = False,
    ) -> None:
        self.profile: Profile = profile
        self._remote_fake = remote_fake
        # As most code knows that its session has one, type checkers do not ask it to exclude None.
        self.fake: FakeService | RemoteFake | Any = remote_fake if fake is None else fake
        self._driver = Driver(
            profile=profile,
            credentials=credentials,
            clock=clock or SystemClock(read_time_zone(profile.time_zone)),
            make_lock=self._make_lock,
            retries=retries,
            tokens=tokens or SessionTokens(),
            strict=strict,
            visitor=visitor,
            signing_in=signing_in,
        )
        self._transport, self._trust = transport, trust
        self._http = self._open_client(transport, trust)
        self.users, self.files = (make(self) for make in self._groups)

    @property
    def _session(self) -> Self:
        """The session itself, for methods that are made as those of its groups."""
        return self

    @property
    def retries(self) -> int:
        """The number of times a failed request is sent again if that is safe (2); 0 for never. Can be assigned.

        Safe requests are those that are idempotent, such as reading, and those that were not sent because no
        connection was made. The session waits half a second, then a second, and so on, or as long as the service asks
        for, up to a minute; while a fake's clock stands still, it moves that clock instead.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.retries
            2
        """
        return self._driver.retries

    @retries.setter
    def retries(self, count: int) -> None:
        self._driver.retries = check_retries(count)

    @property
    def local_fake(self) -> Any:
        """The ``FakeService`` in this process; ``None`` for a real service, or for a fake elsewhere."""
        return None if self.fake is self._remote_fake else self.fake

    @property
    def is_fake(self) -> bool:
        """True if the service is a fake."""
        return self.profile.is_fake

    def trace(self, *, limit: int | None = None) -> AbstractContextManager[Trace]:
        """Record the requests of this session: ``with svc.trace() as t:``; see `svckit.http.trace`.

        Args:
            limit: how many of the newest requests are sure to be kept; at most twice as many are. By default all are.

        Returns:
            A context that yields the trace.

        Raises:
            InvalidInput: the limit is not a positive number.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> with svc.trace() as t:
            ...     user = svc.users.read("u-001")
            >>> [entry.outcome for entry in t]
            ['200 OK']
        """
        return self._driver.trace(limit)

    @property
    def notices(self) -> Notices:
        """The differences from the service's description that were accepted; see `svckit.http.notices`.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.notices
            0 notices
        """
        return self._driver.notices

    def explain(self, operation: Operation[Any], *responses: Response | Mapping[str, Any]) -> Explanation:
        """Show what an operation would send to this session's service.

        Args:
            operation: such as ``svckit.operations.users.update("u-001", task=None)``. It cannot be used again.
            *responses: made-up responses to its requests, in order; see `svckit.explain`.

        Returns:
            The requests; displayed as HTTP text.

        Raises:
            InvalidInput, ForeignOrigin, ServiceError: as in `svckit.explain`.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> print(svc.explain(svckit.operations.users.update("u-001", task=None)).curl)
            curl -X PATCH https://api.fake.test/users/u-001 \\
              -H 'Content-Type: application/json' \\
              -H "Authorization: Bearer $ACCESS_TOKEN" \\
              --data '{"task":null}'
        """
        return explain(operation, *responses, on=self.profile)

    @property
    def clock(self) -> Clock:
        """The session's clock: that of an in-process fake, else the computer's."""
        return self._driver.clock

    def choose_workers(self, workers: int | None) -> int:
        """Return how many calls of one method run at a time: `workers` if given, else 4.

        While a fake's clock stands still, the default is 1: waiting costs nothing there, and the order of requests,
        which IDs depend on, is the same in every run.
        """
        if workers is not None:
            return workers
        return 1 if self.clock.standing else WORKERS

    @property
    def rate(self) -> RateGauge:
        """The use of the notification rate limit, as reported to this session; see `svckit.http.rate_limit`.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> response = svc.notify("Build is green")
            >>> svc.rate.describe(svc.clock.now())
            '1 of 120 used, 119 left; reset in 60 s'
        """
        return self._driver.rate

    @property
    def credentials(self) -> Credentials:
        """The credentials it signs in with; the secrets in them are masked."""
        return self._driver.credentials

    @property
    def webhooks(self) -> Mapping[str, Secret]:
        """The webhook URLs by name, for ``svc.notify``. Each is a secret, and the first is the default.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> list(svc.webhooks)
            ['webhook-1']
        """
        return self.credentials.webhooks

    @property
    def notification_setup(self) -> NotificationSetup:
        """The setup steps of the notification endpoint, and which is missing (What the service does › 6).

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.fake.webhooks.remove_bot("channel-1")
            >>> svc.notification_setup
            Setup: step 2 of 5 is missing. Invite its bot to the chat room
              step  state    what to do                                       on a fake
              1     done     Add the notification app                         fake.webhooks.add_app()
              2     missing  Invite its bot to the chat room                  fake.webhooks.invite_bot(channel_id)
              3              Get the channel ID from the room menu            fake.webhooks.rooms()
              4              Open the webhook list at the bottom of the room  fake.webhooks.all()
              5              Add a webhook, which issues its URL              fake.webhooks.add(title, channel_id)
        """
        if self.local_fake is None:
            return NotificationSetup.of_service(bool(self.webhooks))
        # Opening the room's menu and the webhook list leaves no trace; they just lead to the next step.
        app_added, bot_invited, listed = self.local_fake.state.webhooks.setup
        return NotificationSetup((app_added, bot_invited, listed, listed, listed))

    @property
    def bot_secret(self) -> Secret | None:
        """The secret that the service signs the bot's events with, for `svckit.events`; ``None`` if unknown."""
        return self._driver.credentials.bot_secret

    @property
    def listing_note(self) -> str | None:
        """A note that a real service cannot list its records; ``None`` if all are listed."""
        return None if self.local_fake is not None else LISTING_NOTE

    def records(self, kind: Kind) -> Iterable[Mapping[str, Any]]:
        """Return plain records for a frame, with the service's own field names, in a stable order.

        For an in-process fake these are all records. Otherwise they are the users this session has read or changed,
        the statuses it has set, the files it has uploaded and when its tokens expire, but no messages, events,
        deliveries, journal and rules. Retirements (``lifecycle``) have their state of today, on the session's clock.

        Args:
            kind: ``users``, ``statuses``, ``files``, ``revisions``, ``messages``, ``events``, ``deliveries``,
                ``journal``, ``credentials``, ``rules`` or ``lifecycle``.

        Raises:
            ValueError: no such kind.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> next(iter(svc.records("users")))["userId"]
            'u-001'
        """
        if self.local_fake is not None:
            found: Iterable[Mapping[str, Any]] = self.local_fake.records(kind)
            return found
        if kind not in get_args(Kind):
            raise ValueError(f"no records of the kind {kind!r}; the kinds are {', '.join(get_args(Kind))}")
        match kind:
            case "credentials":
                return self._driver.credential_records()
            case "lifecycle":
                return [status.record() for status in list_lifecycle_statuses(self._driver.today)]
        return self._driver.seen.records(kind)

    def user_record(self, user_id: str) -> Mapping[str, Any] | None:
        """Return the record of one user as in :meth:`records`, without building the others; ``None`` if unknown.

        Args:
            user_id: user ID, login e-mail, or ``externalKey:<key>``.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.user_record("u-002")["nickName"], svc.user_record("u-999")
            ('Petra', None)
        """
        if self.local_fake is None:
            user = self._driver.seen.user(user_id)
            return None if user is None else user.to_wire()
        directory = self.local_fake.directory
        known = user_id if user_id in directory else self.local_fake.state.users.look_up(user_id)
        found: Mapping[str, Any] | None = None if known is None else directory[known]
        return found

    @property
    def sign_in_status(self) -> tuple[str, Tokens | None]:
        """The user who is signed in, or ``nobody``, with the tokens in use."""
        tokens = self._driver.tokens.current
        if tokens is None or self._describe_end(tokens):
            return "nobody", tokens
        user = self._driver.credentials.login_id if self._driver.visitor is None else None
        return user or "by a person; the service does not say who", tokens

    @property
    def connected_to(self) -> str:
        """The argument of `svckit.connect`, as code, for another session with the same service."""
        return "svc.fake" if self.local_fake is not None else repr(self.profile.name)

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True
            if hasattr(type(self), name):  # a property, whose own error says why
                return object.__getattribute__(self, name)
            known = [public for public in dir(type(self)) if not public.startswith("_")]
            in_fake = ["fake.facts"] if name == "facts" and self.local_fake is not None else []
            raise no_attribute(type(self).__name__, name, [*known, "users", "files", *in_fake])

    def _explain_closed(self) -> RuntimeError:
        """Make the error for a request of a closed session."""
        return RuntimeError(
            "the session is closed (svc.close() was called, or its with block ended), so nothing was sent; "
            f"connect again with {self._connector}({self.connected_to})"
        )

    def _describe_end(self, tokens: Tokens | None) -> str:
        """Say that tokens are of no more use, as far as the session knows; empty if they are."""
        if tokens is None or self._driver.can_renew(tokens):
            return ""
        expired = self.clock.now() >= tokens.expires
        if not expired and tokens is not self._driver.refused:
            return ""
        return f"{'expired' if expired else 'no longer accepted'}; sign in again with svc.sign_in()"

    def _describe_access(self, tokens: Tokens | None) -> str:
        if tokens is None:
            return "none"
        expires = tokens.expires.isoformat(timespec="seconds")
        if self.clock.now() >= tokens.expires:
            return f"expired {expires}; renewed with the next request"
        until = f"until {expires}"
        return f"{until}; renewed automatically" if tokens.refresh else until

    def _render(self) -> tuple[str, str]:
        somebody, tokens = self.sign_in_status
        rows = [
            ("profile", f"{self.profile.name}, {self.profile.base_url or self.profile.webhook_url}"),
            ("signed in", somebody),
            ("access token", self._describe_end(tokens) or self._describe_access(tokens)),
            *((f"svc.{group.title}", ", ".join(group.methods)) for group in (self.users, self.files)),
            ("svc.notify", "posts a message to a chat room"),
            # A session for `await` has a property `explore` that always raises, so it has no such attribute.
            *((name, what) for name, what in _VIEWS if name != "svc.explore()" or hasattr(self, "explore")),
        ]
        if self.listing_note:
            rows.append(("listing", self.listing_note))
        return render_card(type(self).__name__, rows, badge="FAKE" if self.is_fake else "REAL")
