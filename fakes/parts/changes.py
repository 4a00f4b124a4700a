"""Stored collections: dicts that note what changes in them, so that it can be saved, or undone."""

from collections.abc import Callable, Hashable, Mapping
from itertools import count, takewhile
from math import inf
from typing import Any, Final, Self, TypeVar

__all__ = ["ChangeLog", "Log", "Stored", "Unsaved"]

K = TypeVar("K")
V = TypeVar("V")

ABSENT: Final = object()
"""Stands for the entry of a key that was not there."""
WHOLE: Final = object()
"""Stands for all keys: what follows is the whole collection as it was, and the places in it."""
PLACES: Final = count()
"""Numbers the places of entries, so that one that is put back finds its own."""


class Unsaved(dict[str, dict[Hashable, bool] | None]):
    """The keys that have changed, by collection; None where a collection was replaced as a whole.

    A key is True if its entry has come or gone, and False if only its value is another one. Keys that came stand in
    the order in which they came, as they do in the collection.
    """

    def mark(self, name: str, key: Hashable, moved: bool) -> None:
        """Note that an entry of a collection has changed."""
        keys = self.setdefault(name, {})
        if keys is None:
            return
        if moved:
            keys.pop(key, None)
            keys[key] = True
        else:
            keys.setdefault(key, False)

    def add(self, later: "Unsaved") -> None:
        """Note also what has changed later."""
        for name, keys in later.items():
            if keys is None:
                self[name] = None
            else:
                for key, moved in keys.items():
                    self.mark(name, key, moved)


class ChangeLog:
    """What changes in the stored collections of one fake, while somebody wants to know.

    A state file *watches*, and *takes* what has changed since it last did. A call that may have to be undone
    *begins*, and then either *keeps* its changes, which only then count as unsaved, or *undoes* them. Changes are made,
    and methods called, under the fake's lock.

    Attributes:
        collections: the collections that are saved, by name.
        listening: whether changes are noted at all; noting them would cost each call a little.

    Examples:
        >>> changes = ChangeLog()
        >>> codes = Stored(changes, "codes")
        >>> changes.watch()
        >>> codes["a"] = 1
        >>> changes.begin()
        >>> codes["a"], codes["b"] = 2, 3
        >>> changes.undo()
        >>> codes, changes.take()
        ({'a': 1}, {'codes': {'a': True}})
    """

    __slots__ = ("_call", "_unsaved", "collections", "listening")

    def __init__(self) -> None:
        self.collections: dict[str, Stored[Any, Any]] = {}
        self.listening = False
        self._unsaved: Unsaved | None = None
        self._call: list[tuple[Stored[Any, Any], Any, Any, float | None]] | None = None

    def watch(self) -> None:
        """Note from now on what is unsaved."""
        self._unsaved = Unsaved()
        self.listening = True

    def take(self) -> Unsaved:
        """Return what has changed since the last time, and note from here on what changes next."""
        taken, self._unsaved = self._unsaved or Unsaved(), Unsaved()
        return taken

    def begin(self) -> None:
        """Begin a call whose changes can be undone."""
        self._call, self.listening = [], True

    def keep(self) -> None:
        """End the call, and let its changes stand."""
        noted = self._end()
        for collection, key, old, place in noted:
            self._mark(collection, key, place is not None or old is ABSENT)

    def undo(self) -> None:
        """End the call, and put back what it has changed."""
        lost: dict[int, tuple[Stored[Any, Any], dict[Any, float]]] = {}
        for collection, key, old, place in reversed(self._end()):
            if key is WHOLE:
                collection.restore_all(*old)
                lost.pop(id(collection), None)
            elif old is ABSENT:
                collection.undo_add(key)
            else:
                dict.__setitem__(collection, key, old)
                if place is not None:
                    lost.setdefault(id(collection), (collection, {}))[1][key] = place
        for collection, places in lost.values():
            collection.restore_places(places)

    def note(
        self, collection: "Stored[Any, Any]", key: object, old: object, place: float | None = None
    ) -> None:
        """Note that an entry has changed: what it was, and where, if it has gone."""
        if self._call is not None:
            self._call.append((collection, key, old, place))
        else:
            self._mark(collection, key, place is not None or old is ABSENT)

    def place(self, collection: "Stored[Any, Any]", key: object) -> float:
        """Return the place of an entry that is to go, as far as it may have to be put back."""
        return 0 if self._call is None else collection.place(key)

    def note_whole(self, collection: "Stored[Any, Any]", places: dict[Any, float]) -> None:
        """Note the whole collection, before a call replaces it."""
        if self._call is not None:
            self._call.append((collection, WHOLE, (collection.copy(), places), None))

    def note_replaced(self, collection: "Stored[Any, Any]") -> None:
        """Note that a collection is another as a whole, or is no longer there."""
        if self._unsaved is not None and collection.name:
            self._unsaved[collection.name] = None

    def _mark(self, collection: "Stored[Any, Any]", key: Any, moved: bool) -> None:
        if self._unsaved is not None and collection.name and key is not WHOLE:
            self._unsaved.mark(collection.name, key, moved)

    def _end(self) -> list[tuple["Stored[Any, Any]", Any, Any, float | None]]:
        noted, self._call = self._call or [], None
        self.listening = self._unsaved is not None
        return noted


