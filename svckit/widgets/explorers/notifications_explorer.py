"""Notifications: write one, see it as the room will, send it, and see how much of the rate is left."""

from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from svckit.display.masking import MASK, mask
from svckit.errors import InvalidInput, RateLimited, ServiceError
from svckit.http.messages import Operation
from svckit.models.notification import mention
from svckit.models.secret import Secret
from svckit.operations import notifications
from svckit.operations.notifications import Notified
from svckit.session.session import Session
from svckit.widgets.base import plain
from svckit.widgets.base.assets import script, style
from svckit.widgets.base.callbacks import clear_error, show_errors
from svckit.widgets.explorers.people import People
from svckit.widgets.explorers.room_message import link_of, pieces
from svckit.widgets.explorers.working_explorer import WorkingExplorer
from svckit.widgets.form.field_names import check_names

__all__ = ["NotificationsExplorer"]

MOST_AT_ONCE = 300
KEPT = 8  # of what was sent
STEP = 5  # notifications of a burst from one look at it to the next


@dataclass(frozen=True, slots=True)
class NotificationsDraft:
    """What was typed."""

    webhook: str = ""
    title: str = ""
    text: str = ""
    label: str = ""
    url: str = ""
    count: str = "130"

    @property
    def button(self) -> tuple[str, str] | None:
        """The button's label and address, if anything of it was typed."""
        return (self.label, self.url) if self.label or self.url else None


