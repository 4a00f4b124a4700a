"""Notifications: write one, preview it, send it, and see how much of the rate limit is left."""

from collections import deque
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from svckit.display.masking import MASK, mask
from svckit.errors import InvalidInput, RateLimited, ServiceError
from svckit.http.messages import Operation
from svckit.http.python_calls import write_python
from svckit.http.redaction import RedactedRequest
from svckit.models.notification import mention
from svckit.models.secret import Secret
from svckit.operations import notifications
from svckit.operations.notifications import Notified
from svckit.session.session import Session
from svckit.widgets.base.argument_checks import check_names
from svckit.widgets.base.callbacks import button, clear_error
from svckit.widgets.explorers.explorer import WorkingExplorer
from svckit.widgets.explorers.room_message import build_message, build_sent_row

__all__ = ["NotificationsExplorer"]

MAX_BURST = 300
LOG_LENGTH = 50
SHOWN = 20  # messages of a room, the newest
STEP = 5  # notifications of a burst between two updates of the view


@dataclass(frozen=True, slots=True)
class NotificationsDraft:
    """The text typed so far."""

    webhook: str = ""
    title: str = ""
    text: str = ""
    label: str = ""
    url: str = ""
    user: str = ""
    count: str = "130"

    @property
    def button(self) -> tuple[str, str] | None:
        """The button's label and URL, or None if both are empty."""
        return (self.label, self.url) if self.label or self.url else None


