"""Row keys, which identify the rows of a table across all steps."""

from functools import cached_property

import pandas as pd

from svckit.widgets.table.cells import column_text

__all__ = ["RowKeys"]


class RowKeys:
    """The unique keys of a frame's rows.

    Args:
        frame: the rows.
        column: the column whose text is the key of a row. A row without text is keyed by its number, starting at
            ``#1``; a key that is taken gets the number appended. Without a column, all rows are keyed by number.

    Examples:
        >>> keys = RowKeys(pd.DataFrame({"id": ["a", None, "a"]}), "id")
        >>> keys.names, keys.position("a#3"), "b" in keys
        (['a', '#2', 'a#3'], 2, False)
    """

    def __init__(self, frame: pd.DataFrame, column: str | None) -> None:
        self._frame = frame
        self._column = column

    @cached_property
    def names(self) -> list[str]:
        """The keys in the order of the rows."""
        texts = self._texts
        keys = dict.fromkeys(texts)
        if len(keys) == len(texts) and "" not in keys:
            return texts
        keys = {}
        for number, name in enumerate(texts, start=1):
            key = name or f"#{number}"
            while key in keys:
                key = f"{key}#{number}"
            keys[key] = None
        return list(keys)

    def position(self, key: str) -> int:
        """Return the position of a row in the frame, from 0.

        Raises:
            KeyError: no row has this key.
        """
        if key not in self:
            raise KeyError(f"no row has the key {key!r}; there are {len(self._frame)} rows")
        return self._positions[key]

    def __contains__(self, key: object) -> bool:
        return key in self._positions

    @property
    def _texts(self) -> list[str]:
        none = [""] * len(self._frame)
        return none if self._column is None else column_text(self._frame[self._column])

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {key: position for position, key in enumerate(self.names)}
