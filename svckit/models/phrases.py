"""Phrases for error messages: what was given, and a number of bytes."""

__all__ = ["count_bytes", "describe_given"]

_WITHOUT_ARTICLE = {"bytes": "bytes"}
_LONGEST = 128  # bits of a number; Python refuses to write out huge ones


def describe_given(value: object) -> str:
    """Describe a value that is not what it should be: a number as it is, anything else by its type.

    Examples:
        >>> describe_given(5), describe_given("5"), describe_given(b"5"), describe_given(None), describe_given([5])
        ('5', 'a str', 'bytes', 'None', 'a list of 1')
    """
    if (
        value is None
        or isinstance(value, float)
        or (isinstance(value, int) and value.bit_length() <= _LONGEST)
    ):
        return repr(value)
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeio" else "a"  # a u is mostly that of a user
    items = f" of {len(value)}" if isinstance(value, list | tuple) else ""
    return _WITHOUT_ARTICLE.get(name, f"{article} {name}{items}")


def count_bytes(number: int) -> str:
    """Write a number of bytes.

    Examples:
        >>> count_bytes(0), count_bytes(1), count_bytes(4096)
        ('0 bytes', '1 byte', '4096 bytes')
    """
    return f"{number} {'byte' if number == 1 else 'bytes'}"
