"""What a name that is none was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["UnknownName", "nearest"]

SUGGESTIONS = 3


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
    """A hint at the names that are most like one; where none is, all of them.

    Examples:
        >>> nearest("users.updte", ["users.update", "auth.token"])
        'did you mean users.update?'
        >>> nearest("x", ["users.update", "auth.token"])
        'these are: users.update, auth.token'
    """
    names = list(known)
    alike = get_close_matches(str(given), names, n=SUGGESTIONS)
    return f"did you mean {' or '.join(alike)}?" if alike else f"these are: {', '.join(names)}"