class Stored(dict[K, V]):
    """A dict of a fake's state. Entries are replaced, never changed inside, or nobody would notice.

    Args:
        changes: what its changes are noted in.
        name: what it is saved as: its path in a snapshot. Empty where it follows from others, as an index does.
        ordered: whether the order of its entries matters; if not, what is put back comes last.
    """

    # A dict cannot tell where an entry stands, so the places are numbered once an entry goes that may come back: from
    # the last entry back to one that has a number. To copy the collection instead would cost each such call the total.
    __slots__ = ("_changes", "_ordered", "_places", "name")

    def __init__(self, changes: ChangeLog | None = None, name: str = "", *, ordered: bool = True) -> None:
        super().__init__()
        self._changes = changes or ChangeLog()
        self._ordered = ordered
        self._places: dict[K, float] = {}
        self.name = name
        if name:
            self._changes.collections[name] = self

    def __setitem__(self, key: K, value: V) -> None:
        changes = self._changes
        if not changes.listening:
            dict.__setitem__(self, key, value)
            return
        old = self.get(key, ABSENT)
        dict.__setitem__(self, key, value)
        changes.note(self, key, old)

    def __delitem__(self, key: K) -> None:
        changes = self._changes
        if not changes.listening:
            dict.__delitem__(self, key)
        else:
            old, place = self[key], changes.place(self, key)
            dict.__delitem__(self, key)
            changes.note(self, key, old, place)
        self._places.pop(key, None)

    def place(self, key: K) -> float:
        """Return a number of the place of an entry: the later it came, the higher."""
        if not self._ordered:
            return 0
        places = self._places
        if key not in places:
            unnumbered = [*takewhile(lambda each: each not in places, reversed(self))]
            places.update(zip(reversed(unnumbered), PLACES, strict=False))
        return places[key]

    def _get_place(self, key: K) -> float:
        return self._places.get(key, inf)

    def undo_add(self, key: K) -> None:
        """Undo that an entry came."""
        dict.pop(self, key, None)
        self._places.pop(key, None)

    def restore_all(self, entries: Mapping[K, V], places: dict[K, float]) -> None:
        """Undo that the collection was replaced."""
        dict.clear(self)
        dict.update(self, entries)
        self._places = places

    def restore_places(self, lost: Mapping[K, float]) -> None:
        """Move entries that were put back, and so come last, to where they were."""
        if not self._ordered:
            return
        self._places.update((key, place) for key, place in lost.items() if key in self)
        first = min(lost.values())
        late = [*takewhile(lambda key: self._get_place(key) >= first, reversed(self))]
        late.reverse()  # those without a number came last, in this order
        for key in sorted(late, key=self._get_place):
            dict.__setitem__(self, key, dict.pop(self, key))

    def drop_oldest(self, is_over: Callable[[V], bool]) -> None:
        """Take entries out from the first one on, up to one that is not over."""
        # Found in one pass: after each deletion, the first key of a dict stands behind one more empty place.
        for key in [key for key, _ in takewhile(lambda entry: is_over(entry[1]), self.items())]:
            del self[key]

    def replace(self, entries: Mapping[K, V]) -> bool:
        """Hold other entries; return False if they are its own."""
        if entries is self:
            return False
        self._changes.note_whole(self, self._places)
        self.restore_all(entries, {})
        self._changes.note_replaced(self)
        return True

    def drop(self) -> None:
        """Be saved no longer."""
        self._changes.collections.pop(self.name, None)
        self._changes.note_replaced(self)

    # The methods of dict that would change it behind our back.

    def pop(self, key: K, *default: Any) -> Any:
        """Take an entry out and return it."""
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[K, V]:
        """Take the last entry out and return it."""
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """Take all entries out."""
        self.replace({})

    def setdefault(self, key: K, default: Any = None) -> Any:
        """Return an entry, put there if it was not."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *entries: Any, **named: Any) -> None:
        """Put entries there."""
        for key, value in dict(*entries, **named).items():
            self[key] = value

    def __ior__(self, entries: Any) -> Self:  # type: ignore[override,misc]
        self.update(entries)
        return self


class Log(Stored[int, V]):
    """Entries in the order in which they were added, each under its number; the oldest give way to the latest.

    Args:
        changes: what its changes are noted in.
        name: what it is saved as.
        capacity: how many entries are kept; omitted, all.

    Examples:
        >>> log = Log(capacity=2)
        >>> for text in ("one", "two", "three"):
        ...     log.append(text)
        >>> log, log.at(0), log.at(-1)
        ({1: 'two', 2: 'three'}, 'two', 'three')
        >>> log.dropped
        1
    """

    __slots__ = ("capacity",)

    def __init__(self, changes: ChangeLog | None = None, name: str = "", capacity: int | None = None) -> None:
        super().__init__(changes, name)
        self.capacity = capacity

    def append(self, entry: V) -> None:
        """Add an entry."""
        self[self._end()] = entry
        while self.capacity is not None and len(self) > self.capacity:
            del self[self._end() - len(self)]

    def place(self, key: int) -> float:
        """Return the number of an entry, which tells its place."""
        return key

    _get_place = place

    @property
    def dropped(self) -> int:
        """How many entries gave way to later ones, since the log began or a snapshot was restored."""
        return self._end() - len(self)

    def at(self, index: int) -> V:
        """Return the entry at an index, from the end where that is negative.

        Raises:
            IndexError: there are not so many.
        """
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} entries, so none at {index}")
        return self[self._end() + index - (0 if index < 0 else len(self))]

    def _end(self) -> int:
        """Return the number of the next entry; those that are kept have consecutive numbers."""
        return next(reversed(self), -1) + 1
