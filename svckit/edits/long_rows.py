"""The rows of a long frame as edits: what differs in the lists of which users.

A row is told by its user and its numbers, in whatever order the rows are: they count the items from 1, as they were
read. A row without a number, or with one that was not there, is a new item; it comes last, or where its number says.
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
"""What it means that a row which was read is not there."""

NAMED = 3  # of the rows that are missing


def kind_of(frame: pd.DataFrame, read_as: str | None = None) -> str | None:
    """Which long frame it is; ``None`` where it is none, so that it has a row a user.

    Args:
        frame: the frame.
        read_as: what it remembers to have been.

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
    """A long frame, a row an item of a list of users.

    Args:
        frame: the edited frame.
        kind: which one it is.
        missing_rows: what rows mean that were read and are not there.
        records: with ``remove``, the users of whom there may be no row at all.

    Attributes:
        ids: the users, each once.
        problems: what is wrong with columns and keys, and later with rows that are missing.

    Raises:
        ValueError: the frame has two columns of a name, or there is no such meaning of missing rows.
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
        lacking = [name for name in self._list.keys if name not in self._frame.columns]
        if lacking:
            raise ValueError(f"the frame of {kind} has no column {lacking[0]} to tell its rows by")
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
        befores: Sequence[Record],
        shown: pd.DataFrame | None = None,
    ) -> Iterator[tuple[int, EditedRow]]:
        """What was edited in the lists of some of the users, with their places among these, from 0.

        Args:
            numbers: which of ``ids``.
            ids: their own names.
            befores: their records as read.
            shown: the frame of these records and perhaps of more, where it is at hand.
        """
        names = {self.ids[number]: user_id for number, user_id in zip(numbers, ids, strict=True)}
        was = build(self._list.columns, self._list.records(befores)) if shown is None else shown
        found = self._compare(names, was)
        present = {names[user_id] for user_id in self._present if user_id in names}
        lost = {user_id for user_id, edits in found.items() if edits.gone and user_id in present}
        if lost and self._missing == "refuse":
            self.problems.append(
                self._missing_problem({user_id: found.pop(user_id) for user_id in sorted(lost)})
            )
        for place, (user_id, before) in enumerate(zip(ids, befores, strict=True)):
            if user_id in found and (edits := self._resolve_missing(found[user_id])):
                row = EditedRow(user_id)
                self._list.assemble(row, before, edits)
                yield place, row

    def _read_keys(self) -> list[Key]:
        """The keys of the rows; of one whose key cannot be read, nothing but the problem is kept."""
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
        """What differs, by user."""
        same = all(name == given for given, name in names.items()) and len(names) == len(self._present)
        keys = self._keys if same else [(names.get(user), *rest) for user, *rest in self._keys]
        was_keys = list(zip(*(plain(was[name]) for name in self._list.keys), strict=True))
        found: defaultdict[str, ListEdits] = defaultdict(ListEdits)
        if keys == was_keys:  # as it was read, or nearly
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
        """Note the cells that differ in rows that were there, at these places."""
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
        """Note the rows that were not there."""
        new = [number for number in np.flatnonzero(at < 0).tolist() if keys[number][0] is not None]
        columns = {name: plain(self._frame[name].iloc[new]) for name in self._cells}
        for place, number in enumerate(new):
            user, *key = keys[number]
            cells = {name: values[place] for name, values in columns.items() if values[place] is not None}
            found[user].new.append((tuple(key), cells))

    def _is_same_value(self, name: str, value: Any, before: Any) -> bool:
        """Whether a cell that looks different means the same."""
        if value is None or before is None or value == before:
            return bool(value == before)
        try:
            return bool(parse(self._columns[name], value) == parse(self._columns[name], before))
        except ValueError:
            return False

    def _refuse_repeated(self, keys: Sequence[Key]) -> None:
        """A number names one row; rows without one are new, each of them, but of a property it is the single value."""
        met: set[Key] = set()
        for key in keys:
            if key[0] is None or (key[-1] is None and self._kind != "custom_properties"):
                continue
            if key in met:
                told = ", ".join(f"{n} {v}" for n, v in zip(self._list.keys[1:], key[1:], strict=True))
                words = (
                    f"{key[0]}: {told} is given more than once; a new row has no number, or one of its own"
                )
                self.problems.append(Problem(f"{key[0]}.{self._kind}", words))
            met.add(key)

    def _resolve_missing(self, edits: ListEdits) -> ListEdits | None:
        """The edits with what missing rows mean; ``None`` where nothing is left."""
        if self._missing != "remove":
            edits.gone.clear()
        return edits if edits.cells or edits.new or edits.gone else None

    def _missing_problem(self, lost: Mapping[str, ListEdits]) -> Problem:
        rows = [(user, key) for user, edits in lost.items() for key in sorted(edits.gone, key=str)]
        told = [
            f"{user} {' '.join(str(part) for part in key if part is not None)}" for user, key in rows[:NAMED]
        ]
        more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
        return Problem(
            self._kind,
            f"{self._kind}: rows that were read are not there ({', '.join(told)}{more}), and a list is sent whole. "
            "Say what that means: frame.svc.changes(missing_rows='keep') leaves such items as they are, "
            "missing_rows='remove' takes them away",
        )
