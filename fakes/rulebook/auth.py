"""Rules of the authorization request and the login."""

from fakes.rulebook.rule import assumed, documented

PARAMETERS = documented(
    "auth.parameters",
    "Endpoints › Token endpoints",
    "client_id, redirect_uri, scope, response_type (always code) and state are required in the authorization request.",
)
DOMAIN_UNDER_SSO = documented(
    "auth.domain-under-sso",
    "Authentication",
    "When the domain uses single sign-on, domain is required in the authorization and issuance requests.",
)
LOGIN_SCREEN = documented(
    "auth.login-screen",
    "Endpoints › Token endpoints",
    "The response to the authorization request is a login screen.",
)
REDIRECT = documented(
    "auth.redirect",
    "Endpoints › Token endpoints",
    "After the login the service redirects to redirect_uri with a code and the state that was sent.",
)
REDIRECT_STATUS = assumed(
    "auth.redirect-status",
    "Endpoints › Token endpoints",
    "The redirect after a login has status 302, or 303 in the alternative. Either is the described redirect, so no "
    "response counts as resting on this.",
    ("302", "303"),
)
FAILURE_SCREEN = documented(
    "auth.failure-screen",
    "Errors › Other operations",
    "When the login fails, an error screen is shown; there is no redirect.",
)
SCREEN_REUSE = assumed(
    "auth.screen-reuse",
    "Endpoints › Token endpoints",
    "A login screen works until a login succeeds, no matter how many have failed and how old it is; in the "
    "alternatives it works for one attempt, or for 10 minutes.",
    ("until-login", "one-attempt", "10-minutes"),
)
FAILURE_STATUS = assumed(
    "auth.failure-status",
    "Errors › Other operations",
    "The error screen of a failed login has HTTP status 401.",
    ("401", "200"),
)
REQUEST_REFUSED = assumed(
    "auth.request-refused",
    "Errors › Other operations",
    "A missing or wrong parameter of the authorization request gets an error screen with 400, never a redirect.",
    ("400", "200"),
)
SCOPE_SEPARATOR = assumed(
    "auth.scope-separator",
    "Endpoints › Token endpoints",
    "Scopes may also be separated by spaces, as on other OAuth 2.0 servers.",
    ("comma-or-space", "comma-only"),
)
INACTIVE_USER = assumed(
    "auth.inactive-user",
    "States and transitions › User",
    "A user who is suspended, deleted, pending or awaiting cannot log in.",
    ("refused", "let-in"),
)
LOGIN_ID_CASE = assumed(
    "auth.login-id-case",
    "Resources and their fields › User",
    "The login ID, which is the e-mail address, may be typed in upper or lower case.",
    ("any-case", "exact"),
)
DOMAIN_NAME = assumed(
    "auth.domain-name",
    "Endpoints › Token endpoints",
    "A domain that is sent must be the name of this domain; an empty one counts as not sent.",
    ("checked", "ignored"),
)
UNKNOWN_PARAMETER = assumed(
    "auth.unknown-parameter",
    "Endpoints › Token endpoints",
    "A parameter that neither the description nor another rule names is ignored in authorization and token requests; "
    "the alternative refuses the request.",
    ("ignored", "refused"),
)
PKCE = assumed(
    "auth.pkce",
    "Endpoints › Token endpoints",
    "code_challenge and code_challenge_method in the authorization request, and code_verifier with the code, are "
    "ignored; in the alternative they are checked as in RFC 7636: the verifier must fit the challenge by the method "
    "S256 or plain, and neither may be sent without the other.",
    ("ignored", "checked"),
)
SCOPE_NAMES = assumed(
    "auth.scope-names",
    "Authentication",
    "The names of the scopes are not shown, so an authorization request may name any; the alternative refuses all "
    "but user and file, the scopes of the rule api.scope.",
    ("any", "user-and-file"),
)
REPEATED_PARAMETER = assumed(
    "auth.repeated-parameter",
    "Endpoints › Token endpoints",
    "If a parameter is sent more than once, the first value counts.",
    ("first-counts", "refused"),
)
