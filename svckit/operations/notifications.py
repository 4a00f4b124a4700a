"""Incoming notifications (the service's description, section "Incoming notification endpoint")."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from svckit.display.card import render_fields
from svckit.display.masking import mask
from svckit.errors import InvalidInput, RateLimited, ServiceError
from svckit.http.messages import (
    Operation,
    Request,
    Response,
    Wait,
)
from svckit.models.notification import Button, Notification, NotificationReply, RateLimit
from svckit.models.phrases import describe_given
from svckit.models.secret import Secret
from svckit.operations.checks import check_flags, make_reported_error, read, validate

__all__ = ["Notified", "check_webhook", "choose_webhook", "notify"]

PATIENCE = 120  # seconds that a notification waits in all: two rate windows
SUCCESS = 200  # the code of a body that says so
TRY_EVERY = 10  # seconds, if the time of the reset is unknown


class Notified(NamedTuple):
    """The response to a notification that was accepted.

    Attributes:
        code: 200.
        description: ``success``.
        rate_limit: the use of the rate limit; ``None`` if the service did not say.
    """

    code: int
    description: str
    rate_limit: RateLimit | None

    def _repr_html_(self) -> str:
        return render_fields(self, self._fields)


def notify(
    webhook: str | Secret,
    text: str,
    *,
    title: str | None = None,
    button: tuple[str, str] | Button | None = None,
    wait: bool = False,
) -> Operation[Notified]:
    """Post a message to the chat room of a webhook URL. No access token is sent.

    Args:
        webhook: the webhook URL; its last part is a secret.
        text: the text of the message; `svckit.models.mention` writes the markup that mentions a user.
        title: its title; by default the one in the webhook list.
        button: label and URL of a link below the text.
        wait: whether to wait up to two minutes for the reset if the rate limit is reached, and then send the message.
            The time of the reset is known from the session's last notification; otherwise it is tried again every 10
            seconds. A fake in another process whose clock stands still is never reset, so this fails at once.

    Returns:
        The response, with the rate limit as it is then.

    Raises:
        InvalidInput: something is missing or of the wrong kind. Nothing was sent.
        Refused: the service does not accept it, or does not know the URL.
        ServiceError: the response has a success status but an error in its body; the message may be posted.
        RateLimited: more than 120 notifications in a minute; ``reset`` says how long to wait, if known.

    Examples:
        >>> button = "Open", "https://a.test"
        >>> request = next(notify("https://hooks.fake.test/message/1", "Build is green", button=button))
        >>> request.json
        {'body': {'text': 'Build is green'}, 'button': {'label': 'Open', 'url': 'https://a.test'}}
        >>> request.target, request.bearer
        (Secret('***'), False)
    """
    check_flags("notify was not sent", wait=wait)
    webhook = check_webhook(webhook)  # hidden from here on, also in a traceback
    given = {"title": title, "body": {"text": text}, "button": _build_button(button)}
    body = validate(
        Notification,
        {name: value for name, value in given.items() if value is not None},
        operation="notify",
        arguments={"body.text": "text", "body": "text"},
    )
    response = yield from _send_until_accepted(
        Request(
            operation="notify",
            method="POST",
            target=webhook,
            area="hooks",
            json=body,
            bearer=False,
        ),
        PATIENCE if wait else 0,
    )
    try:
        result = read(NotificationReply, response)
    except ServiceError as unreadable:
        unreadable.add_note(
            f"By its status, {response.status}, the message was posted: check the chat room before you post it again."
        )
        raise
    if result.code is not None and not SUCCESS <= result.code < SUCCESS + 100:
        advice = "check the chat room before you post the message again"
        raise make_reported_error(response, str(result.code), mask(result.description or ""), advice)
    return Notified(SUCCESS, result.description or "", RateLimit.from_headers(response.headers))


def _send_until_accepted(call: Request, patience: int) -> Operation[Response]:
    """Send a notification until it is accepted; a refused one has not been posted."""
    waits = patience > 0
    while True:
        try:
            return (yield call)
        except RateLimited as refused:
            seconds = max(refused.reset or TRY_EVERY, 1)
            if waits and refused.clock_stands:
                refused.add_note(
                    "Waiting does not help: the clock of this fake stands still. Move it with "
                    'fake.clock.advance(minutes=1) or with POST /clock {"advance": 60}, and call again.'
                )
                raise
            if seconds > patience:
                if not waits and not refused.clock_stands:
                    refused.add_note("With wait=True, notify waits for the reset.")
                raise
            patience -= seconds
            call = replace(call, after=Wait(seconds, "the rate limit of notifications is reached"))


def choose_webhook(given: Secret | None, known: Mapping[str, Secret]) -> Secret:
    """Return the webhook URL that is meant.

    Args:
        given: the URL, or its name; ``None`` for the first one that is known.
        known: the webhook URLs by name.

    Raises:
        InvalidInput: nothing has that name, or it is not a webhook URL.

    Examples:
        >>> known = {"alerts": Secret("https://hooks.fake.test/message/1")}
        >>> choose_webhook(Secret("alerts"), known) == choose_webhook(None, known)
        True
    """
    if given is None and not known:
        raise InvalidInput(
            "notify was not sent: the profile has no webhook URL; pass one as webhook=, or see "
            "svc.notification_setup for how to get one"
        )
    if given is None:
        return next(iter(known.values()))
    if not isinstance(given, Secret):
        return check_webhook(given)
    if given.reveal() in known:
        return known[given.reveal()]
    if "/" not in given.reveal() and ":" not in given.reveal():
        names = ", ".join(known) or "none"
        raise InvalidInput(
            f"notify was not sent: the profile has no webhook of that name; it has: {names}. "
            "The name is not shown, as it may be the secret part of a URL"
        )
    return given


def check_webhook(webhook: str | Secret) -> Secret:
    """Check a webhook URL, and return it as a secret.

    Args:
        webhook: the URL, as text or a secret.

    Returns:
        The URL, as a secret, without white space around it; its form is not checked otherwise.

    Raises:
        InvalidInput: it is not text, or has white space within.

    Examples:
        >>> check_webhook("https://hooks.fake.test/message/1")
        Secret('***')
    """
    if not isinstance(webhook, str | Secret):
        raise InvalidInput(
            "notify was not sent: webhook must be a webhook URL, as text or Secret; given "
            f"{describe_given(webhook)}"
        )
    url = (webhook.reveal() if isinstance(webhook, Secret) else webhook).strip()
    if len(url.split()) > 1:
        raise InvalidInput(
            "notify was not sent: a webhook URL has no white space within; copy it again from the webhook list of the "
            "service"
        )
    return Secret(url)


def _build_button(given: object) -> object:
    match given:
        case tuple([label, url]):
            return {"label": label, "url": url}
        case None | Button() | Mapping():
            return given
    raise InvalidInput(
        "notify was not sent: button must be a pair of label and URL, "
        f'such as ("Open", "https://example.com"); given {describe_given(given)}'
    )
