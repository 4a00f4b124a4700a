"""Faults that can be injected into a fake, as form fields; the kinds are the methods of ``fake.faults``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from svckit.errors import InvalidInput

__all__ = ["FAULTS", "FaultKind", "Option", "parse_arguments"]


@dataclass(frozen=True, slots=True)
class Option:
    """A field of a kind of fault, read as ``kind``; empty text stands for None."""

    name: str
    label: str
    default: str | bool
    kind: type[int] | type[float] | type[bool]


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault, with its fields other than the target and the number of times."""

    label: str
    words: str
    own: tuple[Option, ...] = ()

    @property
    def options(self) -> tuple[Option, ...]:
        """The fields of this kind, and the one that all have."""
        return (*self.own, _SKIP)


_SKIP = Option("skip", "Skip first", "0", int)
_APPLIED = Option("applied", "Only after the request took effect", default=False, kind=bool)

FAULTS: Final[Mapping[str, FaultKind]] = {
    "status": FaultKind(
        "Error status",
        "An error response instead of the operation; nothing takes effect.",
        (
            Option("status", "Status, 400 to 599", "503", int),
            Option("retry_after", "Retry-After in seconds (optional)", "", int),
        ),
    ),
    "delay": FaultKind(
        "Delayed response",
        "The response is late: a standing clock is moved forward; with a running clock the client really waits.",
        (Option("seconds", "Seconds", "3", float),),
    ),
    "connect_error": FaultKind(
        "Connection error", "The connection cannot be established; the service reads nothing of the request."
    ),
    "read_timeout": FaultKind("Read timeout", "The client times out waiting for the response.", (_APPLIED,)),
    "reset": FaultKind("Connection reset", "The connection is reset without a response.", (_APPLIED,)),
    "truncate": FaultKind(
        "Truncated response",
        "The connection is closed in the middle of the response body; shorter bodies are unaffected.",
        (Option("after", "Bytes before it is closed", "20", int),),
    ),
    "slow": FaultKind(
        "Slow response",
        "The response body arrives in chunks, with a pause before each.",
        (
            Option("chunk", "Bytes per chunk", "64", int),
            Option("seconds", "Seconds before each chunk", "1", float),
        ),
    ),
    "drop_callback": FaultKind(
        "Dropped callback", "The bot’s receiver cannot be reached; the event is not sent again."
    ),
}


def parse_arguments(kind: str, times: str, typed: Mapping[str, str | bool]) -> dict[str, Any]:
    """Return the arguments for the method of ``fake.faults`` that injects the fault typed.

    Args:
        kind: the name of the method.
        times: the number of times, or empty for always.
        typed: the options by name; options left out have their defaults.

    Raises:
        InvalidInput: a value is not a number.

    Examples:
        >>> parse_arguments("status", "2", {"status": "429", "applied": True})
        {'times': 2, 'status': 429, 'retry_after': None, 'skip': 0}
        >>> parse_arguments("delay", "", {"seconds": "soon"})
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: nothing was injected: Seconds must be a number; given 'soon'
    """
    options = (Option("times", "Repeat", "1", int), *FAULTS[kind].options)
    given = {**typed, "times": times}
    return {option.name: _read(option, given.get(option.name, option.default)) for option in options}


def _read(option: Option, given: str | bool) -> int | float | bool | None:
    if isinstance(given, bool) or option.kind is bool:
        return bool(given)
    if not given.strip():
        return None
    try:
        return option.kind(given)
    except ValueError:
        what = "a whole number" if option.kind is int else "a number"
        raise InvalidInput(f"nothing was injected: {option.label} must be {what}; given {given!r}") from None
