"""The possible outcomes of the operations of the authorization server, and the rules behind them."""

from fakes.openapi.cases import HTML, JSON, Outcome, RefusalCase, Success
from fakes.rulebook import api, auth, tokens

__all__ = ["SIGN_IN"]

SIGN_IN: dict[str, tuple[Outcome, ...]] = {
    "auth.authorize": (
        Success(200, "The login screen.", (auth.LOGIN_SCREEN,), HTML, "Screen"),
        RefusalCase(
            "invalid",
            "A parameter is missing or wrong.",
            (
                auth.PARAMETERS,
                auth.DOMAIN_UNDER_SSO,
                auth.DOMAIN_NAME,
                auth.REPEATED_PARAMETER,
                auth.UNKNOWN_PARAMETER,
                auth.SCOPE_NAMES,
                auth.PKCE,
            ),
        ),
    ),
    "auth.login": (
        Success(
            auth.REDIRECT_STATUS,
            "The redirect to the application, with a code.",
            (auth.REDIRECT,),
            headers=("Location",),
        ),
        RefusalCase("unauthorized", "The login failed.", (auth.LOGIN_ID_CASE, auth.INACTIVE_USER)),
        RefusalCase(
            "invalid",
            "The form does not belong to an authorization request.",
            (auth.REPEATED_PARAMETER, auth.SCREEN_REUSE),
        ),
    ),
    "auth.token": (
        Success(200, "A token set.", (tokens.PARAMETERS, tokens.ISSUED, tokens.REFRESHED), JSON, "TokenSet"),
        RefusalCase(
            "invalid",
            "A parameter is missing or wrong.",
            (
                tokens.PARAMETERS,
                tokens.CONTENT_TYPE,
                api.QUERY,
                auth.REPEATED_PARAMETER,
                auth.UNKNOWN_PARAMETER,
                auth.DOMAIN_UNDER_SSO,
            ),
        ),
        RefusalCase("bad_client", "The client ID or secret is wrong.", (tokens.WRONG_SECRET_KEEPS_CODE,)),
        RefusalCase(
            "bad_grant",
            "The code, refresh token or assertion is unknown, used, expired, or another client's.",
            (
                tokens.CODE_SINGLE_USE,
                tokens.CODE_LIFETIME,
                tokens.REFRESH_LIFETIME,
                tokens.REFRESH_REUSE,
                tokens.CODE_REUSE,
                tokens.CLIENT_BOUND,
                tokens.REDIRECT_URI,
                tokens.INACTIVE_USER,
                tokens.JWT_BEARER,
                auth.PKCE,
                auth.INACTIVE_USER,
                auth.LOGIN_ID_CASE,
            ),
        ),
        RefusalCase(
            "unsupported_grant",
            "The grant type is not supported.",
            (tokens.CLIENT_CREDENTIALS, tokens.JWT_BEARER),
        ),
    ),
}
"""The outcomes by operation."""
