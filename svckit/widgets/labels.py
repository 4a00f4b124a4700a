"""Names of fields and columns as people read them."""

import re

__all__ = ["in_words", "singular"]

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_WRITTEN = {"id": "ID", "url": "URL", "i18n": "International"}


def in_words(name: str) -> str:
    """A camelCase or snake_case name in words.

    Examples:
        >>> in_words("userExternalKey"), in_words("user_id"), in_words("i18nNames")
        ('User external key', 'User ID', 'International names')
    """
    words = [_WRITTEN.get(word.lower(), word.lower()) for word in _HUMP.split(name)]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def singular(name: str) -> str:
    """What one item of a list field is called.

    Examples:
        >>> singular("orgUnits"), singular("customProperties")
        ('Org unit', 'Custom property')
    """
    words = in_words(name)
    return f"{words[:-3]}y" if words.endswith("ies") else words.removesuffix("s")
