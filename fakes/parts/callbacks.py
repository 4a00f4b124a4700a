"""Callbacks: each message from a member to a bot is delivered to the bot's receiver once."""

import re
from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from fakes import rulebook
from fakes.faults.injection import Faults
from fakes.http.errors import Refusal
from fakes.http.unpicklable import Unpicklable
from fakes.parts.changes import ChangeLog, Stored
from fakes.parts.decisions import MESSAGES
from fakes.parts.deliveries import AttemptResult, Deliveries, Delivery, attempt
from fakes.parts.events import EventMaker, SignedEvent, WrittenMessage, parse_version
from fakes.parts.files import FileStore
from fakes.parts.part import Part, Shared
from fakes.parts.receivers import (
    CallbackReceiver,
    HttpReceiver,
    Target,
    make_receiver,
)
from fakes.parts.users import Users
from fakes.persistence import Saved, in_order
from fakes.rulebook.rule import Rule
from svckit.display.arguments import explaining_arguments
from svckit.display.card import quantity, render_table
from svckit.display.tab import PublicNames
from svckit.models.problems import shorten

__all__ = ["Bot", "Callbacks", "CallbacksData", "ClientVersions", "find_id_problem"]

VALID_ID = re.compile(r"[!-.0-~]{1,100}")  # a bot's ID is part of a header and of paths


@dataclass(slots=True)
class Bot(Unpicklable):
    """A chat bot: its ID, the secret that signs its callbacks, and their receiver."""

    bot_id: str
    secret: str = field(repr=False)
    receiver: CallbackReceiver | None = field(default=None, repr=False)


class ClientVersions(UserDict[str, str]):
    """The client versions of members by user ID; all others have the newest."""

    def __init__(self, find: Callable[[str], str], changes: ChangeLog) -> None:
        self._find_user = find
        super().__init__()
        self.data: Stored[str, str] = Stored(changes, "callbacks.client_versions")

    def __setitem__(self, user_id: str, version: str) -> None:
        """Set a member's client version, such as ``"2.2"``.

        Raises:
            Refusal: the user is not found, or this is not a version.
        """
        parse_version(version)
        super().__setitem__(self._find_user(user_id), version)


def _check_event(delivery: Delivery) -> Delivery:
    try:
        delivery.record()
    except (ValueError, LookupError, TypeError):
        raise ValueError("the body is not an event") from None
    return delivery


class BotData(Saved):
    """A bot in a snapshot, without its receiver, which may be a function or an app."""

    bot_id: str
    secret: str


