"""The inbox of a bot: write as a member, see the event, its headers and signature, and what became of it."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svckit.display.suggestions import NoSuchKey
from svckit.errors import InvalidInput
from svckit.events import Receiver
from svckit.models.secret import Secret
from svckit.profiles.environment import Environment
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers.delivery_views import (
    callback_detail,
    delivery_detail,
    delivery_lines,
    delivery_row,
    target_in_words,
)
from svckit.widgets.explorers.member_message import (
    FIELDS,
    MESSAGES,
    content_of,
    field_views,
    problems_with,
)
from svckit.widgets.explorers.people import People
from svckit.widgets.explorers.received import receiver_views, summarize
from svckit.widgets.explorers.signature_check import Callback, headers_of
from svckit.widgets.explorers.working_explorer import WorkingExplorer
from svckit.widgets.form.field_names import check_names

__all__ = ["InboxExplorer"]

SHOWN = 50  # deliveries, the newest
NOBODY = "Only members write to a bot, in the service’s own clients: here nobody can write as one."
SERVED = "This fake is served: to write as a member takes its admin call POST /messages."
SEEN = "Shown is what the receivers of this session got; a callback that came elsewhere can be pasted and checked."
TYPED = frozenset({"bot", "user", "room", "kind", "callback", "headers", "body"})


@dataclass(frozen=True, slots=True)
class InboxDraft:
    """What was typed, and the receivers that were made here, by the ID of their bot."""

    bot: str = ""
    user: str = ""
    room: str = ""
    kind: str = "text"
    fields: Mapping[str, str] = field(default_factory=dict)
    callback: str = ""
    headers: str = ""
    body: str = ""
    change: bool = False
    made: Mapping[str, Receiver] = field(default_factory=dict)


class InboxExplorer(WorkingExplorer[InboxDraft]):
    """Write to a bot as a member, and see what the service sends to the bot's server, and what came of it.

    That takes a fake in process. Of any other service only what came can be seen: what the receivers of this session
    got, which are those made with ``on=svc`` (`svckit.events.receive`, `svckit.events.Receiver`), and headers and body
    that are pasted; their signature is checked with the bot's secret of the profile, ``svc.bot_secret``.

    Args:
        svc: a session.

    Attributes:
        draft: what was typed.
        error: what the last request failed with, or empty text.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = InboxExplorer(svc)
        >>> explorer.write(user="u-002", text="hello")
        >>> explorer.receive_here()
        >>> explorer.send()
        >>> explorer.wait()
        >>> explorer
        Inbox [FAKE]
          bot      bot-1
          member   Lopez Petra (u-002)
          room     one-to-one
          message  text: hello
          goes to  a receiver here
        Deliveries
             no.  member  room        message      outcome
          >  1    u-002   one-to-one  text: hello  delivered (200)
        X-SERVICE-Signature fits: base64 of HMAC-SHA256 over the 147 bytes of the body, keyed with ***
        Receiver 1: 1 received, 0 refused
        >>> explorer.write(change=True)
        >>> explorer.view["detail"]["check"]["fits"]
        False
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/succession.js",
        "explorers/explorer.js",
        "base/rows.js",
        "explorers/inbox_explorer.js",
    )
    _css = style("explorers/explorer.css", "base/rows.css", "explorers/inbox_explorer.css")
    template = "widgets/explorers/inbox.html"
    begin = InboxDraft

    def __init__(self, svc: Session) -> None:
        self._people = People(svc)
        self._chosen: int | None = None
        self._pasted: Callback | None = None
        self._running = False
        super().__init__(svc)
        if svc.fake is not None:
            self._people.look()
        self._show()

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Put texts into fields as if they were typed.

        They are ``bot``, ``user``, ``room`` (a channel ID, empty for one-to-one), ``kind`` (of message: ``text``,
        ``location``, ``sticker``, ``image`` or ``file``), the fields of messages such as ``text`` or ``package_id``,
        ``callback`` (the address where callbacks go), ``headers`` and ``body`` (that were received). ``change`` says
        whether the signature is checked against a body of which a byte was changed.

        Raises:
            InvalidInput: there is no such field, or no such message.
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

    @clear_error
    def send(self) -> None:
        """Write to the bot as the member, beside the notebook, since the receiver may take long to answer.

        Raises:
            InvalidInput: something is wrong with the message, or this is no fake in process. Nothing was sent.
        """
        self._need_fake()
        problems = self._problems()
        if self._running:
            problems.append("a message is on its way")
        if problems:
            raise InvalidInput("nothing was sent: " + "; ".join(problems))
        self._running = True
        room = self.draft.room.strip() or None
        self._show()
        # As it was checked, whatever is typed meanwhile.
        self._start(self._steps(self._bot, self._user, self._content, room))

    @clear_error
    def receive_here(self) -> None:
        """Have the bot's callbacks come to a receiver in this kernel, which checks and keeps them."""
        bot = self._need_fake().callbacks.bot(self._bot)
        receiver = self.draft.made.get(bot.bot_id) or Receiver(Secret(bot.secret), on=self.svc)
        self._connect(receiver)
        self._keep(replace(self.draft, made={**self.draft.made, bot.bot_id: receiver}))

    @clear_error
    def send_to_url(self) -> None:
        """Have the bot's callbacks go to the address that was typed.

        Raises:
            ValueError: that is no http or https address.
        """
        self._connect(self.draft.callback.strip())

    @clear_error
    def disconnect(self) -> None:
        """Have the bot's callbacks go nowhere."""
        self._connect(None)

    @clear_error
    def select(self, number: int | None) -> None:
        """Show a delivery whole; with None the newest.

        Raises:
            KeyError: there is no delivery of that number.
        """
        if number is not None and number not in dict(self._deliveries()):
            raise NoSuchKey(f"there is no delivery {number} among the {SHOWN} newest")
        self._chosen = number
        self._show()

    @clear_error
    def check(self) -> None:
        """Check the headers and the body that were pasted, and read the event.

        Raises:
            InvalidInput: there is nothing to check, or the bot's secret is not known.
        """
        if not self.draft.body:
            raise InvalidInput("paste the body of a callback, exactly as it came, and its headers")
        self._secret()
        self._pasted = Callback(headers_of(self.draft.headers), self.draft.body.encode())
        self._show()

    @clear_error
    def look(self) -> None:
        """Look at what has come since."""
        self._show()

    @property
    def _nobody(self) -> str:
        """Why nobody can write as a member, and what there is to see."""
        return f"{SERVED if self.svc.is_fake else NOBODY} {SEEN}"

    def _need_fake(self) -> Any:
        if self.svc.fake is None:
            raise InvalidInput(f"nothing was done: {self._nobody}")
        return self.svc.fake

    def _connect(self, target: Any) -> None:
        self._need_fake().callbacks.connect(self._bot, target)
        self._show()

    def _steps(
        self, bot: str, user: str, content: Mapping[str, Any], room: str | None
    ) -> Generator[None, None, None]:
        try:
            self._need_fake().callbacks.send(bot, user, content, room)
            self._chosen = None
        except Exception as failure:  # noqa: BLE001 - there is nobody in a thread to handle it
            self._fail(failure)
        finally:
            self._running = False
            self._show()
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
        return content_of(self.draft.kind, self.draft.fields)

    def _problems(self) -> list[str]:
        return [*([] if self._user else ["no member is chosen"]), *problems_with(self._content)]

    def _deliveries(self) -> list[tuple[int, Any]]:
        """The newest deliveries with their numbers, oldest first."""
        if self.svc.fake is None:
            return []
        kept = self.svc.fake.callbacks.deliveries
        newest = kept.latest(SHOWN)
        return list(enumerate(newest, len(kept) - len(newest) + 1))

    def _secret(self) -> Secret:
        found = self.svc.bot_secret
        if found is None:
            variable = Environment({}).variable(self.svc.profile.name, "bot_secret")
            raise InvalidInput(
                f"the secret of the bot is not known: set {variable}, or keep it in the keyring, and connect anew"
            )
        return found

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {"do": "write", "field": str(name), "text": str() | bool() as text}:
                self.write(**{name: text})
            case {"do": "select", "number": int(number)}:
                self.select(number)
            case {"do": "send" | "receive_here" | "send_to_url" | "disconnect" | "check" | "look" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"an inbox explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        draft, writes = self.draft, self.svc.fake is not None
        deliveries = dict(self._deliveries())
        selected = self._chosen if self._chosen in deliveries else next(reversed(deliveries), None)
        return {
            "badge": self.badge,
            "writes": writes,
            "note": "" if writes else self._nobody,
            "running": self._running,
            "change": draft.change,
            **(self._compose() if writes else {}),
            "rows": [
                delivery_row(number, each, selected=number == selected)
                for number, each in reversed(deliveries.items())
            ],
            "detail": self._detail(selected, deliveries.get(selected or 0)),
            "pasted": {"headers": draft.headers, "body": draft.body},
            "receivers": receiver_views(Receiver.of(self.svc)),
            "asking": "",
        }

    def _compose(self) -> dict[str, Any]:
        draft, callbacks = self.draft, self.svc.fake.callbacks
        rooms = {hook.channel_id for hook in self.svc.fake.webhooks.all()}
        return {
            "bots": list(callbacks.bots),
            "bot": self._bot,
            "people": self._people.view,
            "user": self._user,
            "rooms": ["", *sorted(rooms | ({draft.room} - {""}))],
            "room": draft.room,
            "kinds": list(MESSAGES),
            "kind": draft.kind,
            "fields": field_views(draft.kind, draft.fields),
            "message": summarize(self._content),
            "problems": self._problems(),
            "target": target_in_words(callbacks.bot(self._bot).receiver),
            "callback": draft.callback,
        }

    def _detail(self, number: int | None, delivery: Any) -> dict[str, Any] | None:
        """The delivery that is selected, or what was pasted, whole."""
        profile, change = self.svc.profile, self.draft.change
        if delivery is not None:
            return delivery_detail(number, delivery, self.svc.fake, profile, change=change)
        if self._pasted is not None:
            return callback_detail("What was pasted", self._pasted, self._secret(), profile, change=change)
        return None

    def _text(self) -> str:
        view = self.view
        lines = [f"Inbox [{view['badge']}]", *([view["note"]] if view["note"] else [])]
        if view["writes"]:
            rows = [
                ("bot", view["bot"]),
                ("member", self._people.words(view["user"])),
                ("room", view["room"] or "one-to-one"),
                ("message", view["message"]),
                ("goes to", view["target"]),
            ]
            lines += [f"  {row}" for row in plain.columns(rows, widest=72)]
            lines += [f"Before it can be sent: {problem}" for problem in view["problems"]]
        if view["rows"]:
            lines += ["Deliveries", *(f"  {line}" for line in delivery_lines(view["rows"]))]
        if view["detail"]:
            lines.append(view["detail"]["check"]["words"])
        return "\n".join([*lines, *(f"{each['name']}: {each['count']}" for each in view["receivers"])])
