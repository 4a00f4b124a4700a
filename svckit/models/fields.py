"""A model's fields as a table: names, types, limits and help texts.

All of it is read from the model, so a form, the client's check and the fake's rule cannot disagree.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Self

from svckit.models.base import WireModel, python_name
from svckit.models.patterns import MEANINGS
from svckit.models.record_card import Groups

__all__ = ["FieldSpec", "Kind", "group_fields", "list_fields"]

Kind = Literal["text", "integer", "number", "flag", "choice", "date", "time", "object", "list", "json"]
"""The type of a field's value; ``json`` is an object with unknown names, or a value of any type."""

_TYPES: Final[Mapping[str, Kind]] = {
    "integer": "integer",
    "number": "number",
    "boolean": "flag",
    "string": "text",
}
_SHAPES: Final = {"date": "YYYY-MM-DD", "date-time": "YYYY-MM-DDThh:mm:ss and then Z or ±hh:mm"}
_FORMATS: Final[Mapping[str, Kind]] = {"date": "date", "date-time": "time"}


class FieldSpec(NamedTuple):
    """One field of a model.

    Attributes:
        name: its Python name; empty for the items of a list.
        kind: the type of its value.
        help: its purpose.
        required: whether it must be present.
        nullable: whether it can be null.
        default: the service's default when it is absent; ``None`` if the description does not show it.
        least, most: bounds of the characters of a text, the items of a list, or a number.
        meaning: the format of a text, in words.
        choices: the allowed values, if they are listed.
        fields: the fields of an object.
        item: the type of the items of a list.
        group: the heading it belongs to, if any.
    """

    name: str
    kind: Kind
    help: str = ""
    required: bool = False
    nullable: bool = False
    default: Any = None
    least: int | None = None
    most: int | None = None
    meaning: str = ""
    choices: tuple[str, ...] = ()
    fields: tuple["FieldSpec", ...] = ()
    item: "FieldSpec | None" = None
    group: str = ""

    @property
    def limits(self) -> str:
        """The limits in words; empty for a field without limits.

        Examples:
            >>> from svckit.models import UserChange
            >>> limits = {field.name: field.limits for field in list_fields(UserChange)}
            >>> limits["employee_number"], limits["alias_emails"], limits["hired_date"]
            ('1 to 20 characters', 'at most 10 items', 'YYYY-MM-DD')
        """
        unit = {"text": " characters", "list": " items"}.get(self.kind, "")
        counted = ""
        if self.least is not None and self.most is not None:
            counted = f"{self.least} to {self.most}{unit}"
        elif self.most is not None:
            counted = f"at most {self.most}{unit}"
        elif self.least is not None:
            counted = f"at least {self.least}{unit.removesuffix('s') if self.least == 1 else unit}"
        return "; ".join(filter(None, [counted, self.meaning]))

    @classmethod
    def read(cls, name: str, schema: Mapping[str, Any], parts: Mapping[str, Any], *, required: bool) -> Self:
        """Read a field from a JSON schema; ``parts`` are the schema's definitions."""
        own, nullable = _split_null(schema)
        own = {**parts[own["$ref"].rpartition("/")[2]], **own} if "$ref" in own else own
        kind = _find_kind(own)
        fields = cls.read_all(own, parts) if kind == "object" else ()
        item = cls.read("", own["items"], parts, required=True) if kind == "list" else None
        return cls(
            name=name,
            kind=kind,
            help=schema.get("description", ""),
            required=required,
            nullable=nullable,
            default=schema.get("default"),
            least=_find_first(own, "minLength", "minItems", "minimum"),
            most=None if kind in ("date", "time") else _find_first(own, "maxLength", "maxItems", "maximum"),
            meaning=_describe_format(own),
            choices=tuple(own.get("enum", ())),
            fields=fields,
            item=item,
        )

    @classmethod
    def read_all(cls, schema: Mapping[str, Any], parts: Mapping[str, Any]) -> tuple[Self, ...]:
        """Read the fields of an object from a JSON schema."""
        required = schema.get("required", ())
        return tuple(
            cls.read(python_name(name), field, parts, required=name in required)
            for name, field in schema.get("properties", {}).items()
        )


@cache
def list_fields(model: type[WireModel]) -> tuple[FieldSpec, ...]:
    """List the fields of a model, in its order.

    Examples:
        >>> from svckit.models import StatusRegistration
        >>> for field in list_fields(StatusRegistration)[:3]:
        ...     print(field.name, field.kind, field.required, field.nullable, field.most)
        profile_status_id choice True False None
        status_message text False True 50
        start_time time False True None
    """
    schema = model.model_json_schema()
    return FieldSpec.read_all(schema, schema.get("$defs", {}))


def group_fields(fields: Iterable[FieldSpec], groups: Groups) -> tuple[FieldSpec, ...]:
    """Sort fields by the groups of a record, and note each one's group; others follow.

    Examples:
        >>> from svckit.models import User, UserChange
        >>> [(field.name, field.group) for field in group_fields(list_fields(UserChange), User.field_groups)][:2]
        [('user_name', ''), ('email', 'Contact')]
    """
    rest = {field.name: field for field in fields}
    found = []
    for entry in groups:
        heading, names = ("", [entry]) if isinstance(entry, str) else entry
        known = (name for name in map(python_name, names) if name in rest)
        found += [rest.pop(name)._replace(group=heading) for name in known]
    return (*found, *rest.values())


def _split_null(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    options = schema.get("anyOf")
    if options is None:
        return schema, False
    others = [option for option in options if option != {"type": "null"}]
    if len(others) > 1:
        return {}, len(others) < len(options)
    return others[0], True


def _find_kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema:
        return "choice"
    if schema.get("type") == "array":
        return "list"
    if "properties" in schema:
        return "object"
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    return _TYPES.get(schema.get("type", ""), "json")


def _describe_format(schema: Mapping[str, Any]) -> str:
    return MEANINGS.get(schema.get("pattern", ""), "") or _SHAPES.get(schema.get("format", ""), "")


def _find_first(schema: Mapping[str, Any], *names: str) -> int | None:
    return next((schema[name] for name in names if name in schema), None)
