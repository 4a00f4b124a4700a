"""Signing in: the authorization-code flow and the renewal of its tokens.

The service's description, sections "Token endpoints" and "Authentication".
"""

import hmac
import secrets
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin

from svckit.credentials import Credentials
from svckit.errors import ServiceError, Unauthorized, refusal
from svckit.models.secret import Secret, mask
from svckit.models.token import TokenSet
from svckit.operations.checks import misread, read
from svckit.profiles import Profile
from svckit.wire import Call, Operation, Reply

__all__ = ["authorization", "code_from", "exchange", "refresh", "sign_in"]

AUTHORIZE = "/oauth2/v2.0/authorize"
TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
LOGIN_FIELDS = ("login_id", "password")


def authorization(profile: Profile, state: str) -> Call:
    """The authorization request; its address is what a person's browser opens."""
    params = {
        "client_id": profile.client_id,
        "redirect_uri": profile.redirect_uri,
        "scope": ",".join(profile.scopes),
        "response_type": "code",
        "state": state,
    }
    if profile.domain is not None:
        params["domain"] = profile.domain
    return Call(
        operation="auth.authorize",
        method="GET",
        target=AUTHORIZE,
        area="auth",
        params=params,
        bearer=False,
        repeatable=True,
    )


def sign_in(profile: Profile, credentials: Credentials) -> Operation[TokenSet]:
    """Sign in without a person, where the login screen is a form with ``login_id`` and ``password``.

    The service's description does not show what the screen is made of, so this is for a fake. The steps are
    the real ones: authorization request, login, redirect with code and state, exchange.

    Raises:
        Unauthorized: the login failed, the screen is another one, or the redirect is not ours.
    """
    state = secrets.token_urlsafe(32)
    page = yield authorization(profile, state)
    form = _LoginForm.of(page)
    redirect = yield Call(
        operation="auth.login",
        method="POST",
        target=urljoin(f"{profile.auth_url}{AUTHORIZE}", form.action),
        area="auth",
        form={**form.fields, "login_id": credentials.login_id, "password": credentials.password},
        bearer=False,
        expects=(302, 303),
    )
    code = code_from(redirect, profile.redirect_uri, state)
    return (yield from exchange(profile, credentials, code))


def exchange(profile: Profile, credentials: Credentials, code: Secret) -> Operation[TokenSet]:
    """Exchange an authorization code, once and within 10 minutes, for an access and a refresh token."""
    form: dict[str, str | Secret] = {
        "code": code,
        "grant_type": "authorization_code",
        "client_id": profile.client_id,
        "client_secret": credentials.client_secret,
    }
    if profile.domain is not None:
        form["domain"] = profile.domain
    return (yield from _tokens("auth.exchange", form))


def refresh(profile: Profile, credentials: Credentials, refresh_token: Secret) -> Operation[TokenSet]:
    """Renew the access token; the refresh token stays the one there is, so that renewing twice does no harm.

    Raises:
        Unauthorized: the service refuses; the refresh token has ended, most likely.
    """
    form: dict[str, str | Secret] = {
        "refresh_token": refresh_token,
        "grant_type": "refresh_token",
        "client_id": profile.client_id,
        "client_secret": credentials.client_secret,
    }
    try:
        return (yield from _tokens("auth.refresh", form, repeatable=True))
    except ServiceError as error:
        if (error.code or "").lower() != "invalid_grant" and not isinstance(error, Unauthorized):
            raise
        why = (error.description or "").rstrip(".")
        raise Unauthorized(
            f"the service does not take the access token, or not for much longer, and the token could not be "
            f"renewed: {why}. {Unauthorized.advice}",
            status=error.status,
            code=error.code,
            description=error.description,
            operation=error.operation,
            request=error.request,
        ) from None


def _tokens(
    operation: str, form: dict[str, str | Secret], *, repeatable: bool = False
) -> Operation[TokenSet]:
    reply = yield Call(
        operation=operation,
        method="POST",
        target=TOKEN,
        area="auth",
        form=form,
        bearer=False,
        repeatable=repeatable,
    )
    return read(TokenSet, reply)


def code_from(redirect: Reply, redirect_uri: str, state: str) -> Secret:
    """Take the authorization code from the redirect that follows a login.

    Args:
        redirect: the answer to the login; it is read, not followed.
        redirect_uri: the redirect address of the application.
        state: the state of the authorization request; compared in constant time.

    Raises:
        Unauthorized: the redirect goes elsewhere, its state is another one, or it brings no code.
    """
    address, returned, codes = _redirected(redirect)
    if address != redirect_uri.partition("?")[0]:
        why = f"the redirect does not go to the application's redirect address {redirect_uri}"
    elif not hmac.compare_digest(returned.encode(), state.encode()):
        why = "the redirect's state is not the one of this sign-in, so it may be forged"
    elif len(codes) != 1:
        why = "the redirect brings no authorization code"
    else:
        return codes[0]
    raise Unauthorized(
        f"the sign-in was stopped: {why}. {Unauthorized.advice}",
        status=redirect.status,
        operation=redirect.operation,
        request=redirect.request,
    )


def _redirected(redirect: Reply) -> tuple[str, str, list[Secret]]:
    """Address, state and codes, read in a frame that raises nothing, so that no traceback shows a code."""
    address, _, query = redirect.headers.get("location", "").partition("#")[0].partition("?")
    given = parse_qs(query)
    return address, given.get("state", [""])[0], [Secret(code) for code in given.get("code", [])]


class _LoginForm(HTMLParser):
    """The form of the login screen: where it is sent, and the fields it comes with."""

    def __init__(self) -> None:
        super().__init__()
        self.action: str = ""
        self.fields: dict[str, str] = {}

    @classmethod
    def of(cls, page: Reply) -> "_LoginForm":
        form = cls()
        form.feed(page.content.decode("utf-8", "replace"))
        if set(LOGIN_FIELDS) <= form.fields.keys():
            return form
        if not form.fields:  # an error screen, sent as a success
            raise refusal(
                401,
                page.headers,
                mask(page.content.decode("utf-8", "replace")),
                operation=page.operation,
                request=page.request,
            )
        raise misread(
            page,
            "the login screen has no fields login_id and password, so no program can fill it in; "
            "sign in with a browser",
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.action = given.get("action") or ""
        elif tag == "input" and given.get("name"):
            self.fields[given["name"] or ""] = given.get("value") or ""
