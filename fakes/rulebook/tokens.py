"""Rules of authorization codes, access tokens and refresh tokens."""

from fakes.rulebook.sections import (
    AUTHENTICATION,
    CREDENTIAL_STATES,
    DESCRIBED_LIMITS,
    OTHER_ERRORS,
    TOKEN_ENDPOINTS,
    USER_STATES,
)

CODE_SINGLE_USE = DESCRIBED_LIMITS.documented("code.single-use", "An authorization code can be used once.")
CODE_LIFETIME = DESCRIBED_LIMITS.documented("code.lifetime", "An authorization code is valid for 10 minutes.")
PARAMETERS = TOKEN_ENDPOINTS.documented(
    "token.parameters",
    "code, grant_type, client_id and client_secret are required to issue; refresh_token in place of code to refresh.",
)
ISSUED = CREDENTIAL_STATES.documented(
    "token.issued",
    "A valid code is exchanged for an access token (24 hours) and a refresh token (90 days).",
)
REFRESHED = CREDENTIAL_STATES.documented(
    "token.refreshed",
    "A refresh returns a new access token and its expires_in, but no new refresh token.",
)
ACCESS_LIFETIME = DESCRIBED_LIMITS.documented(
    "token.access-lifetime", "An access token is valid for 24 hours."
)
REFRESH_LIFETIME = DESCRIBED_LIMITS.documented(
    "token.refresh-lifetime", "A refresh token is valid for 90 days."
)
CLIENT_BOUND = AUTHENTICATION.assumed(
    "token.client-bound",
    "A code or refresh token works only for the client that it was issued to.",
    ("refused", "not-checked"),
)
REDIRECT_URI = TOKEN_ENDPOINTS.assumed(
    "token.redirect-uri",
    "The token endpoint does not need a redirect_uri, but if it is sent, it must be that of the authorization "
    "request.",
    ("checked", "ignored"),
)
ERROR_BODY = OTHER_ERRORS.assumed(
    "token.error-body",
    'Errors of the token endpoint are JSON as in OAuth 2.0: {"error": "…", "error_description": "…"}.',
    ("oauth2", "code-description"),
)
ERROR_STATUS = OTHER_ERRORS.assumed(
    "token.error-status",
    "A refused token request gets 401 if client_id or client_secret is wrong, otherwise 400.",
    ("400-or-401", "always-400", "always-401"),
)
WRONG_SECRET_KEEPS_CODE = CREDENTIAL_STATES.assumed(
    "token.wrong-secret",
    "A wrong client secret does not use up the code.",
    ("keeps-code", "burns-code"),
)
CODE_REUSE = CREDENTIAL_STATES.assumed(
    "token.code-reuse",
    "A code that is sent again after it was used is refused, and the tokens issued for it stay valid; in the "
    "alternative, all of them end, as OAuth 2.0 recommends.",
    ("keeps-tokens", "ends-tokens"),
)
REFRESH_REUSE = CREDENTIAL_STATES.assumed(
    "token.refresh-reuse",
    "A refresh token may be used again until it expires.",
    ("reusable", "single-use"),
)
REFRESH_SCOPE = TOKEN_ENDPOINTS.assumed(
    "token.refresh-scope",
    "A scope sent with a refresh is ignored: the new access token has the scope of the authorization.",
    ("kept", "as-sent"),
)
EARLIER_ACCESS = CREDENTIAL_STATES.assumed(
    "token.earlier-access",
    "A refresh does not revoke the access tokens issued before it.",
    ("stays-valid", "ended"),
)
INACTIVE_USER = USER_STATES.assumed(
    "token.inactive-user",
    "The codes and tokens of a user who is suspended, deleted, pending or awaiting work until they expire. In the "
    "alternatives such a user's codes and refresh tokens are refused, or the access tokens too.",
    ("valid", "not-renewed", "refused"),
)
LAST_INSTANT = CREDENTIAL_STATES.assumed(
    "token.last-instant",
    "A code, a refresh token and an upload URL still work at the exact end of their lifetimes; in the alternative "
    "they no longer do, like an access token after exactly 24 hours.",
    ("included", "excluded"),
)
CONTENT_TYPE = TOKEN_ENDPOINTS.assumed(
    "token.content-type",
    "A token request whose Content-Type is not application/x-www-form-urlencoded is refused.",
    ("refused", "not-checked"),
)
CLIENT_CREDENTIALS = AUTHENTICATION.assumed(
    "token.client-credentials",
    "A server gets no token without a user: grant_type=client_credentials is refused. The alternative issues one, "
    "without a refresh token, that acts for the administrator of the domain.",
    ("refused", "issued"),
)
JWT_BEARER = AUTHENTICATION.assumed(
    "token.jwt-bearer",
    "The grant urn:ietf:params:oauth:grant-type:jwt-bearer is refused. The alternatives issue an access token for an "
    "assertion, a JWT that is signed with RS256 by the client's registered key and whose sub is an active user; the "
    "last one issues a refresh token as well. The client's ID and secret and the scope are sent too. A grant_type may "
    "be percent-encoded twice. Rules of their own say what the other claims must be; those without one are ignored.",
    ("refused", "issued", "issued-with-refresh"),
)
ASSERTION_ISSUER = AUTHENTICATION.assumed(
    "token.assertion-issuer",
    "iss of an assertion must be the client ID.",
    ("client-id", "not-checked"),
)
ASSERTION_SUBJECT = AUTHENTICATION.assumed(
    "token.assertion-subject",
    "sub of an assertion, and a delegated_user that is honored, is the login ID or the ID of a user; in the "
    "alternatives only one of them.",
    ("login-id-or-id", "login-id", "id"),
)
ASSERTION_ISSUED_AT = AUTHENTICATION.assumed(
    "token.assertion-issued-at",
    "iat of an assertion is required, and may be up to 60 seconds from now.",
    ("checked", "not-checked"),
)
ASSERTION_EXPIRY = AUTHENTICATION.assumed(
    "token.assertion-expiry",
    "exp of an assertion must not have passed, and may be up to 60 minutes from now, and 60 seconds more for a clock "
    "that is ahead; in an alternative it may be any time later, and in the other it is not checked.",
    ("within-60-minutes", "any-time-later", "not-checked"),
)
ASSERTION_NOT_BEFORE = AUTHENTICATION.assumed(
    "token.assertion-not-before",
    "nbf of an assertion is ignored; in the alternative it may be up to 60 seconds from now.",
    ("ignored", "checked"),
)
ASSERTION_AUDIENCE = AUTHENTICATION.assumed(
    "token.assertion-audience",
    "aud of an assertion is ignored; in the alternative one that is sent must be, or contain, the URL of the "
    "authorization server or of its token endpoint.",
    ("ignored", "checked"),
)
ASSERTION_BASE64 = AUTHENTICATION.assumed(
    "token.assertion-base64",
    "The three parts of an assertion are in base64url, as of every JWT; in the alternative also in standard base64.",
    ("base64url", "standard-too"),
)
DELEGATED_USER = AUTHENTICATION.assumed(
    "token.delegated-user",
    "delegated_user in an assertion is ignored; in the alternative the token acts for that user, a login ID or an ID, "
    "in place of sub.",
    ("ignored", "honored"),
)
