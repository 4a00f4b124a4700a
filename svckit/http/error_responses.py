"""Error responses of the service, turned into the exceptions of `svckit.errors`.

The service's description, section "Errors", shows the statuses but not the bodies of most errors, so this module
reads whatever body arrives as well as it can.
"""

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError

from svckit.display.har import find_phrase
from svckit.display.masking import mask
from svckit.display.page_reader import PageReader
from svckit.display.terminal import on_one_line
from svckit.errors import Conflict, NotFound, RateLimited, Refused, Retired, ServiceError, Unauthorized
from svckit.http.messages import Response
from svckit.models.files import UploadOffset
from svckit.models.header_values import parse_seconds

__all__ = ["LONGEST_READ", "read_error", "read_error_body", "read_offset"]

LONGEST_DESCRIPTION = 300
CODE_NAMES = ("code", "error", "errorCode")
SUCCESS_ADVICE = (
    "That status is a success, but the service's description does not show it, so the request may have taken effect. "
    "Check before you repeat it."
)
REDIRECT_ADVICE = "No redirect is expected here, so it was not followed. Check the profile's URLs."
NOT_IMPLEMENTED_ADVICE = "Trying again does not help: the service does not have this operation."
DESCRIPTION_NAMES = ("description", "error_description", "message", "detail", "title", "reason")
INNER_NAMES = ("error", "errors", "fault")  # where some services nest the error object
LONGEST_READ = 64 * 1024  # bytes of a body; errors are described at the beginning
NAME_GIVEN = "a name does not address a user"  # in the words of a fake
NAME_ADVICE = " svc.users.list_known() has the IDs."
REASON_HEADER = "x-fake-reason"  # a fake explains more than the service's own words can,
CLOCK_HEADER = "x-fake-clock"  # and says if its clock stands still, so that waiting does not help
SUCCESS_CODE = re.compile("2[0-9][0-9]")
MINUTE = 60  # seconds, after which a rate limit is reset


def read_error(response: Response, kind: type[ServiceError] | None = None) -> ServiceError:
    """Turn an error response of any shape into the exception to raise.

    Args:
        response: the response, already masked. Its body is JSON with ``code`` and ``description``, OAuth's JSON with
            ``error`` and ``error_description``, HTML, plain text, or nothing.
        kind: the exception to raise; by default the one for the status and code.

    Examples:
        >>> body = b'{"code": "NOT_FOUND", "description": "there is no user u-999"}'
        >>> read_error(Response(404, {}, body, "users.read", "PATCH https://api.fake.test/users/u-999"))
        NotFound('users.read failed: there is no user u-999 (404 NOT_FOUND; PATCH https://api.fake.test/users/u-999).
        Check the ID, and that the signed-in user may see what it names.')
    """
    status, headers, operation = response.status, response.headers, response.operation
    body = response.content.decode("utf-8", "replace")
    code, description = _read(body, headers.get("content-type", ""))
    description = description or _describe_status(status)
    kind = kind or _choose_class(status, code)
    reset = parse_seconds(headers.get("ratelimit-reset"))
    reset = parse_seconds(headers.get("retry-after")) if reset is None else reset
    reason = _read_reason(headers, description)
    words = description.rstrip(".") + reason
    is_explained = kind is NotFound and REASON_HEADER in headers  # better than our general advice can
    stands = headers.get(CLOCK_HEADER) == "standing"
    if is_explained:
        advice = NAME_ADVICE if NAME_GIVEN in words else ""
    else:
        # Another sign-in does not help an application whose own secret is wrong.
        adviser = Refused if str(code).lower() == "invalid_client" else kind
        advice = f" {_choose_advice(adviser, status, reset, operation, stands=stands)}"
    status_and_code = " ".join(dict.fromkeys(filter(None, [str(status), code])))
    outcome = "failed" if status >= 300 else "may have succeeded"
    error = kind(
        f"{operation} {outcome}: {words} ({status_and_code}; {_shorten(response.request)}).{advice}",
        code=code,
        description=description,
        **response.context,
    )
    if isinstance(error, RateLimited):
        error.reset = reset
        error.clock_stands = stands
    if isinstance(error, Refused):
        error.offset = read_offset(response.content)
    return error


def read_offset(body: bytes) -> int | None:
    """Return where an upload continues, if the response to a range says so."""
    try:
        return UploadOffset.from_wire(body).offset
    except ValidationError:
        return None


