"""Custom properties of users: the definitions of a domain, and checks of values against them."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from svckit.models.base import Flag, Integer, WireModel, absent
from svckit.models.long_arrays import ENOUGH, InSteps
from svckit.models.problems import Problem, limit_problems, list_problems, shorten
from svckit.models.text_lengths import AtMost
from svckit.models.times import WireDate
from svckit.models.user_parts import CustomPropertyLink

__all__ = [
    "PropertyDefinition",
    "PropertyType",
    "drop_extras",
    "get_adapter",
    "property_problems",
]

PropertyType = Literal["STRING", "DATE", "INTEGER", "LINK"]
"""The types a custom property can have."""


class PropertyDefinition(WireModel):
    """A custom property as a domain defines it.

    Examples:
        >>> PropertyDefinition(name="rank", property_type="INTEGER", multi_valued=False).to_wire()
        {'name': 'rank', 'propertyType': 'INTEGER', 'multiValued': False}
    """

    name: Annotated[str, Field(min_length=1)] = Field(
        description="Name of the property; that it is not empty is a limit of svckit's own."
    )
    property_type: PropertyType = Field(description="Type of each value.")
    multi_valued: Flag = Field(description="Whether a user can have several values, in an array.")
    options: list[str] | None = absent(
        "The allowed values, for properties of type STRING; null or left out allows all."
    )

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        if self.options is not None and self.property_type != "STRING":
            raise ValueError(
                f"only a property of type STRING can have options; "
                f"{self.name} is of type {self.property_type}"
            )
        return self


_MAX_VALUES = 10

_VALUE: Final[Mapping[PropertyType, Any]] = {
    "STRING": Annotated[str, AtMost(100)],
    "DATE": WireDate,
    "INTEGER": Annotated[Integer, Field(ge=0)],
    "LINK": CustomPropertyLink,
}


@cache
def get_adapter(property_type: PropertyType, multi_valued: bool) -> TypeAdapter[Any]:
    """Return what checks the value of a property of a type: one value, or an array of them."""
    one = _VALUE[property_type]
    if not multi_valued:
        return TypeAdapter(one)
    many: Any = Annotated[list[one], Field(max_length=_MAX_VALUES), InSteps()]  # type: ignore[valid-type]
    return TypeAdapter(many)


def property_problems(values: Mapping[str, Any], definitions: Iterable[PropertyDefinition]) -> list[Problem]:
    """List the problems of a user's custom properties: at most 50, and how many more there are.

    The rules are those of the service's description, section "User", under ``customProperties``. A name
    without a definition is a problem too (a reading: the description does not say).

    Args:
        values: the properties by name, as JSON values.
        definitions: the properties of the domain.

    Examples:
        >>> rank = PropertyDefinition(name="rank", property_type="INTEGER", multi_valued=False)
        >>> property_problems({"rank": 3}, [rank])
        []
        >>> for problem in property_problems({"rank": -1, "shoeSize": 38}, [rank]):
        ...     print(problem)
        customProperties.rank must be at least 0; given -1
        customProperties.shoeSize is not defined; the domain defines rank
    """
    if not values:
        return []
    defined = {definition.name: definition for definition in definitions}
    known = _abbreviate(defined) or "no custom properties"
    found: list[Problem] = []
    undefined = 0
    for name, value in values.items():
        if name in defined:
            found += _check_value(f"customProperties.{name}", value, defined[name])
            continue
        undefined += 1
        if undefined <= ENOUGH:
            path = f"customProperties.{shorten(name)}"
            found.append(Problem(path, f"{path} is not defined; the domain defines {known}"))
    if undefined > ENOUGH:
        more = undefined - ENOUGH
        found.append(Problem("customProperties", f"and {more} more are not defined", count=more))
    return limit_problems(found)


def _abbreviate(names: Iterable[str]) -> str:
    """Join names with commas; of many, only the first."""
    shown = [*islice(names, ENOUGH + 1)]
    return ", ".join(shown[:ENOUGH] + ["…"] * (len(shown) > ENOUGH))


def drop_extras(values: Mapping[str, Any], definitions: Iterable[PropertyDefinition]) -> dict[str, Any]:
    """Remove the fields that links do not have from a user's custom properties; invalid values stay.

    Args:
        values: the properties by name, as JSON values.
        definitions: the properties of the domain.

    Examples:
        >>> site = PropertyDefinition(name="site", property_type="LINK", multi_valued=False)
        >>> drop_extras({"site": {"link": "https://example.com", "colour": "red"}}, [site])
        {'site': {'link': 'https://example.com'}}
    """
    links = {
        definition.name: definition.multi_valued
        for definition in definitions
        if definition.property_type == "LINK"
    }
    return {
        name: _drop_unknown_fields(value, links[name]) if name in links else value
        for name, value in values.items()
    }


def _drop_unknown_fields(value: Any, multi_valued: bool) -> Any:
    """Return a link, or several, with only the fields that links have."""
    links = get_adapter("LINK", multi_valued)
    try:
        read = links.validate_python(value, by_alias=True, by_name=False)
    except ValidationError:
        return value
    return links.dump_python(read, mode="json", by_alias=True, exclude_unset=True)


def _check_value(path: str, value: Any, definition: PropertyDefinition) -> list[Problem]:
    try:
        get_adapter(definition.property_type, definition.multi_valued).validate_python(
            value, by_alias=True, by_name=False
        )
    except ValidationError as error:
        return list_problems(error, at=path)
    if definition.options is None:
        return []
    allowed = _abbreviate(map(repr, definition.options))
    given = {path: value}
    if definition.multi_valued:
        given = {f"{path}[{index}]": item for index, item in enumerate(value)}
    return [
        Problem(where, f"{where} must be one of {allowed}; given {item!r}")
        for where, item in given.items()
        if item not in definition.options
    ]
