"""Limits of texts in the unit that the rule ``text.length`` has, and the form that ``text.normalization`` gives them.

The models refuse what is too long in every unit; what some units let pass is decided here.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from fakes.rulebook import directory
from fakes.rulebook import text as text_rules
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.rules import Rules
from svckit.display import normal_form
from svckit.models.base import WireModel, wire_name
from svckit.models.custom_properties import (
    PropertyDefinition,
    PropertyType,
    get_adapter,
    property_problems,
)
from svckit.models.fields import FieldSpec, list_fields
from svckit.models.problems import Problem, limit_problems, shorten
from svckit.models.text_lengths import count_graphemes

__all__ = ["compose", "find_property_problems", "find_too_long"]

UNITS: Final = {
    "code-points": "characters",
    "utf-16": "UTF-16 code units",
    "graphemes": "graphemes",
    "utf-8": "bytes of UTF-8",
}


class _Text(NamedTuple):
    """A text with a limit: its path, itself, and the most that it may have."""

    path: str
    text: str
    most: int

    def count(self, unit: str) -> int:
        if unit == "utf-8":
            return len(self.text.encode())
        if unit == "utf-16":
            return len(self.text.encode("utf-16-le")) // 2
        return count_graphemes(self.text, self.most) if unit == "graphemes" else len(self.text)

    def fits(self, unit: str) -> bool:
        return self.count(unit) <= self.most

    def describe(self, unit: str) -> Problem:
        given = f"{self.count(unit)} {UNITS[unit]}, {json.dumps(shorten(self.text), ensure_ascii=False)}"
        limit = f"must have at most {self.most} {UNITS[unit]}"
        return Problem(self.path, f"{self.path} {limit}; given {given}", given, self.most)


def compose(value: Any, rules: Rules) -> Any:
    r"""Return a value from a request with its texts composed (NFC) if that is assumed, and it is not composed already.

    Examples:
        >>> compose({"nickName": "e\u0301"}, Rules({"text.normalization": "composed"}))
        {'nickName': 'é'}
    """
    composed = _compose(value)
    if composed == value or rules.apply(text_rules.NORMALIZATION) == "as-sent":
        return value
    return composed


def _compose(value: Any) -> Any:
    if isinstance(value, str):
        return normal_form.compose(value)
    if isinstance(value, dict):
        return {_compose(name): _compose(item) for name, item in value.items()}
    return [_compose(item) for item in value] if isinstance(value, list) else value


def find_too_long(sent: dict[str, Any], model: type[WireModel], rules: Rules) -> tuple[list[Problem], str]:
    """Return the problems of texts that are too long in the unit chosen only, and the choices that would allow them.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> found, allowing = find_too_long({"employeeNumber": "番" * 7}, UserChange, Rules({"text.length": "utf-8"}))
        >>> print(*found)
        employeeNumber must have at most 20 bytes of UTF-8; given 21 bytes of UTF-8, "番番番番番番番"
        >>> allowing.partition(" or ")[0]
        'assume={"text.length": "code-points"}'
    """
    return _find_too_long(_list_texts(sent, FieldSpec("", "object", fields=list_fields(model)), ""), rules)


def _find_too_long(limited: Iterable[_Text], rules: Rules) -> tuple[list[Problem], str]:
    # Bytes are most, and graphemes are fewest: these the model has counted.
    texts = [text for text in limited if not text.text.isascii() and not text.fits("utf-8")]
    texts = [text for text in texts if len(text.text) <= text.most or text.fits("graphemes")]
    unit = rules.apply(text_rules.LENGTH) if texts else "code-points"
    problems = [text.describe(unit) for text in texts if not text.fits(unit)]
    allowing = [choice for choice in UNITS if problems and all(text.fits(choice) for text in texts)]
    return problems, " or ".join(describe_choices({text_rules.LENGTH.id: choice}) for choice in allowing)


def find_property_problems(
    values: dict[str, Any], definitions: Iterable[PropertyDefinition], rules: Rules
) -> list[Problem]:
    """Return the problems of custom properties; none if they are not checked. Texts are counted in the chosen unit."""
    if not values:
        return []
    texts = (
        text
        for definition in definitions
        if definition.name in values
        for text in _list_texts(
            values[definition.name],
            _read_property(definition.property_type, definition.multi_valued),
            f"customProperties.{definition.name}",
        )
    )
    too_long, _ = _find_too_long(texts, rules)
    found = limit_problems([*property_problems(values, definitions), *too_long])
    # The rule is asked only where it decides.
    return found if not found or rules.apply(directory.CUSTOM_PROPERTIES) == "checked" else []


@cache
def _read_property(kind: PropertyType, multi_valued: bool) -> FieldSpec:
    schema = get_adapter(kind, multi_valued).json_schema()
    return FieldSpec.read("", schema, schema.get("$defs", {}), required=True)


def _list_texts(value: Any, field: FieldSpec, path: str) -> Iterator[_Text]:
    """Yield the texts in a value that have a limit."""
    if isinstance(value, str) and field.kind == "text" and field.most is not None:
        yield _Text(path, value, field.most)
    elif isinstance(value, dict):
        for inner in field.fields:
            name = wire_name(inner.name)
            if name in value:
                yield from _list_texts(value[name], inner, f"{path}.{name}".removeprefix("."))
    elif isinstance(value, list) and field.item is not None:
        for at, item in enumerate(value):
            yield from _list_texts(item, field.item, f"{path}[{at}]")
