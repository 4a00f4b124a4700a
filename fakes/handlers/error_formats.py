"""The error format of each area of the service."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache
from http import HTTPStatus

from pydantic_core import to_json

from fakes import rulebook
from fakes.http import pages
from fakes.http.addresses import Area
from fakes.http.errors import Kind, Refusal
from fakes.http.messages import FakeResponse
from fakes.http.own_headers import ASSUMED_HEADER, CLOCK_HEADER, OBSERVED_HEADER, REASON_HEADER
from fakes.parts.journal_entry import ALLOWED
from fakes.rulebook.deviations import CLIENT_AUTH
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules

__all__ = [
    "DIALECTS",
    "Dialect",
    "escape_text",
    "format_admin_error",
    "format_authorization_error",
    "format_notification_error",
    "format_resource_error",
    "format_token_error",
    "join_names",
    "list_assumptions",
    "make_own_error",
]

Dialect = Callable[[Refusal, Rules], FakeResponse]

JSON = ("Content-Type", "application/json; charset=UTF-8")
HTML = ("Content-Type", "text/html; charset=UTF-8")
CLOCK_STANDS = (CLOCK_HEADER, "standing")
"""Tells a client that waiting does not help, as the fake's clock stands still until it is moved."""

RESOURCE: dict[Kind, tuple[int | Rule, str]] = {
    "invalid": (rulebook.api.INVALID, "INVALID_PARAMETER"),
    "missing": (rulebook.api.INVALID, "INVALID_PARAMETER"),
    "no_object": (rulebook.api.INVALID, "INVALID_PARAMETER"),
    "wrong_range": (rulebook.files.WRONG_RANGE, "INVALID_PARAMETER"),
    "form_limit": (rulebook.files.FORM_LIMIT, "INVALID_PARAMETER"),
    "too_large": (rulebook.files.SIZE_LIMIT, "TOO_LARGE"),
    "body_too_large": (rulebook.api.BODY_LIMIT, "TOO_LARGE"),
    "unauthorized": (rulebook.api.UNAUTHORIZED, "UNAUTHORIZED"),
    "forbidden": (403, "FORBIDDEN"),
    "no_user": (rulebook.directory.NOT_FOUND, "NOT_FOUND"),
    "not_found": (rulebook.api.NOT_FOUND, "NOT_FOUND"),
    "no_file": (rulebook.files.NOT_FOUND, "NOT_FOUND"),
    "unmatched": (rulebook.api.UNMATCHED, "NOT_FOUND"),
    "conflict": (409, "CONFLICT"),
    "too_many": (429, "TOO_MANY_REQUESTS"),
    "ended": (rulebook.lifecycle.ENDED, "ENDED"),
    "not_described": (rulebook.lifecycle.NOT_DESCRIBED, "NOT_DESCRIBED"),
}
"""For each kind of refusal, the status or the rule that decides it, and the code."""
ADMIN: dict[Kind, tuple[int, str]] = {
    "unauthorized": (401, "UNAUTHORIZED"),
    "not_found": (404, "NOT_FOUND"),
    "no_class": (404, "NO_CLASS"),
    "unmatched": (404, "NOT_FOUND"),
    "conflict": (409, "CONFLICT"),
    "misdirected": (421, "MISDIRECTED"),
}
OAUTH_ERROR: dict[Kind, str] = {
    "missing": "invalid_request",
    "invalid": "invalid_request",
    "bad_client": "invalid_client",
    "bad_grant": "invalid_grant",
    "unsupported_grant": "unsupported_grant_type",
}
DESCRIPTIONS: dict[Kind, str] = {"missing": "missing parameter", "unmatched": "invalid webhook URL"}
BASIC_CHALLENGE = ("WWW-Authenticate", 'Basic realm="token"')
"""What a 401 for credentials in the Authorization header needs (RFC 6749 5.2)."""
LIMIT = 1000
"""The most characters of a text in a header."""
CUT = "..."
NOT_AUTHENTICATED, NOT_FOUND, NOT_ALLOWED = 401, 404, 405
HTTP_STATUSES = frozenset(HTTPStatus)


