"""JSON as it comes in a body, whose numbers fit what JSON is read into everywhere."""

import json
from math import isfinite
from typing import Any

from pydantic_core import from_json

__all__ = ["read", "twice", "unwritable"]

# With all digits alike, what can lead beyond the largest double is looked for in a tenth of the time.
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)
_MANY_DIGITS = b"0" * 200


def read(body: bytes) -> Any:
    """Read JSON text.

    Raises:
        ValueError: it is none, or holds a number that is none, such as NaN, or beyond the largest, about 1.8e308.

    Examples:
        >>> read(b'{"x": [1e308]}')
        {'x': [1e+308]}
        >>> read(b'{"x": [1e309]}')
        Traceback (most recent call last):
        ...
        ValueError: x[0] is a number beyond ±1.8e308, the largest that programs read
    """
    value = from_json(body, allow_inf_nan=False)
    if _may_be_too_large(body) and (path := unwritable(value)) is not None:
        raise ValueError(f"{path or 'it'} is a number beyond ±1.8e308, the largest that programs read")
    return value


def _may_be_too_large(body: bytes) -> bool:
    """Whether there is an exponent, or so many digits that none is needed; most bodies have neither."""
    alike = body.translate(_DIGITS_ALIKE)
    return b"0e" in alike or b"0E" in alike or _MANY_DIGITS in alike


def twice(body: bytes) -> str | None:
    """A key that stands twice in one object of a JSON text; None where none does.

    Examples:
        >>> twice(b'{"a": 1, "b": [{"a": 2, "a": 3}]}')
        'a'
    """
    found: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in pairs:
            if key in seen:
                found.append(key)
            seen.add(key)

    # Numbers stay text: they may be longer than Python reads.
    json.loads(body.decode(), object_pairs_hook=look, parse_int=str, parse_float=str, strict=False)
    return found[0] if found else None


def unwritable(value: Any, path: str = "") -> str | None:
    """Where a value holds a number that JSON cannot write: infinite, or not a number; None where nowhere."""
    if isinstance(value, float):
        return None if isfinite(value) else path
    if isinstance(value, dict):
        parts = ((f"{path}.{name}" if path else str(name), part) for name, part in value.items())
    elif isinstance(value, list | tuple):
        parts = ((f"{path}[{at}]", part) for at, part in enumerate(value))
    else:
        return None
    return next((found for at, part in parts if (found := unwritable(part, at)) is not None), None)
