"""Faults by both ends of their targets, so that a request costs the same however many other ones are set."""

import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from operator import itemgetter

from fakes.faults.kinds import AnyFault

__all__ = ["FaultIndex"]

SPECIAL = re.compile(r"[*?\[]")
SEPARATOR = re.compile(r"[./]")
DEEPEST = 8
"""The most separators in the beginning of a pattern that count; paths can have thousands."""
LONGEST_END = 8
"""The most characters of the end of a pattern that count."""


class FaultIndex:
    """Faults in the order in which they were added, and by what they cover; those used up are dropped when found.

    A target such as ``users.update`` or ``/users/u-001`` is found by itself. A pattern is found by its beginning, up to
    the last separator before the first special character: ``/users/u-001/*`` by ``/users/u-001/``, and ``*`` by an
    empty text. Whatever a pattern covers begins like that. Of those with the same beginning, it is found by its end, up
    to 8 characters after the last special one: ``*.update`` by ``.update``. Patterns with the same beginning and end,
    such as ``*a*`` and ``*b*``, are compared one by one.

    Attributes:
        faults: the faults by their `id`, each with its number. None is given out twice.
    """

    def __init__(self) -> None:
        self.faults: dict[int, tuple[int, AnyFault]] = {}
        self._by_start: dict[tuple[str, str], dict[str, dict[int, None]]] = {}
        self._numbers = count(1)

    def add(self, fault: AnyFault) -> None:
        """Add a fault as the last one."""
        self.faults[id(fault)] = next(self._numbers), fault
        by_end = self._by_start.setdefault((fault.about, find_start(fault.target)), {})
        by_end.setdefault(find_end(fault.target), {})[id(fault)] = None

    def number(self, fault: AnyFault) -> int:
        """Return the number of a fault; 0 if it is not among them."""
        return self.faults[id(fault)][0] if id(fault) in self.faults else 0

    def remove(self, fault: AnyFault) -> None:
        """Remove this very fault, if it is among them."""
        if self.faults.pop(id(fault), None) is None:
            return
        start, end = (fault.about, find_start(fault.target)), find_end(fault.target)
        by_end = self._by_start[start]
        del by_end[end][id(fault)]
        if not by_end[end]:
            del by_end[end]
        if not by_end:
            del self._by_start[start]

    def clear(self) -> None:
        """Remove all faults."""
        self.faults.clear()
        self._by_start.clear()

    def find(self, about: str, name: str, path: str) -> list[AnyFault]:
        """Return the faults that cover a name or a path and still apply, in the order in which they were added.

        Examples:
            >>> from fakes.faults.kinds import Delay
            >>> index = FaultIndex()
            >>> for target in ("users.update", "users.*", "/users/u-002/*", "auth.token"):
            ...     index.add(Delay(target=target, times=1, seconds=3))
            >>> [fault.target for fault in index.find("request", "users.update", "/users/u-001")]
            ['users.update', 'users.*']
        """
        starts = dict.fromkeys((*list_starts(name), *list_starts(path)))
        ends = dict.fromkeys((*list_ends(name), *list_ends(path)))
        same = [by_end for start in starts if (by_end := self._by_start.get((about, start)))]
        found = [self.faults[key] for by_end in same for end in ends for key in by_end.get(end, ())]
        found.sort(key=itemgetter(0))
        return self._drop_used_up(fault for _, fault in found if fault.covers(name, path))

    def list_all(self) -> list[AnyFault]:
        """Return the faults that still apply, in the order in which they were added."""
        return self._drop_used_up([fault for _, fault in self.faults.values()])

    def _drop_used_up(self, faults: Iterable[AnyFault]) -> list[AnyFault]:
        """Remove those that no longer apply, and return the others."""
        left = []
        for fault in faults:
            if fault.left == 0:
                self.remove(fault)
            else:
                left.append(fault)
        return left


def find_start(target: str) -> str:
    """Return the text by which a target is found.

    Examples:
        >>> [find_start(target) for target in ("users.update", "users.*", "/users/u-00?/photo", "*")]
        ['users.update', 'users.', '/users/', '']
    """
    special = SPECIAL.search(target)
    return target if special is None else [*list_starts(target[: special.start()])][-1]


def find_end(target: str) -> str:
    """Return the end by which a target is found; empty if it is not a pattern.

    Examples:
        >>> [find_end(target) for target in ("users.update", "users.*", "/users/*/photo", "*.notifications")]
        ['', '', '/photo', 'ications']
    """
    if SPECIAL.search(target) is None:
        return ""
    return re.split(r"[*?\[\]]", target)[-1][-LONGEST_END:]


def list_ends(name: str) -> Iterator[str]:
    """Yield the ends by which a target that covers a name may be found.

    Examples:
        >>> [*list_ends("a.b")]
        ['', 'a.b', '.b', 'b']
    """
    yield ""
    for start in range(max(0, len(name) - LONGEST_END), len(name)):
        yield name[start:]


def list_starts(name: str) -> Iterator[str]:
    """Yield the texts by which a target that covers a name may be found.

    Examples:
        >>> [*list_starts("/users/u-001")]
        ['/users/u-001', '', '/', '/users/']
    """
    yield name
    yield ""
    for separator in islice(SEPARATOR.finditer(name), DEEPEST):
        yield name[: separator.end()]
