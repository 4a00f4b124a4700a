"""The rules that any answer of an operation may rest on, besides those of its own case."""

from fakes.routing import Route
from fakes.rulebook import api, auth, directory, files, lifecycle, notifications, statuses, tokens
from fakes.rules import Rule

__all__ = ["governing"]

BODY = (api.CONTENT_TYPE, api.EXTRA_FIELDS)
ACCESS = (api.BEARER, api.SCOPE, api.RATE_LIMIT, tokens.ACCESS_LIFETIME, tokens.EARLIER_ACCESS)
USERS = (*BODY, directory.ADDRESSING, directory.INACTIVE)

FAMILIES: dict[str, tuple[Rule, ...]] = {
    "upload": (
        *BODY,
        files.REQUEST,
        files.CONTAINERS,
        files.PARENT,
        files.MODIFIED_TIME,
        files.SIZE_LIMIT,
        files.UPLOAD_STATUS,
    ),
    "download": (files.CONTAINERS, files.PLACE, files.REVISION_IDS, files.QUERY),
    "retired": (lifecycle.RETIRED, lifecycle.READING, lifecycle.HEADERS),
    "storage": (
        files.BEARER,
        files.MULTIPART,
        files.RESUMABLE,
        files.RANGE_UNIT,
        files.PART_NAME,
        files.CONTENT_FIELD,
        files.NAME,
        files.DEFAULT_TYPE,
        files.UPLOAD_LIFETIME,
        files.UPLOAD_REUSE,
        files.UPLOAD_USER,
    ),
}
"""By the first word of the operation's name; the operations that are not here have rules of their own."""

OPERATIONS: dict[str, tuple[Rule, ...]] = {
    "auth.authorize": (
        auth.PARAMETERS,
        auth.DOMAIN_UNDER_SSO,
        auth.DOMAIN_NAME,
        auth.SCOPE_SEPARATOR,
        auth.REPEATED_PARAMETER,
    ),
    "auth.login": (auth.LOGIN_ID_CASE, auth.INACTIVE_USER, auth.REPEATED_PARAMETER),
    "auth.token": (
        tokens.PARAMETERS,
        tokens.CONTENT_TYPE,
        auth.REPEATED_PARAMETER,
        auth.DOMAIN_UNDER_SSO,
        auth.DOMAIN_NAME,
        tokens.CODE_SINGLE_USE,
        tokens.CODE_LIFETIME,
        tokens.CLIENT_BOUND,
        tokens.REDIRECT_URI,
        tokens.CLIENT_CREDENTIALS,
        tokens.WRONG_SECRET_KEEPS_CODE,
        tokens.REFRESH_LIFETIME,
        tokens.REFRESH_REUSE,
        tokens.REFRESH_SCOPE,
        tokens.EARLIER_ACCESS,
    ),
    "users.update": (
        *USERS,
        directory.PARTIAL,
        directory.LIMITS,
        directory.MERGE,
        directory.TELEPHONE,
        directory.BIRTHDAY,
        directory.LINK_ID,
        directory.FORBIDDEN_WORD,
        directory.ADVANCED_ALIAS,
        directory.CUSTOM_PROPERTIES,
        directory.REFERENCES,
        directory.DOMAIN_CHANGE,
        directory.OLD_MESSENGER,
        directory.SUSPENDED_REASON,
        directory.CONFLICT_CONDITION,
        directory.NOT_CONCURRENT,
        directory.CONCURRENT,
        lifecycle.READING,
    ),
    "users.set_status": (*USERS, statuses.ONE_EACH, statuses.TRANSITION, statuses.ORDER, statuses.PAST),
    "storage.send": (files.BEARER, files.LOGS, files.DOWNLOAD_REUSE),
    "notifications.post": (
        api.CONTENT_TYPE,
        notifications.NO_TOKEN,
        notifications.RATE,
        notifications.WINDOW,
        notifications.REFUSED_CALLS,
        notifications.OTHER_FIELDS,
        notifications.EMPTY_TITLE,
        notifications.EMPTY_TEXT,
        notifications.MENTIONS,
        notifications.BUTTON_URL,
    ),
}


def governing(route: Route) -> tuple[Rule, ...]:
    """The rules that any answer of a route may rest on, each once.

    Examples:
        >>> from fakes.routes import ROUTES
        >>> retired = next(route for route in ROUTES if route.operation.startswith("retired"))
        >>> [rule.id for rule in governing(retired)]
        ['lifecycle.retired', 'lifecycle.dates', 'lifecycle.headers']
    """
    family = route.operation.partition(".")[0]
    own = OPERATIONS.get(route.operation) or FAMILIES[family]
    needs_token = route.area in ("api", "storage") and family != "retired"
    for_user = (api.PERMISSION, directory.ADDRESSING) if "{userId}" in route.template else ()
    return tuple(dict.fromkeys((*(ACCESS if needs_token else ()), *for_user, *own)))
