"""The inbox of a bot: write as a member, see the event, its headers and signature, and its delivery."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from svckit.display.masking import mask
from svckit.display.python_code import write_call
from svckit.display.suggestions import NoSuchKey
from svckit.errors import InvalidInput
from svckit.events import Receiver
from svckit.models.secret import Secret
from svckit.profiles.environment import Environment
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.delivery_views import (
    build_callback_detail,
    build_delivery_detail,
    build_delivery_row,
    build_receiver_views,
    describe_target,
)
from svckit.widgets.explorers.explorer import WorkingExplorer
from svckit.widgets.explorers.member_message import (
    FIELDS,
    MESSAGES,
    build_field_views,
    find_problems,
    make_content,
)
from svckit.widgets.explorers.signature_check import Callback, parse_headers

__all__ = ["InboxExplorer"]

SHOWN = 50  # deliveries, the newest
REAL = "Only members can write to a bot, in the service’s own clients, so you cannot write as one here."
SERVED = (
    "This fake is served in another process: to write as a member, call its admin endpoint POST /messages."
)
RECEIVED = (
    "This view shows what this session’s receivers got. To check a callback received elsewhere, paste it."
)
TYPED = frozenset({"bot", "user", "room", "kind", "callback", "headers", "body"})


@dataclass(frozen=True, slots=True)
class InboxDraft:
    """The text typed so far, and the receivers created here, by bot ID."""

    bot: str = ""
    user: str = ""
    room: str = ""
    kind: str = "text"
    fields: Mapping[str, str] = field(default_factory=dict)
    callback: str = ""
    headers: str = ""
    body: str = ""
    change: bool = False
    receivers: Mapping[str, Receiver] = field(default_factory=dict)


class InboxExplorer(WorkingExplorer[InboxDraft]):
    """A bot's inbox: write to the bot as a member, and see what the service sends to the bot's server.

    Writing needs an in-process fake. With any other service you see what this session's receivers got: those created
    with ``on=svc`` (`svckit.events.receive`, `svckit.events.Receiver`). You can also paste headers and body of a
    callback; its signature is checked with the profile's bot secret, ``svc.bot_secret``.

    Args:
        svc: a session.

    Attributes:
        draft: the text typed so far.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = InboxExplorer(svc)
        >>> explorer.write(user="u-002", text="hello")
        >>> print(explorer.code)
        svc.fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "hello"})
        >>> explorer.receive_here()
        >>> explorer.send()
        >>> explorer.wait()
        >>> explorer
        Inbox [FAKE]
        Deliveries
             No.  Outcome          Why  Message      Member  Room        Issued
          >  1    delivered (200)       text: hello  u-002   one-to-one  2026-06-01 09:00
        Delivery 1 to bot-1: delivered
        X-SERVICE-Signature matches: base64 of HMAC-SHA256 over the 147 bytes of the body, keyed with ***
        Callbacks to: a receiver here
        Receiver 1: 1 received, 0 refused
        - 1. u-002 to bot-1: text: hello
        >>> explorer.write(change=True)
        >>> explorer.select(1)
        >>> explorer.view["detail"]["check"]["matches"]
        False
        >>> explorer.disconnect()
        >>> explorer.write(callback="http://127.0.0.1:9000/callback")
        >>> explorer.send_to_url()
        >>> explorer.write(headers="X-SERVICE-Signature: AAAA", body="{}")
        >>> explorer.check()
        >>> explorer.close()
    """

    template = "widgets/explorers/inbox.html"
    make_draft: ClassVar[type[InboxDraft]] = InboxDraft

    def __init__(self, svc: Session) -> None:
        self._chosen: int | None = None  # the number of the delivery shown; None for the newest
        self._pasted: Callback | None = None  # shown only where there are no deliveries
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in fields as if typed.

        The fields are ``bot``, ``user``, ``room`` (a channel ID, empty for one-to-one), ``kind`` (of message:
        ``text``, ``location``, ``sticker``, ``image`` or ``file``), the fields of messages such as ``text`` or
        ``package_id``, ``callback`` (the callback URL), ``headers`` and ``body`` (of a received callback). With
        ``change`` a byte of the body is changed before the signature is checked.

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field, or no such kind of message.
        """
        check_names(fields, sorted(TYPED | FIELDS | {"change"}))
        check_names([fields.get("kind", "text")], MESSAGES, what="message")
        typed = {name: str(value) for name, value in fields.items() if name in FIELDS}
        others: dict[str, Any] = {
            name: bool(value) if name == "change" else str(value)
            for name, value in fields.items()
            if name not in FIELDS
        }
        self._keep(replace(self.draft, fields={**self.draft.fields, **typed}, **others))

    @button
    def send(self) -> None:
        """Write to the bot as the member, in the background, because the receiver may be slow to respond.

        Raises:
            InvalidInput: the message has problems, or this is not an in-process fake. Nothing was sent.
        """
        self._need_fake()
        problems = self._find_problems()
        if self._running:
            problems.append("another message is still being sent")
        if problems:
            raise InvalidInput("nothing was sent: " + "; ".join(problems))
        room = self.draft.room.strip() or None
        # Send what was checked, whatever is typed in the meantime.
        self._start(self._steps(self._bot, self._user, self._content, room))

    @button
    def receive_here(self) -> None:
        """Send the bot's callbacks to a receiver in this kernel, which checks and keeps them."""
        bot = self._need_fake().callbacks.bot(self._bot)
        receiver = self.draft.receivers.get(bot.bot_id)
        if receiver is None:  # one that is there may be empty
            receiver = Receiver(Secret(bot.secret), on=self.svc)
        self._connect(receiver)
        self._keep(replace(self.draft, receivers={**self.draft.receivers, bot.bot_id: receiver}))

    @button
    def send_to_url(self) -> None:
        """Send the bot's callbacks to the typed URL.

        Raises:
            ValueError: it is not an http or https URL.
        """
        self._connect(self.draft.callback.strip())

    @button
    def disconnect(self) -> None:
        """Stop sending the bot's callbacks."""
        self._connect(None)

    @button
    def select(self, number: int | None) -> None:
        """Show the details of a delivery.

        Args:
            number: its number; None for the newest.

        Raises:
            KeyError: no delivery with that number is kept.
        """
        if number is not None and number not in dict(self._list_deliveries()):
            raise NoSuchKey(f"no delivery {number} among the newest {SHOWN}")
        self._chosen = number
        self._show()

    @button
    def check(self) -> None:
        """Check the pasted headers and body, and parse the event.

        Raises:
            InvalidInput: there is nothing to check, or the bot's secret is not known.
        """
        if not self.draft.body:
            raise InvalidInput("paste the headers of a callback and its body, exactly as received")
        self._require_secret()
        self._pasted = Callback(parse_headers(self.draft.headers), self.draft.body.encode())
        self._show()

    @property
    def _read_only_note(self) -> str:
        """The reason why you cannot write as a member, and what this view shows instead."""
        return f"{SERVED if self.svc.is_fake else REAL} {RECEIVED}"

    def _need_fake(self) -> Any:
        if self.svc.local_fake is None:
            raise InvalidInput(f"nothing was done: {self._read_only_note}")
        return self.svc.local_fake

    def _connect(self, target: Any) -> None:
        self._need_fake().callbacks.connect(self._bot, target)
        self._show()

    def _steps(
        self, bot: str, user: str, content: Mapping[str, Any], room: str | None
    ) -> Generator[None, None, None]:
        self._need_fake().callbacks.send(bot, user, content, room)
        self._chosen = None
        yield

    @property
    def _bot(self) -> str:
        bots = list(self._need_fake().callbacks.bots)
        return self.draft.bot if self.draft.bot in bots else bots[0]

    @property
    def _user(self) -> str:
        return self.draft.user.strip() or self._people.first

    @property
    def _content(self) -> dict[str, Any]:
        return make_content(self.draft.kind, self.draft.fields)

    @property
    def code(self) -> str:
        """The call that writes to the bot, masked; empty while the message has problems, or without a fake."""
        if self.svc.local_fake is None or self._find_problems():
            return ""
        room = [self.draft.room.strip()] if self.draft.room.strip() else []
        return mask(write_call("svc.fake.callbacks.send", self._bot, self._user, self._content, *room))

    def _find_problems(self) -> list[str]:
        return [*([] if self._user else ["no member is chosen"]), *find_problems(self._content)]

    def _list_deliveries(self) -> list[tuple[int, Any]]:
        """Return the newest deliveries with their numbers, oldest first."""
        if self.svc.local_fake is None:
            return []
        kept = self.svc.local_fake.callbacks.deliveries
        newest = kept.latest(SHOWN)
        return list(enumerate(newest, len(kept) - len(newest) + 1))

    def _require_secret(self) -> Secret:
        secret = self.svc.bot_secret
        if secret is None:
            variable = Environment({}).variable(self.svc.profile.name, "bot_secret")
            raise InvalidInput(
                f"the bot's secret is not known: set {variable} or store it in the keyring, then connect again"
            )
        return secret

    def _view(self) -> dict[str, Any]:
        """Return the data for the live view, HTML and text."""
        writes = self.svc.local_fake is not None
        deliveries = dict(self._list_deliveries())
        selected = self._chosen if self._chosen in deliveries else next(reversed(deliveries), None)
        return {
            "writes": writes,
            "note": "" if writes else self._read_only_note,
            "running": self._running,
            **(self._compose() if writes else {}),
            "rows": [
                build_delivery_row(number, delivery, self.svc.clock.now(), selected=number == selected)
                for number, delivery in reversed(deliveries.items())
            ],
            "detail": self._build_detail(selected, deliveries.get(selected or 0)),
            "receivers": build_receiver_views(Receiver.of(self.svc)),
        }

    def _compose(self) -> dict[str, Any]:
        draft, callbacks = self.draft, self.svc.local_fake.callbacks
        rooms = {hook.channel_id for hook in self.svc.local_fake.webhooks.all()}
        return {
            "bots": [(bot, bot) for bot in callbacks.bots],
            "bot": self._bot,
            "people": list(self._people.names.items()),
            "user": self._user,
            "rooms": [
                ("", "one-to-one with the bot"),
                *((room, room) for room in sorted(rooms | {draft.room} - {""})),
            ],
            "kinds": [(kind, kind) for kind in MESSAGES],
            "fields": build_field_views(draft.kind, draft.fields),
            "code": [("Python", self.code)],
            "target": describe_target(callbacks.bot(self._bot).receiver),
        }

    def _build_detail(self, number: int | None, delivery: Any) -> dict[str, Any] | None:
        """Return the details of the selected delivery or the pasted callback."""
        profile, change = self.svc.profile, self.draft.change
        if delivery is not None:
            return build_delivery_detail(number, delivery, self.svc.local_fake, profile, change=change)
        if self._pasted is not None:
            return build_callback_detail(
                "Pasted callback", self._pasted, self._require_secret(), profile, change=change
            )
        return None
