"""Rules of the authorization request and the login."""

from fakes.rulebook.sections import AUTHENTICATION, OTHER_ERRORS, TOKEN_ENDPOINTS, USER_FIELDS, USER_STATES

PARAMETERS = TOKEN_ENDPOINTS.documented(
    "auth.parameters",
    "client_id, redirect_uri, scope, response_type (always code) and state are required in the authorization request.",
)
DOMAIN_UNDER_SSO = AUTHENTICATION.documented(
    "auth.domain-under-sso",
    "When the domain uses single sign-on, domain is required in the authorization and issuance requests.",
)
LOGIN_SCREEN = TOKEN_ENDPOINTS.documented(
    "auth.login-screen",
    "The response to the authorization request is a login screen.",
)
REDIRECT = TOKEN_ENDPOINTS.documented(
    "auth.redirect",
    "After the login the service redirects to redirect_uri with a code and the state that was sent.",
)
REDIRECT_STATUS = TOKEN_ENDPOINTS.assumed(
    "auth.redirect-status",
    "The redirect after a login has status 302, or 303 in the alternative. Either is the described redirect, so no "
    "response counts as resting on this.",
    ("302", "303"),
)
FAILURE_SCREEN = OTHER_ERRORS.documented(
    "auth.failure-screen",
    "When the login fails, an error screen is shown; there is no redirect.",
)
SCREEN_REUSE = TOKEN_ENDPOINTS.assumed(
    "auth.screen-reuse",
    "A login screen works until a login succeeds, no matter how many have failed and how old it is; in the "
    "alternatives it works for one attempt, or for 10 minutes.",
    ("until-login", "one-attempt", "10-minutes"),
)
FAILURE_STATUS = OTHER_ERRORS.assumed(
    "auth.failure-status",
    "The error screen of a failed login has HTTP status 401.",
    ("401", "200"),
)
REQUEST_REFUSED = OTHER_ERRORS.assumed(
    "auth.request-refused",
    "A missing or wrong parameter of the authorization request gets an error screen with 400, never a redirect.",
    ("400", "200"),
)
SCOPE_SEPARATOR = TOKEN_ENDPOINTS.assumed(
    "auth.scope-separator",
    "Scopes may also be separated by spaces, as on other OAuth 2.0 servers.",
    ("comma-or-space", "comma-only"),
)
INACTIVE_USER = USER_STATES.assumed(
    "auth.inactive-user",
    "A user who is suspended, deleted, pending or awaiting cannot log in.",
    ("refused", "let-in"),
)
LOGIN_ID_CASE = USER_FIELDS.assumed(
    "auth.login-id-case",
    "The login ID, which is the e-mail address, may be typed in upper or lower case.",
    ("any-case", "exact"),
)
DOMAIN_NAME = TOKEN_ENDPOINTS.assumed(
    "auth.domain-name",
    "A domain that is sent must be the name of this domain; an empty one counts as not sent.",
    ("checked", "ignored"),
)
UNKNOWN_PARAMETER = TOKEN_ENDPOINTS.assumed(
    "auth.unknown-parameter",
    "A parameter that neither the description nor another rule names is ignored in authorization and token requests; "
    "the alternative refuses the request.",
    ("ignored", "refused"),
)
PKCE = TOKEN_ENDPOINTS.assumed(
    "auth.pkce",
    "code_challenge and code_challenge_method in the authorization request, and code_verifier with the code, are "
    "ignored; in the alternative they are checked as in RFC 7636: the verifier must fit the challenge by the method "
    "S256 or plain, and neither may be sent without the other.",
    ("ignored", "checked"),
)
SCOPE_NAMES = AUTHENTICATION.assumed(
    "auth.scope-names",
    "The names of the scopes are not shown, so an authorization request may name any; the alternative refuses all "
    "but user and file, the scopes of the rule api.scope.",
    ("any", "user-and-file"),
)
REPEATED_PARAMETER = TOKEN_ENDPOINTS.assumed(
    "auth.repeated-parameter",
    "If a parameter is sent more than once, the first value counts.",
    ("first-counts", "refused"),
)
