"""What can go wrong, as exceptions that say what happened, what the service said, and what to do next.

Everything the service or the way to it can do wrong is a `ServiceError`; bad input that is caught before
anything is sent is an `InvalidInput`. The service's description, section "Errors", shows the statuses; it does
not show the bodies of most errors, so whatever body comes is read as well as it can be.
"""

import json
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from http import HTTPStatus
from typing import Any, ClassVar, Literal, Protocol, Self

__all__ = [
    "LONGEST_READ",
    "Cancelled",
    "Conflict",
    "Ended",
    "FieldProblem",
    "ForeignOrigin",
    "InvalidInput",
    "NotFound",
    "RateLimited",
    "Reason",
    "Refused",
    "ServiceError",
    "SignInStopped",
    "Unauthorized",
    "Unreachable",
    "UnusableProfile",
    "refusal",
]

LONGEST_DESCRIPTION = 300
CODE_NAMES = ("code", "error", "errorCode")
REDIRECT_ADVICE = "No redirect is expected here, so it was not followed. Check the addresses of the profile."
DESCRIPTION_NAMES = ("description", "error_description", "message", "detail", "title", "reason")
INNER_NAMES = ("error", "errors", "fault")  # where some services put the object that says what is wrong
LONGEST_READ = 64 * 1024  # of a body; what is wrong is said at the beginning
REASON_HEADER = "x-fake-reason"  # a fake says more than the service's own words may
CLOCK_HEADER = "x-fake-clock"  # and whether its time passes


class ServiceError(Exception):
    """A call did not succeed; the subclasses say in which way.

    Attributes:
        status: HTTP status of the answer; ``None`` where none came.
        code: the service's own word for the error, such as ``NOT_FOUND``, where it gave one.
        description: what the service said, as text; or what kept it from saying anything.
        operation: the operation that failed, such as ``users.update``.
        request: method and address of the request, secrets masked.
        upload: of an upload that broke, what ``svc.files.resume`` continues.
    """

    upload: Any = None
    advice: ClassVar[str] = "The service failed; try again later."

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        description: str | None = None,
        operation: str | None = None,
        request: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.description = description
        self.operation = operation
        self.request = request


class Refused(ServiceError):
    """The service does not accept what was sent (400, and other 4xx without a class of their own)."""

    advice = "Correct what it names and call again."


class Unauthorized(ServiceError):
    """The sign-in, the access token or the refresh token is not valid, or no longer (401)."""

    advice = "Sign in again with svc.sign_in(), or with svckit.connect() where there is no session yet."


Reason = Literal["refused", "state", "redirect", "cancelled", "timeout", "port", "credentials", "nobody"]
"""Why a sign-in was stopped."""


class SignInStopped(Unauthorized):
    """A sign-in did not come to its end.

    Attributes:
        reason: ``refused`` by the service; a wrong ``state`` or a ``redirect`` that is not ours; ``cancelled`` by the
            person; no redirect before the ``timeout``; the ``port`` of the redirect address cannot be listened on;
            missing ``credentials``; ``nobody`` there to ask.
        why: the same in words.
    """

    def __init__(self, reason: Reason, why: str, *, advice: str | None = None, **details: Any) -> None:
        super().__init__(f"the sign-in was stopped: {why}. {advice or self.advice}", **details)
        self.reason = reason
        self.why = why


class NotFound(ServiceError):
    """There is no such thing (404)."""

    advice = "Check the ID, and that the signed-in user may see what it names."


class Conflict(ServiceError):
    """The change contradicts what is stored (409); the description of the service shows no conditions."""

    advice = "Another record may have this value already; read the record again before you retry."


class RateLimited(ServiceError):
    """Too many calls (429).

    Attributes:
        reset: seconds until calls are accepted again, where the service says so.
        clock_stands: whether it is a fake whose clock stands and does not move by waiting here.
    """

    advice = "Wait until the limit is reset and call again."
    reset: int | None = None
    clock_stands: bool = False


class Ended(ServiceError):
    """The feature is retired (the service's description, section "Versioning")."""

    advice = "Use the replacement it names, if there is one."


