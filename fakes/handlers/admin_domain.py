"""Admin calls for the domain as a whole: health, facts, clock, settings, applications, sign-in."""

from typing import Any

from pydantic import Field

from fakes.clock import parse_instant
from fakes.handlers.admin import AdminBody, read_object, refusing_invalid, validate
from fakes.handlers.admin_calls import AdminCalls
from fakes.handlers.admin_schemas import (
    ANY_OBJECT,
    COUNT,
    FLAG,
    INSTANT,
    TEXT,
    add_named,
    describe,
    make_object,
)
from fakes.handlers.context import CallContext
from fakes.http.errors import Refusal
from fakes.parts.facts import Facts
from fakes.parts.own_data import OwnApplication
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.authorization_data import RegisteredClient
from fakes.parts.state import ALL_SCOPES
from fakes.parts.tokens import IssuedTokens
from svckit.models.base import Number, OrAbsent, absent

__all__ = ["FACTS", "Move", "admin", "check_move"]

admin: AdminCalls = AdminCalls()

FACTS = add_named("Facts", describe(ANY_OBJECT, "What configures a client: the keys of the ready line."))
NOW = make_object(now=INSTANT, standing=describe(FLAG, "Whether time passes only when the clock is moved."))


@admin("GET", "/health", "health", returns=make_object(status={"const": "ok"}), keyless=True)
def read_health(_: CallContext) -> dict[str, Any]:
    """Say that the fake responds."""
    return {"status": "ok"}


@admin("GET", "/facts", "facts", returns=FACTS)
def read_facts(call: CallContext) -> dict[str, Any]:
    """Return the facts: the keys of the ready line, with the URLs of this door."""
    with call.domain.lock:
        return Facts.of(call.state, call.base_urls).to_wire()


class Move(AdminBody):
    """A move of the clock by seconds or to an instant."""

    advance: OrAbsent[Number] = absent("Seconds to move by.")
    to: OrAbsent[str] = absent("Instant to move to.")


def check_move(move: Move) -> None:
    """Check what a move says.

    Raises:
        Refusal: it says both or nothing, or the instant is not valid.
    """
    if (move.advance is None) == (move.to is None):
        raise Refusal("invalid", 'send either {"advance": seconds} or {"to": instant}')
    if move.to is not None:
        with refusing_invalid("the clock cannot be moved like this: "):
            parse_instant(move.to)


@admin("GET", "/clock", "clock.read", returns=NOW)
def read_clock(call: CallContext) -> dict[str, Any]:
    """Return the fake's time."""
    clock = call.state.clock
    return {"now": clock.now().isoformat(), "standing": clock.standing}


@admin("POST", "/clock", "clock.move", body=Move, returns=NOW)
def move_clock(call: CallContext, move: Move) -> dict[str, Any]:
    """Move the clock: ``{"advance": seconds}`` or ``{"to": instant}``."""
    clock = call.state.clock
    check_move(move)
    with refusing_invalid("the clock cannot be moved like this: "):
        now = clock.advance(seconds=move.advance) if move.advance is not None else clock.to(move.to or "")
    return {"now": now.isoformat(), "standing": clock.standing}


@admin("GET", "/domain", "domain.read", returns=DomainSettings)
def read_settings(call: CallContext) -> dict[str, Any]:
    """Return all settings of the domain."""
    return call.state.settings.model_dump(mode="json", by_alias=True)


@admin("PATCH", "/domain", "domain.change", body=DomainSettings, returns=DomainSettings)
def change_settings(call: CallContext) -> dict[str, Any]:
    """Change the settings sent; if one is wrong, change none."""
    changes = read_object(call, "the body must be a JSON object of settings")
    with call.domain.lock:
        settings = call.state.settings
        if changes.get("domainId", settings.domain_id) != settings.domain_id:
            raise Refusal("invalid", f"domainId is always {settings.domain_id} here")
        settings.load(validate(settings.model_dump(mode="json", by_alias=True) | changes, DomainSettings))
    return read_settings(call)


class Registration(OwnApplication, AdminBody):
    """An application to register."""

    redirect_uri: str = Field(description="The redirect URL of the application.")


@admin(
    "POST",
    "/applications",
    "applications.register",
    body=Registration,
    returns=make_object(clientId=TEXT, clientSecret=TEXT, redirectUri=TEXT),
    status=201,
    errors=(409,),
)
def register_application(call: CallContext, registration: Registration) -> RegisteredClient:
    """Register another application, ``{"redirectUri"}``, and return its credentials."""
    with call.domain.lock:
        return registration.register_with(call.state.auth)


class NewKey(AdminBody):
    """The public key of an application."""

    public_key: str = Field(description="An RSA public key of at least 2048 bits, as PEM.")


@admin("PUT", "/applications/{clientId}/key", "applications.set_key", body=NewKey, errors=(404, 409))
def set_key(call: CallContext, given: NewKey) -> None:
    """Register the key that checks an application's assertions: ``{"publicKey"}``, an RSA public key as PEM."""
    with call.domain.lock:
        try:
            call.state.auth.register_key(given.public_key, call.params["clientId"])
        except ModuleNotFoundError as missing:
            raise Refusal("conflict", str(missing)) from None


class TokenRequest(AdminBody):
    """The user and the scope of the tokens to issue."""

    user_id: OrAbsent[str] = absent("The user for whom the tokens act.")
    scope: OrAbsent[str] = Field(default=ALL_SCOPES, description="The scopes of the tokens.")


@admin(
    "POST",
    "/tokens",
    "tokens.issue",
    body=TokenRequest,
    returns=make_object(
        accessToken=TEXT,
        refreshToken=describe(TEXT, "Renews the access token, for the application of the facts."),
        expiresIn=describe(COUNT, "Lifetime of the access token in seconds."),
    ),
    status=201,
    errors=(404,),
)
def issue_token(call: CallContext, request: TokenRequest) -> IssuedTokens:
    """Issue an access token and a refresh token without signing in: ``{}``, or ``{"userId", "scope"}``."""
    scope = ALL_SCOPES if request.scope is None else request.scope
    with call.domain.lock, call.state.rules.recording():
        return call.state.issue_tokens(request.user_id, scope)


class SignIn(AdminBody):
    """A user who signs in, and the URL of the authorization request."""

    url: str = Field(description="The URL of the authorization request.")
    user_id: OrAbsent[str] = absent("User ID or login ID of the user who signs in.")


@admin("POST", "/sign-in", "sign_in", body=SignIn, returns=make_object(redirect=TEXT), errors=(404,))
def sign_in(call: CallContext, given: SignIn) -> dict[str, Any]:
    """Sign in without the login screen: ``{"userId", "url"}``, a user or login ID and the authorization URL.

    The redirect that it returns has the code and the state. Without ``userId``, the user of the facts signs in.
    """
    with call.domain.lock, call.state.rules.recording():
        try:
            return {"redirect": call.state.auth.follow(given.url, given.user_id)}
        except Refusal as refusal:
            if refusal.kind != "unauthorized":
                raise
            raise Refusal("invalid", refusal.description) from None  # a 401 is for the admin key
