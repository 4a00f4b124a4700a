"""The base of all wire models: names, strictness, and the difference between absent and null.

A field that was not given is *absent*: it is not in ``model_fields_set`` and never goes over the wire. A
field that was given as ``None`` is *null*: it goes over the wire as ``null`` and clears what is stored. Only
fields that the service's description (section "Resources and their fields") marks nullable take a null.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, SchemaValidator

from svckit.models.leniency import remove_limits
from svckit.models.long_arrays import make_stepwise

__all__ = [
    "FROM_JSON",
    "Flag",
    "Int32",
    "Int64",
    "Integer",
    "Number",
    "OrAbsent",
    "WireModel",
    "absent",
    "python_name",
    "wire_name",
]

T = TypeVar("T")

Flag = Annotated[bool, Field(strict=True)]
"""A JSON boolean: neither 1 nor "true"."""

Integer = Annotated[int, Field(strict=True)]
"""A JSON integer: neither "1" nor true."""

Int32 = Annotated[Integer, Field(ge=-(2**31), le=2**31 - 1)]
"""An integer of 32 bits, such as a domain ID."""

Int64 = Annotated[Integer, Field(ge=-(2**63), le=2**63 - 1)]
"""An integer of 64 bits, the description's ``long``."""

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
"""A JSON number, whole or not."""