class Unreachable(ServiceError):
    """No complete answer came: the address is wrong, the network failed, or it took too long.

    Attributes:
        connected: whether there was a connection, so that what was asked may have been done.
    """

    advice = "Check the addresses of the profile and the network; what was asked may have been done or not."
    advice_read = "Check the addresses of the profile and the network, and try again."
    advice_unsent = "Check the addresses of the profile and the network; nothing was sent."
    connected: bool = True

    @classmethod
    def because(cls, why: str, *, operation: str, request: str, connected: bool) -> Self:
        """The error for a request that got no answer."""
        sent = cls.advice_read if request.startswith("GET ") else cls.advice
        advice = sent if connected else cls.advice_unsent
        message = f"{operation} failed: {why} ({request}). {advice}"
        error = cls(message, description=why, operation=operation, request=request)
        error.connected = connected
        return error


class ForeignOrigin(ServiceError):
    """A request was about to leave the profile's own addresses, so it was not sent."""

    advice = "Nothing was sent. Report it to whoever runs the service, or correct the profile's addresses."


class Cancelled(Exception):
    """What was asked to stop has stopped, and left nothing half; says how to go on.

    Attributes:
        upload: of an upload under way, what ``svc.files.resume`` continues.
        result: of many things at once, what came of each until then.
    """

    upload: Any = None

    def __init__(self, message: str, *, result: Any = None) -> None:
        super().__init__(message)
        self.result = result

    @classmethod
    def by_interrupt(cls, interrupt: KeyboardInterrupt) -> Self:
        """What Ctrl-C, or the stop button of a notebook, did to a call that was under way."""
        error = cls("interrupted under way; what was asked may have been done or not")
        error.upload = vars(interrupt).get("upload")
        return error


class UnusableProfile(ValueError):
    """A profile cannot be used as it is written, or there is none of that name.

    Attributes:
        problems: all that is wrong, each naming its source and key.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class FieldProblem(Protocol):
    """One thing that is wrong with the input; `svckit.models.problems.Problem` is one."""

    @property
    def path(self) -> str:
        """Where, in the names of the operation's arguments."""

    @property
    def message(self) -> str:
        """What is wrong, the limit, and what was given."""


