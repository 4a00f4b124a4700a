"""Tables of users: columns are wire paths, such as ``userName.lastName``, or the columns of a frame of users."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from svckit.display.suggestions import did_you_mean
from svckit.models.base import python_name, wire_name
from svckit.models.column_paths import DERIVED_COLUMNS, USER_COLUMNS
from svckit.models.fields import Kind, list_fields
from svckit.models.times import parse_iso_time
from svckit.models.user import User

__all__ = ["Column", "find_columns", "make_record"]

PRIMARY = "[primary]"
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
STATES = frozenset(
    (
        ("isPending",),
        ("isAwaiting",),
        ("isSuspended",),
        ("isDeleted",),
        ("leaveOfAbsence", "isLeaveOfAbsence"),
    )
)
"""The columns of the flags."""
MIDNIGHT = re.compile(r"[T ]00:00(:00(\.0+)?)?$")
INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Column(NamedTuple):
    """A column of a table: the steps of its path, and the kind of its values.

    A step ``organizations[primary]`` leads to the item of a list that is marked primary.
    """

    name: str
    steps: tuple[str, ...]
    kind: Kind
    item: Kind | None


def find_columns(names: Sequence[str]) -> tuple[list[Column | None], list[str]]:
    """Return the columns of a table, None for those that follow from others, and the problems of their names.

    Examples:
        >>> columns, problems = find_columns(["userName.lastName", "is_pending", "state", "nickname"])
        >>> [column and ".".join(column.steps) for column in columns], problems
        (['userName.lastName', 'isPending', None, None],
         ["the column 'nickname' is not a field of a user; did you mean nickName?"])
    """
    columns: list[Column | None] = []
    problems = []
    for name in names:
        column = find_column(name)
        if column is None and name and name not in DERIVED_COLUMNS:
            known = [*User.wire_names(), *USER_COLUMNS, *USER_COLUMNS.values()]
            problems.append(f"the column {name!r} is not a field of a user{did_you_mean(name, known)}")
        columns.append(column)
    if "state" in names and not STATES.intersection(column.steps for column in columns if column):
        flags = ", ".join(sorted(".".join(steps) for steps in STATES))
        problems.append(
            f"the column 'state' follows from the flags, and is not read; name the flags: {flags}"
        )
    paths = [column.steps for column in columns if column]
    twice = dict.fromkeys(".".join(path) for path in paths if paths.count(path) > 1)
    problems += [f"two columns have the values of {path}" for path in twice]
    return columns, problems


def find_column(name: str) -> Column | None:
    """Return a column by its name; None if no field has it."""
    path = USER_COLUMNS.get(name) or (wire_name(name) if "." not in name else name)
    fields, spec = list_fields(User), None
    steps = tuple(path.split("."))
    for at, step in enumerate(steps):
        key = step.removesuffix(PRIMARY)
        spec = next((field for field in fields if field.name == python_name(key)), None)
        if spec is None or wire_name(spec.name) != key:
            return None
        if step.endswith(PRIMARY):
            spec = spec.item
        if spec is not None and spec.kind == "json" and at == len(steps) - 2:  # a custom property
            return Column(name, steps, "json", None)
        fields = spec.fields if spec else ()
    return None if spec is None else Column(name, steps, spec.kind, spec.item.kind if spec.item else None)


def make_record(columns: Iterable[Column | None], cells: Iterable[Any]) -> dict[str, Any]:
    """Return the record of one row. Empty cells are left out; cells that do not fit stay as they are, to be refused.

    Examples:
        >>> columns, _ = find_columns(["email", "userName.lastName", "is_pending", "aliasEmails", "level_id"])
        >>> make_record(columns, ["mina@example.com", "Sato", "TRUE", "a@example.com, b@example.com", ""])
        {'email': 'mina@example.com', 'userName': {'lastName': 'Sato'}, 'isPending': True,
         'aliasEmails': ['a@example.com', 'b@example.com']}
    """
    record: dict[str, Any] = {}
    whole: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=False):
        if column is None or cell is None or (isinstance(cell, str) and not cell):
            continue
        value = parse_cell(cell, column.kind, column.item)
        if len(column.steps) == 1:
            whole[column.steps[0]] = value
        else:
            _put(record, column.steps, value)
    record = {name: value for name, value in record.items() if name not in whole} | whole
    order = {column.steps[0].removesuffix(PRIMARY): None for column in columns if column}
    return {name: record[name] for name in order if name in record}


def _put(record: dict[str, Any], steps: tuple[str, ...], value: Any) -> None:
    """Put a value at a path of a record."""
    within = record
    for step in steps[:-1]:
        name = step.removesuffix(PRIMARY)
        if step.endswith(PRIMARY):
            within = within.setdefault(name, [{"primary": True}])[0]
        else:
            within = within.setdefault(name, {})
    within[steps[-1]] = value


def parse_cell(cell: Any, kind: Kind, item: Kind | None) -> Any:
    """Return a cell as a value of JSON, by the kind of its field, or as it is if it does not fit.

    Examples:
        >>> parse_cell("no", "flag", None), parse_cell("maybe", "flag", None), parse_cell("[1]", "json", None)
        (False, 'maybe', [1])
    """
    if isinstance(cell, date):
        cell = cell.isoformat()
    if isinstance(cell, str):
        return PARSERS[_find_parser(kind, item, cell)](cell)
    return int(cell) if kind == "integer" and isinstance(cell, float) and cell.is_integer() else cell


def _find_parser(kind: Kind, item: Kind | None, text: str) -> str:
    """Return the name of the parser for a text: the kind of its field, unless it is a list without brackets."""
    return "texts" if kind == "list" and item == "text" and not text.lstrip().startswith("[") else kind


def parse_time(text: str) -> str:
    """Return a time as the service writes it if it is written another way, such as by pandas.

    Examples:
        >>> parse_time("2026-06-01 09:00:00+09:00"), parse_time("tomorrow")
        ('2026-06-01T09:00:00+09:00', 'tomorrow')
    """
    try:
        return text if "T" in text else parse_iso_time(text).isoformat()
    except ValueError:
        return text


def parse_json(text: str) -> Any:
    """Return the value of JSON text; other text stays text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def parse_texts(text: str) -> list[str]:
    """Return the texts between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


PARSERS: Mapping[str, Callable[[str], Any]] = {
    "flag": lambda text: FLAGS.get(text.strip().lower(), text),
    "integer": lambda text: int(text) if INTEGER.fullmatch(text.strip()) else text,
    "date": lambda text: MIDNIGHT.sub("", text.strip()),
    "time": lambda text: parse_time(text.strip()),
    "texts": parse_texts,
    **dict.fromkeys(("list", "object", "json"), parse_json),
    **dict.fromkeys(("text", "choice", "number"), str),
}
"""The parsers of texts by the kind of the field."""