class _NotNull:
    """An annotation that removes null from what a field accepts, so that ``None`` only means absent."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        nullable = handler(source)
        inner: CoreSchema = nullable["schema"]
        return inner


OrAbsent = Annotated[T | None, _NotNull()]
"""A field that may be left out but not be null: ``email: OrAbsent[str] = absent("E-mail address.")``."""


def absent(description: str | None) -> Any:
    """Return a field that is absent unless it is given.

    Args:
        description: what the field means.

    Examples:
        >>> class Room(WireModel):
        ...     title: OrAbsent[str] = absent("Title of the room.")
        >>> Room().to_wire(), Room(title="Release").to_wire()
        ({}, {'title': 'Release'})
    """
    return Field(default=None, description=description)


def wire_name(name: str) -> str:
    """Return the wire spelling of a Python name; a name in that spelling stays as it is.

    Examples:
        >>> wire_name("org_unit_id"), wire_name("i18n_names"), wire_name("nickName")
        ('orgUnitId', 'i18nNames', 'nickName')
    """
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def python_name(name: str) -> str:
    """Return the Python spelling of a wire name; a name in that spelling stays as it is.

    Examples:
        >>> python_name("orgUnitId"), python_name("i18nNames"), python_name("nick_name")
        ('org_unit_id', 'i18n_names', 'nick_name')
    """
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda capital: f"_{capital[0].lower()}", name)


def _drop_null_defaults(schema: dict[str, Any]) -> None:
    """Remove defaults of null from a JSON schema, in which an absent field is simply left out."""
    for field in schema.get("properties", {}).values():
        if "default" in field and field["default"] is None:
            del field["default"]


TEXT = (str, bytes, bytearray)
FROM_JSON: Final = MappingProxyType({"from_json": True})
"""The context for validating data that was parsed from JSON text."""


class WireModel(BaseModel):  # noqa: PLW1641 - it can be changed, so it has no hash
    """A JSON object of the service, with Python names here and camelCase names on the wire.

    Build one with Python names; read one from the wire with :meth:`from_wire`; write it with :meth:`to_wire`.
    Fields that the service's description does not name are ignored. Integers and booleans are not coerced.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> change = UserChange(nick_name="Mina", task=None)
        >>> change
        UserChange(nick_name='Mina', task=None)
        >>> change.to_wire()
        {'nickName': 'Mina', 'task': None}
        >>> UserChange.from_wire(b'{"nickName": "Mina", "shoeSize": 38}').to_wire()
        {'nickName': 'Mina'}
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=wire_name,
        validate_by_alias=True,
        validate_by_name=True,
        extra="ignore",
        validate_assignment=True,
        defer_build=True,  # on first use, so that importing the vocabulary stays light
        regex_engine="python-re",  # the telephone pattern looks ahead, which the default engine cannot
        json_schema_extra=_drop_null_defaults,
    )

    fills_missing: ClassVar[bool] = False
    """Whether required fields that a response lacks are None."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return make_stepwise(handler(source))  # so that a long array costs no more than its first problems

    @classmethod
    def from_wire(cls, body: str | bytes | bytearray | Mapping[str, Any], *, from_json: bool = False) -> Self:
        """Return the model read from JSON text, or a parsed object, by wire names only (``nick_name`` is not one).

        Args:
            body: the text, or the object.
            from_json: True if the object was parsed from JSON text without ``NaN`` and infinite numbers; then
                values of any type can be written as JSON, and need no check.

        Raises:
            pydantic.ValidationError: the body is invalid; see :func:`svckit.models.problems.list_problems`.

        Examples:
            >>> from svckit.models.user import UserChange
            >>> UserChange.from_wire({"nickName": "Mina"})
            UserChange(nick_name='Mina')
        """
        validator = cls.__pydantic_validator__
        read: Self = (
            validator.validate_json(body, by_alias=True, by_name=False)
            if isinstance(body, TEXT)
            else validator.validate_python(
                body, by_alias=True, by_name=False, context=FROM_JSON if from_json else None
            )
        )
        return read  # model_validate does the same, and costs a fifth more

    @classmethod
    def from_response(
        cls,
        body: str | bytes | bytearray | Mapping[str, Any],
        on_difference: Callable[[ValidationError], object] | None = None,
    ) -> Self:
        """Return the model read from a response like :meth:`from_wire`, but accept values beyond a limit.

        Args:
            body: JSON text, or the parsed object.
            on_difference: called with what :meth:`from_wire` would raise, if given.

        Raises:
            pydantic.ValidationError: a value has the wrong type, or a required field is missing.

        Examples:
            >>> from svckit.models.user import User
            >>> record = {"domainId": 1, "email": "mina@example.com", "userName": {}, "locale": "fr_FR"}
            >>> User.from_response(record).locale
            'fr_FR'
        """
        try:
            return cls.from_wire(body)  # the usual case, in a third of the time
        except ValidationError as error:
            if on_difference is not None:
                on_difference(error)
        return cls._read_leniently(body)

    @classmethod
    def _read_leniently(cls, body: str | bytes | bytearray | Mapping[str, Any]) -> Self:
        """Return the model read from what :meth:`from_wire` does not take."""
        if isinstance(body, Mapping):
            read = cls._build_lenient_validator().validate_python(body, by_alias=True, by_name=False)
        else:
            read = cls._build_lenient_validator().validate_json(body, by_alias=True, by_name=False)
        record: Self = read
        return record

    @classmethod
    @cache
    def _build_lenient_validator(cls) -> SchemaValidator:
        cls.model_rebuild()
        return SchemaValidator(remove_limits(cls.__pydantic_core_schema__, fills_missing=cls.fills_missing))

    @classmethod
    @cache
    def wire_names(cls) -> frozenset[str]:
        """Return the names that the fields have on the wire.

        Examples:
            >>> from svckit.models.notification import Button
            >>> sorted(Button.wire_names())
            ['label', 'url']
        """
        return frozenset(field.alias or wire_name(name) for name, field in cls.model_fields.items())

    def to_wire(self) -> dict[str, Any]:
        """Return what goes over the wire: wire names, JSON values, only the fields that were given.

        Examples:
            >>> from svckit.models.user import UserChange
            >>> UserChange(nick_name="Mina", task=None).to_wire()
            {'nickName': 'Mina', 'task': None}
        """
        # Pydantic would warn about values in a response that the description does not list.
        wire: dict[str, Any] = self.__pydantic_serializer__.to_python(
            self, mode="json", by_alias=True, exclude_unset=True, warnings=False
        )
        return wire  # model_dump does the same, and costs a third more

    def __eq__(self, other: object) -> bool:
        """Return whether two objects are the same on the wire; absent does not equal null."""
        if not isinstance(other, WireModel):
            return NotImplemented
        return super().__eq__(other) and self.model_fields_set == other.model_fields_set

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return [(name, value) for name, value in super().__repr_args__() if name in self.model_fields_set]
