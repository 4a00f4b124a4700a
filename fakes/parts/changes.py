"""Stored collections: dicts that note their changes, so that these can be saved or undone."""

from collections.abc import Callable, Hashable, Mapping, MutableMapping
from itertools import count, takewhile
from math import inf
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

__all__ = ["ChangeLog", "Log", "Stored", "UnsavedChanges"]

K = TypeVar("K")
V = TypeVar("V")

ABSENT: Final = object()
"""Stands for the entry of a key that was not there."""
WHOLE: Final = object()
"""Stands for all keys: the old value is the whole collection with the places in it."""
PLACES: Final = count()
"""Numbers the places of entries, so that a restored entry finds its own."""


class UnsavedChanges(dict[str, dict[Hashable, bool] | None]):
    """The changed keys by collection; None if a whole collection was replaced.

    A key is True if its entry was added or removed, and False if only its value changed. Added keys keep the order in
    which they were added, as in the collection.
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

    def take(self) -> "UnsavedChanges":
        """Return the changes so far, and start again."""
        taken = UnsavedChanges(self)
        self.clear()
        return taken

    def add(self, later: "UnsavedChanges") -> None:
        """Add later changes."""
        for name, keys in later.items():
            if keys is None:
                self[name] = None
            else:
                for key, moved in keys.items():
                    self.mark(name, key, moved)


class ChangeLog:
    """The changes in the stored collections of one fake, while they are needed.

    A state file, or who else needs them, *watches*, and *takes* the changes since the last time. A call that may have
    to be undone *begins*, and then either *keeps* its changes, which only then count as unsaved, or *undoes* them.
    Changes and calls of these methods happen under the fake's lock.

    Attributes:
        collections: the collections that are saved, by name.
        listening: whether changes are noted, which costs each call a little.

    Examples:
        >>> changes = ChangeLog()
        >>> codes = Stored(changes, "codes")
        >>> unsaved = changes.watch()
        >>> codes["a"] = 1
        >>> changes.begin()
        >>> codes["a"], codes["b"] = 2, 3
        >>> changes.undo()
        >>> codes, unsaved.take()
        ({'a': 1}, {'codes': {'a': True}})
    """

    __slots__ = ("_call", "_watching", "collections", "listening")

    def __init__(self) -> None:
        self.collections: dict[str, Stored[Any, Any]] = {}
        self.listening: bool = False
        self._watching: tuple[UnsavedChanges, ...] = ()
        # What a call has changed so far, each with the collection, the key, the old value and, if it was removed, the
        # place; None if no call is to be undone.
        self._call: list[tuple[Stored[Any, Any], Any, Any, float | None]] | None = None

    def watch(self) -> UnsavedChanges:
        """Start to note changes, and return where they will be."""
        unsaved = UnsavedChanges()
        self._watching = (*self._watching, unsaved)
        self.listening = True
        return unsaved

    def begin(self) -> None:
        """Begin a call whose changes can be undone."""
        self._call, self.listening = [], True

    def keep(self) -> None:
        """End the call and keep its changes."""
        noted = self._end()
        for collection, key, old, place in noted:
            self._mark(collection, key, place is not None or old is ABSENT)

    def undo(self) -> None:
        """End the call and undo its changes."""
        # The places of the entries that come back, which are put last at first; by ID, as a collection has no hash.
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
        """Note a changed entry with its old value, and its place if it was removed."""
        if self._call is not None:
            self._call.append((collection, key, old, place))
        else:
            self._mark(collection, key, place is not None or old is ABSENT)

    def place(self, collection: "Stored[Any, Any]", key: object) -> float:
        """Return the place of an entry to be removed, if it may have to be restored."""
        return 0 if self._call is None else collection.place(key)

    def note_whole(self, collection: "Stored[Any, Any]", places: dict[Any, float]) -> None:
        """Note a whole collection before a call replaces it."""
        if self._call is not None:
            self._call.append((collection, WHOLE, (collection.copy(), places), None))

    def note_replaced(self, collection: "Stored[Any, Any]") -> None:
        """Note that a whole collection was replaced or removed."""
        if collection.name:
            for unsaved in self._watching:
                unsaved[collection.name] = None

    def _mark(self, collection: "Stored[Any, Any]", key: Any, moved: bool) -> None:
        if collection.name and key is not WHOLE:  # which `note_replaced` has marked at once
            for unsaved in self._watching:
                unsaved.mark(collection.name, key, moved)

    def _end(self) -> list[tuple["Stored[Any, Any]", Any, Any, float | None]]:
        noted, self._call = self._call or [], None
        self.listening = bool(self._watching)
        return noted


class Stored(dict[K, V]):
    """A dict of a fake's state. Entries are replaced and never mutated, as that would go unnoticed.

    Args:
        changes: the log of its changes.
        name: its path in a snapshot. Empty if it follows from others, as an index does.
        ordered: whether the order of its entries matters; if not, restored entries come last.
    """

    # A dict does not know the position of an entry. So places are numbered when an entry is removed that may be
    # restored: from the last entry back to one that has a number. A copy would cost more the larger the dict is.
    __slots__ = ("_changes", "_ordered", "_places", "name")

    def __init__(self, changes: ChangeLog | None = None, name: str = "", *, ordered: bool = True) -> None:
        super().__init__()
        self._changes = changes or ChangeLog()
        self._ordered = ordered
        self._places: dict[K, float] = {}
        self.name: str = name
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
        """Return the number of an entry's place: the later it was added, the higher."""
        if not self._ordered:
            return 0
        places = self._places
        if key not in places:
            unnumbered = [*takewhile(lambda known: known not in places, reversed(self))]
            places.update(zip(reversed(unnumbered), PLACES, strict=False))
        return places[key]

    def _get_place(self, key: K) -> float:
        return self._places.get(key, inf)

    def undo_add(self, key: K) -> None:
        """Remove an entry that was added."""
        dict.pop(self, key, None)
        self._places.pop(key, None)

    def restore_all(self, entries: Mapping[K, V], places: dict[K, float]) -> None:
        """Restore all entries after the collection was replaced."""
        dict.clear(self)
        dict.update(self, entries)
        self._places = places

    def restore_places(self, lost: Mapping[K, float]) -> None:
        """Move restored entries, which come last, to their old places."""
        if not self._ordered:
            return
        self._places.update((key, place) for key, place in lost.items() if key in self)
        first = min(lost.values())
        late = [*takewhile(lambda key: self._get_place(key) >= first, reversed(self))]
        late.reverse()  # those without a number were added last, in this order
        for key in sorted(late, key=self._get_place):
            dict.__setitem__(self, key, dict.pop(self, key))

    def drop_oldest(self, has_expired: Callable[[V], bool]) -> None:
        """Remove entries from the first one, up to one that has not expired."""
        # In one pass: each deletion leaves one more empty slot before the first key of a dict.
        for key in [key for key, _ in takewhile(lambda entry: has_expired(entry[1]), self.items())]:
            del self[key]

    def drop_if(self, is_unwanted: Callable[[V], bool]) -> None:
        """Remove the entries with some values."""
        for key in [key for key, value in self.items() if is_unwanted(value)]:
            del self[key]

    def replace(self, entries: Mapping[K, V]) -> bool:
        """Replace all entries; return False if they are the collection itself."""
        if entries is self:
            return False
        self._changes.note_whole(self, self._places)
        self.restore_all(entries, {})
        self._changes.note_replaced(self)
        return True

    def drop(self) -> None:
        """Stop saving this collection."""
        self._changes.collections.pop(self.name, None)
        self._changes.note_replaced(self)

    # The methods of dict that would make changes without noting them.

    if not TYPE_CHECKING:  # which takes them as those of dict
        setdefault = MutableMapping.setdefault
        update = MutableMapping.update

    def pop(self, key: K, *default: Any) -> Any:
        """Remove an entry and return it."""
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[K, V]:
        """Remove the last entry and return it."""
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """Remove all entries."""
        self.replace({})

    def __ior__(self, entries: Any) -> Self:  # type: ignore[override,misc]
        self.update(entries)
        return self


class Log(Stored[int, V]):
    """A log: entries by consecutive number; beyond the capacity, the oldest are dropped.

    Args:
        changes: the log of its changes.
        name: its path in a snapshot.
        capacity: how many entries are kept; if omitted, all.

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
        self.capacity: int | None = capacity

    def append(self, entry: V) -> None:
        """Add an entry."""
        self[self._end()] = entry
        while self.capacity is not None and len(self) > self.capacity:
            del self[self._end() - len(self)]

    def place(self, key: int) -> float:
        """Return the number of an entry, which is its place."""
        return key

    _get_place = place

    @property
    def dropped(self) -> int:
        """The number of dropped entries since the log began or a snapshot was restored."""
        return self._end() - len(self)

    def at(self, index: int) -> V:
        """Return the entry at an index, counted from the end if negative.

        Raises:
            IndexError: the log has fewer entries.
        """
        if not -len(self) <= index < len(self):
            raise IndexError(f"no entry at {index}: there are {len(self)} entries")
        return self[self._end() + index - (0 if index < 0 else len(self))]

    def _end(self) -> int:
        """Return the number of the next entry; kept entries have consecutive numbers."""
        return next(reversed(self), -1) + 1
