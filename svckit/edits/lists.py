"""The lists of a user in long frames, and their assembly from edited rows; a list is sent as a whole.

Unedited fields stay as they were read: absent stays absent and null stays null, although a frame shows both as missing.
A cleared cell becomes null if the field can be null, else absent; in a new row, a missing cell is absent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import inf
from typing import Any, Protocol, TypeAlias

from svckit.edits.row import EditedRow
from svckit.frames import user_lists
from svckit.frames.cells import parse
from svckit.frames.column import Column, Record
from svckit.models.base import WireModel, python_name
from svckit.models.fields import list_fields
from svckit.models.user_parts import (
    OrgUnitChange,
    UserCustomFieldChange,
    UserI18nName,
    UserOrganizationChange,
    UserRelationChange,
)

__all__ = ["LISTS", "Key", "ListEdits", "UserList"]

Key: TypeAlias = tuple[Any, ...]
Cells: TypeAlias = Mapping[str, Any]
OF_THE_POST = "the post, which svckit.frames.organizations shows"


@dataclass(slots=True)
class ListEdits:
    """The edits of a user's list, by the keys of its items: numbers, for a custom property also its name.

    Attributes:
        cells: the edited cells of existing items, by column.
        new: the new items.
        gone: the missing items.
    """

    cells: dict[Key, dict[str, Any]] = field(default_factory=dict)
    new: list[tuple[Key, Cells]] = field(default_factory=list)
    gone: set[Key] = field(default_factory=set)

    def of(self, first: Any) -> "ListEdits":
        """Return the edits whose keys start with a value, by the rest of their keys."""
        return ListEdits(
            {key[1:]: cells for key, cells in self.cells.items() if key[0] == first},
            [(key[1:], cells) for key, cells in self.new if key[0] == first],
            {key[1:] for key in self.gone if key[0] == first},
        )

    @property
    def firsts(self) -> dict[Any, None]:
        """The distinct first values of the keys."""
        return dict.fromkeys(key[0] for key in (*self.cells, *(key for key, _ in self.new), *self.gone))


class UserList(Protocol):
    """A list of a user in a long frame.

    Attributes:
        field: its wire name.
        columns: the columns of the frame.
        keys: the columns that identify a row.
    """

    field: str
    columns: Sequence[Column]
    keys: Sequence[str]

    def records(self, users: Iterable[Record]) -> Iterable[Record]:
        """Return the records of the long frame."""

    def assemble(self, row: EditedRow, before: Record, edits: ListEdits) -> None:
        """Put the edited list into a user's row, with the problems; ``before`` is the user's record."""


class ListItem:
    """An item of a list in its columns.

    Args:
        columns: the columns of the frame.
        prefix: the path of the item.
        model: the writable fields; ``None`` if the item is text.
        instead: the columns to edit instead of read-only ones.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        prefix: str,
        model: type[WireModel] | None,
        instead: Mapping[str, str],
    ) -> None:
        self._columns = {column.name: column for column in columns}
        self._prefix, self._model, self._instead = prefix, model, instead

    def apply_edits(self, row: EditedRow, held: Sequence[Any], edits: ListEdits) -> list[Any]:
        """Apply edits to the held items; the keys are their numbers."""
        items: list[tuple[float, Any]] = []
        for number, item in enumerate(held, 1):
            if (number,) not in edits.gone:
                edited = edits.cells.get((number,))
                items.append(
                    (number, self._edit_item(row, item, edited, f"number {number}") if edited else item)
                )
        for (given,), cells in edits.new:
            items.append((given or inf, self._edit_item(row, None, cells, "a new row")))
        return [item for _, item in sorted(items, key=lambda item: item[0])]

    def _edit_item(self, row: EditedRow, held: Any, cells: Cells, where: str) -> Any:
        item = {} if held is None else deepcopy(held)
        for name, value in cells.items():
            column = self._columns[name]
            try:
                parsed = None if value is None else parse(column, value)
            except ValueError as wrong:
                row.refuse(name, f"of {where} {wrong}")
                continue
            if self._model is None:
                item = parsed
            elif column.path.removeprefix(f"{self._prefix}.") in self._model.wire_names():
                self._set_field(
                    item, column.path.removeprefix(f"{self._prefix}."), parsed, is_new=held is None
                )
            else:
                row.refuse(name, f"of {where} {self._explain_read_only(name, is_new=held is None)}")
        return item

    def _set_field(self, item: dict[str, Any], leaf: str, value: Any, *, is_new: bool) -> None:
        assert self._model is not None, "an item with fields has a model"  # noqa: S101
        spec = next(each for each in list_fields(self._model) if each.name == python_name(leaf))
        if value is not None or spec.required or (spec.nullable and not is_new):
            item[leaf] = value
        else:
            item.pop(leaf, None)

    def _explain_read_only(self, name: str, *, is_new: bool) -> str:
        instead = self._instead.get(name)
        why = f"it follows from {instead}, so edit that" if instead else "only the service writes it"
        advice = "leave it empty there" if is_new else "leave the column out if it is out of date"
        return f"is read-only: {why}; {advice}"


class ItemList:
    """A list of objects or texts."""

    keys: Sequence[str] = ("user_id", "number")

    def __init__(
        self,
        field: str,
        columns: Sequence[Column],
        model: type[WireModel] | None,
        instead: Mapping[str, str] | None = None,
    ) -> None:
        self.field, self.columns = field, columns
        self._part = ListItem(columns, field, model, instead or {})

    def records(self, users: Iterable[Record]) -> Iterator[Record]:
        """Return the records of the long frame."""
        return user_lists.items(users, self.field)

    def assemble(self, row: EditedRow, before: Record, edits: ListEdits) -> None:
        """Put the edited list into a user's row."""
        row.values[python_name(self.field)] = self._part.apply_edits(row, before.get(self.field) or (), edits)


