"""Phrases for error messages: the type of a value, and a number of bytes."""

__all__ = ["count_bytes", "name_type"]

_WITHOUT_ARTICLE = {"NoneType": "None", "bytes": "bytes"}


def name_type(value: object) -> str:
    """Name the type of a value, with its article.

    Examples:
        >>> name_type(5), name_type("5"), name_type(b"5"), name_type(None), name_type(True)
        ('an int', 'a str', 'bytes', 'None', 'a bool')
    """
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeio" else "a"  # a u is mostly that of a user
    return _WITHOUT_ARTICLE.get(name, f"{article} {name}")


def count_bytes(number: int) -> str:
    """Write a number of bytes.

    Examples:
        >>> count_bytes(0), count_bytes(1), count_bytes(4096)
        ('0 bytes', '1 byte', '4096 bytes')
    """
    return f"{number} {'byte' if number == 1 else 'bytes'}"
