"""JSON text as JavaScript's ``JSON.stringify`` writes it, so that receivers may read and write it again unchanged."""

from decimal import Decimal
from typing import Any

from pydantic_core import to_json

__all__ = ["write"]

EXACT = 2**53
"""From this size on, JavaScript reads whole numbers as doubles, which may be other numbers."""
MOST_DIGITS = 21
"""JavaScript writes larger numbers with an exponent."""
MOST_ZEROS = 6
"""JavaScript writes numbers with this many zeros after the point, or more, with an exponent."""


def write(value: Any) -> str:
    """Write a value as compact JSON, with numbers as JavaScript writes them.

    Args:
        value: dicts, lists, texts, finite numbers, booleans and None.

    Raises:
        PydanticSerializationError: JSON has no such value.
        OverflowError: a whole number is larger than the largest double.

    Examples:
        >>> write({"latitude": 35.0, "far": [1e21, 1e-7, -0.0], "name": "世"})
        '{"latitude":35,"far":[1e+21,1e-7,0],"name":"世"}'
    """
    if isinstance(value, dict):
        return (
            "{"
            + ",".join(f"{to_json(str(name)).decode()}:{write(item)}" for name, item in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(write, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return write_number(value)
    return to_json(value).decode()


def write_number(number: float) -> str:
    """Write a finite number as JavaScript does (ECMA-262, Number::toString).

    Examples:
        >>> [write_number(number) for number in (35.0, 0.1, 123456789012345678, 1.5e300, 0.000001)]
        ['35', '0.1', '123456789012345680', '1.5e+300', '0.000001']
    """
    if isinstance(number, int) and -EXACT < number < EXACT:
        return str(int(number))
    sign, shortest, exponent = Decimal(repr(float(number))).normalize().as_tuple()
    digits = "".join(map(str, shortest))
    point = len(digits) + int(exponent)  # the number of digits before the decimal point
    if digits == "0":
        return "0"  # also for -0
    if not -MOST_ZEROS < point <= MOST_DIGITS:
        power = point - 1
        text = f"{digits[0]}{'.' if len(digits) > 1 else ''}{digits[1:]}e{power:+d}"
    elif point <= 0:
        text = "0." + "0" * -point + digits
    elif point < len(digits):
        text = f"{digits[:point]}.{digits[point:]}"
    else:
        text = digits.ljust(point, "0")
    return "-" * sign + text
