"""The rows of a frame of users as edits: every cell that differs from the frame of the original records.

A flat column maps back to its field: ``last_name`` to ``user_name``, ``position_id`` to the org unit that the frame
shows, in ``organizations``. The field is sent as a whole; its other parts stay as they were read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType
from typing import Any
from unicodedata import normalize

import numpy as np
import numpy.typing as npt
import pandas as pd

from svckit.display.suggestions import did_you_mean
from svckit.edits.fields import EditedRow
from svckit.edits.sheet import Sheet
from svckit.edits.sheet_cells import clean, explain_damage, explain_loss
from svckit.frames import user_columns
from svckit.frames.cells import parse, plain
from svckit.frames.column import Column, build, primary
from svckit.frames.origin import sheet_of
from svckit.frames.user_lists import LONG_FRAMES
from svckit.models.base import WireModel, python_name, wire_name
from svckit.models.problems import Problem
from svckit.models.user_parts import Messenger, OrgUnitChange, UserName, UserOrganizationChange
from svckit.operations.users import WRITABLE

__all__ = ["EDITABLE", "FlatRows"]

Record = Mapping[str, Any]

COLUMNS: Mapping[str, Column] = user_columns.COLUMNS | {
    name: Column(name, "string", "", f"{wire_name(name)}[json]") for name in ("user_name", "messenger")
}
PARTS: Mapping[str, type[WireModel]] = MappingProxyType(
    {
        "userName": UserName,
        "messenger": Messenger,
        "organizations[primary]": UserOrganizationChange,
        "organizations[primary].orgUnits[primary]": OrgUnitChange,
    }
)
INSTEAD = {"display_name": "last_name and first_name", "organization_name": "organizations"}
"""What to edit instead of a column; those that describe an ID, such as ``level_name``, follow from it."""
DESCRIBES = re.compile("_(?:external_key|name|email)$")
ONE_WIDTH = (
    "phonetic_last_name",
    "phonetic_first_name",
    "telephone",
    "cell_phone",
    "email",
    "private_email",
)
"""The columns in which the same text in full and in half width is not two values."""
TEXTS = ("string", "category", "Int64")
"""The dtypes of the columns in which a spreadsheet can write a value otherwise so that it is another one."""
NUMBER = "is a number in the sheet, which has no leading zeros; format the cell as text, and type it again"


class FlatRows:
    """A flat frame of users, with one row per user.

    Attributes:
        ids: the user IDs by row; ``None`` for a row without one.
        problems: the unknown columns, each with the nearest known one.
        sheet: the sheet that the frame was read from, if it was.

    Raises:
        ValueError: the frame has no user IDs, or two columns share a name, or it is a long frame.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        _refuse_long(frame)
        self._frame = frame
        self.ids: list[Any] = _user_ids(frame)
        self.sheet: Sheet | None = sheet_of(frame)
        self._lost: dict[str, list[str]] = {}
        for user, name in sorted(self.sheet.formulas) if self.sheet else ():
            self._lost.setdefault(user, []).append(name)
        self.problems: list[Problem] = [
            _unknown_column(str(name))
            for name in frame.columns
            if str(name) not in COLUMNS and name != "user_id"
        ]

    def find_edits(
        self,
        numbers: Sequence[int],
        ids: Sequence[str],
        records: Sequence[Record],
        original: pd.DataFrame | None = None,
    ) -> Iterator[tuple[int, EditedRow]]:
        """Yield the edits of some rows, with their positions in ``numbers``; skip unedited rows.

        Args:
            numbers: the positions of the rows.
            ids: their users.
            records: their records as read.
            original: the frame of these records, if available.
        """
        frame = self._frame if len(numbers) == len(self._frame) else self._frame.iloc[list(numbers)]
        columns = [column for column in COLUMNS.values() if column.name in frame.columns]
        known = () if original is None else original.columns
        made = build([column for column in columns if column.name not in known], records)
        rows: dict[int, EditedRow] = {}
        for column in columns:
            was = made if original is None or column.name in made.columns else original
            now, then = frame[column.name], was[column.name]
            differ = _find_different_cells(now, then)
            if not differ.size:  # as in most columns: to take no cells costs as much as to take some
                continue
            are_numbers = column.dtype == "string" and pd.api.types.is_numeric_dtype(now)
            hint = ": read files with svckit.frames.read_users" if are_numbers else ""
            cells = zip(differ.tolist(), plain(now.iloc[differ]), plain(then.iloc[differ]), strict=True)
            for number, value, before in cells:
                if value is before or value == before:
                    continue
                row = rows.setdefault(number, EditedRow(ids[number]))
                meant = value
                if self.sheet is not None:
                    user = str(self.ids[numbers[number]])
                    meant = _read_cell(self.sheet, user, row, column, value=value, before=before)
                _edit(row, column, meant, before, record=records[number], hint=hint)
        for number, given in enumerate(numbers):
            for name in self._lost.get(str(self.ids[given]), ()):
                row = rows.setdefault(number, EditedRow(ids[number]))
                row.refuse(
                    name,
                    "is a formula without its value, or an error such as #N/A: open the file in Excel, correct and "
                    "save it, and read it again",
                    part_of=_nested_field(COLUMNS.get(name)),
                )
        for number in sorted(rows):
            yield number, rows[number].merge_drafts()