class OrgUnits:
    """The org units of all posts; the posts are sent as a whole."""

    field = "organizations"
    columns: Sequence[Column] = user_lists.ORG_UNITS
    keys: Sequence[str] = ("user_id", "organization_number", "number")
    _part = ListItem(
        user_lists.ORG_UNITS,
        "organizations.orgUnits",
        OrgUnitChange,
        {
            "domain_id": OF_THE_POST,
            "organization_primary": OF_THE_POST,
            "org_unit_external_key": "org_unit_id",
            "org_unit_name": "org_unit_id",
            "org_unit_email": "org_unit_id",
            "position_external_key": "position_id",
            "position_name": "position_id",
        },
    )

    def records(self, users: Iterable[Record]) -> Iterator[Record]:
        """Return the records of the long frame."""
        return user_lists.org_units(users)

    def assemble(self, row: EditedRow, before: Record, edits: ListEdits) -> None:
        """Put the edited posts into a user's row."""
        posts = [dict(post) for post in before.get(self.field) or ()]
        for number in edits.firsts:
            if number is None or not 1 <= number <= len(posts):
                given = "is missing" if number is None else f"is {number}"
                row.refuse(
                    "organization_number",
                    f"{given}, but the user has {len(posts)} posts, numbered from 1; "
                    "posts are added in svckit.frames.organizations",
                )
                continue
            post = posts[number - 1]
            post["orgUnits"] = self._part.apply_edits(row, post.get("orgUnits") or (), edits.of(number))
        row.values["organizations"] = posts


class CustomProperties:
    """The custom properties by name; they are sent as a whole."""

    field = "customProperties"
    columns: Sequence[Column] = user_lists.CUSTOM_PROPERTIES
    keys: Sequence[str] = ("user_id", "name", "number")

    def records(self, users: Iterable[Record]) -> Iterator[Record]:
        """Return the records of the long frame."""
        return user_lists.properties(users)

    def assemble(self, row: EditedRow, before: Record, edits: ListEdits) -> None:
        """Put the edited properties into a user's row."""
        properties = dict(before.get(self.field) or {})
        for name in edits.firsts:
            if name is None:
                row.refuse("name", "of a new row is missing; it is the name of the property")
                continue
            values = self._values(row, name, properties, edits.of(name))
            if len(values) > 1 and None in values:
                row.refuse(
                    "number", f"of {name} is missing in one row, but it has several values; number all"
                )
            if not values:
                properties.pop(name, None)
            else:
                single = None in values
                properties[name] = values[None] if single else [values[number] for number in sorted(values)]
        row.values["custom_properties"] = properties

    def _values(self, row: EditedRow, name: str, properties: Record, edits: ListEdits) -> dict[Any, Any]:
        held = properties.get(name)
        numbered = dict(enumerate(held, 1)) if isinstance(held, list) else {None: held}
        values = {n: v for n, v in numbered.items() if name in properties and (n,) not in edits.gone}
        for (number,), edited in edits.cells.items():
            values[number] = self._value(row, name, values[number], edited)
        for (number,), cells in edits.new:
            values[number] = self._value(row, name, None, cells)
        return values

    def _value(self, row: EditedRow, name: str, held: Any, cells: Cells) -> Any:
        columns = {column.name: column for column in self.columns}
        values: dict[str, Any] = {"text": None, "integer": None, "link": None, **user_lists.value_cells(held)}
        for column, value in cells.items():
            try:
                values[column] = None if value is None else parse(columns[column], value)
            except ValueError as wrong:
                row.refuse(column, f"of {name} {wrong}")
        text, integer, link = values["text"], values["integer"], values["link"]
        if integer is not None and (text is not None or link is not None):
            row.refuse(
                name, "is both a number and a text or link; a value has one type, so clear the other cell"
            )
        if isinstance(held, dict) or link is not None:
            return _update_link(held if isinstance(held, dict) else {}, text, link)
        return text if integer is None else integer


def _update_link(held: Record, text: Any, link: Any) -> dict[str, Any]:
    """Update a link; parts that it did not have and does not get stay absent."""
    wanted = {"text": text, "link": link}
    return {**held, **{name: value for name, value in wanted.items() if value != held.get(name)}}


_FROM_THE_LEVEL = {"level_external_key": "level_id", "level_name": "level_id"}

LISTS: Mapping[str, UserList] = {
    "organizations": ItemList(
        "organizations",
        user_lists.ORGANIZATIONS,
        UserOrganizationChange,
        {**_FROM_THE_LEVEL, "org_unit_count": "the rows of svckit.frames.org_units"},
    ),
    "org_units": OrgUnits(),
    "custom_fields": ItemList(
        "customFields", user_lists.CUSTOM_FIELDS, UserCustomFieldChange, {"external_key": "custom_field_id"}
    ),
    "custom_properties": CustomProperties(),
    "alias_emails": ItemList("aliasEmails", user_lists.ALIAS_EMAILS, None),
    "i18n_names": ItemList("i18nNames", user_lists.I18N_NAMES, UserI18nName),
    "relations": ItemList(
        "relations", user_lists.RELATIONS, UserRelationChange, {"external_key": "relation_user_id"}
    ),
}
"""The lists by frame name."""
