"""Operations of the authorization server."""

from base64 import b64decode
from binascii import Error as BrokenBase64
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from urllib.parse import unquote, unquote_plus

from pydantic_core import to_json

from fakes import rulebook
from fakes.handlers.context import CallContext
from fakes.handlers.error_formats import HTML, JSON, format_token_error
from fakes.handlers.routing import Operations
from fakes.http import pages
from fakes.http.errors import Refusal
from fakes.http.messages import FakeResponse
from fakes.http.own_headers import AUTO_LOGIN_HEADER
from fakes.parts.bearers import split_scopes
from fakes.parts.sign_in.auth import AUTHORIZE
from fakes.parts.sign_in.authorization_data import (
    NONCE,
    PARAMETER_NAMES,
    AuthorizationParameters,
    RegisteredClient,
)
from fakes.parts.sign_in.service_account import sign
from fakes.parts.tokens import IssuedTokens
from fakes.rulebook import deviations
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models.problems import shorten
from svckit.models.token import TokenSet

__all__ = ["TOKEN", "add_basic_credentials", "operations"]

operations = Operations("auth", "Endpoints › Token endpoints")
TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
FORM = "application/x-www-form-urlencoded"
NO_STORE = ("Cache-Control", "no-store")
CLIENT = ("client_id", "client_secret")
LOGIN = ("login_ticket", "login_id", "password")
"""The fields of the login screen."""


@operations("GET", AUTHORIZE, "auth.authorize")
def authorize(call: CallContext) -> FakeResponse:
    """Request authorization: the login screen.

    The user who is always logged in gets the redirect at once.
    """
    given = call.query_parameters()
    is_openid = call.state.rules.deviations.get(deviations.ID_TOKEN) is not None
    _refuse_unknown(call, given, (*PARAMETER_NAMES, NONCE) if is_openid else PARAMETER_NAMES)
    _note_ignored(call, given, AUTHORIZE)
    request = AuthorizationParameters.of(given)
    auth = call.state.auth
    if auth.auto_login is not None:
        response = _redirect(call, auth.log_in_at_once(request, auth.auto_login))
        response.headers.append((AUTO_LOGIN_HEADER, auth.auto_login))
        return response
    ticket = auth.begin(request)
    call.state.rules.follow(rulebook.auth.LOGIN_SCREEN)
    page = pages.render_login(
        client_id=request.client_id,
        scopes=request.scope.replace(",", " ").split(),
        action=f"{call.base_urls.auth}{AUTHORIZE}",
        ticket=ticket,
    )
    return FakeResponse(200, [HTML, NO_STORE, ("X-Frame-Options", "DENY")], page)


@operations("POST", AUTHORIZE, "auth.login", body="form")
def log_in(call: CallContext) -> FakeResponse:
    """Send the login screen's form.

    The response redirects to the application with a code.
    """
    form = call.form_fields()
    call.ignore_query()
    call.ignore_parameters(name for name in form if name not in LOGIN)
    ticket = form.get("login_ticket", "")
    try:
        url = call.state.auth.log_in(ticket, form.get("login_id", ""), form.get("password", ""))
    except Refusal:
        call.state.auth.note_failure(ticket)
        raise
    return _redirect(call, url)


def _redirect(call: CallContext, url: str) -> FakeResponse:
    """Redirect to the application with a code."""
    call.state.rules.follow(rulebook.auth.REDIRECT)
    status = int(call.state.rules.look_up(rulebook.auth.REDIRECT_STATUS))
    return FakeResponse(status, [("Location", url), NO_STORE])


