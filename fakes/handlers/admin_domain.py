"""Admin calls for the domain as a whole: clock, settings, applications, users' secrets, state."""

from pydantic import Field

from fakes.handlers.admin import (
    AdminBody,
    read_body,
    read_json,
    refuse_body,
    respond,
    respond_no_content,
    validate,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.parts.settings import DomainSettings
from fakes.parts.state import ALL_SCOPES
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
    "set_key",
    "sign_in",
    "take_snapshot",
]


class Move(AdminBody):
    """A move of the clock by seconds or to an instant."""

    advance: OrAbsent[Number] = Field(default=None)
    to: OrAbsent[str] = Field(default=None)


def read_clock(call: CallContext) -> FakeResponse:
    """Return the fake's time."""
    return respond({"now": call.state.clock.now().isoformat()})


def move_clock(call: CallContext) -> FakeResponse:
    """Move the clock: ``{"advance": seconds}`` or ``{"to": instant}``."""
    move, clock = read_body(call, Move), call.state.clock
    if (move.advance is None) == (move.to is None):
        raise Refusal("invalid", 'send either {"advance": seconds} or {"to": instant}')
    try:
        now = clock.advance(seconds=move.advance) if move.advance is not None else clock.to(move.to or "")
    except (ValueError, OverflowError) as wrong:
        raise Refusal("invalid", f"the clock cannot be moved like this: {wrong}") from None
    return respond({"now": now.isoformat()})


def read_settings(call: CallContext) -> FakeResponse:
    """Return all settings of the domain."""
    return respond(call.state.settings.model_dump(mode="json", by_alias=True))


def change_settings(call: CallContext) -> FakeResponse:
    """Change the settings sent; if one is wrong, change none."""
    changes = read_json(call)
    if not isinstance(changes, dict):
        raise Refusal("invalid", "the body must be a JSON object of settings")
    with call.domain.lock:
        settings = call.state.settings
        if changes.get("domainId", settings.domain_id) != settings.domain_id:
            raise Refusal("invalid", f"domainId is always {settings.domain_id} here")
        settings.load(validate(settings.model_dump(mode="json", by_alias=True) | changes, DomainSettings))
    return read_settings(call)


class Registration(AdminBody):
    """An application to register."""

    redirect_uri: str


def register_application(call: CallContext) -> FakeResponse:
    """Register another application, ``{"redirectUri"}``, and return its credentials."""
    registration = read_body(call, Registration)
    with call.domain.lock:
        application = call.state.auth.register(registration.redirect_uri)
    content = {
        "clientId": application.client_id,
        "clientSecret": application.client_secret,
        "redirectUri": application.redirect_uri,
    }
    return respond(content, 201)


class NewKey(AdminBody):
    """The public key of an application."""

    public_key: str


def set_key(call: CallContext) -> FakeResponse:
    """Register the key that checks an application's assertions: ``{"publicKey"}``, an RSA public key as PEM."""
    given = read_body(call, NewKey)
    with call.domain.lock:
        try:
            call.state.auth.register_key(given.public_key, call.params["clientId"])
        except ModuleNotFoundError as missing:
            raise Refusal("conflict", str(missing)) from None
    return respond_no_content()


class TokenRequest(AdminBody):
    """The user and the scope of a token to issue."""

    user_id: OrAbsent[str] = Field(default=None)
    scope: OrAbsent[str] = Field(default=ALL_SCOPES)


def issue_token(call: CallContext) -> FakeResponse:
    """Issue an access token without signing in: ``{}``, or ``{"userId", "scope"}``."""
    request = read_body(call, TokenRequest)
    scope = ALL_SCOPES if request.scope is None else request.scope
    with call.domain.lock, call.state.rules.recording():
        return respond({"accessToken": call.domain.access_token(request.user_id, scope)}, 201)


class SignIn(AdminBody):
    """A user who signs in, and the URL of the authorization request."""

    url: str
    user_id: OrAbsent[str] = Field(default=None)


def sign_in(call: CallContext) -> FakeResponse:
    """Sign in without the login screen: ``{"userId", "url"}``, a user or login ID and the authorization URL.

    The redirect that it returns has the code and the state. Without ``userId``, the user of the facts signs in.
    """
    given = read_body(call, SignIn)
    with call.domain.lock, call.state.rules.recording():
        try:
            return respond({"redirect": call.state.auth.follow(given.url, given.user_id)})
        except Refusal as refusal:
            if refusal.kind != "unauthorized":
                raise
            raise Refusal("invalid", refusal.description) from None  # a 401 is for the admin key


def read_user(call: CallContext) -> FakeResponse:
    """Return facts of a user that a test needs and no operation of the service returns."""
    state = call.state
    with call.domain.lock, state.rules.recording():
        user_id = state.directory.resolve(call.params["userId"])
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
    """Return the whole state."""
    return respond(dict(call.domain.snapshot()))


def restore(call: CallContext) -> FakeResponse:
    """Replace the whole state with a snapshot."""
    given = read_json(call)
    try:
        call.domain.restore(given)
    except ValueError as wrong:
        raise Refusal("invalid", str(wrong)) from None
    return respond_no_content()


def reset(call: CallContext) -> FakeResponse:
    """Start again with the initial state."""
    refuse_body(call)
    call.domain.reset()
    return respond_no_content()
