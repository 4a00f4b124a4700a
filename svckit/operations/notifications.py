"""Incoming notifications (the service's description, section "Incoming notification endpoint")."""

from dataclasses import dataclass

from svckit.models.notification import Button, Notification, NotificationReply, RateLimit
from svckit.models.secret import Secret
from svckit.operations.checks import checked, read
from svckit.wire import Call, Operation

__all__ = ["Notified", "notify"]


@dataclass(frozen=True, slots=True)
class Notified:
    """The answer to a notification that was accepted.

    Attributes:
        code: 200.
        description: ``success``.
        rate_limit: how much of the rate is used; ``None`` if the service did not say.
    """

    code: int
    description: str
    rate_limit: RateLimit | None


def notify(
    webhook: str | Secret,
    text: str,
    *,
    title: str | None = None,
    button: tuple[str, str] | Button | None = None,
) -> Operation[Notified]:
    """Post a message into the chat room of a notification URL. No access token is sent.

    Args:
        webhook: the notification URL; its last part is a secret.
        text: what the message says; `svckit.models.mention` writes the markup that names a user.
        title: its title; left out, the one given in the webhook list.
        button: words and address of a link shown below.

    Raises:
        InvalidInput: something is missing or of the wrong kind. Nothing was sent.
        Refused: the service does not accept it, or does not know the URL.
        RateLimited: more than 120 notifications in a minute; ``reset`` says how long to wait.

    Examples:
        >>> call = next(notify("https://hooks.fake.test/message/1", "Build is green", button=("Open", "https://a.test")))
        >>> call.json
        {'body': {'text': 'Build is green'}, 'button': {'label': 'Open', 'url': 'https://a.test'}}
        >>> call.target, call.bearer
        (Secret('***'), False)
    """
    if isinstance(button, tuple):
        button = checked(Button, dict(zip(("label", "url"), button, strict=True)), operation="notify")
    given = {"title": title, "body": {"text": text}, "button": button}
    notification = checked(
        Notification,
        {name: value for name, value in given.items() if value is not None},
        operation="notify",
    )
    reply = yield Call(
        operation="notify",
        method="POST",
        target=Secret(webhook),
        area="hooks",
        json=notification.to_wire(),
        bearer=False,
    )
    answer = read(NotificationReply, reply)
    return Notified(answer.code, answer.description, RateLimit.from_headers(reply.headers))