def _unknown_column(name: str) -> Problem:
    """Describe the problem of an unknown column, with the nearest known one."""
    hint = did_you_mean(python_name(name), COLUMNS) or "; see svckit.frames.columns('users')"
    return Problem(name, f"{name} is not a column of a frame of users{hint}")


def _find_different_cells(now: "pd.Series[Any]", then: "pd.Series[Any]") -> npt.NDArray[np.intp]:
    """Return the positions at which two columns of equal length may differ; elsewhere they are equal.

    For columns of different dtypes, or of objects, whose cells must be compared one by one, these are all positions.

    Examples:
        >>> now, then = (pd.Series(cells, dtype="string") for cells in (["a", None, "b"], ["a", None, None]))
        >>> _find_different_cells(now, then).tolist()
        [2]
    """
    if now.dtype != then.dtype or pd.api.types.is_object_dtype(now):
        return np.arange(len(now))
    codes, _ = pd.factorize(pd.concat([now, then], ignore_index=True))  # equal cells have the same code
    return np.flatnonzero(codes[: len(now)] != codes[len(now) :])


def _refuse_long(frame: pd.DataFrame) -> None:
    names = {*frame.columns, *frame.index.names} - {None}
    tables = {kind: {column.name for column in table} for kind, (table, _) in LONG_FRAMES.items()}
    kind = next((kind for kind, known in tables.items() if "number" in names and names <= known), None)
    if kind is None:
        return
    field = "organizations" if kind == "org_units" else kind
    raise ValueError(
        f"this frame of {kind} shows the items of lists and cannot be edited, because a list is sent as a whole. "
        f"Edit the column {field} of svckit.frames.users(svc, lists=True), or give the whole field of a user: "
        f"svc.users.diff({{'user_id': 'u-001', '{field}': …}})"
    )


def _user_ids(frame: pd.DataFrame) -> list[Any]:
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ValueError(f"the frame has more than one column {twice[0]}")
    if "user_id" in frame.columns:
        return plain(frame["user_id"])
    if frame.index.name == "user_id":
        return list(frame.index)
    raise ValueError("the frame has no column user_id to identify the users")