def format_resource_error(refusal: Refusal, rules: Rules) -> FakeResponse:
    """Return an error of the resource API or the file storage."""
    status: int | Rule
    if refusal.status is not None:
        status, code = refusal.status, status_phrase(refusal.status).upper().replace(" ", "_")
    else:
        status, code = RESOURCE[refusal.kind]
    description = refusal.verbatim or refusal.description
    if refusal.verbatim is not None:  # the description shows these words, and the status
        status = 400
    elif refusal.kind == "unmatched":
        status = choose_unmatched_status(refusal, rules)
        code = "METHOD_NOT_ALLOWED" if status == NOT_ALLOWED else code
    elif isinstance(status, Rule):
        status = int(rules.apply(status))
    body: dict[str, object] = {"code": code, "description": description}
    if rules.apply(rulebook.api.ERROR_BODY) == "oauth2":
        body = {"error": code.lower(), "error_description": description}
    if refusal.offset is not None and rules.apply(rulebook.files.RESUME_OFFSET) == "sent":
        body["offset"] = refusal.offset
    response = _make_json_response(status, body, refusal)
    if refusal.ends is not None and rules.apply(rulebook.lifecycle.HEADERS) == "sent":
        response.headers += make_end_headers(refusal.ends)
    return response


def format_token_error(refusal: Refusal, rules: Rules) -> FakeResponse:
    """Return an error of the token endpoint."""
    error = OAUTH_ERROR.get(refusal.kind, "invalid_request")
    status = choose_common_status(refusal, rules)
    if refusal.status is not None:
        error = status_phrase(refusal.status).lower().replace(" ", "_")
    if status is None and refusal.kind == "unmatched":
        status = choose_unmatched_status(refusal, rules)
    elif status is None:
        chosen = rules.apply(rulebook.tokens.ERROR_STATUS)
        always_401 = chosen == "always-401" or (error == "invalid_client" and chosen == "400-or-401")
        status = 401 if always_401 else 400
    body: dict[str, object] = {"code": error.upper(), "description": refusal.description}
    if rules.apply(rulebook.tokens.ERROR_BODY) == "oauth2":
        body = {"error": error, "error_description": refusal.description}
    response = _make_json_response(status, body, refusal)
    if status == NOT_AUTHENTICATED and refusal.kind == "bad_client" and CLIENT_AUTH in rules.deviations.noted:
        response.headers += [BASIC_CHALLENGE]
    return response


def format_authorization_error(refusal: Refusal, rules: Rules) -> FakeResponse:
    """Return an error screen of the authorization request or the login; never a redirect."""
    rules.follow(rulebook.auth.FAILURE_SCREEN)
    status = choose_common_status(refusal, rules)
    if status is None and refusal.kind == "unmatched":
        status = choose_unmatched_status(refusal, rules)
    elif status is None:
        is_login = refusal.kind == "unauthorized"
        status = int(rules.apply(rulebook.auth.FAILURE_STATUS if is_login else rulebook.auth.REQUEST_REFUSED))
    headers = [HTML, make_reason_header(refusal), *make_allow_header(status, refusal)]
    return FakeResponse(status, headers, pages.render_error(refusal.description))


def format_notification_error(refusal: Refusal, rules: Rules) -> FakeResponse:
    """Return an error of the notification endpoint, exactly as described; a header has the details."""
    status = choose_common_status(refusal, rules) or (429 if refusal.kind == "too_many" else 400)
    if refusal.kind == "unmatched" and not refusal.allowed:
        rules.follow(rulebook.notifications.WEBHOOK_URL)
    elif refusal.kind == "unmatched":
        status = int(rules.apply(rulebook.notifications.OTHER_METHOD))
    elif refusal.verbatim is None:
        rules.follow(rulebook.notifications.PARAMETERS)
    if refusal.status is not None or refusal.kind == "body_too_large" or status in (NOT_ALLOWED, NOT_FOUND):
        description = {400: "invalid parameter", 429: "too many request"}.get(
            status, status_phrase(status).lower()
        )
    else:
        description = refusal.verbatim or DESCRIPTIONS.get(_choose_kind(refusal, rules), "invalid parameter")
    response = _make_json_response(status, {"code": status, "description": description}, refusal)
    if refusal.clock_stands:
        response.headers += [CLOCK_STANDS]
    return response


def _choose_kind(refusal: Refusal, rules: Rules) -> Kind:
    """Return the kind of error the notification endpoint reports."""
    if (
        refusal.kind == "no_object"
        and rules.apply(rulebook.notifications.ERROR_ORDER) == "not-json-as-missing"
    ):
        return "missing"
    return refusal.kind


def format_admin_error(refusal: Refusal, rules: Rules) -> FakeResponse:
    """Return an error of the admin interface, in the format of the resource API but under no assumption."""
    status, code = ADMIN.get(refusal.kind, (400, "INVALID_PARAMETER"))
    return _make_json_response(status, {"code": code, "description": refusal.description}, refusal)


