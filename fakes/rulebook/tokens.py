"""Rules of authorization codes, access tokens and refresh tokens."""

from fakes.rulebook.rule import assumed, documented

CODE_SINGLE_USE = documented("code.single-use", "Limits", "An authorization code can be used once.")
CODE_LIFETIME = documented("code.lifetime", "Limits", "An authorization code is valid for 10 minutes.")
PARAMETERS = documented(
    "token.parameters",
    "Endpoints › Token endpoints",
    "code, grant_type, client_id and client_secret are required to issue; refresh_token in place of code to refresh.",
)
ISSUED = documented(
    "token.issued",
    "States and transitions › Credentials",
    "A valid code is exchanged for an access token (24 hours) and a refresh token (90 days).",
)
REFRESHED = documented(
    "token.refreshed",
    "States and transitions › Credentials",
    "A refresh returns a new access token and its expires_in, but no new refresh token.",
)
ACCESS_LIFETIME = documented("token.access-lifetime", "Limits", "An access token is valid for 24 hours.")
REFRESH_LIFETIME = documented("token.refresh-lifetime", "Limits", "A refresh token is valid for 90 days.")
CLIENT_BOUND = assumed(
    "token.client-bound",
    "Authentication",
    "A code or refresh token works only for the client that it was issued to.",
    ("refused", "not-checked"),
)
REDIRECT_URI = assumed(
    "token.redirect-uri",
    "Endpoints › Token endpoints",
    "The token endpoint does not need a redirect_uri, but if it is sent, it must be that of the authorization "
    "request.",
    ("checked", "ignored"),
)
ERROR_BODY = assumed(
    "token.error-body",
    "Errors › Other operations",
    'Errors of the token endpoint are JSON as in OAuth 2.0: {"error": "…", "error_description": "…"}.',
    ("oauth2", "code-description"),
)
ERROR_STATUS = assumed(
    "token.error-status",
    "Errors › Other operations",
    "A refused token request gets 401 if client_id or client_secret is wrong, otherwise 400.",
    ("400-or-401", "always-400", "always-401"),
)
WRONG_SECRET_KEEPS_CODE = assumed(
    "token.wrong-secret",
    "States and transitions › Credentials",
    "A wrong client secret does not use up the code.",
    ("keeps-code", "burns-code"),
)
CODE_REUSE = assumed(
    "token.code-reuse",
    "States and transitions › Credentials",
    "A code that is sent again after it was used is refused, and the tokens issued for it stay valid; in the "
    "alternative, all of them end, as OAuth 2.0 recommends.",
    ("keeps-tokens", "ends-tokens"),
)
REFRESH_REUSE = assumed(
    "token.refresh-reuse",
    "States and transitions › Credentials",
    "A refresh token may be used again until it expires.",
    ("reusable", "single-use"),
)
REFRESH_SCOPE = assumed(
    "token.refresh-scope",
    "Endpoints › Token endpoints",
    "A scope sent with a refresh is ignored: the new access token has the scope of the authorization.",
    ("kept", "as-sent"),
)
EARLIER_ACCESS = assumed(
    "token.earlier-access",
    "States and transitions › Credentials",
    "A refresh does not revoke the access tokens issued before it.",
    ("stays-valid", "ended"),
)
INACTIVE_USER = assumed(
    "token.inactive-user",
    "States and transitions › User",
    "The codes and tokens of a user who is suspended, deleted, pending or awaiting work until they expire. In the "
    "alternatives such a user's codes and refresh tokens are refused, or the access tokens too.",
    ("valid", "not-renewed", "refused"),
)
LAST_INSTANT = assumed(
    "token.last-instant",
    "States and transitions › Credentials",
    "A code, a refresh token and an upload URL still work at the exact end of their lifetimes; in the alternative "
    "they no longer do, like an access token after exactly 24 hours.",
    ("included", "excluded"),
)
CONTENT_TYPE = assumed(
    "token.content-type",
    "Endpoints › Token endpoints",
    "A token request whose Content-Type is not application/x-www-form-urlencoded is refused.",
    ("refused", "not-checked"),
)
CLIENT_CREDENTIALS = assumed(
    "token.client-credentials",
    "Authentication",
    "A server gets no token without a user: grant_type=client_credentials is refused. The alternative issues one, "
    "without a refresh token, that acts for the administrator of the domain.",
    ("refused", "issued"),
)
JWT_BEARER = assumed(
    "token.jwt-bearer",
    "Authentication",
    "The grant urn:ietf:params:oauth:grant-type:jwt-bearer is refused. The alternative issues an access token for a "
    "JWT, signed with RS256 by the client's registered key: iss is the client ID, sub the login ID or ID of an active "
    "user; iat may be 60 seconds, and exp 61 minutes, from now, and exp must not have passed. nbf, aud and other "
    "claims are not checked. The client's ID and secret and the scope are sent too. A grant_type may be "
    "percent-encoded twice.",
    ("refused", "issued"),
)
