"""Check arguments that are either on or off."""

from svckit.errors import InvalidInput
from svckit.models.phrases import describe_given

__all__ = ["check_flags"]

LONGEST = 40  # characters of a text that is shown


def check_flags(outcome: str, **flags: object) -> None:
    """Check that flags are ``True`` or ``False``, or ``None`` for their default.

    Args:
        outcome: the beginning of the message, such as ``notify was not sent``.
        flags: the arguments by name.

    Raises:
        InvalidInput: one of them is something else, such as text, which Python would take for true.

    Examples:
        >>> check_flags("notify was not sent", wait="no")
        Traceback (most recent call last):
        ...
        svckit.errors.InvalidInput: notify was not sent: wait must be True or False; given 'no' ...
    """
    for name, value in flags.items():
        if value is None or isinstance(value, bool):
            continue
        given = describe_given(value)
        if isinstance(value, str):
            given = f"{value[:LONGEST]!r} (any text is true to Python)" if value else "''"
        raise InvalidInput(f"{outcome}: {name} must be True or False; given {given}")
