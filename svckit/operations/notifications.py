"""Incoming notifications (the service's description, section "Incoming notification endpoint")."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from svckit.display.masking import mask
from svckit.errors import InvalidInput, RateLimited, ServiceError
from svckit.http.messages import (
    Operation,
    Request,
    Response,
    Wait,
)
from svckit.models.notification import Button, Notification, NotificationReply, RateLimit
from svckit.models.secret import Secret
from svckit.operations.checks import read, validate

__all__ = ["Notified", "check_webhook", "notify"]

PATIENCE = 120  # seconds that a notification waits in all: two rate windows
SUCCESS = 200  # the code of a body that says so
TRY_EVERY = 10  # seconds, where nothing says when the window is reset


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
    wait: bool = False,
) -> Operation[Notified]:
    """Post a message into the chat room of a notification URL. No access token is sent.

    Args:
        webhook: the notification URL; its last part is a secret.
        text: what the message says; `svckit.models.mention` writes the markup that names a user.
        title: its title; left out, the one given in the webhook list.
        button: words and address of a link shown below.
        wait: whether to wait where the rate limit is reached, for its reset and for two minutes at most, and send
            it then. The reset is known from the last notification that the session sent; else it is tried again
            every 10 seconds. Of a fake that another process serves and whose clock stands, no reset comes, so
            that fails at once.

    Raises:
        InvalidInput: something is missing or of the wrong kind. Nothing was sent.
        Refused: the service does not accept it, or does not know the URL.
        ServiceError: the response is a success by its status and an error by its body; the message may be posted.
        RateLimited: more than 120 notifications in a minute; ``reset`` says how long to wait, where that is known.

    Examples:
        >>> call = next(notify("https://hooks.fake.test/message/1", "Build is green", button=("Open", "https://a.test")))
        >>> call.json
        {'body': {'text': 'Build is green'}, 'button': {'label': 'Open', 'url': 'https://a.test'}}
        >>> call.target, call.bearer
        (Secret('***'), False)
    """
    webhook = check_webhook(webhook)  # hidden from here on, also in a traceback
    given = {"title": title, "body": {"text": text}, "button": _build_button(button)}
    notification = validate(
        Notification,
        {name: value for name, value in given.items() if value is not None},
        operation="notify",
        arguments={"body.text": "text", "body": "text"},
    )
    reply = yield from _send_until_accepted(
        Request(
            operation="notify",
            method="POST",
            target=webhook,
            area="hooks",
            json=notification.to_wire(),
            bearer=False,
        ),
        PATIENCE if wait else 0,
    )
    try:
        answer = read(NotificationReply, reply)
    except ServiceError as unreadable:
        unreadable.add_note(
            f"By its status, {reply.status}, the message is posted: look into the chat room before you post it again."
        )
        raise
    if answer.code != SUCCESS:
        raise ServiceError(
            f"notify: the status of the response is {reply.status}, which is a success, and its body says code "
            f"{answer.code}: {mask(answer.description)} ({reply.request}). It is unknown whether it took effect: look "
            "into the chat room before you post the message again.",
            status=reply.status,
            code=str(answer.code),
            description=mask(answer.description),
            operation=reply.operation,
            request=reply.request,
        )
    return Notified(answer.code, answer.description, RateLimit.from_headers(reply.headers))


def _send_until_accepted(call: Request, patience: int) -> Operation[Response]:
    """Send a notification until it is accepted; one that was refused has not been posted."""
    waits = patience > 0
    while True:
        try:
            return (yield call)
        except RateLimited as refused:
            seconds = max(refused.reset or TRY_EVERY, 1)
            if waits and refused.clock_stands:
                refused.add_note(
                    "Waiting does not help: the clock of this fake stands. Move it, with fake.clock.advance(minutes=1) "
                    'or the admin call POST /clock {"advance": 60}, and call again.'
                )
                raise
            if seconds > patience:
                if not waits:
                    refused.add_note("With wait=True, notify waits for the reset by itself.")
                raise
            patience -= seconds
            call = replace(call, after=Wait(seconds, "the rate limit of notifications is reached"))


def check_webhook(webhook: str | Secret) -> Secret:
    """A notification URL as the secret it is.

    Raises:
        InvalidInput: it is no text.
    """
    if not isinstance(webhook, str | Secret):
        raise InvalidInput(
            f"notify was not sent: webhook is a notification URL, as text or Secret; given {_describe_type(webhook)}"
        )
    return Secret(webhook)


def _build_button(given: object) -> object:
    if isinstance(given, tuple) and len(given) == len(("label", "url")):
        return dict(zip(("label", "url"), given, strict=True))
    if given is None or isinstance(given, Button | Mapping):
        return given
    raise InvalidInput(
        "notify was not sent: button is a pair of words and address, "
        f'such as ("Open", "https://example.com"); given {_describe_type(given)}'
    )


def _describe_type(given: object) -> str:
    items = f" of {len(given)}" if isinstance(given, tuple | list) else ""
    return f"a value of type {type(given).__name__}{items}"
