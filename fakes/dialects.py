"""How each area of the service words a refusal."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from http import HTTPStatus

from pydantic_core import to_json

from fakes import rulebook, screens
from fakes.exchange import Response
from fakes.refusals import Kind, Refused
from fakes.rules import Rule, Rules

__all__ = ["Dialect", "admin", "authorization", "notification", "resource", "token", "visible"]

Dialect = Callable[[Refused, Rules], Response]

JSON = ("Content-Type", "application/json; charset=UTF-8")
HTML = ("Content-Type", "text/html; charset=UTF-8")
CLOCK_STANDS = ("X-Fake-Clock", "standing")
"""Tells a client that to wait does not help, as the fake's clock stands until it is moved."""

RESOURCE: dict[Kind, tuple[int | Rule, str]] = {
    "invalid": (rulebook.api.INVALID, "INVALID_PARAMETER"),
    "missing": (rulebook.api.INVALID, "INVALID_PARAMETER"),
    "wrong_range": (rulebook.files.WRONG_RANGE, "INVALID_PARAMETER"),
    "form_limit": (rulebook.files.FORM_LIMIT, "INVALID_PARAMETER"),
    "too_large": (rulebook.files.SIZE_LIMIT, "TOO_LARGE"),
    "unauthorized": (rulebook.api.UNAUTHORIZED, "UNAUTHORIZED"),
    "forbidden": (403, "FORBIDDEN"),
    "no_user": (404, "NOT_FOUND"),
    "not_found": (rulebook.api.NOT_FOUND, "NOT_FOUND"),
    "no_file": (rulebook.files.NOT_FOUND, "NOT_FOUND"),
    "unmatched": (rulebook.api.UNMATCHED, "NOT_FOUND"),
    "conflict": (409, "CONFLICT"),
    "too_many": (429, "TOO_MANY_REQUESTS"),
    "ended": (rulebook.lifecycle.ENDED, "ENDED"),
    "not_described": (rulebook.lifecycle.NOT_DESCRIBED, "NOT_DESCRIBED"),
}
"""Status, or the rule that decides it, and code of each refusal."""
ADMIN: dict[Kind, tuple[int, str]] = {
    "unauthorized": (401, "UNAUTHORIZED"),
    "not_found": (404, "NOT_FOUND"),
    "unmatched": (404, "NOT_FOUND"),
    "conflict": (409, "CONFLICT"),
}
OAUTH_ERROR: dict[Kind, str] = {
    "missing": "invalid_request",
    "invalid": "invalid_request",
    "bad_client": "invalid_client",
    "bad_grant": "invalid_grant",
    "unsupported_grant": "unsupported_grant_type",
}
DESCRIPTIONS: dict[Kind, str] = {"missing": "missing parameter", "unmatched": "invalid webhook URL"}
REASON_LIMIT = 1000
HTTP_STATUSES = frozenset(HTTPStatus)


def resource(refusal: Refused, rules: Rules) -> Response:
    """Errors of the resource API and the file storage."""
    status: int | Rule
    if refusal.status is not None:
        status, code = refusal.status, words(refusal.status).upper().replace(" ", "_")
    else:
        status, code = RESOURCE[refusal.kind]
    description = refusal.verbatim or refusal.description
    if refusal.verbatim is not None:
        status = 400
    elif isinstance(status, Rule):
        status = int(rules.choice(status))
    body: dict[str, object] = {"code": code, "description": description}
    if rules.choice(rulebook.api.ERROR_BODY) == "oauth2":
        body = {"error": code.lower(), "error_description": description}
    response = _json(status, body, refusal)
    if refusal.ends is not None and rules.choice(rulebook.lifecycle.HEADERS) == "sent":
        response.headers += end_headers(refusal.ends)
    return response


def token(refusal: Refused, rules: Rules) -> Response:
    """Errors of the token endpoint."""
    if refusal.status is not None:
        status, error = refusal.status, words(refusal.status).lower().replace(" ", "_")
    else:
        error = OAUTH_ERROR.get(refusal.kind, "invalid_request")
        chosen = rules.choice(rulebook.tokens.ERROR_STATUS)
        always_401 = chosen == "always-401" or (error == "invalid_client" and chosen == "400-or-401")
        status = 401 if always_401 else 400
    if rules.choice(rulebook.tokens.ERROR_BODY) == "oauth2":
        return _json(status, {"error": error, "error_description": refusal.description}, refusal)
    return _json(status, {"code": error.upper(), "description": refusal.description}, refusal)


def authorization(refusal: Refused, rules: Rules) -> Response:
    """Error screens of the authorization request and the login; never a redirect."""
    rules.follow(rulebook.auth.FAILURE_SCREEN)
    if refusal.status is not None:
        status = refusal.status
    elif refusal.kind == "unauthorized":
        status = int(rules.choice(rulebook.auth.FAILURE_STATUS))
    elif refusal.kind == "unmatched":
        status = int(rules.choice(rulebook.api.UNMATCHED))
    else:
        status = int(rules.choice(rulebook.auth.REQUEST_REFUSED))
    return Response(status, [HTML, reason(refusal)], screens.error(refusal.description))


def notification(refusal: Refused, rules: Rules) -> Response:
    """Errors of the notification endpoint, exactly as described; what was wrong in detail is in a header."""
    if refusal.kind == "unmatched":
        rules.follow(rulebook.notifications.WEBHOOK_URL)
    elif refusal.verbatim is None:
        rules.follow(rulebook.notifications.PARAMETERS)
    status = refusal.status or (429 if refusal.kind == "too_many" else 400)
    if refusal.status is not None:
        description = {400: "invalid parameter", 429: "too many request"}.get(status, words(status).lower())
    else:
        description = refusal.verbatim or DESCRIPTIONS.get(refusal.kind, "invalid parameter")
    response = _json(status, {"code": status, "description": description}, refusal)
    if refusal.clock_stands:
        response.headers += [CLOCK_STANDS]
    return response


def admin(refusal: Refused, rules: Rules) -> Response:
    """Errors of the admin interface, which is not the service's: worded as the resource API's, under no assumption."""
    status, code = ADMIN.get(refusal.kind, (400, "INVALID_PARAMETER"))
    return _json(status, {"code": code, "description": refusal.description}, refusal)


def words(status: int) -> str:
    """What HTTP calls a status."""
    return HTTPStatus(status).phrase.replace("-", " ") if status in HTTP_STATUSES else f"Status {status}"


def end_headers(ends: datetime) -> list[tuple[str, str]]:
    """The headers that say when something ends: Deprecation (RFC 9745) and Sunset (RFC 8594)."""
    try:
        ends = ends.astimezone(UTC)
    except OverflowError:  # at either end of the calendar UTC may have no such day
        ends = ends.replace(tzinfo=UTC)
    sunset = format_datetime(ends, usegmt=True)
    return [("Deprecation", f"@{int(ends.timestamp())}"), ("Sunset", sunset)]


def reason(refusal: Refused) -> tuple[str, str]:
    """The header that tells a developer, in every dialect, what was wrong."""
    return ("X-Fake-Reason", visible(refusal.description.replace("›", ">")))


def visible(text: str) -> str:
    """A text as a header can have it: visible ASCII, and not too much of it."""
    readable = text.encode("ascii", "backslashreplace").decode()
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(readable.split()))[
        :REASON_LIMIT
    ]


def _json(status: int, body: dict[str, object], refusal: Refused) -> Response:
    return Response(status, [JSON, reason(refusal)], to_json(body))
