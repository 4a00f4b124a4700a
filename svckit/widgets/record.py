"""A wire record as lines of label and value, nested objects and lists below headings of their own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from svckit.widgets.labels import in_words, singular

__all__ = ["Line", "lines_of"]

EMPTY = "none"
VERBATIM = frozenset({"customProperties"})  # the keys inside are names that people chose


class Line(NamedTuple):
    """One line of a record.

    Attributes:
        label: what it is.
        value: its text; None for a null, which is shown as a dash.
        depth: how deeply it is nested, from 0.
        heading: whether the lines below it, one deeper, belong to it; it has no value of its own.
    """

    label: str
    value: str | None
    depth: int = 0
    heading: bool = False


def lines_of(record: Mapping[str, Any], groups: Mapping[str, Sequence[str]] | None = None) -> list[Line]:
    """The fields of a record, all of them and no others: an absent field has no line, a null one has a dash.

    Args:
        record: camelCase, as on the wire.
        groups: which fields stand together below which heading, in order; the remaining ones follow.

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
    placed: set[str] = set()
    for heading, names in (groups or {}).items():
        there = [name for name in names if name in record]
        placed.update(there)
        if there:
            lines.append(Line(heading, None, heading=True))
            lines.extend(line for name in there for line in _field(name, in_words(name), record[name], 1))
    rest = [name for name in record if name not in placed]
    lines.extend(line for name in rest for line in _field(name, in_words(name), record[name], 0))
    return lines


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
    for key, value in fields.items():
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