class NotificationsExplorer(WorkingExplorer[NotificationsDraft]):
    """An explorer for notifications: write one, preview it as the room shows it, and send it once or in a burst.

    Webhook URLs are secret, so you choose them by their names in the profile and never type them here. The gauge
    shows the rate headers of the session's last response, whatever code made the call. The history has what was sent
    from here; what a room has received can be seen only on an in-process fake. A guide shows which steps of the setup
    are done. Nothing is sent to a real service before :meth:`confirm`.

    Args:
        svc: a session.

    Attributes:
        draft: the text typed so far.
        error: the error of the last request, or an empty string.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> explorer = NotificationsExplorer(svc)
        >>> explorer.write(text='Build is green, <m userId="u-002">', label="Open", url="https://example.com")
        >>> print(explorer.code)
        svc.notify(
            'Build is green, <m userId="u-002">',
            button=("Open", "https://example.com"),
            webhook="webhook-1",
        )
        >>> explorer.send()
        >>> explorer
        Notifications [FAKE]
          To      webhook-1
          Title   Notices (from the webhook list)
          Text    Build is green, @Lopez Petra
          Button  Open: https://example.com
        Rate: 1 of 120 used, 119 left; reset in 60 s
        Sent
          No.  Time              Result       Text
          1    2026-06-01 09:00  200 success  Build is green, <m userId="u-002">
        >>> explorer.burst(130)
        >>> explorer.wait()
        >>> print(explorer.view["rate"]["words"])
        120 of 120 used, none left (429 too many request); reset in 60 s
        >>> explorer.move_to_reset()
        >>> explorer.mention("u-001")
        >>> explorer.draft.text
        'Build is green, <m userId="u-002"> <m userId="u-001">'
        >>> explorer.close()
    """

    template = "widgets/explorers/notifications.html"
    make_draft: ClassVar[type[NotificationsDraft]] = NotificationsDraft

    def __init__(self, svc: Session) -> None:
        self._log: deque[dict[str, Any]] = deque(maxlen=LOG_LENGTH)  # the newest first
        self._burst = {"sent": 0, "count": 0}  # of the latest burst, how many are sent of how many
        super().__init__(svc)

    @clear_error
    def write(self, /, **fields: Any) -> None:
        """Fill in the fields ``webhook``, ``title``, ``text``, ``label``, ``url``, ``user`` and ``count`` as if typed.

        ``user`` is the user to mention. ``count`` is the number of notifications in a burst; it may be an ``int``.

        Args:
            **fields: the fields by name.

        Raises:
            InvalidInput: no such field.
        """
        check_names(fields, NotificationsDraft.__slots__)
        self._keep(replace(self.draft, **{name: str(value) for name, value in fields.items()}))

    @clear_error
    def mention(self, user_id: str) -> None:
        """Mention a user at the end of the text.

        Args:
            user_id: the user's ID.

        Raises:
            ValueError: the ID cannot be mentioned.
        """
        text = self.draft.text
        self.write(text=text + (" " if text[-1:].strip() else "") + mention(user_id))

    @button
    def send(self) -> None:
        """Send the notification; for a real service, ask for confirmation first.

        Raises:
            InvalidInput: the notification has problems. Nothing was sent.
            RateLimited: the rate is used up; the gauge shows when it resets.
            ServiceError: the service refused it.
        """
        draft = self._check_draft()
        self._ask_first(
            f"This posts a message to the chat room of {draft.webhook}", lambda: self._send_one(draft)
        )

    @button
    def burst(self, count: int | None = None) -> None:
        """Send the notification repeatedly in the background until the service refuses it.

        For a real service, ask for confirmation first.

        Args:
            count: the maximum number, up to 300; by default the number that was typed.

        Raises:
            InvalidInput: the notification or the number has problems, or another burst is running.
        """
        if count is not None:
            self.write(count=count)
        draft = self._check_draft()
        typed = draft.count.strip()
        count = int(typed) if typed.isdecimal() else 0
        if not 1 <= count <= MAX_BURST:
            raise InvalidInput(
                f"nothing was sent: a burst has 1 to {MAX_BURST} notifications; given {typed or 'nothing'}"
            )
        if self._running:
            raise InvalidInput("nothing more was sent: a burst is running; stop it first")
        what = f"This posts up to {count} messages to the chat room of {draft.webhook}"
        self._ask_first(what, lambda: self._begin(draft, count))

    @button
    def move_to_reset(self) -> None:
        """Move a fake's standing clock to the instant at which the rate resets.

        Raises:
            ValueError: the clock is not a fake's standing clock, or no reset is pending.
        """
        left = self.svc.rate.seconds_left(self.clock.now())
        if not self.clock.standing or not left:
            raise ValueError(
                "only a fake's clock that stands still can be moved to the reset, and only while one is pending"
            )
        self.svc.local_fake.clock.advance(seconds=left)
        self._show()

    def _refresh(self) -> None:
        """Show what has changed since: the rate used by the whole session, the users it knows, and the room."""
        met, received = self._people.refresh(), self._count_received()
        if replace(self.svc.rate) != self._rate or met or received != self._received:
            self._show()

    def _make_operation(self, url: Secret) -> Operation[Notified]:
        draft = self.draft
        return notifications.notify(url, draft.text, title=draft.title or None, button=draft.button)

    @property
    def _webhook(self) -> str:
        """The name of the chosen webhook URL, or else of the first."""
        names = list(self.svc.webhooks)
        return self.draft.webhook if self.draft.webhook in names else next(iter(names), "")

    def _find_problems(self) -> list[str]:
        draft = self.draft
        problems = [] if self._webhook else ["the profile has no webhook URL"]
        if not draft.text:
            problems.append("Text is required")
        elif not draft.text.strip():
            problems.append("Text is blank: the room would show nothing")
        if bool(draft.label) != bool(draft.url):
            problems.append("a button needs both a label and a URL; fill in both or neither")
        return problems

    def _check_draft(self) -> NotificationsDraft:
        """Return a checked copy of the draft, unaffected by later typing.

        Raises:
            InvalidInput: the draft has problems.
        """
        problems = self._find_problems()
        if problems:
            raise InvalidInput("nothing was sent: " + "; ".join(problems))
        return replace(self.draft, webhook=self._webhook)

    def _send_one(self, draft: NotificationsDraft) -> None:
        try:
            self._post(draft)
        finally:
            self._show()

    def _post(self, draft: NotificationsDraft) -> None:
        """Send a notification and log the outcome."""
        try:
            response = self.svc.notify(
                draft.text, title=draft.title or None, button=draft.button, webhook=draft.webhook
            )
        except RateLimited:
            self._log_line("429 too many request", draft)
            raise
        except ServiceError as error:
            self._log_line(f"{error.status or 'no response'} {error.description or ''}".strip(), draft)
            raise
        self._log_line(f"{response.code} {response.description}", draft)

    def _log_line(self, outcome: str, draft: NotificationsDraft) -> None:
        """Log the outcome of a notification; count equal ones in a row."""
        line = {"outcome": mask(outcome), "to": draft.webhook, "text": draft.text}
        times = 1
        if self._log and self._log[0].items() >= line.items():
            times += self._log.popleft()["times"]
        self._log.appendleft({**line, "at": self.clock.now().isoformat(), "times": times})

    def _begin(self, draft: NotificationsDraft, count: int) -> None:
        self._burst = {"sent": 0, "count": count}
        self._start(self._steps(draft, count))

    def _steps(self, draft: NotificationsDraft, count: int) -> Generator[None, None, None]:
        """Send the notifications of a burst until one is refused by the rate limit."""
        with suppress(RateLimited):  # the gauge and the history show it
            for sent in range(1, count + 1):
                self._post(draft)
                self._burst = {"sent": sent, "count": count}
                if sent % STEP == 1:
                    self._show()
                yield

    def _do_mention(self) -> None:
        self.mention(self.draft.user.strip())

    def _view(self) -> dict[str, Any]:
        """Return the data of the template."""
        draft, now = self.draft, self.clock.now()
        # What this view shows of the session, whoever made the calls; `_refresh` shows another once they differ.
        self._rate, self._received = replace(self.svc.rate), self._count_received()
        names = self._people.names
        hook, setup = self._hook, self.svc.notification_setup
        listed = hook.title if hook is not None else ""
        return {
            "webhooks": [(name, name) for name in self.svc.webhooks],
            "draft": replace(draft, webhook=self._webhook),
            "people": list(names.items()),
            "setup": "" if setup.missing is None and self._webhook else setup.summary,
            "summary": setup.summary,
            "steps": setup.steps,
            "listed": listed,
            "room": build_message(
                title=draft.title or listed, text=draft.text, label=draft.label, url=draft.url, names=names
            ),
            "code": [("Python", self.code), ("curl", self.code and self._preview().curl)],
            "rate": self.svc.rate.view(now, standing=self.clock.standing),
            "burst": {**self._burst, "running": self._running},
            "log": [build_sent_row(len(self._log) - place, line) for place, line in enumerate(self._log)],
            "inProcess": self.svc.local_fake is not None,
            "channel": hook.channel_id if hook is not None else "",
            "received": self._received,
            "messages": [] if hook is None else self._list_messages(hook.channel_id),
        }

    @property
    def _hook(self) -> Any:
        """The entry of the chosen webhook in the webhook list, which only an in-process fake shows, or None."""
        fake, url = self.svc.local_fake, self.svc.webhooks.get(self._webhook)
        if fake is None or url is None:
            return None
        own = url.reveal().rpartition("/")[2]
        return next((hook for hook in fake.webhooks.all() if hook.webhook_id == own), None)

    def _count_received(self) -> int:
        """Return how many messages the room of the chosen webhook has received, as far as it is known."""
        hook = self._hook
        if hook is None:
            return 0
        room = self.svc.local_fake.state.webhooks.by_room[hook.channel_id]
        return len(room) + int(room.dropped)

    def _list_messages(self, channel: str) -> list[dict[str, Any]]:
        """Return the newest messages of a room, the newest first."""
        newest = self.svc.local_fake.webhooks.messages(channel)[-SHOWN:]
        return [
            {
                "at": message.sent_at.isoformat(),
                **build_message(
                    title=message.title,
                    text=message.text,
                    **(message.button or {"label": "", "url": ""}),
                    names=self._people.names,
                ),
            }
            for message in reversed(newest)
        ]

    @property
    def code(self) -> str:
        """The svckit call that sends the draft; empty while it has problems."""
        return "" if self._find_problems() else write_python(self._preview(), webhook=self._webhook)

    def _preview(self) -> RedactedRequest:
        """Return the request that would be sent, masked."""
        url = Secret(f"{self.svc.profile.webhook_url}/message/{MASK}")
        (request,) = self.svc.explain(self._make_operation(url)).requests  # a long body is truncated
        return request.with_json(next(self._make_operation(url)).json)