DIALECTS: Mapping[Area, Dialect] = {
    "api": format_resource_error,
    "storage": format_resource_error,
    "auth": format_authorization_error,
    "hooks": format_notification_error,
    "admin": format_admin_error,
}
"""The error format of each area, unless an operation has its own."""


def choose_common_status(refusal: Refusal, rules: Rules) -> int | None:
    """Return the status of a refusal that is the same in all areas; None if each has its own."""
    if refusal.kind == "body_too_large":
        return int(rules.apply(rulebook.api.BODY_LIMIT))
    return refusal.status


def choose_unmatched_status(refusal: Refusal, rules: Rules) -> int:
    """Return the status of a request that matches no operation."""
    chosen = int(rules.apply(rulebook.api.UNMATCHED))
    return NOT_FOUND if chosen == NOT_ALLOWED and not refusal.allowed else chosen


def make_allow_header(status: int, refusal: Refusal) -> list[tuple[str, str]]:
    """Return the Allow header that a 405 needs (RFC 9110), or no header for another status."""
    return [("Allow", ", ".join(refusal.allowed))] if status == NOT_ALLOWED and refusal.allowed else []


def status_phrase(status: int) -> str:
    """Return the reason phrase of a status."""
    return HTTPStatus(status).phrase.replace("-", " ") if status in HTTP_STATUSES else f"Status {status}"


def make_end_headers(ends: datetime) -> list[tuple[str, str]]:
    """Return the headers for the retirement of a feature: Deprecation (RFC 9745) and Sunset (RFC 8594)."""
    try:
        ends = ends.astimezone(UTC)
    except OverflowError:  # UTC may have no such day at either end of the calendar
        ends = ends.replace(tzinfo=UTC)
    sunset = format_datetime(ends, usegmt=True)
    return [("Deprecation", f"@{int(ends.timestamp())}"), ("Sunset", sunset)]


def make_reason_header(refusal: Refusal) -> tuple[str, str]:
    """Return the header that says, in every area, what was wrong, and which setting of the fake would allow it."""
    reason = escape_text(refusal.description.replace("›", ">"))
    if not refusal.remedy:
        return (REASON_HEADER, reason)
    remedy = f"{ALLOWED}{refusal.remedy}"
    most = LIMIT - len(remedy)
    return (REASON_HEADER, (reason if len(reason) <= most else reason[: most - len(CUT)] + CUT) + remedy)


def escape_text(text: str) -> str:
    """Format a text as a field value (RFC 9110 5.5): visible ASCII with single spaces, truncated if long.

    Examples:
        >>> print(escape_text(" caf\u00e9\\n\\0 "), escape_text("x" * 5000)[-5:])
        caf\\xe9 \\x00 xx...
    """
    escaped = " ".join(text.encode("ascii", "backslashreplace").decode().split())
    value = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in escaped[: LIMIT + 1])
    return value if len(value) <= LIMIT else value[: LIMIT - len(CUT)] + CUT


@lru_cache(maxsize=1024)  # responses rest on the same few combinations of rules
def list_assumptions(used: tuple[Rule, ...], observed: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the headers that name the assumptions among rules: those that were measured have their own."""
    names = [rule.id for rule in used if rule.alternatives]
    assumed = ", ".join(name for name in names if name not in observed)
    measured = ", ".join(name for name in names if name in observed)
    headers = (ASSUMED_HEADER, assumed), (OBSERVED_HEADER, measured)
    return tuple(header for header in headers if header[1])


def join_names(names: Sequence[str]) -> str:
    """Join names to a field value, separated by commas; if they are many, with the number of those left out.

    Examples:
        >>> join_names(["shoeSize", "color"])
        'shoeSize, color'
    """
    first = list(_take_first(names))
    if len(first) < len(names):
        first.append(f"and {len(names) - len(first)} more")
    return ", ".join(first)


def _take_first(names: Sequence[str]) -> Iterator[str]:
    """Yield as many names as fit in a header."""
    length = 0
    for name in names:
        if length >= LIMIT:
            return
        shown = escape_text(name) or '""'
        length += len(shown) + len(", ")
        yield shown


def make_own_error(status: int, code: str, description: str) -> FakeResponse:
    """Return an error of the fake itself, which no rule decides, in the format of the resource API."""
    reason = (REASON_HEADER, escape_text(description))
    return FakeResponse(status, [JSON, reason], to_json({"code": code, "description": description}))


def _make_json_response(status: int, body: dict[str, object], refusal: Refusal) -> FakeResponse:
    headers = [JSON, make_reason_header(refusal), *make_allow_header(status, refusal)]
    return FakeResponse(status, headers, to_json(body))