@operations("POST", TOKEN, "auth.token", dialect=format_token_error, body="form", returns=TokenSet)
def issue_token(call: CallContext) -> FakeResponse:
    """Exchange a code for tokens, or refresh the access token."""
    rules = call.state.rules
    call.refuse_query()
    content_type = call.head.header("Content-Type").partition(";")[0].strip().lower()
    if content_type != FORM and rules.apply(rulebook.tokens.CONTENT_TYPE) == "refused":
        given = f"given {content_type}" if content_type else "the header is missing"
        raise Refusal("invalid", f"the Content-Type must be {FORM}; {given}")
    form = call.form_fields()
    grant_type = form.get("grant_type", "")
    rules.follow(rulebook.tokens.PARAMETERS)
    if not grant_type:
        raise Refusal("missing", "grant_type is missing; send authorization_code or refresh_token")
    if unquote(grant_type) == JWT_BEARER:  # many clients encode it once more than the form needs
        grant_type = JWT_BEARER
    if grant_type not in GRANTS or (grant_type in ASSUMED and rules.apply(ASSUMED[grant_type]) == "refused"):
        raise Refusal(
            "unsupported_grant",
            f"grant_type must be authorization_code or refresh_token; given {grant_type!r}",
        )
    credential, optional, issue = GRANTS[grant_type]
    _refuse_unknown(call, form, ("grant_type", *CLIENT, *credential, *optional))
    form = add_basic_credentials(call, form)
    missing = [name for name in (*credential, *CLIENT) if not form.get(name)]
    if missing:
        raise Refusal("missing", f"the token request lacks {', '.join(missing)}")
    issued = issue(call, form, _check_client(call, form, grant_type))
    _note_ignored(call, form, grant_type)
    body = issued.to_wire()
    if rules.deviate(deviations.EXPIRES_IN):
        body["expires_in"] = issued.expires_in
    if grant_type == "authorization_code" and _wants_id_token(issued.scope, rules):
        rules.deviate(deviations.ID_TOKEN)
        body["id_token"] = _make_id_token(call, issued, form["client_id"])
    return FakeResponse(200, [JSON, NO_STORE], to_json(body))


def _wants_id_token(scope: str, rules: Rules) -> bool:
    """Return whether the exchange of a code for a scope returns an ID token."""
    chosen = rules.deviations.get(deviations.ID_TOKEN)
    return chosen == "always" or (chosen is not None and "openid" in split_scopes(scope))


def _make_id_token(call: CallContext, issued: IssuedTokens, client_id: str) -> str:
    """Return an ID token (OpenID Connect Core 1.0), with the nonce of the authorization request if it had one."""
    issued_at = int(call.state.clock.now().timestamp())
    claims: dict[str, object] = {
        "iss": call.base_urls.auth,
        "sub": issued.user_id,
        "aud": client_id,
        "iat": issued_at,
        "exp": issued_at + issued.expires_in,
    }
    return sign(claims | ({NONCE: issued.nonce} if issued.nonce else {}))


def add_basic_credentials(call: CallContext, form: dict[str, str]) -> dict[str, str]:
    """Return the fields of a token request with the client's Basic credentials, if those are accepted.

    Raises:
        Refusal: there are Basic credentials, and they are not accepted, cannot be read, or are those of another client.
    """
    rules, is_whole = call.state.rules, all(map(form.get, CLIENT))
    # Only a look: where the form has the credentials, the response rests on the others only if they are wrong.
    is_accepted = rules.deviations.get(deviations.CLIENT_AUTH) is not None
    if not _is_basic(call) or (is_whole and not is_accepted):
        return form
    if not is_accepted:
        raise Refusal(
            "missing",
            "the token request lacks client_id and client_secret as form fields: they were sent as Basic credentials, "
            "in the Authorization header, which the service's description does not show; send them in the form",
            remedy=deviations.CLIENT_AUTH.recommend(),
        )
    encoded = call.head.header("Authorization").partition(" ")[2]
    try:
        client_id, colon, client_secret = b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (BrokenBase64, UnicodeDecodeError):
        colon = ""
    wrong, given, sent = None, form.get("client_id"), {}
    if colon:
        sent = {"client_id": unquote_plus(client_id), "client_secret": unquote_plus(client_secret)}
        if given and given != sent["client_id"]:
            wrong = (
                f"the client_id of the form, {shorten(given)!r}, and that of the Basic credentials, "
                f"{shorten(sent['client_id'])!r}, differ; send one client, in one place"
            )
    else:
        wrong = "Basic credentials must be client_id:client_secret, percent-encoded, in base64"
    if wrong or not is_whole:
        rules.deviate(deviations.CLIENT_AUTH)
    if wrong:
        raise Refusal("bad_client", wrong)
    return form | {name: value for name, value in sent.items() if not form.get(name)}


def _check_client(call: CallContext, form: dict[str, str], grant_type: str) -> RegisteredClient:
    """Return the client of a token request. Its refusal depends on Basic credentials even where the form's win."""
    auth = call.state.auth
    try:
        return auth.check_client(form["client_id"], form["client_secret"])
    except Refusal:
        if grant_type == "authorization_code":
            auth.handle_wrong_secret(form["code"])
        if _is_basic(call):
            call.state.rules.deviate(deviations.CLIENT_AUTH)
        raise


