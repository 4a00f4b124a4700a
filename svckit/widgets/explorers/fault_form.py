"""What can be made to go wrong with a fake, as the fields of a form: see ``fake.faults``, whose methods these are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from svckit.errors import InvalidInput

__all__ = ["FAULTS", "FaultKind", "Option", "arguments"]


@dataclass(frozen=True, slots=True)
class Option:
    """A field of a kind of fault; ``kind`` is what it is read as, and empty text stands for None."""

    name: str
    label: str
    default: str | bool
    kind: type[int] | type[float] | type[bool]


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault: what goes wrong, and the fields it has beside its target and the number of times."""

    label: str
    words: str
    options: tuple[Option, ...] = ()


_APPLIED = Option("applied", "Only after the request took effect", default=False, kind=bool)

FAULTS: Final[Mapping[str, FaultKind]] = {
    "status": FaultKind(
        "Error status",
        "An error answer in place of the operation; nothing takes effect.",
        (
            Option("status", "Status, 400 to 599", "503", int),
            Option("retry_after", "Retry-After in seconds, or none", "", int),
        ),
    ),
    "delay": FaultKind(
        "Late answer",
        "The answer comes late: a standing clock is moved on, with a running one the client really waits.",
        (Option("seconds", "Seconds", "3", float),),
    ),
    "connect_error": FaultKind("No connection", "No connection comes about; nothing of the request is read."),
    "read_timeout": FaultKind(
        "No answer in time", "The client gives up waiting for the answer.", (_APPLIED,)
    ),
    "reset": FaultKind("Connection reset", "The connection is reset, and no answer comes.", (_APPLIED,)),
    "truncate": FaultKind(
        "Answer cut short",
        "The connection is closed within the answer’s body; a shorter body is not touched.",
        (Option("after", "After how many bytes", "20", int),),
    ),
    "slow": FaultKind(
        "Slow answer",
        "The answer’s body comes in pieces, each after a while.",
        (
            Option("chunk", "Bytes in a piece", "64", int),
            Option("seconds", "Seconds before each", "1", float),
        ),
    ),
    "drop_callback": FaultKind(
        "Callback dropped", "The receiver of a bot cannot be reached; the event is not sent again."
    ),
}


def arguments(kind: str, times: str, typed: Mapping[str, str | bool]) -> dict[str, Any]:
    """What was typed, as the arguments of the method of ``fake.faults`` that injects such a fault.

    Args:
        kind: the method.
        times: how often, empty for always.
        typed: the options by name; what is left out is as by default.

    Raises:
        InvalidInput: something typed is no number.

    Examples:
        >>> arguments("status", "2", {"status": "429", "applied": True})
        {'times': 2, 'status': 429, 'retry_after': None}
        >>> arguments("delay", "", {"seconds": "soon"})
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: nothing was injected: Seconds is a number; given 'soon'
    """
    options = (Option("times", "How often", "1", int), *FAULTS[kind].options)
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
        raise InvalidInput(f"nothing was injected: {option.label} is {what}; given {given!r}") from None
