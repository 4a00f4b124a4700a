"""The operation of the notification endpoint."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import filterfalse, islice
from typing import Any
from urllib.parse import urlsplit

from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers import error_formats
from fakes.handlers.context import TEXT_LIMIT, CallContext, Reading
from fakes.handlers.error_formats import JSON
from fakes.handlers.routing import Operations
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.decisions import ADMITTED
from fakes.parts.state import State
from fakes.rulebook.rule import Rule
from svckit.models.notification import Notification, NotificationReply

__all__ = ["count_refusal", "operations"]

operations = Operations("hooks", "Endpoints › Incoming notification endpoint")
BAD_REQUEST = 400

ERROR_ORDER = rulebook.notifications.ERROR_ORDER
READING = Reading(
    Notification, rulebook.notifications.PARAMETERS, rulebook.notifications.OTHER_FIELDS, (rulebook.api.NULL,)
)
Mentions = tuple[str, ...]
SUCCESS = to_json({"code": 200, "description": "success"})


@operations(
    "POST",
    "/message/{webhookId}",
    "notifications.post",
    takes=Notification,
    returns=NotificationReply,
)
def notify(call: CallContext) -> FakeResponse:
    """Post a message into the room of a webhook."""
    endpoint = call.state.webhooks
    try:
        webhook = endpoint.find(call.params["webhookId"])
    except Refusal:
        endpoint.check_rate_first()
        raise
    deciding: list[Rule] = []
    try:
        deciding = endpoint.admit()
    except Refusal:
        if not _is_wrong(call) or call.state.rules.apply(ERROR_ORDER) != "body-before-rate":
            raise
    outcome, _ = call.state.rules.weigh(partial(_judge, call), partial(_render, call))
    notification, mentions, call.ignored = outcome
    rate = endpoint.post(webhook, notification, mentions)
    for rule in deciding:
        call.state.decisions.remember(rule, ADMITTED)
    return FakeResponse(200, [JSON, *rate.to_headers().items()], SUCCESS)


def count_refusal(response: FakeResponse, state: State) -> None:
    """Count a refused call if such calls may count, and add the rate headers if it is assumed to have them.

    The fake has one domain, so a call with any URL counts for it.
    """
    limiter, rules = state.webhooks.limiter, state.rules
    if response.status == BAD_REQUEST:
        limiter.hit_refused()
    if rules.look_up(rulebook.notifications.REFUSED_HEADERS) == "sent":  # without them it is as described
        rules.apply(rulebook.notifications.REFUSED_HEADERS)
        response.headers += limiter.stats().to_headers().items()


def _is_wrong(call: CallContext) -> bool:
    """Return whether the body of a call would be refused; no response rests on that yet."""
    return isinstance(call.state.rules.peek(partial(_read_notification, call)), Refusal)


def _judge(call: CallContext) -> tuple[Notification, Mentions, Sequence[str]]:
    """Return the notification, the users it mentions, and its ignored fields."""
    call.ignored = ()
    return *_read_notification(call), call.ignored


def _render(call: CallContext, outcome: object) -> object:
    """Return the outcome as the response shows it: of a refusal, only missing or invalid parameter."""
    if isinstance(outcome, Refusal):
        return error_formats.format_notification_error(outcome, call.state.rules.copy_choices()).body
    return outcome


def _read_notification(call: CallContext) -> tuple[Notification, Mentions]:
    """Return the body of a call; of two errors, raise the one that comes first."""
    try:
        return _check(call, call.json(READING))
    except Refusal as refusal:
        missing, invalid = _find_missing(call, refusal), _find_invalid(call, refusal)
        if missing is None or invalid is None:
            raise
        chosen = call.state.rules.apply(ERROR_ORDER)
    raise invalid if chosen == "invalid-before-missing" else missing


def _find_missing(call: CallContext, refusal: Refusal) -> Refusal | None:
    """Return the refusal of a call for what it lacks, given its first refusal; None if it lacks nothing."""
    if refusal.kind != "invalid":
        return refusal if refusal.kind == "missing" else None
    try:
        _check(call, call.read_object(call.json_object(), READING))
    except Refusal as other:
        if other.kind == "no_object" and call.state.rules.apply(ERROR_ORDER) == "not-json-as-missing":
            return Refusal("missing", other.description)
        return other if other.kind == "missing" else None
    return None


def _find_invalid(call: CallContext, refusal: Refusal) -> Refusal | None:
    """Return the refusal of a call for what is invalid in it, given its first refusal; None if nothing is."""
    if refusal.kind != "missing":
        return refusal if refusal.kind == "invalid" else None
    try:
        _check(call, call.read_object(_complete(call, call.json_object()), READING))
    except Refusal as other:
        return other if other.kind == "invalid" else None
    return None


def _complete(call: CallContext, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object sent as a notification with valid values for the required fields that it lacks."""
    drops_nulls = call.state.rules.look_up(rulebook.api.NULL) == "as-absent"

    def fill(given: object, defaults: Mapping[str, Any]) -> Any:
        if not isinstance(given, dict):
            return given
        return {
            **defaults,
            **{n: value for n, value in given.items() if not drops_nulls or value is not None},
        }

    completed: dict[str, Any] = fill(sent, {"body": {}})
    completed["body"] = fill(completed["body"], {"text": "x"})
    if "button" in completed:
        completed["button"] = fill(completed["button"], {"label": "x", "url": "https://x"})
    return completed


def _check(call: CallContext, notification: Notification) -> tuple[Notification, Mentions]:
    """Return a notification that the assumptions about its fields allow, and the users it mentions."""
    rules, text, button = call.state.rules, notification.body.text, notification.button
    if not text and rules.apply(rulebook.notifications.EMPTY_TEXT) == "refused":
        raise Refusal("invalid", "body.text must not be empty")
    if (
        button is not None
        and not button.label
        and rules.apply(rulebook.notifications.EMPTY_LABEL) == "refused"
    ):
        raise Refusal("invalid", "button.label must not be empty")
    # A text that is refused for its length is judged once more as if it were not, and may have millions of mentions. So
    # it is searched only if they are checked, and no further than to the first unknown user.
    is_too_long = len(text) > TEXT_LIMIT and rules[rulebook.api.TEXT_LIMIT.id].chosen == "refused"
    searched = "" if is_too_long and rules.look_up(rulebook.notifications.MENTIONS) != "checked" else text
    users = call.state.webhooks.find_mentions(searched)
    mentions = () if is_too_long else tuple(users)
    sought = users if is_too_long else mentions
    unknown = [*islice(filterfalse(call.state.users.__contains__, sought), 1 if is_too_long else None)]
    if unknown and rules.apply(rulebook.notifications.MENTIONS) == "checked":
        raise Refusal("invalid", f"body.text mentions users that are not in the domain: {', '.join(unknown)}")
    other_scheme = button is not None and urlsplit(button.url).scheme not in ("http", "https")
    if other_scheme and rules.apply(rulebook.notifications.BUTTON_URL) == "http-only":
        raise Refusal("invalid", "button.url must be an http or https URL")
    return notification, mentions
