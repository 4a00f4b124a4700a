"""The count of the bytes that a world holds."""

from collections.abc import Iterable, Mapping
from typing import Any

from fakes.parts.changes import UnsavedChanges
from fakes.parts.snapshot import list_parts
from fakes.parts.state import State
from fakes.store.state_rows import CONTENTS, dump_entry, dump_rest, get_content

__all__ = ["HeldBytes"]


class HeldBytes:
    """The bytes of a state and its journal; after the first time, only what changed is measured.

    Args:
        state: the state.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._unmeasured = state.changes.watch()
        self._unmeasured.update(dict.fromkeys(state.changes.collections))
        self._sizes: dict[str, dict[Any, int]] = {}
        self._total = 0  # of the sizes

    def count(self) -> int:
        """Return how many bytes there are; the caller holds the lock."""
        state = self._state
        self._measure(self._unmeasured.take())
        rest = sum(len(dump_rest(name, part.dump())) for name, part in list_parts(state).items())
        return self._total + rest + state.journal.kept_bytes

    def _measure(self, changed: UnsavedChanges) -> None:
        """Measure the entries that changed."""
        collections = self._state.changes.collections
        for name, changed_keys in changed.items():
            entries: Mapping[Any, Any] = collections.get(name, {})
            sizes = self._sizes.setdefault(name, {})
            keys: Iterable[Any] = [*sizes, *entries] if changed_keys is None else changed_keys
            for key in keys:
                self._total -= sizes.pop(key, 0)
                if key in entries:
                    size = len(dump_entry(name, entries[key]))
                    if name in CONTENTS:
                        size += len(get_content(collections, key))
                    sizes[key] = size
                    self._total += size
