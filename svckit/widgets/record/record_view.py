"""A view of all fields of one record: live, as static HTML and as text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from svckit.models.record_card import Groups
from svckit.widgets.base.labels import in_words, singular
from svckit.widgets.base.template_widget import TemplateWidget
from svckit.widgets.base.untyped import AnyWidget

__all__ = ["RecordView", "lines_of"]


EMPTY = "none"
VERBATIM = frozenset({"customProperties"})  # its keys are user-defined names


class Line(NamedTuple):
    """One line of a record.

    Attributes:
        label: the label.
        value: its text; None for null, which is shown as a dash.
        depth: the nesting depth, from 0.
        heading: whether it is a heading for the deeper lines below; a heading has no value.
        locale: the locale of its text, such as ``ja_JP``; empty if it is not known.
    """

    label: str
    value: str | None
    depth: int = 0
    heading: bool = False
    locale: str = ""


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
    locale = str(rest.get("locale") or "")
    for entry in order:
        heading, names = (None, [entry]) if isinstance(entry, str) else entry
        fields = {name: rest.pop(name) for name in names if name in rest}
        if heading and fields:
            lines.append(Line(heading, None, heading=True))
        _add_fields(lines, fields, 1 if heading else 0, locale)
    _add_fields(lines, rest, 0, locale)
    return lines


def group_lines(lines: Iterable[Line]) -> list[tuple[str, list[Line]]]:
    """Split the lines of a record at its outermost headings; lines outside of them have an empty one.

    Examples:
        >>> group_lines([Line("Task", "Sales"), Line("Name", None, heading=True), Line("First name", "Ken", 1)])[1][0]
        'Name'
    """
    groups: list[tuple[str, list[Line]]] = []
    for line in lines:
        if line.heading and not line.depth:
            groups.append((line.label, []))
            continue
        if not groups or (not line.depth and groups[-1][0]):
            groups.append(("", []))
        groups[-1][1].append(line)
    return groups


def _add_fields(
    lines: list[Line], fields: Mapping[str, Any], depth: int, locale: str, *, verbatim: bool = False
) -> None:
    """Add the lines of fields, nested ones last: a field after them would look like a part of them."""
    nested = []
    for name, value in fields.items():
        label = name if verbatim else in_words(name)
        if isinstance(value, Mapping):
            nested.append((name, label, value))
        elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
            nested += [
                (name, _number(name, number, item), item) for number, item in enumerate(value, start=1)
            ]
        else:
            lines.append(Line(label, _text(value), depth, locale=locale))
    for name, label, value in nested:
        if isinstance(value, Mapping) and value:
            lines.append(Line(label, None, depth, heading=True))
            own = str(value.get("language") or locale)  # a name in a further language
            _add_fields(lines, value, depth + 1, own, verbatim=name in VERBATIM)
        else:
            text = EMPTY if isinstance(value, Mapping) else _text(value)
            lines.append(Line(label, text, depth, locale=locale))


def _number(name: str, number: int, item: object) -> str:
    """Return the label of an item of a list."""
    primary = " (primary)" if isinstance(item, Mapping) and item.get("primary") else ""
    return f"{singular(name)} {number}{primary}"


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


class RecordView(TemplateWidget, AnyWidget):
    """A table of the fields of one record, with an ID to copy.

    Args:
        records: not accepted; pass the record to :meth:`show`.
        hint: the text shown without a record.
        change: opens and closes the form that changes the record, if it can be changed.

    Raises:
        TypeError: a record was given.

    Examples:
        >>> view = RecordView()
        >>> view.show({"userId": "u-1", "task": None}, title="Mori Ken", key="u-1")
        >>> view
        Mori Ken
          User ID  u-1
          Task     –
        >>> view.clear()
        >>> view.close()
    """

    template = "widgets/record/record.html"

    def __init__(
        self, *records: object, hint: str = "No record.", change: Callable[[], None] | None = None
    ) -> None:
        if records:
            raise TypeError("RecordView() takes no record; call RecordView().show(record, title=…, key=…)")
        self.hint = hint
        self._change = change
        super().__init__(view=self._view())

    def show(
        self,
        record: Mapping[str, Any],
        *,
        title: str,
        key: str,
        order: Groups = (),
        about: Sequence[str] = (),
        state: str = "",
        changing: bool = False,
    ) -> None:
        """Show a record.

        Args:
            record: the record, with wire names.
            title: the heading.
            key: the ID to copy.
            order: the order of the fields, as for `svckit.widgets.record.record_view.lines_of`.
            about: what else the head says in the browser, such as an e-mail address.
            state: a word beside the heading there, such as "active".
            changing: whether the form that changes the record is open.
        """
        lines = lines_of(record, order)
        self.view = self._view() | {
            "title": title,
            "key": key,
            "about": [*filter(None, about)],
            "state": state,
            "lines": [line._asdict() for line in lines],
            "groups": group_lines(lines),
            "changing": changing,
            "locale": str(dict(record).get("locale") or ""),
        }

    def clear(self) -> None:
        """Show no record."""
        self.view = self._view()

    def _view(self) -> dict[str, Any]:
        return {"hint": self.hint, "title": "", "lines": [], "changes": self._change is not None}

    def _do_change(self) -> None:
        if self._change is not None:
            self._change()

    def __repr__(self) -> str:
        return super().__repr__() or self.hint
