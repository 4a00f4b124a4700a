"""What a name that is none was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["UnknownName", "nearest"]

SUGGESTIONS = 3
FEW = 12
"""So many names are told where none is like the one given."""


class UnknownName(KeyError):
    """A key that is none, said with the nearest that are.

    Examples:
        >>> print(UnknownName("fact", "basse_url", ["base_url", "auth_url"]))
        there is no fact 'basse_url'; did you mean base_url?
    """

    def __init__(self, kind: str, given: object, known: Iterable[str]) -> None:
        super().__init__(f"there is no {kind} {given!r}; {nearest(given, known)}")

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it quoted, as it shows a key


def nearest(given: object, known: Iterable[str]) -> str:
    """A hint at the names that are most like one; where none is, all of them, or of many the least unlike.

    Examples:
        >>> nearest("users.updte", ["users.update", "auth.token"])
        'did you mean users.update?'
        >>> nearest("x", ["users.update", "auth.token"])
        'these are: users.update, auth.token'
        >>> nearest("nope", [f"rule-{number}" for number in range(150)])
        'there are 150; the nearest are rule-9, rule-8, rule-7'
    """
    names = list(known)
    alike = get_close_matches(str(given), names, n=SUGGESTIONS)
    if alike:
        return f"did you mean {' or '.join(alike)}?"
    if len(names) <= FEW:
        return f"these are: {', '.join(names)}"
    least_unlike = get_close_matches(str(given), names, n=SUGGESTIONS, cutoff=0)
    return f"there are {len(names)}; the nearest are {', '.join(least_unlike)}"
