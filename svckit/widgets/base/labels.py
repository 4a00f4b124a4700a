"""Labels of fields and columns."""

import re
from functools import cache

__all__ = ["full_label", "in_words", "label", "singular"]

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_WRITTEN = {"id": "ID", "url": "URL", "i18n": "International"}


@cache
def in_words(name: str) -> str:
    """Convert a camelCase or snake_case name to words.

    Examples:
        >>> in_words("userExternalKey"), in_words("user_id"), in_words("i18nNames")
        ('User external key', 'User ID', 'International names')
    """
    words = [_WRITTEN.get(word.lower(), word.lower()) for word in _HUMP.split(name)]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def singular(name: str) -> str:
    """Return the label of one item of a list field.

    Examples:
        >>> singular("orgUnits"), singular("customProperties")
        ('Org unit', 'Custom property')
    """
    words = in_words(name)
    return f"{words[:-3]}y" if words.endswith("ies") else words.removesuffix("s")


def label(path: str) -> str:
    """Return the label of a field: its name, or for a list item the list's name and its number.

    Examples:
        >>> label("organizations[0].org_units[1].position_id"), label("alias_emails[2]")
        ('Position ID', 'Alias email 3')
    """
    name, bracket, number = path.rpartition(".")[2].partition("[")
    return f"{singular(name)} {int(number[:-1]) + 1}" if bracket else in_words(name)


def full_label(path: str) -> str:
    """Return the label of a field with those of its parents, for use outside the form.

    Examples:
        >>> full_label("organizations[0].org_units[1].position_id"), full_label("alias_emails[2]")
        ('Organization 1, Org unit 2, Position ID', 'Alias email 3')
    """
    return ", ".join(map(label, path.split(".")))