class NotificationsExplorer(WorkingExplorer[NotificationsDraft]):
    """Write a notification, see it as the chat room will show it, and send it, or many until the rate is used up.

    Notification URLs are secret, so they are chosen by their names in the profile, and never typed here. The gauge
    shows what the rate headers of the last answer to the session said, whoever called. To a service that is no fake
    nothing is sent before :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: what was typed.
        error: what the last request failed with, or empty text.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = NotificationsExplorer(svc)
        >>> explorer.write(text='Build is green, <m userId="u-002">', label="Open", url="https://example.com")
        >>> explorer.send()
        >>> explorer
        Notifications [FAKE]
          to      webhook-1
          title   Notices (from the webhook list)
          text    Build is green, @Lopez Petra
          button  Open: https://example.com
        Rate: 1 of 120 used, 119 left; reset in 60 s
          200 success: Build is green, <m userId="u-002">
        >>> explorer.burst(130)
        >>> explorer.wait()
        >>> print(explorer.view["rate"]["words"])
        120 of 120 used, none left (429 too many request); reset in 60 s
        >>> explorer.close()
    """

    _esm = script(
        "base/entries.js",
        "base/succession.js",
        "explorers/explorer.js",
        "explorers/notifications_explorer.js",
    )
    _css = style("explorers/explorer.css", "explorers/notifications_explorer.css")
    template = "widgets/explorers/notifications.html"
    begin = NotificationsDraft

    def __init__(self, svc: Session) -> None:
        self._log: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._burst: dict[str, Any] = {"running": False, "sent": 0, "count": 0}
        self._people = People(svc)
        super().__init__(svc)
        self._people.look()
        self._show()

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Put texts into the fields ``webhook``, ``title``, ``text``, ``label`` and ``url``, as if they were typed.

        The number of a burst is ``count``, which may be a number.

        Raises:
            InvalidInput: there is no such field.
        """
        check_names(fields, NotificationsDraft.__slots__)
        self._keep(replace(self.draft, **{name: str(value) for name, value in fields.items()}))

    @clear_error
    def mention(self, user_id: str) -> None:
        """Add a user to the end of the text.

        Raises:
            ValueError: no such ID can be mentioned.
        """
        text = self.draft.text
        self.write(text=text + (" " if text[-1:].strip() else "") + mention(user_id))

    @clear_error
    def send(self) -> None:
        """Send it; where the service is no fake, only ask.

        Raises:
            InvalidInput: something is wrong with it. Nothing was sent.
            RateLimited: the rate is used up; the gauge shows when it is reset.
            ServiceError: the service refused it.
        """
        written = self._check_draft()
        self._ask_first(
            f"This posts a message into the chat room of {written.webhook}", lambda: self._send_one(written)
        )

    @clear_error
    def burst(self, count: int | None = None) -> None:
        """Send it again and again, beside the notebook, until the service refuses; where it is no fake, only ask.

        Args:
            count: how many at most, up to 300; left out, what was typed.

        Raises:
            InvalidInput: something is wrong with it, or with the number, or another burst is on its way.
        """
        if count is not None:
            self.write(count=count)
        written = self._check_draft()
        typed = written.count.strip()
        count = int(typed) if typed.isdecimal() else 0
        if not 1 <= count <= MOST_AT_ONCE:
            raise InvalidInput(
                f"nothing was sent: a burst has 1 to {MOST_AT_ONCE} notifications, not {typed or 'nothing'}"
            )
        if self._burst["running"]:
            raise InvalidInput("nothing more was sent: a burst is on its way; stop it first")
        what = f"This posts up to {count} messages into the chat room of {written.webhook}"
        self._ask_first(what, lambda: self._begin(written, count))

    @clear_error
    def move_to_reset(self) -> None:
        """Move the clock of a fake, if it stands, to where the rate is reset.

        Raises:
            ValueError: there is no such clock, or no reset to come.
        """
        left = self.svc.rate.seconds_left(self.clock.now())
        if not self.clock.standing or not left:
            raise ValueError(
                "only the clock of a fake that stands is moved to a reset, and only while one is to come"
            )
        self.svc.fake.clock.advance(seconds=left)
        self._show()

    def refresh(self) -> None:
        """Look what others of the session have used of the rate since, and whom it has met."""
        met = self._people.look()
        if replace(self.svc.rate) != self._rate or met:
            self._show()

    def _operation(self, address: Secret) -> Operation[Notified]:
        draft = self.draft
        return notifications.notify(address, draft.text, title=draft.title or None, button=draft.button)

    @property
    def _webhook(self) -> str:
        """The name of the notification URL that is chosen, or else of the first."""
        names = list(self.svc.webhooks)
        return self.draft.webhook if self.draft.webhook in names else next(iter(names), "")

    def _problems(self) -> list[str]:
        draft = self.draft
        problems = [] if self._webhook else ["the profile has no notification URL"]
        if not draft.text:
            problems.append("Text is required")
        elif not draft.text.strip():
            problems.append("Text is empty, and the room would show nothing")
        if bool(draft.label) != bool(draft.url):
            problems.append("a button has both a label and an address, or there is none")
        return problems

    @property
    def _not_linked(self) -> str:
        """Why the button is shown as text, if its address is none that is safe to follow."""
        url = self.draft.url
        return "" if not url or link_of(url) else "not a link here: only http:// and https:// addresses are"

    def _check_draft(self) -> NotificationsDraft:
        """What is written now, to be sent so, whatever is typed meanwhile."""
        problems = self._problems()
        if problems:
            raise InvalidInput("nothing was sent: " + "; ".join(problems))
        return replace(self.draft, webhook=self._webhook)

    def _send_one(self, written: NotificationsDraft) -> None:
        try:
            self._post(written)
        finally:
            self._show()

    def _post(self, written: NotificationsDraft) -> None:
        """Send it, and note what came of it."""
        try:
            answer = self.svc.notify(
                written.text, title=written.title or None, button=written.button, webhook=written.webhook
            )
        except RateLimited:
            self._log_line("429 too many request", written.text)
            raise
        except ServiceError as refused:
            self._log_line(
                f"{refused.status or 'no answer'} {refused.description or ''}".strip(), written.text
            )
            raise
        self._log_line(f"{answer.code} {answer.description}", written.text)

    def _log_line(self, outcome: str, text: str) -> None:
        """Note what came of a notification; of equal ones in a row, how many."""
        line = {"outcome": mask(outcome), "text": text, "times": 1}
        if self._log and {**self._log[0], "times": 1} == line:
            line["times"] = self._log.popleft()["times"] + 1
        self._log.appendleft(line)

    def _begin(self, written: NotificationsDraft, count: int) -> None:
        self._burst = {"running": True, "sent": 0, "count": count}
        self._show()
        self._start(self._steps(written, count))

    def _steps(self, written: NotificationsDraft, count: int) -> Generator[None, None, None]:
        """The notifications of a burst; the first that is refused for the rate ends it as it should."""
        sent = 0
        try:
            for sent in range(count):
                self._post(written)
                self._burst = {"running": True, "sent": sent + 1, "count": count}
                if sent % STEP == 0:
                    self._show()
                yield
            sent = count
        except RateLimited:
            self.error = ""
        except Exception as failure:  # noqa: BLE001 - there is nobody in a thread to handle it
            self._fail(failure)
        finally:
            self._burst = {"running": False, "sent": sent, "count": count}
            self._show()

    @show_errors
    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        """Do what the browser asks for."""
        match content:
            case {
                "do": "write",
                "field": "webhook" | "title" | "text" | "label" | "url" | "count" as field,
                "text": str(text),
            }:
                self.write(**{field: text})
            case {"do": "mention", "user": str(user)}:
                self.mention(user)
            case {"do": "send" | "burst" | "stop" | "confirm" | "cancel" | "move_to_reset" as step}:
                getattr(self, step)()
            case _:
                raise ValueError(f"a notifications explorer does not understand {content!r}")

    def _view(self) -> dict[str, Any]:
        """All three faces are made from this."""
        draft, problems, now = self.draft, self._problems(), self.clock.now()
        self._rate = replace(self.svc.rate)
        return {
            "badge": self.badge,
            "webhooks": list(self.svc.webhooks),
            "draft": {**asdict(draft), "webhook": self._webhook},
            "people": self._people.view,
            "problems": problems,
            "setup": self._setup(),
            "room": {
                "title": draft.title or self._find_listed_title(),
                "listed": not draft.title,
                "pieces": pieces(draft.text, self._people.names),
                "label": draft.label,
                "url": draft.url,
                "link": link_of(draft.url),
                "notLinked": self._not_linked,
            },
            "curl": "" if problems else self._curl(),
            "rate": self.svc.rate.view(now, standing=self.clock.standing),
            "burst": self._burst,
            "most": MOST_AT_ONCE,
            "log": list(self._log),
            "asking": self._question,
        }

    def _setup(self) -> str:
        """Which step of the setup is missing, or what the steps are for where no notification URL is known."""
        setup = self.svc.notification_setup
        return "" if setup.missing is None and self._webhook else setup.summary

    def _curl(self) -> str:
        address = Secret(f"{self.svc.profile.webhook_url}/message/{MASK}")
        (request,) = self.svc.explain(self._operation(address)).requests
        return request.with_json(next(self._operation(address)).json).curl

    def _find_listed_title(self) -> str:
        """The title in the webhook list, which only a fake in process shows."""
        fake, url = self.svc.fake, self.svc.webhooks.get(self._webhook) if self.svc.fake else None
        if fake is None or url is None:
            return ""
        own = url.reveal().rpartition("/")[2]
        return next((str(hook.title) for hook in fake.webhooks.all() if hook.webhook_id == own), "")

    def _text(self) -> str:
        view, room = self.view, self.view["room"]
        rows = [
            ("to", view["draft"]["webhook"]),
            ("title", " ".join(filter(None, [room["title"], room["listed"] and "(from the webhook list)"]))),
            ("text", "".join(piece["text"] for piece in room["pieces"])),
            *([("button", f"{room['label']}: {room['url']}")] if room["label"] or room["url"] else []),
        ]
        lines = [f"Notifications [{view['badge']}]", *(f"  {row}" for row in plain.columns(rows, widest=72))]
        lines += [f"Before it can be sent: {problem}" for problem in view["problems"]]
        lines += [view["setup"]] if view["setup"] else []
        lines += [f"? {view['asking']}"] if view["asking"] else []
        lines.append(f"Rate: {view['rate']['words']}")
        lines += [f"  {view['rate']['average']}"] if view["rate"]["average"] else []
        return "\n".join([*lines, *(f"  {_format_line(line)}" for line in view["log"])])


def _format_line(line: Mapping[str, Any]) -> str:
    times = f" ({line['times']} times)" if line["times"] > 1 else ""
    return f"{line['outcome']}{times}: {plain.columns([(line['text'],)], widest=60)[0]}"
