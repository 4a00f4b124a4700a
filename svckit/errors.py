"""The exceptions, which say what happened, what the service said, and what to do next.

Failures of the service or the connection are `ServiceError`; bad input that is caught before anything is sent is
`InvalidInput`.

A notebook shows the line that failed and the message; ``%xmode --show`` brings back the frames in between, as does
``--full-trace`` in pytest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from svckit.display.terminal import escape_controls

__all__ = [
    "Cancelled",
    "Conflict",
    "ForeignOrigin",
    "InvalidInput",
    "NotFound",
    "Problem",
    "RateLimited",
    "Reason",
    "Refused",
    "Retired",
    "ServiceError",
    "SignInStopped",
    "SizeDiffers",
    "Unauthorized",
    "Unreachable",
    "UnusableProfile",
]


class ServiceError(Exception):
    """The base class of failed requests; the subclasses tell the kinds apart.

    Attributes:
        status: HTTP status of the response; ``None`` if none came.
        code: the service's code for the error, such as ``NOT_FOUND``, if it gave one.
        description: what the service said, or why no response came.
        operation: the operation that failed, such as ``users.update``.
        request: method and URL of the request, secrets masked.
        upload: after a broken upload, the argument for ``svc.files.resume``.
    """

    upload: Any = None
    # What to do next, which messages end with. Some classes have variants, and whatever raises the error chooses.
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
        super().__init__(escape_controls(message))
        self.status = status
        self.code = code
        self.description = description
        self.operation = operation
        self.request = request


class Refused(ServiceError):
    """The service rejected the request (400, and other 4xx without a class of their own).

    Attributes:
        offset: for a range of an upload, the number of the byte to continue with, if the service says so.
    """

    advice = "Correct what it names and call again."
    offset: int | None = None


class Unauthorized(ServiceError):
    """The sign-in, its code, or the access or refresh token is invalid or expired (401, or ``invalid_grant``)."""

    advice = "Sign in again with svc.sign_in()."
    # For the requests of the sign-in itself, when there may be no session yet.
    advice_without_session = (
        "Sign in again with svc.sign_in(), or with svckit.connect() if you have no session yet."
    )


Reason = Literal["refused", "state", "redirect", "cancelled", "timeout", "port", "credentials", "nobody"]
"""The reasons why a sign-in can stop."""


class SignInStopped(Unauthorized):
    """A sign-in was not completed.

    Attributes:
        reason: ``refused`` by the service; a wrong ``state``; a ``redirect`` that is not ours; ``cancelled`` by the
            person; no redirect before the ``timeout``; the ``port`` of the redirect URL cannot be listened on;
            missing ``credentials``; or ``nobody`` to ask.
        why: the reason in words.
    """

    def __init__(self, reason: Reason, why: str, *, advice: str | None = None, **details: Any) -> None:
        message = f"the sign-in was stopped: {why}. {advice or self.advice_without_session}"
        super().__init__(message, **details)
        self.reason = reason
        self.why = why


class NotFound(ServiceError):
    """The user, file or other resource was not found (404)."""

    advice = "Check the ID, and that the signed-in user may see what it names."


class Conflict(ServiceError):
    """The change conflicts with stored data (409); the service's description shows no conditions."""

    advice = "Another record may have this value already; read the record again before you retry."


class RateLimited(ServiceError):
    """Too many requests (429).

    Call ``notify`` with ``wait=True``, or wait ``reset`` seconds and call again.

    Attributes:
        reset: seconds until requests are accepted again, if the service says so.
        clock_stands: true if waiting does not help, as the service is a served fake whose clock stands still. In
            process it is false, because there ``wait=True`` moves the clock.
    """

    advice = "Wait until the limit is reset and call again."
    reset: int | None = None
    clock_stands: bool = False


class Retired(ServiceError):
    """The feature is retired (the service's description, section "Versioning")."""

    advice = "Use the replacement it names, if any."


class Unreachable(ServiceError):
    """No complete response came: the URL is wrong, the network failed, or it took too long.

    Attributes:
        connected: whether there was a connection, so that the request may have taken effect.
    """

    advice = "Check the URL and the network; the request may or may not have taken effect."
    # Used instead if the request is safe to repeat, or if no connection was made.
    advice_repeatable = "Check the URL and the network, and try again."
    advice_unsent = "Check the URL and the network; nothing was sent."
    connected: bool = True


class SizeDiffers(ServiceError):
    """A file was stored, but the file storage reports a different size from what was sent.

    Attributes:
        result: the response, a `svckit.models.UploadResult`.
    """

    advice = "Download it and compare, before you use it or upload it again: a second upload may store a second file."

    def __init__(self, message: str, *, result: Any = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.result = result


class ForeignOrigin(ServiceError):
    """A request was about to leave the profile's own origins, so it was not sent."""

    advice = "Nothing was sent. Report it to whoever runs the service, or correct the profile's URLs."


class Cancelled(Exception):
    """Work was cancelled and left nothing half done; the message says how to continue.

    Attributes:
        upload: for an upload under way, the argument for ``svc.files.resume``.
        result: for many jobs at once, their outcomes until then.
    """

    upload: Any = None

    def __init__(self, message: str, *, result: Any = None) -> None:
        super().__init__(escape_controls(message))
        self.result = result


class UnusableProfile(ValueError):
    """A profile cannot be used as written, or does not exist.

    Attributes:
        problems: everything that is wrong, each with its source and key.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(escape_controls(message))
        self.problems: tuple[str, ...] = tuple(problems)


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of the input, such as a body.

    Attributes:
        path: its location, in wire names unless others were asked for: ``organizations[0].orgUnits[2].orgUnitId``;
            empty for the body as a whole.
        message: a sentence that names the field, the limit and what was given.
        given: the value given, shortened, as JSON; ``None`` if there was no value. Secrets are masked.
        limit: the limit, if there is one.
        count: the number of problems it stands for: more than one if it says how many more there are.

    Examples:
        >>> Problem("organizations[0].primary", "organizations[0].primary is required").field
        'organizations'
    """

    path: str
    message: str
    given: str | None = None
    limit: str | int | None = None
    count: int = 1

    @property
    def field(self) -> str:
        """The field of the body that has the problem: ``organizations``."""
        return self.path.partition(".")[0].partition("[")[0]

    def __str__(self) -> str:
        return escape_controls(self.message)


class InvalidInput(ValueError):
    """The input is invalid, such as a text that is too long or an unknown field; nothing was sent.

    Attributes:
        problems: everything that is wrong, each with its ``path`` and ``message``.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(escape_controls(message))
        self.problems: tuple[Problem, ...] = tuple(problems)
