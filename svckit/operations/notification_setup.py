"""The setup of the notification endpoint: its steps, and the first that is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from svckit.display.card import Shown, render_table

__all__ = ["NotificationSetup"]

STEPS = (
    ("Add the notification app", "fake.webhooks.add_app()"),
    ("Invite its bot to the chat room", "fake.webhooks.invite_bot(channel_id)"),
    ("Get the channel ID from the room menu", "fake.webhooks.rooms()"),
    ("Open the webhook list at the bottom of the room", "fake.webhooks.all()"),
    (
        "Add a webhook, which issues its URL",
        "fake.webhooks.add(title, channel_id)",
    ),
)


@dataclass(frozen=True, repr=False)
class NotificationSetup(Shown):
    """The five steps that set up the notification endpoint (What the service does › 6).

    Attributes:
        done: for each step whether it is done; ``None`` if unknown.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.notification_setup.missing is None
        True
        >>> svc.fake.webhooks.remove_app()
        >>> print(svc.notification_setup.summary)
        Setup: step 1 of 5 is missing. Add the notification app
        >>> svc.notification_setup.steps[0]
        ('1', 'missing', 'Add the notification app', 'fake.webhooks.add_app()')
    """

    done: Sequence[bool | None]

    @classmethod
    def of_service(cls, has_webhook: bool) -> "NotificationSetup":
        """Return the setup of a service: a URL shows that a webhook was added, and nothing shows the other steps.

        Examples:
            >>> NotificationSetup.of_service(has_webhook=True)
            Setup: a URL was issued; whether the app and its bot are still there is not known
              step  state      what to do                                       on a fake
              1     not known  Add the notification app                         fake.webhooks.add_app()
              2     not known  Invite its bot to the chat room                  fake.webhooks.invite_bot(channel_id)
              3     not known  Get the channel ID from the room menu            fake.webhooks.rooms()
              4     not known  Open the webhook list at the bottom of the room  fake.webhooks.all()
              5     done       Add a webhook, which issues its URL              fake.webhooks.add(title, channel_id)
        """
        return cls((*(None,) * (len(STEPS) - 1), True if has_webhook else None))

    @property
    def missing(self) -> int | None:
        """The number of the first step that is not done; ``None`` if all are done, or unknown."""
        return next((number for number, done in enumerate(self.done, 1) if done is False), None)

    @property
    def summary(self) -> str:
        """The next step, in one line."""
        if self.missing is not None:
            return f"Setup: step {self.missing} of {len(STEPS)} is missing. {STEPS[self.missing - 1][0]}"
        if self.done[-1] and None in self.done:
            return "Setup: a URL was issued; whether the app and its bot are still there is not known"
        if None in self.done:
            return "Setup: follow the steps in order, then add the URL to the profile as a webhook"
        return "Setup: all steps are done"

    @property
    def steps(self) -> list[tuple[str, str, str, str]]:
        """The steps: number, state, what to do, and the code for a fake; the state is empty after a missing step."""
        words = {True: "done", False: "", None: "not known"}
        return [
            (str(number), "missing" if number == self.missing else words[done], step, on_fake)
            for number, (done, (step, on_fake)) in enumerate(zip(self.done, STEPS, strict=True), 1)
        ]

    def _render(self) -> tuple[str, str]:
        return render_table(self.summary, ("step", "state", "what to do", "on a fake"), self.steps)
