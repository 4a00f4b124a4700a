"""Checks of the field and choice names passed to an explorer."""

from collections.abc import Iterable

from svckit.display.suggestions import did_you_mean
from svckit.errors import InvalidInput

__all__ = ["check_names"]


def check_names(given: Iterable[object], known: Iterable[str], *, what: str = "field") -> None:
    """Reject the first unknown name, before anything is written.

    Raises:
        InvalidInput: a name is unknown; the message has the nearest name and all names.

    Examples:
        >>> check_names(["titel"], ["title", "text"])
        Traceback (most recent call last):
        svckit.errors.InvalidInput: nothing was written: no such field: titel; did you mean title? It has title, text
    """
    names = list(known)
    for name in given:
        if name not in names:
            near = did_you_mean(str(name), names) or "."
            raise InvalidInput(f"nothing was written: no such {what}: {name}{near} It has {', '.join(names)}")
