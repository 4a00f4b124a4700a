"""Suggestions for unknown names: the nearest known ones."""

from collections.abc import Iterable, Sequence

__all__ = ["NoSuchKey", "UnknownName", "did_you_mean", "nearest", "no_attribute"]

SUGGESTIONS = 3
UNLIKE = 0.4
"""Names less alike than this, from 0 to 1, do not help."""

FEW = 12
"""Up to this many names are listed if none resembles the given one."""


class NoSuchKey(KeyError):
    """A key that was not found, reported in a sentence.

    Examples:
        >>> print(NoSuchKey("there is no request 99"))
        there is no request 99
    """

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it in quotes, like a key


class UnknownName(NoSuchKey):
    """A name that was not found, reported with the nearest that are known.

    Examples:
        >>> print(UnknownName("fact", "basse_url", ["base_url", "auth_url"]))
        there is no fact 'basse_url'; did you mean base_url?
    """

    def __init__(self, kind: str, given: object, known: Iterable[str], where: str = "") -> None:
        super().__init__(f"there is no {kind} {given!r}; {nearest(given, known, where)}")


def nearest(given: object, known: Iterable[str], where: str = "") -> str:
    """Suggest the known names most like a given one; if none is, list a few, or say where all are.

    Examples:
        >>> nearest("users.updte", ["users.update", "auth.token"])
        'did you mean users.update?'
        >>> nearest("x", ["users.update", "auth.token"])
        'choose from: users.update, auth.token'
        >>> nearest("nope", [f"rule-{number}" for number in range(150)])
        'there are 150'
    """
    names = list(known)
    if alike := _find_alike(str(given), names):
        return f"did you mean {' or '.join(alike)}?"
    if len(names) <= FEW:
        return f"choose from: {', '.join(names)}"
    if closest := _find_alike(str(given), names, UNLIKE):
        return f"there are {len(names)}; the nearest are {', '.join(closest)}"
    return f"there are {len(names)}{f'; see {where}' if where else ''}"


def did_you_mean(given: str, known: Iterable[str], prefix: str = "") -> str:
    """Return the nearest known name as the end of a sentence; empty if none is near.

    Args:
        given: the given name.
        known: the known names.
        prefix: how all of them begin in full.

    Examples:
        >>> did_you_mean("base_ulr", ["base_url", "auth_url"])
        '; did you mean base_url?'
        >>> did_you_mean("is_admin", ["is_pending", "is_administrator"])
        '; did you mean is_administrator?'
    """
    alike = _find_alike(given, list(known))
    return f"; did you mean {prefix}{alike[0]}?" if alike else ""


def no_attribute(owner: str, given: str, known: Iterable[str]) -> AttributeError:
    """Return the error for an unknown attribute, with the nearest that is known.

    Examples:
        >>> no_attribute("svckit.frames", "user", ["users", "files"])
        AttributeError("svckit.frames has no attribute 'user'; did you mean users?")
    """
    return AttributeError(f"{owner} has no attribute {given!r}{did_you_mean(given, known)}")


def _find_alike(given: str, names: Sequence[str], cutoff: float = 0.6) -> list[str]:
    from difflib import get_close_matches

    longer = [name for name in names if len(given) > 2 and name.startswith(given)]
    return sorted(longer, key=len)[:SUGGESTIONS] or get_close_matches(given, names, SUGGESTIONS, cutoff)
