"""Admin calls for the domain as a whole: clock, settings, applications, its users' secrets, its whole state."""

from pydantic import Field

from fakes.handlers.admin import (
    AdminBody,
    hold,
    read_body,
    read_json,
    refuse_body,
    respond,
    respond_no_content,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.sample import ALL_SCOPES, FIRST_USER
from fakes.parts.settings import DomainSettings
from svckit.models.base import Number, OrAbsent

__all__ = [
    "change_settings",
    "issue_token",
    "move_clock",
    "read_clock",
    "read_settings",
    "read_user",
    "register_application",
    "reset",
    "restore",
    "take_snapshot",
]


class Move(AdminBody):
    """A move of the clock: by seconds, or to an instant."""

    advance: OrAbsent[Number] = Field(default=None)
    to: OrAbsent[str] = Field(default=None)


def read_clock(call: CallContext) -> FakeResponse:
    """Tell the time."""
    return respond({"now": call.state.clock.now().isoformat()})


def move_clock(call: CallContext) -> FakeResponse:
    """Let time pass: ``{"advance": seconds}`` or ``{"to": instant}``."""
    move, clock = read_body(call, Move), call.state.clock
    if (move.advance is None) == (move.to is None):
        raise Refusal("invalid", 'send either {"advance": seconds} or {"to": instant}')
    try:
        now = clock.advance(seconds=move.advance) if move.advance is not None else clock.to(move.to or "")
    except (ValueError, OverflowError) as wrong:
        raise Refusal("invalid", f"the clock cannot be moved so: {wrong}") from None
    return respond({"now": now.isoformat()})


def read_settings(call: CallContext) -> FakeResponse:
    """The domain's settings, all of them."""
    return respond(call.state.settings.model_dump(mode="json", by_alias=True))


def change_settings(call: CallContext) -> FakeResponse:
    """Change those settings that are sent; all of them, or where one is wrong none."""
    changes = read_json(call)
    if not isinstance(changes, dict):
        raise Refusal("invalid", "the body must be a JSON object of settings")
    with call.whole.lock:
        settings = call.state.settings
        if changes.get("domainId", settings.domain_id) != settings.domain_id:
            raise Refusal("invalid", f"domainId is always {settings.domain_id} here")
        settings.load(hold(settings.model_dump(mode="json", by_alias=True) | changes, DomainSettings))
    return read_settings(call)


class Registration(AdminBody):
    """An application to register."""

    redirect_uri: str


def register_application(call: CallContext) -> FakeResponse:
    """Register another application, ``{"redirectUri"}``, and tell what it signs in with."""
    asked = read_body(call, Registration)
    with call.whole.lock:
        made = call.state.auth.register(asked.redirect_uri)
    answer = {
        "clientId": made.client_id,
        "clientSecret": made.client_secret,
        "redirectUri": made.redirect_uri,
    }
    return respond(answer, 201)


class TokenRequest(AdminBody):
    """For whom a token is to be issued, and for what."""

    user_id: OrAbsent[str] = Field(default=FIRST_USER)
    scope: OrAbsent[str] = Field(default=ALL_SCOPES)


def issue_token(call: CallContext) -> FakeResponse:
    """An access token without the steps of signing in: ``{}``, or ``{"userId", "scope"}``."""
    asked = read_body(call, TokenRequest)
    user_id, scope = asked.user_id or FIRST_USER, ALL_SCOPES if asked.scope is None else asked.scope
    with call.whole.lock, call.state.rules.recording():
        return respond({"accessToken": call.state.access_token(user_id, scope)}, 201)


def read_user(call: CallContext) -> FakeResponse:
    """What no operation of the service tells of a user, and a test has to know."""
    state = call.state
    with call.whole.lock, state.rules.recording():
        user_id = state.directory.find(call.params["userId"])
        return respond(
            {
                "userId": user_id,
                "loginId": state.directory.record(user_id)["email"],
                "password": state.auth.password(user_id),
                "linkId": state.directory.link_id(user_id),
                "statuses": state.statuses.of(user_id),
            }
        )


def take_snapshot(call: CallContext) -> FakeResponse:
    """The whole state."""
    return respond(dict(call.whole.snapshot()))


def restore(call: CallContext) -> FakeResponse:
    """Become what a snapshot holds."""
    given = read_json(call)
    try:
        call.whole.restore(given)
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return respond_no_content()


def reset(call: CallContext) -> FakeResponse:
    """Begin again."""
    refuse_body(call)
    call.whole.reset()
    return respond_no_content()
