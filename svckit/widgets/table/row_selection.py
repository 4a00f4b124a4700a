"""The selected rows of a table, in the order of selection."""

from collections.abc import Iterable, Iterator

from svckit.widgets.table.row_keys import RowKeys

__all__ = ["RowSelection"]


class RowSelection:
    """The keys of the selected rows, in the order of selection.

    Args:
        keys: all rows of the table.
        many: whether several can be selected.

    Examples:
        >>> import pandas as pd
        >>> selection = RowSelection(RowKeys(pd.DataFrame({"id": ["a", "b", "c"]}), "id"), many=True)
        >>> selection.set("a", "b")
        >>> selection.add(["c", "a"])
        >>> selection.toggle("b")
        >>> tuple(selection), selection.last
        (('c', 'a'), 'a')
    """

    def __init__(self, keys: RowKeys, *, many: bool) -> None:
        self.many = many
        self._rows = keys
        self._keys: dict[str, None] = {}

    @property
    def last(self) -> str | None:
        """The key of the row that was selected last."""
        return next(reversed(self._keys), None)

    def check(self, *keys: str) -> None:
        """Check that the rows with these keys can be selected together.

        Raises:
            KeyError: no row has this key.
            ValueError: several keys, but only one row can be selected.
        """
        for key in keys:
            self._rows.position(key)
        if len(keys) > 1 and not self.many:
            raise ValueError(
                f"only one row can be selected; given {len(keys)}. Create the table with many=True"
            )

    def set(self, *keys: str) -> None:
        """Select the rows with these keys and no others; see :meth:`check`."""
        self.check(*keys)
        self._keys = dict.fromkeys(keys)

    def toggle(self, key: str) -> None:
        """Add a row to the selection, or remove it if it is selected.

        Raises:
            KeyError: no row has this key.
        """
        self._rows.position(key)
        if not self.many:
            self.set(key)
        elif key in self._keys:
            del self._keys[key]
        else:
            self._keys[key] = None

    def add(self, keys: Iterable[str]) -> None:
        """Add existing rows to the selection; the last of them becomes the last selected."""
        for key in keys:
            self._keys.pop(key, None)
            self._keys[key] = None

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