class InvalidInput(ValueError):
    """The input breaks a documented limit; nothing was sent.

    Attributes:
        problems: all that is wrong, each with its ``path`` and ``message``.
    """

    def __init__(self, message: str, problems: Sequence[FieldProblem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


def refusal(
    status: int, headers: Mapping[str, str], body: str, *, operation: str, request: str
) -> ServiceError:
    """Read an error answer, whatever its shape, into the exception to raise.

    Args:
        status: HTTP status.
        headers: by lower-case name.
        body: the body as text; JSON with ``code`` and ``description``, OAuth's JSON with ``error`` and
            ``error_description``, HTML, plain text, or nothing. Mask it before.
        operation: the operation that failed.
        request: method and address, masked.

    Examples:
        >>> refusal(404, {}, '{"code": "NOT_FOUND", "description": "there is no user u-999"}',
        ...         operation="users.read", request="PATCH https://api.fake.test/users/u-999")
        NotFound('users.read failed: there is no user u-999 (404 NOT_FOUND; PATCH https://api.fake.test/users/u-999).
        Check the ID, and that the signed-in user may see what it names.')
    """
    code, description = _read(body, headers.get("content-type", ""))
    description = description or _phrase(status)
    kind = _kind(status, code)
    reset = _seconds(headers.get("ratelimit-reset") or headers.get("retry-after"))
    reason = _reason(headers, description)
    said = description.rstrip(".") + reason
    told = kind is NotFound and REASON_HEADER in headers
    advice = "" if told else f" {_advice(kind, status, reset)}"
    status_and_code = " ".join(dict.fromkeys(filter(None, [str(status), code])))
    error = kind(
        f"{operation} failed: {said} ({status_and_code}; {_short(request)}).{advice}",
        status=status,
        code=code,
        description=description,
        operation=operation,
        request=request,
    )
    if isinstance(error, RateLimited):
        error.reset = reset
        error.clock_stands = headers.get(CLOCK_HEADER) == "standing"
    return error


def _advice(kind: type[ServiceError], status: int, reset: int | None) -> str:
    if 300 <= status < 400:
        return REDIRECT_ADVICE
    if kind is RateLimited and reset is not None:
        return f"Wait {reset} second{'' if reset == 1 else 's'}, until the limit is reset, and call again."
    return kind.advice


def _reason(headers: Mapping[str, str], description: str) -> str:
    """What a fake adds in a header to the words of the service; empty where it repeats them."""
    reason = (_short(headers.get(REASON_HEADER, "")) or "").rstrip(".…")
    visible = description.replace("›", ">").encode("ascii", "backslashreplace").decode()  # as headers have it
    said = visible.removesuffix("\\u2026").rstrip(".")
    return "" if reason in said or reason.startswith(said) else f": {reason}"


def _kind(status: int, code: str | None) -> type[ServiceError]:
    if code == "ENDED":
        return Ended
    by_status: dict[int, type[ServiceError]] = {
        401: Unauthorized,
        404: NotFound,
        409: Conflict,
        410: Ended,
        429: RateLimited,
    }
    return by_status.get(status, Refused if 400 <= status < 500 else ServiceError)


def _read(body: str, content_type: str) -> tuple[str | None, str | None]:
    body = body[:LONGEST_READ]
    if _is_binary(body):
        return None, None
    try:
        found = _inner(json.loads(body))
    except (ValueError, RecursionError):
        is_html = "html" in content_type.lower() or body.lstrip()[:1] == "<"
        return None, _short(_text_of(body) if is_html else body)
    if not isinstance(found, dict):
        return None, _short(body)
    code, description = _first(found, CODE_NAMES), _first(found, DESCRIPTION_NAMES)
    return code, description or (None if code else _short(body))


def _is_binary(body: str) -> bool:
    """Whether a body was not text: it holds what no text does, or much that could not be decoded."""
    return "\0" in body or body.count("\N{REPLACEMENT CHARACTER}") > len(body) // 10


def _inner(found: Any) -> Any:
    """The object that says what is wrong, of a body that wraps it: ``{"errors": [{"message": …}]}``."""
    for name in INNER_NAMES:
        within = found.get(name) if isinstance(found, dict) else None
        within = within[0] if isinstance(within, list) and within else within
        if isinstance(within, dict):
            return {**found, **within}
        if isinstance(within, str) and name == "errors":
            return {"message": within, **found}
    return found


def _first(found: Mapping[str, Any], names: Sequence[str]) -> str | None:
    values = ((found.get(name), name) for name in names)
    plain = (value for value, _ in values if isinstance(value, str | int) and not isinstance(value, bool))
    return next(filter(None, (_short(str(value)) for value in plain)), None)


def _short(text: str) -> str | None:
    text = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return (text[:LONGEST_DESCRIPTION] + "…" if len(text) > LONGEST_DESCRIPTION else text) or None


def _phrase(status: int) -> str:
    try:
        return f"the service answered {HTTPStatus(status).phrase!r} without saying why"
    except ValueError:
        return "the service answered with an unknown status and did not say why"


def _seconds(value: str | None) -> int | None:
    return int(value) if value and value.isascii() and value.isdigit() else None


class _Text(HTMLParser):
    """Collects what a page says to people."""

    silent = frozenset({"head", "script", "style"})
    inline = frozenset({"a", "b", "code", "em", "i", "small", "span", "strong"})

    def __init__(self) -> None:
        super().__init__()
        self.blocks = [""]
        self.depth = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.depth += tag in self.silent
        self._end_block(tag)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in self.silent and self.depth > 0
        self._end_block(tag)

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.blocks[-1] += data

    def _end_block(self, tag: str) -> None:
        if tag not in self.inline:
            self.blocks.append("")


def _text_of(page: str) -> str:
    """What a page says; every heading and paragraph ends as a sentence does."""
    parser = _Text()
    parser.feed(page)
    blocks = [block.strip() for block in parser.blocks if block.strip()]
    return " ".join(block if block.endswith((".", "!", "?", ":")) else f"{block}." for block in blocks)