def _read_cell(sheet: Sheet, user: str, row: EditedRow, column: Column, value: Any, before: Any) -> Any:
    """Return what a cell says; the record's value, if the cell is blank, or not edited but changed by a spreadsheet."""
    cell, held = (clean(content) if isinstance(content, str) else content for content in (value, before))
    if cell == held or (cell is None and sheet.blank == "keep"):
        return before
    if cell is not None and column.name in ONE_WIDTH and normalize("NFKC", str(cell)) == held:
        return before
    if not isinstance(value, str) or column.dtype not in TEXTS or column.path == "birthday":
        return value
    text = "" if before is None else str(before)
    if text and (kept := explain_damage(value, text, sheet.encoding)):
        row.keep(column.name, kept, value)
    elif lost := (
        NUMBER if (user, column.name) in sheet.numbers else explain_loss(value, text, sheet.encoding)
    ):
        row.refuse(column.name, lost, value, part_of=_nested_field(column))
    else:
        return clean(value)
    return before


def _edit(row: EditedRow, column: Column, value: Any, before: Any, record: Record, hint: str) -> None:
    """Add a cell that looks different to the row's edits."""
    try:
        parsed = None if value is None else parse(column, value)
    except ValueError as wrong:
        row.refuse(column.name, f"{wrong}{hint}", value, part_of=_nested_field(column))
        return
    if value is before or (None not in (before, value) and parsed == parse(column, before)):
        return
    if column.name == "user_id":
        return
    parent, leaf = _split(column)
    if not _is_editable(column):
        row.refuse(column.name, _explain_read_only(column))
    elif parent:
        _into_part(row, column, parent, leaf, value=parsed, record=record)
    else:
        row.values[python_name(leaf)] = [] if parsed is None and "[joined]" in column.path else parsed


def _split(column: Column) -> tuple[str, str]:
    parent, _, leaf = column.path.rpartition(".")
    return parent, leaf.partition("[")[0]


def _nested_field(column: Column | None) -> str:
    """Return the nested field that a column is a part of; empty if it has none that can be sent."""
    return _field_of(column) if column is not None and _is_editable(column) and "." in column.path else ""


def _field_of(column: Column) -> str:
    """Return the field whose value, or a part of it, a column shows."""
    return python_name(re.split(r"[.\[]", column.path)[0])


def _is_editable(column: Column) -> bool:
    parent, leaf = _split(column)
    if _is_derived(column):
        return False
    if parent:
        return parent in PARTS and leaf in PARTS[parent].wire_names()
    return python_name(leaf) in WRITABLE


def _is_derived(column: Column) -> bool:
    return column.derive is not None or column.path.endswith("[count]")


def _explain_read_only(column: Column) -> str:
    field = _field_of(column)
    own_id = DESCRIBES.sub("_id", column.name)
    instead = INSTEAD.get(column.name) or (own_id if own_id != column.name else "")
    instead = instead or (field if _is_derived(column) and field in WRITABLE else "")
    if not instead:
        return "is read-only: only the service writes it; leave the column out if it is out of date"
    return f"is read-only: it follows from {instead}, so edit that; leave the column out if it is out of date"


def _into_part(row: EditedRow, column: Column, parent: str, leaf: str, value: Any, record: Record) -> None:
    """Put a value into its place in a copy of the nested field."""
    name = _nested_field(column)
    head = wire_name(name)
    draft = row.drafts[name] if name in row.drafts else deepcopy(record.get(head)) or {}
    part = _part(parent, {head: draft})
    if not isinstance(part, dict):
        missing = parent.rpartition(".")[2].partition("[")[0]
        row.refuse(column.name, f"cannot be set without {missing}; give {name} as a whole", part_of=name)
        return
    row.drafts[name] = draft
    row.cells[name] += 1
    if value is None and parent == "messenger":  # a messenger's fields can be absent, but not null
        part.pop(leaf, None)
    else:
        part[leaf] = value


def _part(parent: str, within: Any) -> Any:
    """Return the object with a column's field; the same one that the frame used."""
    for step in parent.split("."):
        key, _, how = step.partition("[")
        within = within.get(key) if isinstance(within, dict) else None
        if how:
            within = primary(within) if within else None
    return within


EDITABLE: Sequence[str] = tuple(name for name, column in COLUMNS.items() if _is_editable(column))
"""The columns of a frame of users that can be edited."""
