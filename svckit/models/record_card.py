"""Cards for records from the service: their fields, as HTML and as text.

Each field has the path by which Python reads it. Long values are cut; secrets are masked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeAlias

from svckit.display.masking import MASK, is_secret_name, mask
from svckit.display.terminal import on_one_line
from svckit.models.base import WireModel, python_name

__all__ = ["Groups", "ServiceRecord", "walk_fields"]

Groups: TypeAlias = Sequence[str | tuple[str, Sequence[str]]]
"""The order of wire fields: single ones, or several below a heading."""

MOST: Final = 80
"""The number of fields shown."""

LONGEST: Final = 100
"""The number of characters shown of a value, and of a path."""

VERBATIM: Final = "custom_properties"  # the keys inside are names that people chose


class ServiceRecord(WireModel):
    """A record of the service that shows itself as a card, such as the result of a cell.

    Examples:
        >>> from svckit.models import UploadResult
        >>> UploadResult(file_id="file-1", file_name="a.txt", file_size=3, statuses=[])
        UploadResult file-1
          file_id    file-1
          file_name  a.txt
          file_size  3
          empty      statuses
    """

    fills_missing = True  # what took effect is not a failure, whatever the response says of it
    id_field: ClassVar[str]
    """The field that identifies the record."""

    first_fields: ClassVar[tuple[str, ...]] = ()
    """The wire fields that are shown first."""

    field_groups: ClassVar[Groups] = ()
    """The groups and the order of the fields in views and forms; remaining fields follow."""

    def __repr__(self) -> str:
        from svckit.display.card import render_card

        return render_card(*self._list_rows())[1]

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from svckit.display.card import render_card, render_groups

        title, rows = self._list_rows()
        lists: dict[str, list[tuple[str, str]]] = {}
        for path, value in rows:
            if "[" in path:
                lists.setdefault(path.partition("[")[0], []).append((path, value))
        card = render_card(title, [row for row in rows if "[" not in row[0]])[0]
        return card + render_groups("", ("field", "value"), lists) if lists else card

    def _list_rows(self) -> tuple[str, list[tuple[str, str]]]:
        key = getattr(self, self.id_field)
        title = type(self).__name__ if key is None else f"{type(self).__name__} {_format_value(key)}"
        wire = self.to_wire()
        first = {name: wire[name] for name in self.first_fields if name in wire}
        rows: list[tuple[str, str]] = []
        empty: list[str] = []
        for path, name, value in walk_fields(first | wire):
            if value is None or value in ({}, []):
                empty += [path] if path == name else []  # of nested fields, only those with a value
            else:
                rows.append(
                    (
                        _truncate(mask(on_one_line(path))),
                        MASK if is_secret_name(name) else _format_value(value),
                    )
                )
        more = len(rows) - MOST
        rows = [*rows[:MOST], *([("…", f"and {more} more")] if more > 0 else [])]
        return title, [*rows, *([("empty", ", ".join(empty))] if empty else [])]


def walk_fields(value: Any, path: str = "", name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield the path, name and value of each field of a wire record that has no nested fields.

    Examples:
        >>> list(walk_fields({"orgUnits": [{"orgUnitId": "o-1"}], "aliasEmails": ["a@example.com"]}))
        [('org_units[0].org_unit_id', 'org_unit_id', 'o-1'), ('alias_emails', 'alias_emails', ['a@example.com'])]
        >>> list(walk_fields({"customProperties": {"homePage": 1}}))
        [("custom_properties['homePage']", 'homePage', 1)]
    """
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            own = key if name == VERBATIM else python_name(key)
            step = f"[{key!r}]" if name == VERBATIM else f".{own}" if path else own
            yield from walk_fields(inner, f"{path}{step}", own)
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for number, item in enumerate(value):
            yield from walk_fields(item, f"{path}[{number}]", name)
    else:
        yield path, name, value


def _format_value(value: Any) -> str:
    """Format a value on one line."""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return _truncate(mask(on_one_line(text)))


def _truncate(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
