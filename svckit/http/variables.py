"""Write variables in place of masked secrets, so that what is shown can be run.

A mask is taken for a secret only where a name says so; elsewhere it may be the text itself.
"""

import re

from svckit.display.masking import MASK, is_secret_name
from svckit.display.terminal import quote_for_shell
from svckit.models.base import python_name

__all__ = ["RANDOM", "holds_variables", "name_variable", "quote_with_variables"]

RANDOM = frozenset({"state"})
"""The fields of queries and forms that are masked because they are random."""

_HIDDEN = re.compile(
    r"""(?:\AAuthorization:[ ](?:(?P<scheme>[A-Za-z]+)[ ])?|(?P<url>\A(?:https?:/)?/\S*\?)|"""
    r"""(?P<name>[A-Za-z_]+)(?:=|"\s*:\s*"))"""
    r"""\*\*\*(?![\w*])""",
    re.ASCII,
)
"""A masked secret whose name is known: of a header, the whole query of a URL, or of a field."""
_EXPANDED = re.compile(r"""["$`\\!]""")


def name_variable(name: str) -> str:
    """Return the name of the variable that stands for a secret field.

    Examples:
        >>> name_variable("clientSecret"), name_variable("client_secret")
        ('CLIENT_SECRET', 'CLIENT_SECRET')
    """
    return python_name(name).upper()


def quote_with_variables(text: str) -> str:
    """Quote text for a shell, with variables in place of the masked secrets whose names are known.

    Examples:
        >>> print(quote_with_variables("Authorization: Bearer ***"))
        "Authorization: Bearer $ACCESS_TOKEN"
        >>> print(quote_with_variables('{"clientSecret":"***","text":"*** new ***"}'))
        '{"clientSecret":"'"$CLIENT_SECRET"'","text":"*** new ***"}'
    """
    words, end = [], 0
    for found in _HIDDEN.finditer(text):
        if variable := _choose_variable(found):
            words.append((text[end : found.end() - len(MASK)], f"${variable}"))
            end = found.end()
    words.append((text[end:], ""))
    if len(words) > 1 and not any(_EXPANDED.search(literal) for literal, _ in words):
        return f'"{"".join(literal + variable for literal, variable in words)}"'
    return "".join(
        (quote_for_shell(literal) if literal or not end else "") + (f'"{variable}"' if variable else "")
        for literal, variable in words
    )


def _choose_variable(found: re.Match[str]) -> str:
    """Return the variable for a masked secret; empty if this may be the text itself."""
    name = found["name"]
    if name:
        return name_variable(name) if is_secret_name(name) or name in RANDOM else ""
    if found["url"]:
        return "QUERY"
    return "ACCESS_TOKEN" if found["scheme"] == "Bearer" else "AUTHORIZATION"


def holds_variables(text: str) -> bool:
    """Return whether text holds a masked secret whose name is known.

    Examples:
        >>> holds_variables("client_secret=***"), holds_variables("*** new ***")
        (True, False)
    """
    return any(map(_choose_variable, _HIDDEN.finditer(text)))