def _is_basic(call: CallContext) -> bool:
    """Return whether the Authorization header has Basic credentials."""
    return call.head.header("Authorization").partition(" ")[0].lower() == "basic"


def _refuse_unknown(call: CallContext, given: Iterable[str], known: Collection[str]) -> None:
    """Check that a request has no parameters that are not known, if that is assumed to matter."""
    unknown = [name for name in given if name not in known]
    if unknown and call.state.rules.apply(rulebook.auth.UNKNOWN_PARAMETER) == "refused":
        raise Refusal("invalid", f"the request has unknown parameters: {shorten(', '.join(unknown))}")
    call.ignore_parameters(unknown)


def _note_ignored(call: CallContext, given: Collection[str], request: str) -> None:
    """Note the parameters that the chosen alternatives ignore."""
    for name, rule, alternative in IGNORED.get(request, ()):
        if name in given and call.state.rules.look_up(rule) == alternative:
            call.ignore_parameters([name])


def _exchange(call: CallContext, form: dict[str, str], client: RegisteredClient) -> IssuedTokens:
    auth = call.state.auth
    auth.require_domain(form.get("domain", ""))
    if auth.is_used(form["code"]):
        call.state.tokens.note_reuse(form["code"])
    grant = auth.redeem(
        form["code"], client.client_id, form.get("redirect_uri", ""), form.get("code_verifier", "")
    )
    issued = call.state.tokens.issue(grant.user_id, grant.client_id, grant.scope, form["code"])
    return replace(issued, nonce=grant.nonce)


def _refresh(call: CallContext, form: dict[str, str], client: RegisteredClient) -> IssuedTokens:
    return call.state.tokens.refresh(form["refresh_token"], client.client_id, form.get("scope", ""))


def _issue_to_client(call: CallContext, form: dict[str, str], client: RegisteredClient) -> IssuedTokens:
    administrator = call.state.users.administrator
    return call.state.tokens.issue_to_client(client.client_id, administrator, form.get("scope", ""))


def _issue_for_assertion(call: CallContext, form: dict[str, str], client: RegisteredClient) -> IssuedTokens:
    state, auth_url = call.state, call.base_urls.auth
    audiences = auth_url, auth_url + TOKEN
    user_id, ignored = state.auth.accept_assertion(form["assertion"], client, audiences)
    call.ignore_parameters(f"assertion.{name}" for name in ignored)
    with_refresh = state.rules.look_up(rulebook.tokens.JWT_BEARER) == "issued-with-refresh"
    return state.tokens.issue_to_client(client.client_id, user_id, form["scope"], with_refresh=with_refresh)


CLIENT_CREDENTIALS = "client_credentials"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ASSUMED = {
    CLIENT_CREDENTIALS: rulebook.tokens.CLIENT_CREDENTIALS,
    JWT_BEARER: rulebook.tokens.JWT_BEARER,
}
"""The grant types that the description does not show, and the assumptions that decide whether they work."""
IGNORED: dict[str, tuple[tuple[str, Rule, str], ...]] = {
    AUTHORIZE: (
        ("code_challenge", rulebook.auth.PKCE, "ignored"),
        ("code_challenge_method", rulebook.auth.PKCE, "ignored"),
        ("domain", rulebook.auth.DOMAIN_NAME, "ignored"),
    ),
    "authorization_code": (
        ("code_verifier", rulebook.auth.PKCE, "ignored"),
        ("redirect_uri", rulebook.tokens.REDIRECT_URI, "ignored"),
        ("domain", rulebook.auth.DOMAIN_NAME, "ignored"),
    ),
    "refresh_token": (("scope", rulebook.tokens.REFRESH_SCOPE, "kept"),),
}
"""By request, its parameters that are ignored under an alternative of a rule."""
Issue = Callable[[CallContext, dict[str, str], RegisteredClient], IssuedTokens]
GRANTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Issue]] = {
    "authorization_code": (("code",), ("redirect_uri", "domain", "code_verifier"), _exchange),
    "refresh_token": (("refresh_token",), ("scope",), _refresh),
    CLIENT_CREDENTIALS: ((), ("scope",), _issue_to_client),
    JWT_BEARER: (("assertion", "scope"), (), _issue_for_assertion),
}
"""By grant type, the parameters it needs besides the client's, those it may have, and the function that issues."""