def _choose_advice(
    kind: type[ServiceError], status: int, reset: int | None, operation: str, *, stands: bool
) -> str:
    if 200 <= status < 300:
        return SUCCESS_ADVICE
    if 300 <= status < 400:
        return REDIRECT_ADVICE
    if kind is Unauthorized and operation.startswith("auth."):
        return Unauthorized.advice_without_session
    if kind is RateLimited and stands:
        return f"Move the clock, svc.fake.clock.advance(seconds={reset or MINUTE}), and call again."
    if kind is RateLimited and reset is not None:
        return f"Wait {reset} second{'' if reset == 1 else 's'}, until the limit is reset, and call again."
    return NOT_IMPLEMENTED_ADVICE if status == HTTPStatus.NOT_IMPLEMENTED else kind.advice


def _read_reason(headers: Mapping[str, str], description: str) -> str:
    """Return what a fake adds in a header to the service's words; empty if it repeats them."""
    reason = (_shorten(headers.get(REASON_HEADER, "")) or "").rstrip(".…")
    # To compare them, the words as a fake writes them in a header, which has ASCII only.
    visible = description.replace("›", ">").encode("ascii", "backslashreplace").decode()
    said = visible.removesuffix("\\u2026").rstrip(".")
    return "" if reason in said or reason.startswith(said) else f": {reason}"


def _choose_class(status: int, code: str | None) -> type[ServiceError]:
    if code == "ENDED":
        return Retired
    if str(code).lower() == "invalid_grant":
        return Unauthorized
    by_status: dict[int, type[ServiceError]] = {
        401: Unauthorized,
        404: NotFound,
        409: Conflict,
        410: Retired,
        429: RateLimited,
    }
    return by_status.get(status, Refused if 400 <= status < 500 else ServiceError)


def read_error_body(body: bytes) -> tuple[str | None, str | None]:
    """Return the code and the description of a JSON body that reports an error, masked; else None.

    Examples:
        >>> read_error_body(b'{"error": {"code": "INTERNAL", "message": "try later"}}')
        ('INTERNAL', 'try later')
        >>> read_error_body(b'{"userId": "u-001"}')
        (None, None)
    """
    code, description = _read(mask(body.decode("utf-8", "replace")), "application/json")
    return (code, description) if code and not SUCCESS_CODE.fullmatch(code) else (None, None)


def _read(body: str, content_type: str) -> tuple[str | None, str | None]:
    body = body[:LONGEST_READ]
    if _is_binary(body):
        return None, None
    try:
        found = _unwrap(json.loads(body))
    except (ValueError, RecursionError):
        is_html = "html" in content_type.lower() or body.lstrip()[:1] == "<"
        return None, _shorten(_extract_text(body) if is_html else body)
    if not isinstance(found, dict):
        return None, _shorten(body)
    code, description = _find_first(found, CODE_NAMES), _find_first(found, DESCRIPTION_NAMES)
    return code, description or (None if code else _shorten(body))


def _is_binary(body: str) -> bool:
    """Return whether a body is binary: it holds a null character, or much of it could not be decoded."""
    return "\0" in body or body.count("\N{REPLACEMENT CHARACTER}") > len(body) // 10


def _unwrap(found: Any) -> Any:
    """Return the error object of a body that wraps it: ``{"errors": [{"message": …}]}``."""
    for name in INNER_NAMES:
        within = found.get(name) if isinstance(found, dict) else None
        within = within[0] if isinstance(within, list) and within else within
        if isinstance(within, dict):
            return {**found, **within}
        if isinstance(within, str) and name == "errors":
            return {"message": within, **found}
    return found


def _find_first(found: Mapping[str, Any], names: Sequence[str]) -> str | None:
    values = (found.get(name) for name in names)
    plain = (value for value in values if isinstance(value, str | int) and not isinstance(value, bool))
    return next(filter(None, (_shorten(str(value)) for value in plain)), None)


def _shorten(text: str) -> str | None:
    text = on_one_line(" ".join(text.split()))
    return (text[:LONGEST_DESCRIPTION] + "…" if len(text) > LONGEST_DESCRIPTION else text) or None


def _describe_status(status: int) -> str:
    phrase = find_phrase(status)
    words = repr(phrase) if phrase else "an unknown status"
    return f"the service responded with {words} without saying why"


def _extract_text(page: str) -> str:
    """Return the text of a page; every heading and paragraph ends like a sentence."""
    reader = PageReader.of(page)
    lines = reader.lines or filter(None, [reader.title])
    return " ".join(line if line.endswith((".", "!", "?", ":")) else f"{line}." for line in lines)