class CallbacksData(Saved):
    """The bots and deliveries in a snapshot."""

    bots: list[BotData]
    deliveries: Annotated[dict[int, Annotated[Delivery, AfterValidator(_check_event)]], in_order]
    client_versions: dict[str, str]
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Callbacks(Part, PublicNames, internal="connect_as dump forget_user load"):
    """The bots, their receivers, and the events of messages that members send to them.

    Attributes:
        bots: the bots by ID.
        deliveries: the outcomes of the latest events.
        client_versions: the client versions of members who do not have the newest:
            ``fake.callbacks.client_versions["u-002"] = "2.2"``.
        timeout: the real seconds that a receiver has to respond.

    Examples:
        >>> from fakes import FakeService
        >>> callbacks = FakeService.sample(now="2026-06-01T09:00:00+09:00").callbacks
        >>> callbacks.connect("bot-1", lambda headers, body: print(body.decode()))
        >>> callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
        {"type":"message","source":{"userId":"u-001","domainId":10000001},"issuedTime":"2026-06-01T00:00:00.000Z","content":{"type":"text","text":"hello"}}
        <Delivery: text of u-001 to bot-1, delivered>
        >>> callbacks.client_versions["u-002"] = "2.2"
        >>> callbacks.send("bot-1", "u-002", {"type": "sticker", "packageId": "1", "stickerId": "2"}).error
        'the client of u-002 has version 2.2, and sticker messages are supported from 2.3'
    """

    def __init__(self, users: Users, files: FileStore, faults: Faults, shared: Shared) -> None:
        super().__init__(shared)
        self.bots: dict[str, Bot] = {}
        self.deliveries: Deliveries = Deliveries(changes=shared.changes)
        self.client_versions: ClientVersions = ClientVersions(self._find_user, shared.changes)
        self.timeout: float = 10
        self._users = users
        self._events = EventMaker(files, shared)
        self._faults = faults
        faults.set_bots(lambda: self.bots)

    def add_bot(
        self, bot_id: str | None = None, receiver: Target = None, *, secret: str | None = None
    ) -> Bot:
        """Add a bot.

        Args:
            bot_id: its ID: 1 to 100 visible ASCII characters without a slash; by default ``bot-2`` and so on.
            receiver: the receiver of its callbacks; see `connect`.
            secret: the secret that signs its callbacks; if omitted, one is issued.

        Returns:
            The bot, with its secret.

        Raises:
            Refusal: the ID is taken or not valid.

        Examples:
            >>> from fakes import FakeService
            >>> callbacks = FakeService.sample(now="2026-06-01T09:00:00+09:00").callbacks
            >>> callbacks.add_bot("greeter").bot_id, callbacks.add_bot().bot_id, list(callbacks.bots)
            ('greeter', 'bot-3', ['bot-1', 'greeter', 'bot-3'])
        """
        if bot_id is None:
            numbered = (f"bot-{number}" for number in count(len(self.bots) + 1))
            bot_id = next(name for name in numbered if name not in self.bots)
        if problem := find_id_problem(bot_id):
            raise Refusal("invalid", f"a bot's ID {problem}")
        if bot_id in self.bots:
            raise Refusal("conflict", f"the bot {bot_id!r} already exists")
        target = self._check_target(receiver)
        bot = self.bots[bot_id] = Bot(bot_id, secret or self._ids.secret("bs"), target)
        return bot

    def connect(self, bot_id: str, receiver: Target) -> None:
        """Set the receiver of a bot's callbacks.

        Args:
            bot_id: the bot.
            receiver: a function of the headers and the exact body that returns an HTTP status (None is 200), a
                URL, or one of `fakes.parts.receivers`: ``AsgiReceiver(app)``, ``WsgiReceiver(app)``,
                ``HttpReceiver(url, transport)``. None disconnects the bot.

        Raises:
            Refusal: the bot is not found, or URLs without TLS are refused by assumption.
            TypeError, ValueError: this cannot receive callbacks.
        """
        self.bot(bot_id).receiver = self._check_target(receiver)

    def bot(self, bot_id: str) -> Bot:
        """Return a bot by its ID.

        Args:
            bot_id: its ID.

        Raises:
            Refusal: the bot is not found.

        Examples:
            >>> from fakes import FakeService
            >>> FakeService.sample(now="2026-06-01T09:00:00+09:00").callbacks.bot("bot-1")
            Bot(bot_id='bot-1')
        """
        bot = self.bots.get(bot_id)
        if bot is None:
            raise Refusal(
                "not_found",
                f"bot {bot_id!r} not found; the bots are {', '.join(self.bots)}; the fake begins with others by "
                '--data, or data={"bots": [{"botId": "..."}]}',
            )
        return bot

    @explaining_arguments()
    def send(
        self,
        bot_id: str,
        user_id: str,
        content: Mapping[str, Any],
        channel_id: str | None = None,
        *,
        client_version: str | None = None,
    ) -> Delivery:
        """Send a message from a member to a bot, and deliver the event once.

        The receiver runs without the fake's lock, so it may call the fake.

        Args:
            bot_id: the bot.
            user_id: the member.
            content: the message, such as ``{"type": "text", "text": "hello"}``.
            channel_id: the room; if omitted, the one-to-one room of the member and the bot.
            client_version: the version of the member's client; if omitted, that of `client_versions`.

        Returns:
            The outcome: ``outcome``, ``status``, ``error`` and the signed ``body``.

        Raises:
            Refusal: the bot or user is not found, or the content is not a message; all problems are reported together.
            BaseException: the receiver raised an exception that is not its own failure, such as ``pytest.fail`` or
                Ctrl-C; the delivery is first logged as failed.
        """
        # Under the lock the event is made, and below its outcome is logged; in between, the receiver runs without it.
        with self._lock, self._rules.recording() as used:
            bot, checked = self.bot(bot_id), 0
            try:
                member = self._users.resolve(user_id)
                checked = len(used)  # no assumption about these would allow a message that is refused later
                version = client_version or self.client_versions.get(member)
                message = WrittenMessage(member, content, channel_id, version)
                signed = self._events.make(message, bot.bot_id, bot.secret)
            except Refusal:
                # This refusal is not a response of the service; later ones, such as the log of messages, rest on it.
                for rule in used[checked:]:
                    if rule.alternatives:
                        self._decisions.remember(rule, MESSAGES)
                raise
            obstacle = self._events.explain_unsupported(message)
            further = None if obstacle else self._events.make_postback(message, bot.bot_id, bot.secret)
        delivery = self._deliver(bot, signed, obstacle, used)
        if further is not None:
            self._deliver(bot, further, None, used)
        return delivery

    def _deliver(self, bot: Bot, signed: SignedEvent, obstacle: str | None, used: Sequence[Rule]) -> Delivery:
        """Deliver an event, unless there is an obstacle, and log the outcome."""
        rules = self._rules
        with self._lock:
            receiver = bot.receiver
            limited = rules[rulebook.callbacks.TIMEOUT.id].chosen == "limited"
            sendable = receiver is not None and obstacle is None
            dropped = self._faults.on_callback(bot.bot_id) if sendable else None
        if obstacle is not None:
            result = AttemptResult("not-sent", None, obstacle)
        elif dropped is not None:
            result = AttemptResult("failed", None, "the receiver could not be reached (an injected fault)")
        else:
            result = attempt(receiver, signed, self.timeout, limited)
        with self._lock, rules.recording() as judged:
            result = self._judge(result)
            assumed = dict.fromkeys(rule.id for rule in (*used, *judged) if rule.alternatives)
            latency = (self._clock.now() - signed.at).total_seconds()
            delivery = Delivery(
                bot_id=bot.bot_id,
                at=signed.at,
                outcome=result.outcome,
                status=result.status,
                error=result.error,
                latency=latency,
                headers=signed.headers,
                body=signed.body,
                assumed=tuple(assumed),
                injected=None if dropped is None else dropped.label,
            )
            self.deliveries.append(delivery)
        if result.raised is not None:
            raise result.raised
        return delivery

    def forget_user(self, user_id: str) -> None:
        """Forget the client version of a removed user."""
        self.client_versions.pop(user_id, None)

    def dump(self) -> CallbacksData:
        """Return bots and deliveries for a snapshot; deliveries and client versions are shared."""
        return CallbacksData.model_construct(  # each was checked when it was added
            bots=[BotData(bot_id=bot.bot_id, secret=bot.secret) for bot in self.bots.values()],
            deliveries=self.deliveries.kept,
            client_versions=self.client_versions.data,
            timeout=self.timeout,
        )

    def load(self, data: CallbacksData) -> None:
        """Replace bots and deliveries by saved ones; a bot that is here already stays connected."""
        receivers = {bot.bot_id: bot.receiver for bot in self.bots.values()}
        self.bots = {bot.bot_id: Bot(bot.bot_id, bot.secret, receivers.get(bot.bot_id)) for bot in data.bots}
        self.deliveries.kept.replace(data.deliveries)
        self.client_versions.data.replace(data.client_versions)
        self.timeout = data.timeout

    def disconnect(self) -> None:
        """Disconnect all bots.

        Examples:
            >>> from fakes import FakeService
            >>> callbacks = FakeService.sample(now="2026-06-01T09:00:00+09:00").callbacks
            >>> callbacks.disconnect()
            >>> callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"}).outcome
            'not-sent'
        """
        for bot in self.bots.values():
            bot.receiver = None

    def connect_as(self, other: "Callbacks") -> None:
        """Connect each bot to its receiver in another fake, and disconnect those that have none there."""
        for bot in self.bots.values():
            bot.receiver = other.bots[bot.bot_id].receiver

    def _judge(self, result: AttemptResult) -> AttemptResult:
        """Return the result by the rules about timeouts and success statuses."""
        status = result.status
        if result.late:
            self._rules.apply(rulebook.callbacks.TIMEOUT)
        if status is not None and status != 200:
            success = 200 < status < 300 and self._rules.apply(rulebook.callbacks.DELIVERED) == "2xx"
            if not success:
                result = AttemptResult("rejected", status, self._events.explain_status(status))
        if result.outcome not in ("delivered", "not-sent"):
            self._rules.follow(rulebook.callbacks.NOT_RESENT)
        return result

    def _find_user(self, user_id: str) -> str:
        with self._lock, self._rules.recording():
            return self._users.resolve(user_id)

    def _check_target(self, target: Target) -> CallbackReceiver | None:
        receiver = make_receiver(target)
        if not isinstance(receiver, HttpReceiver) or receiver.encrypted:
            return receiver
        with self._lock, self._rules.recording():
            if self._rules.apply(rulebook.callbacks.ADDRESS) == "https-only":
                raise Refusal("invalid", f"a callback URL must begin with https; given {receiver!r}")
        return receiver

    def __repr__(self) -> str:
        sent = quantity(len(self.deliveries), "delivery", "deliveries")
        return f"<Callbacks: {quantity(len(self.bots), 'bot')}, {sent}>"

    def _repr_html_(self) -> str:
        rows = [
            (bot.bot_id, "nothing" if bot.receiver is None else repr(bot.receiver))
            for bot in self.bots.values()
        ]
        return render_table(repr(self).strip("<>"), ("bot", "connected to"), list(rows))[0]


def find_id_problem(bot_id: str) -> str:
    """Return why a bot cannot have this ID, to follow its name; an empty text if it can.

    Examples:
        >>> find_id_problem("greeter"), find_id_problem("a/b")
        ('', "must be 1 to 100 visible ASCII characters without a slash; given 'a/b'")
    """
    if VALID_ID.fullmatch(bot_id):
        return ""
    return f"must be 1 to 100 visible ASCII characters without a slash; given {shorten(bot_id)!r}"
