"""Check the arguments that a fake is created with."""

from collections.abc import Mapping
from datetime import datetime

__all__ = ["check_sample_arguments"]

KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "users": ((int,), "a whole number"),
    "seed": ((int,), "a whole number"),
    "now": ((str, datetime, type(None)), "a time: a datetime, or text such as 2026-06-01T09:00:00+09:00"),
    "assume": (
        (Mapping, type(None)),
        'a mapping of rules to alternatives, such as {"api.unauthorized": "403"}',
    ),
}


def check_sample_arguments(given: Mapping[str, object]) -> None:
    """Check the types of the arguments that describe a sample domain.

    Raises:
        TypeError: an argument is of the wrong type; the message names it.

    Examples:
        >>> check_sample_arguments({"users": "many"})
        Traceback (most recent call last):
        ...
        TypeError: users must be a whole number; given 'many'
    """
    for name, value in given.items():
        kinds, words = KINDS[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise TypeError(f"{name} must be {words}; given {value!r}")
