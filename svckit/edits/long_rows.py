"""The rows of a long frame as edits: the differences in the lists of its users.

The user and the numbers identify a row, in any order of rows; they count the items from 1, as they were read. A row
without a number, or with an unused one, is a new item; it goes last, or to the place of its number.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from svckit.edits.cells import Positions, find_different_cells
from svckit.edits.lists import LISTS, Key, ListEdits
from svckit.edits.row import EditedRow
from svckit.edits.rows import unknown_column
from svckit.frames.cells import parse, plain
from svckit.frames.column import Column, Record, build
from svckit.models.problems import Problem

__all__ = ["LongRows", "MissingRows", "kind_of"]

MissingRows: TypeAlias = Literal["refuse", "keep", "remove"]
"""The meaning of a missing row."""

NAMED = 3  # missing rows named in a message


def kind_of(frame: pd.DataFrame, read_as: str | None = None) -> str | None:
    """Return the kind of a long frame; ``None`` for a flat one.

    Args:
        frame: the frame.
        read_as: the kind that the frame remembers.

    Examples:
        >>> kind_of(pd.DataFrame({"user_id": ["u-001"], "number": [1], "alias_email": ["a@example.com"]}))
        'alias_emails'
    """
    if read_as in LISTS:
        return read_as
    names = {*frame.columns, *frame.index.names}
    if "number" not in names:
        return None
    columns = {kind: {column.name for column in held.columns} for kind, held in LISTS.items()}
    fitting = [kind for kind, held in LISTS.items() if names >= set(held.keys)]
    return max(fitting, key=lambda kind: (len(columns[kind] & names), len(LISTS[kind].keys)), default=None)


class LongRows:
    """A long frame, with one row per item of a list of users.

    Args:
        frame: the edited frame.
        kind: the kind of frame.
        missing_rows: the meaning of missing rows.
        records: with ``remove``, all users, as some may have no row left.

    Attributes:
        ids: the users, each once.
        problems: the problems of columns and keys, and later of missing rows.

    Raises:
        ValueError: two columns share a name, or ``missing_rows`` has an unknown value.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        kind: str,
        missing_rows: MissingRows = "refuse",
        records: Sequence[Record] = (),
    ) -> None:
        if missing_rows not in get_args(MissingRows):
            raise ValueError(f"missing_rows is {', '.join(get_args(MissingRows))}; given {missing_rows!r}")
        twice = frame.columns[frame.columns.duplicated()]
        if len(twice):
            raise ValueError(f"the frame has more than one column {twice[0]}")
        self._kind, self._list, self._missing = kind, LISTS[kind], missing_rows
        self._columns = {column.name: column for column in self._list.columns}
        levels = [name for name in frame.index.names if name in self._list.keys]
        self._frame = frame.reset_index(level=levels) if levels else frame
        missing = [name for name in self._list.keys if name not in self._frame.columns]
        if missing:
            raise ValueError(f"the frame of {kind} has no column {missing[0]} to identify its rows")
        self.problems = [
            unknown_column(str(name), self._columns, kind)
            for name in self._frame.columns
            if name not in self._columns
        ]
        self._cells = [
            name for name in self._frame.columns if name in self._columns and name not in self._list.keys
        ]
        self._keys = self._read_keys()
        self._present = dict.fromkeys(key[0] for key in self._keys if key[0] is not None)
        everybody = [user.get("userId") for user in records if user.get(self._list.field)]
        self.ids: list[Any] = list(self._present | dict.fromkeys(everybody))

    def find_edits(
        self,
        numbers: Sequence[int],
        ids: Sequence[str],
        records: Sequence[Record],
        original: pd.DataFrame | None = None,
    ) -> Iterator[tuple[int, EditedRow]]:
        """Yield the edits of some users' lists, with the users' positions in ``numbers``.

        Args:
            numbers: the positions of these users in ``self.ids``.
            ids: their own IDs.
            records: their records as read.
            original: the frame of these and possibly more records, if available.
        """
        names = {self.ids[number]: user_id for number, user_id in zip(numbers, ids, strict=True)}
        was = build(self._list.columns, self._list.records(records)) if original is None else original
        found = self._compare(names, was)
        present = {names[user_id] for user_id in self._present if user_id in names}
        lost = {user_id for user_id, edits in found.items() if edits.gone and user_id in present}
        if lost and self._missing == "refuse":
            self.problems.append(
                self._missing_problem({user_id: found.pop(user_id) for user_id in sorted(lost)})
            )
        for place, (user_id, before) in enumerate(zip(ids, records, strict=True)):
            if user_id in found and (edits := self._resolve_missing(found[user_id])):
                row = EditedRow(user_id)
                self._list.assemble(row, before, edits)
                yield place, row

    def _read_keys(self) -> list[Key]:
        """Return the keys of the rows; for an unreadable key, only the problem is kept."""
        cells = [self._key_cells(self._columns[name]) for name in self._list.keys]
        return list(zip(*cells, strict=True))

    def _key_cells(self, column: Column) -> list[Any]:
        values = plain(self._frame[column.name])
        if str(self._frame[column.name].dtype) != column.dtype:
            values = [self._read(column, number, value) for number, value in enumerate(values)]
        for number, value in enumerate(values):
            if value is None and column.name == "user_id":
                self.problems.append(Problem(f"[{number}]", f"row {number}: user_id is missing"))
            elif column.dtype == "Int64" and value is not None and value < 1:
                self.problems.append(
                    Problem(f"[{number}]", f"row {number}: {column.name} counts from 1; given {value}")
                )
        return values

    def _read(self, column: Column, number: int, value: Any) -> Any:
        try:
            return None if value is None else parse(column, value)
        except ValueError as wrong:
            self.problems.append(Problem(f"[{number}]", f"row {number}: {column.name} {wrong}"))
            return None

    def _compare(self, names: Mapping[Any, str], was: pd.DataFrame) -> dict[str, ListEdits]:
        """Return the differences by user."""
        same = all(name == given for given, name in names.items()) and len(names) == len(self._present)
        keys = self._keys if same else [(names.get(user), *rest) for user, *rest in self._keys]
        was_keys = list(zip(*(plain(was[name]) for name in self._list.keys), strict=True))
        found: defaultdict[str, ListEdits] = defaultdict(ListEdits)
        if keys == was_keys:  # rows unchanged, or almost
            self._take_cells(found, keys, np.arange(len(keys)), was)
            return found
        self._refuse_repeated(keys)
        places = {key: place for place, key in enumerate(was_keys)}
        at = np.fromiter((places.get(key, -1) for key in keys), dtype=np.intp, count=len(keys))
        self._take_cells(found, keys, at, was)
        self._take_new(found, keys, at)
        users = set(names.values())
        for user, *key in set(was_keys).difference(keys):
            if user in users:
                found[user].gone.add(tuple(key))
        return found

    def _take_cells(
        self, found: defaultdict[str, ListEdits], keys: Sequence[Key], at: Positions, was: pd.DataFrame
    ) -> None:
        """Note the different cells in existing rows, given their original positions."""
        there = np.flatnonzero(at >= 0)
        for name in self._cells:
            now, then = self._frame[name].iloc[there], was[name].iloc[at[there]]
            differ = find_different_cells(now, then)
            cells = zip(
                there[differ].tolist(), plain(now.iloc[differ]), plain(then.iloc[differ]), strict=True
            )
            for number, value, before in cells:
                if value is not before and not self._is_same_value(name, value, before):
                    user, *key = keys[number]
                    found[user].cells.setdefault(tuple(key), {})[name] = value

    def _take_new(self, found: defaultdict[str, ListEdits], keys: Sequence[Key], at: Positions) -> None:
        """Note the new rows."""
        new = [number for number in np.flatnonzero(at < 0).tolist() if keys[number][0] is not None]
        columns = {name: plain(self._frame[name].iloc[new]) for name in self._cells}
        for place, number in enumerate(new):
            user, *key = keys[number]
            cells = {name: values[place] for name, values in columns.items() if values[place] is not None}
            found[user].new.append((tuple(key), cells))

    def _is_same_value(self, name: str, value: Any, before: Any) -> bool:
        """Return whether a cell that looks different has the same meaning."""
        if value is None or before is None or value == before:
            return bool(value == before)
        try:
            return bool(parse(self._columns[name], value) == parse(self._columns[name], before))
        except ValueError:
            return False

    def _refuse_repeated(self, keys: Sequence[Key]) -> None:
        """Note repeated keys as problems; rows without a number may repeat, except for a single-valued property."""
        seen: set[Key] = set()
        for key in keys:
            if key[0] is None or (key[-1] is None and self._kind != "custom_properties"):
                continue
            if key in seen:
                numbers = ", ".join(f"{n} {v}" for n, v in zip(self._list.keys[1:], key[1:], strict=True))
                words = (
                    f"{key[0]}: {numbers} is given more than once; a new row has no number, or one of its own"
                )
                self.problems.append(Problem(f"{key[0]}.{self._kind}", words))
            seen.add(key)

    def _resolve_missing(self, edits: ListEdits) -> ListEdits | None:
        """Apply the meaning of missing rows to edits; return ``None`` if none are left."""
        if self._missing != "remove":
            edits.gone.clear()
        return edits if edits.cells or edits.new or edits.gone else None

    def _missing_problem(self, lost: Mapping[str, ListEdits]) -> Problem:
        rows = [(user, key) for user, edits in lost.items() for key in sorted(edits.gone, key=str)]
        named = [
            f"{user} {' '.join(str(part) for part in key if part is not None)}" for user, key in rows[:NAMED]
        ]
        more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
        return Problem(
            self._kind,
            f"{self._kind}: rows that were read are missing ({', '.join(named)}{more}), "
            "and a list is sent as a whole. Choose what that means: frame.svc.changes(missing_rows='keep') keeps these "
            "items, missing_rows='remove' removes them",
        )
