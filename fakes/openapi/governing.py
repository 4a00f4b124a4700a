"""The rules that any response of an operation may rest on: those of the rulebook's modules about it."""

from types import ModuleType

from fakes.handlers.routing import Route
from fakes.parts.logs import LOGGED
from fakes.rulebook import (
    api,
    auth,
    directory,
    drive,
    files,
    lifecycle,
    notifications,
    statuses,
    tokens,
)
from fakes.rulebook.rule import Rule

__all__ = ["list_governing_rules"]

BEARER = (tokens.ACCESS_LIFETIME, tokens.EARLIER_ACCESS, tokens.CODE_REUSE)
ADDRESSED = (directory.ADDRESSING, directory.EMAIL_CASE, directory.EXTERNAL_KEY_CASE)
TOKEN = (*BEARER, tokens.INACTIVE_USER)


def collect_rules(*rulebooks: ModuleType) -> tuple[Rule, ...]:
    """Return all rules of some modules of the rulebook."""
    return tuple(rule for each in rulebooks for rule in vars(each).values() if isinstance(rule, Rule))


def exclude(rules: tuple[Rule, ...], *others: Rule) -> tuple[Rule, ...]:
    """Return rules except those about another operation."""
    return tuple(rule for rule in rules if rule not in others)


GOVERNING: dict[str, tuple[Rule, ...]] = {
    "auth.authorize": exclude(
        collect_rules(auth),
        auth.REDIRECT_STATUS,
        auth.SCREEN_REUSE,
        auth.FAILURE_STATUS,
        auth.INACTIVE_USER,
        auth.LOGIN_ID_CASE,
        auth.REDIRECT,
    ),
    "auth.login": (
        api.BODY_LIMIT,
        *exclude(
            collect_rules(auth),
            auth.DOMAIN_NAME,
            auth.DOMAIN_UNDER_SSO,
            auth.LOGIN_SCREEN,
            auth.PARAMETERS,
            auth.SCOPE_SEPARATOR,
            auth.SCOPE_NAMES,
            auth.UNKNOWN_PARAMETER,
            auth.PKCE,
        ),
    ),
    "auth.token": (
        *exclude(collect_rules(tokens), tokens.ACCESS_LIFETIME, tokens.EARLIER_ACCESS),
        auth.DOMAIN_NAME,
        auth.DOMAIN_UNDER_SSO,
        auth.REPEATED_PARAMETER,
        auth.UNKNOWN_PARAMETER,
        auth.PKCE,
        auth.INACTIVE_USER,
        auth.LOGIN_ID_CASE,
        api.BODY_LIMIT,
        api.QUERY,
    ),
    "users.update": (
        *exclude(collect_rules(api, directory), api.NOT_FOUND, api.NULL, api.UNMATCHED, api.UNMATCHED_BEARER),
        lifecycle.READING,
        *TOKEN,
    ),
    "users.set_status": (*collect_rules(api, statuses), *ADDRESSED, directory.INACTIVE, *TOKEN),
    "upload": (*collect_rules(api, files), *ADDRESSED, *TOKEN),
    "download": (*collect_rules(api, files), *ADDRESSED, *TOKEN),
    "storage": (
        *collect_rules(api, files, drive),
        *TOKEN,
        tokens.LAST_INSTANT,
    ),
    "notifications": (
        *exclude(
            collect_rules(notifications),
            notifications.SETUP,
            notifications.WEBHOOKS,
            notifications.OTHER_METHOD,
        ),
        api.BODY_LIMIT,
        api.NULL,
        api.TEXT_LIMIT,
        api.CONTENT_TYPE,
        api.DUPLICATE_KEY,
        api.QUERY,
    ),
    "retired": (
        *collect_rules(lifecycle),
        api.BODY_LIMIT,
        api.RATE_LIMIT,
        api.ERROR_BODY,
        api.BEARER,
        api.BEARER_FORM,
        api.BEARER_ORDER,
        api.UNAUTHORIZED,
        *TOKEN,
    ),
}
"""The rules by the name of an operation, or by its first word."""
GOVERNING["storage.send"] = tuple(dict.fromkeys((*GOVERNING["storage"], *LOGGED)))


def list_governing_rules(route: Route) -> tuple[Rule, ...]:
    """Return the rules that any response of a route may rest on; each case lists those that decide for its status.

    Examples:
        >>> from fakes.handlers.routes import ROUTES
        >>> retired = next(route for route in ROUTES if route.operation.startswith("retired"))
        >>> lifecycle.ENDED in list_governing_rules(retired)
        True
    """
    return GOVERNING.get(route.operation) or GOVERNING[route.operation.partition(".")[0]]
