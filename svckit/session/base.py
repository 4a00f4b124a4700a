"""What a session is, with or without ``await``: its settings, what it has seen, and how it shows itself."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar

from svckit.display.card import render_card
from svckit.display.suggestions import no_attribute
from svckit.errors import InvalidInput
from svckit.http.explain import Explanation, explain
from svckit.http.messages import Operation, Response
from svckit.http.rate_limit import RateGauge
from svckit.http.retry import check_retries
from svckit.http.trace import Trace
from svckit.http.turns import Lock
from svckit.models.lifecycle import list_lifecycle_statuses
from svckit.models.records import Kind
from svckit.models.secret import Secret
from svckit.operations import notifications
from svckit.operations.authorization import Visitor
from svckit.operations.methods import Group
from svckit.operations.notification_setup import NotificationSetup
from svckit.profiles.credentials import Credentials, SessionTokens
from svckit.profiles.profiles import Profile
from svckit.session.clock import Clock, SystemClock
from svckit.session.driver import Driver

__all__ = ["SessionBase"]

WORKERS = 4
LISTING_NOTE = (
    "The service has no operation that lists: shown is what this session has read, changed or uploaded."
)


class SessionBase:
    """What a session is, with or without ``await``.

    Attributes:
        profile: whom it talks to.
        fake: the ``FakeService`` behind it, or ``None``.
    """

    users: Group
    files: Group
    _connector: ClassVar[str]
    """What makes a session of this kind, as code."""

    def __init__(
        self,
        profile: Profile,
        credentials: Credentials,
        *,
        lock: Callable[[], Lock],
        fake: Any,
        clock: Clock | None,
        retries: int,
        tokens: SessionTokens | None,
        visitor: Visitor | None,
    ) -> None:
        self.profile = profile
        self.fake = fake
        self._visitor = visitor
        self._driver = Driver(
            profile, credentials, clock=clock or SystemClock(), lock=lock, retries=retries, tokens=tokens
        )

    @property
    def retries(self) -> int:
        """How often a call that failed is sent again, where that is safe (2); 0 for never. Assign to change it.

        Safe is what does no more when it is done twice, such as reading, and what was not sent because no
        connection could be made. The session waits half a second, then a second, and so on, or for as long as the
        service asks for, up to a minute; under a fake's standing clock it moves that clock instead.
        """
        return self._driver.retries

    @retries.setter
    def retries(self, count: int) -> None:
        self._driver.retries = check_retries(count)

    @property
    def is_fake(self) -> bool:
        """Whether nothing that is done here is for real."""
        return self.profile.is_fake

    def trace(self, *, most: int | None = None) -> AbstractContextManager[Trace]:
        """Note every exchange of this session in a ``with`` block: ``with svc.trace() as t:``; see `svckit.http.trace`.

        Args:
            most: how many exchanges are kept for certain, the newest; of those before, as many at most. Left out, all
                are.
        """
        return self._driver.trace(most)

    def explain(self, operation: Operation[Any], *replies: Response | Mapping[str, Any]) -> Explanation:
        """Show what an operation would send to this session's addresses; see `svckit.explain`."""
        return explain(operation, *replies, on=self.profile)

    @property
    def clock(self) -> Clock:
        """What it goes by: the clock of a fake in process, else that of the computer."""
        return self._driver.clock

    def choose_workers(self, workers: int | None) -> int:
        """How many calls of one method run at a time: as many as are asked for; left out, 4.

        Under the clock of a fake that stands it is 1, since waiting there costs nothing, and the order of calls,
        which IDs depend on, is then the same in every run.
        """
        if workers is not None:
            return workers
        return 1 if self.clock.standing else WORKERS

    @property
    def rate(self) -> RateGauge:
        """How much of the notification rate is used, as the answers to this session said; see `svckit.http.rate_limit`.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> answer = svc.notify("Build is green")
            >>> svc.rate.describe(svc.clock.now())
            '1 of 120 used, 119 left; reset in 60 s'
        """
        return self._driver.rate

    @property
    def credentials(self) -> Credentials:
        """What it signs in with; the secrets among it show nothing of themselves."""
        return self._driver.credentials

    @property
    def webhooks(self) -> Mapping[str, Secret]:
        """Notification URLs by name, which ``svc.notify`` takes; each is a secret, and the first is used by default."""
        return self.credentials.webhooks

    @property
    def notification_setup(self) -> NotificationSetup:
        """The steps that set up the notification endpoint, and which is missing (What the service does › 6).

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
        if self.fake is None:
            return NotificationSetup.of_service(bool(self.webhooks))
        return NotificationSetup.of_fake(*self.fake.webhooks.setup)

    @property
    def bot_secret(self) -> Secret | None:
        """What the service signs the events of the bot with, for `svckit.events`; ``None`` where it is not known."""
        return self._driver.credentials.bot_secret

    @property
    def listing_note(self) -> str | None:
        """Says that a real service cannot list what it has; ``None`` where everything is listed."""
        return None if self.fake is not None else LISTING_NOTE

    def records(self, kind: Kind) -> Iterable[Mapping[str, Any]]:
        """Plain records for a frame, with the service's own field names, in a stable order.

        Of a fake in process, all there are; otherwise the users this session has read or changed, the statuses
        it has set, the files it has uploaded and its own tokens' ends, and no messages, events, deliveries and
        journal. What is retired or planned to be (``lifecycle``) stands as it does today, by the session's clock.

        Raises:
            ValueError: there is no such kind.
        """
        if self.fake is not None:
            found: Iterable[Mapping[str, Any]] = self.fake.records(kind)
            return found
        seen = self._driver.seen
        by_kind: dict[str, list[Mapping[str, Any]]] = {
            "users": [user.to_wire() for user in seen.users.values()],
            "statuses": list(seen.statuses.values()),
            "files": list(seen.files.values()),
            "revisions": list(seen.revisions),
            "messages": [],
            "events": [],
            "deliveries": [],
            "journal": [],
            "credentials": self._driver.credential_records(),
            "rules": [],
            "lifecycle": [each.record() for each in list_lifecycle_statuses(self._driver.today)],
        }
        if kind not in by_kind:
            raise ValueError(f"there are no records of the kind {kind!r}; there are {', '.join(by_kind)}")
        return by_kind[kind]

    def user_record(self, user_id: str) -> Mapping[str, Any] | None:
        """The record of one user as in :meth:`records`, found without making the others; ``None`` if it is not known.

        Args:
            user_id: user ID, login e-mail, or ``externalKey:<key>``.

        Examples:
            >>> import svckit
            >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
            >>> svc.user_record("u-002")["nickName"], svc.user_record("u-999")
            ('Petra', None)
        """
        if self.fake is None:
            user = self._driver.seen.user(user_id)
            return None if user is None else user.to_wire()
        directory = self.fake.directory
        known = user_id if user_id in directory else directory.look_up(user_id)
        found: Mapping[str, Any] | None = None if known is None else directory.record(known)
        return found

    @property
    def connected_to(self) -> str:
        """What to give `svckit.connect` for another session over the same service, as code."""
        return "svc.fake" if self.fake is not None else repr(self.profile.name)

    def _check_open(self, is_closed: bool) -> None:
        if is_closed:
            raise RuntimeError(
                "the session is closed (svc.close() was called, or its with block has ended), so nothing was sent: "
                f"connect again, with {self._connector}({self.connected_to})"
            )

    def _resolve_webhook(self, given: Secret | None) -> Secret:
        known = self.webhooks
        if given is None and not known:
            raise InvalidInput(
                "notify was not sent: the profile has no notification URL; give one as webhook=, or see "
                "svc.notification_setup for how to get one"
            )
        if given is None:
            return next(iter(known.values()))
        if not isinstance(given, Secret):
            return notifications.check_webhook(given)
        if given.reveal() in known:
            return known[given.reveal()]
        if "/" not in given.reveal() and ":" not in given.reveal():
            names = ", ".join(known) or "none"
            raise InvalidInput(
                f"notify was not sent: the profile has no webhook of the name that was given; it has: {names}. "
                "What was given is not shown, as it may be the secret part of a URL"
            )
        return given

    if not TYPE_CHECKING:  # else every name would do for a type checker

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True
            if hasattr(type(self), name):  # a property, whose own error says why
                return object.__getattribute__(self, name)
            known = [each for each in dir(type(self)) if not each.startswith("_")]
            raise no_attribute(type(self).__name__, name, [*known, "users", "files"])

    def __repr__(self) -> str:
        return self._card()[1]

    def _repr_html_(self) -> str:
        return self._card()[0]

    def _card(self) -> tuple[str, str]:
        tokens = self._driver.tokens.current
        user = self._driver.credentials.login_id if self._visitor is None else None
        signed_in = (user or "by a person; the service does not say who") if tokens else "nobody"
        until = tokens.expires.isoformat(timespec="seconds") if tokens else "none"
        rows = [
            ("profile", f"{self.profile.name}, {self.profile.base_url}"),
            ("signed in", signed_in),
            ("access token", f"until {until}; renewed by itself" if tokens else "none"),
            *((f"svc.{group.title}", ", ".join(group.methods)) for group in (self.users, self.files)),
            ("svc.notify", "posts a message into a chat room"),
        ]
        if self.listing_note:
            rows.append(("listing", self.listing_note))
        return render_card(type(self).__name__, rows, badge="FAKE" if self.is_fake else "REAL")
