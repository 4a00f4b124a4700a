"""Sign in with the authorization-code flow, and renew its tokens.

The service's description, sections "Token endpoints" and "Authentication".
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urljoin

from svckit.display.masking import mask
from svckit.display.page_reader import PageReader
from svckit.errors import ServiceError, SignInStopped, Unauthorized, UnusableProfile
from svckit.http.error_responses import read_error
from svckit.http.messages import Operation, Request, Response
from svckit.models.secret import Secret
from svckit.models.token import TokenSet
from svckit.operations.authorization import AUTHORIZE, SignInRequest
from svckit.operations.checks import make_response_error, read
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile

__all__ = ["authorize", "exchange", "log_in", "refresh", "rejects_client", "sign_in"]

TOKEN = "/oauth2/v2.0/token"  # noqa: S105 - a path
FAKE_ADVICE = re.compile(r"(; (the user must )?sign in again)?\.?$")
LOGIN_FIELDS = ("login_id", "password")


def sign_in(profile: Profile, credentials: Credentials) -> Operation[TokenSet]:
    """Sign in without a person, if the login screen is a form with ``login_id`` and ``password``.

    The service's description does not show the screen, so this is for a fake. The steps are the real ones:
    authorization request, login, redirect with code and state, code exchange.

    Args:
        profile: the profile of the service.
        credentials: the secrets of the application, and the login ID and password of a user.

    Returns:
        The tokens.

    Raises:
        SignInStopped: the login ID or the password is missing, or the redirect is not ours.
        Unauthorized: the login failed, or the screen is not a login form.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.run(sign_in(svc.profile, svc.credentials)).access_token
        Secret('***')
    """
    login_id, password = credentials.login_id, credentials.password
    if login_id is None or password is None:
        raise SignInStopped("credentials", "the login ID or password for the login screen is missing")
    request = SignInRequest.begin(profile)
    page = yield from authorize(request)
    redirect = page if page.status != 200 else (yield from log_in(request, page, login_id, password))
    code = request.extract_code(Secret(redirect.headers.get("location", "")), redirect)
    return (yield from exchange(profile, credentials, code))


def authorize(request: SignInRequest) -> Operation[Response]:
    """Open the login screen like a browser, and return it.

    Args:
        request: the authorization request.

    Returns:
        The login screen, or the redirect with the code where somebody is logged in already.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.run(authorize(SignInRequest.begin(svc.profile))).status
        200
    """
    return (yield request.call)


def log_in(request: SignInRequest, page: Response, login_id: str, password: Secret) -> Operation[Response]:
    """Submit the login form of a fake; the response's ``location`` is the redirect with the code.

    Args:
        request: the authorization request.
        page: the login screen.
        login_id: the user's e-mail address.
        password: that user's password.

    Returns:
        The redirect.

    Raises:
        Unauthorized: the login failed, or the screen is not a login form.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> request = SignInRequest.begin(svc.profile)
        >>> page = svc.run(authorize(request))
        >>> svc.run(log_in(request, page, svc.credentials.login_id, svc.credentials.password)).status
        302
    """
    form = _read_login_form(page)
    # With the one-time token of the form.
    hidden = {name: Secret(value) for name, value in form.fields.items()}
    response = yield Request(
        operation="auth.login",
        method="POST",
        target=urljoin(f"{request.profile.auth_url}{AUTHORIZE}", (form.form or {}).get("action") or ""),
        area="auth",
        form={**hidden, "login_id": login_id, "password": password},
        bearer=False,
        expects=(200, 302, 303),
    )
    if response.status == 200:
        raise _read_error_screen(response)
    return response


def exchange(profile: Profile, credentials: Credentials, code: Secret) -> Operation[TokenSet]:
    """Exchange an authorization code, once and within 10 minutes, for an access and a refresh token.

    Args:
        profile: the profile of the service.
        credentials: the secrets of the application.
        code: the authorization code.

    Returns:
        The tokens.

    Raises:
        Unauthorized: the code was used, or has expired.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> next(exchange(svc.profile, svc.credentials, Secret("code-1"))).target
        '/oauth2/v2.0/token'
    """
    given: dict[str, str | Secret] = {"code": code, "grant_type": "authorization_code"}
    if profile.domain is not None:
        given["domain"] = profile.domain
    return (yield from _request_tokens("auth.exchange", profile, credentials, given))


def refresh(
    profile: Profile,
    credentials: Credentials,
    refresh_token: Secret,
    *,
    why: str = "was rejected or has expired",
) -> Operation[TokenSet]:
    """Renew the access token; the refresh token stays the same, so renewing twice does no harm.

    Args:
        profile: the profile of the service.
        credentials: the credentials of the application.
        refresh_token: the token that renews the access token.
        why: what happened to the access token, for the error message.

    Returns:
        The new access token and its expiry.

    Raises:
        Unauthorized: the service refuses; most likely the refresh token has expired.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> next(refresh(svc.profile, svc.credentials, Secret("rt-1"))).target
        '/oauth2/v2.0/token'
    """
    given: dict[str, str | Secret] = {"refresh_token": refresh_token, "grant_type": "refresh_token"}
    try:
        return (yield from _request_tokens("auth.refresh", profile, credentials, given, repeatable=True))
    except Unauthorized as error:
        if rejects_client(error):
            raise
        said = FAKE_ADVICE.sub("", error.description or "")  # as ours follows
        raise Unauthorized(
            f"the access token {why}, and it could not be renewed: {said}. {Unauthorized.advice}",
            status=error.status,
            code=error.code,
            description=error.description,
            operation=error.operation,
            request=error.request,
        ) from None


def rejects_client(error: ServiceError) -> bool:
    """Return whether the service rejected the application rather than the user's token or code.

    Args:
        error: the error of a token request.

    Examples:
        >>> rejects_client(ServiceError("no", code="invalid_client"))
        True
    """
    return (error.code or "").lower() == "invalid_client"


def _request_tokens(
    operation: str,
    profile: Profile,
    credentials: Credentials,
    given: Mapping[str, str | Secret],
    *,
    repeatable: bool = False,
) -> Operation[TokenSet]:
    """Request tokens for what was given, as the application."""
    if credentials.client_secret is None:
        raise UnusableProfile(f"the client secret of the profile {profile.name!r} is missing", [])
    response = yield Request(
        operation=operation,
        method="POST",
        target=TOKEN,
        area="auth",
        form={**given, "client_id": profile.client_id, "client_secret": credentials.client_secret},
        bearer=False,
        repeatable=repeatable,
    )
    return read(TokenSet, response)


def _read_error_screen(page: Response) -> ServiceError:
    """Read an error screen that came with a success status; the description does not show its status."""
    masked = mask(page.content.decode("utf-8", "replace")).encode()
    return read_error(replace(page, content=masked), Unauthorized)


def _read_login_form(page: Response) -> PageReader:
    """Read the form of the login screen: its action and its prefilled fields.

    Raises:
        Unauthorized: it is an error screen.
        ServiceError: a program cannot fill it in.
    """
    reader = PageReader.of(page.content.decode("utf-8", "replace"))
    if set(LOGIN_FIELDS) <= reader.fields.keys():
        return reader
    if not reader.fields:
        raise _read_error_screen(page)
    raise make_response_error(
        page,
        "the login screen has no fields login_id and password, so a program cannot fill it in; "
        "sign in with a browser",
    )
