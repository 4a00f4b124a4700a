"""A wire record as lines of label and value; nested objects and lists have headings."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from svckit.models.record_card import Groups
from svckit.widgets.base.labels import in_words, singular

__all__ = ["Line", "lines_of"]

EMPTY = "none"
VERBATIM = frozenset({"customProperties"})  # its keys are user-defined names


class Line(NamedTuple):
    """One line of a record.

    Attributes:
        label: the label.
        value: its text; None for null, which is shown as a dash.
        depth: the nesting depth, from 0.
        heading: whether it is a heading for the deeper lines below; a heading has no value.
    """

    label: str
    value: str | None
    depth: int = 0
    heading: bool = False


def lines_of(record: Mapping[str, Any], order: Groups = ()) -> list[Line]:
    """Convert all fields of a record to lines; a null field has a dash, an absent one no line.

    Args:
        record: camelCase, as on the wire.
        order: the first fields, some grouped below a heading; the remaining ones follow.

    Examples:
        >>> record = {"userId": "u-1", "task": None, "organizations": [{"organizationName": "Main", "primary": True}]}
        >>> for line in lines_of(record):
        ...     print("  " * line.depth + line.label, line.value, sep=": ")
        User ID: u-1
        Task: None
        Organization 1 (primary): None
          Organization name: Main
          Primary: yes
    """
    lines: list[Line] = []
    rest = dict(record)
    for entry in order:
        heading, names = (None, [entry]) if isinstance(entry, str) else entry
        fields = {name: rest.pop(name) for name in names if name in rest}
        if heading and fields:
            lines.append(Line(heading, None, heading=True))
        lines.extend(_fields(fields, depth=1 if heading else 0))
    return [*lines, *_fields(rest, depth=0)]


def _fields(fields: Mapping[str, Any], depth: int) -> Iterator[Line]:
    for name, value in _plain_first(fields):
        yield from _field(name, in_words(name), value, depth)


def _plain_first(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Sort nested fields last; a field after them would look like a part of them."""
    return sorted(fields.items(), key=lambda field: _is_nested(field[1]))


def _is_nested(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return any(isinstance(item, Mapping) for item in items)


def _field(name: str, label: str, value: object, depth: int) -> Iterator[Line]:
    match value:
        case Mapping():
            yield from _object(name, label, value, depth)
        case [*items] if any(isinstance(item, Mapping) for item in items):
            for number, item in enumerate(items, start=1):
                primary = " (primary)" if isinstance(item, Mapping) and item.get("primary") else ""
                yield from _field(name, f"{singular(name)} {number}{primary}", item, depth)
        case _:
            yield Line(label, _text(value), depth)


def _object(name: str, label: str, fields: Mapping[str, Any], depth: int) -> Iterator[Line]:
    if not fields:
        yield Line(label, EMPTY, depth)
        return
    yield Line(label, None, depth, heading=True)
    for key, value in _plain_first(fields):
        yield from _field(key, key if name in VERBATIM else in_words(key), value, depth + 1)


def _text(value: object) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "yes" if value else "no"
        case [*items]:
            return ", ".join(_text(item) or "–" for item in items) or EMPTY
        case _:
            return str(value)
