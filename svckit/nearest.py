"""What a name that is none was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["NoSuchKey", "did_you_mean", "no_attribute"]


class NoSuchKey(KeyError):
    """A key that is none, said in a sentence.

    Examples:
        >>> print(NoSuchKey("there is no exchange 99"))
        there is no exchange 99
    """

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it quoted, as it shows a key


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The nearest known name as the end of a sentence; empty where none is near.

    Examples:
        >>> did_you_mean("base_ulr", ["base_url", "auth_url"])
        '; did you mean base_url?'
        >>> did_you_mean("is_admin", ["is_pending", "is_administrator"])
        '; did you mean is_administrator?'
    """
    names = list(known)
    longer = [name for name in names if len(given) > 2 and name.startswith(given)]
    near = sorted(longer, key=len) or get_close_matches(given, names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def no_attribute(owner: str, given: str, known: Iterable[str]) -> AttributeError:
    """The error for an attribute that is not there, with the nearest that is.

    Examples:
        >>> no_attribute("svckit.frames", "user", ["users", "files"])
        AttributeError("svckit.frames has no attribute 'user'; did you mean users?")
    """
    return AttributeError(f"{owner} has no attribute {given!r}{did_you_mean(given, known)}")
