"""What can go wrong, as exceptions that say what happened, what the service said, and what to do next.

Everything the service or the way to it can do wrong is a `ServiceError`; bad input that is caught before
anything is sent is an `InvalidInput`.

A notebook shows the line that failed and the message; the frames between them come back with ``%xmode --show``, and in
pytest with ``--full-trace``.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Protocol, Self

from svckit.display.terminal import escape_controls

__all__ = [
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
    "SizeDiffers",
    "Unauthorized",
    "Unreachable",
    "UnusableProfile",
]


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
        super().__init__(escape_controls(message))
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


class SizeDiffers(ServiceError):
    """A file was stored, and the file storage says that it has another size than what was sent.

    Attributes:
        result: what it says, a `svckit.models.UploadResult`.
    """

    advice = "Download it and compare, before you use it or upload it again: a second upload may store a second file."

    def __init__(self, message: str, *, result: Any = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.result = result


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
        super().__init__(escape_controls(message))
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
        super().__init__(escape_controls(message))
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
        super().__init__(escape_controls(message))
        self.problems = tuple(problems)
