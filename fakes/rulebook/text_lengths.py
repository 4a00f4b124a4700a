"""Limits of texts in the unit that the rule ``text.length`` has, and the form that ``text.normalization`` gives them.

The models count code points. Where another unit decides, `fit` cuts what is too long in code points, so that the model
finds everything else, and counts itself; `Fitted.restore` then puts the whole texts back.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from fakes.rulebook import text as text_rules
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.rules import Rules
from svckit.display import normal_form
from svckit.models.base import WireModel, python_name, wire_name
from svckit.models.custom_properties import (
    PropertyDefinition,
    PropertyType,
    get_adapter,
    property_problems,
)
from svckit.models.fields import FieldSpec, list_fields
from svckit.models.problems import Problem, limit_problems, shorten

__all__ = ["Fitted", "compose", "describe_units", "find_property_problems", "fit"]

LONGEST_GRAPHEME = 64
"""The code points of a grapheme in use; a text of longer ones is too long without counting them."""
UNITS: Final = {
    "code-points": "code points",
    "utf-16": "UTF-16 code units",
    "graphemes": "graphemes",
    "utf-8": "bytes of UTF-8",
}
Path = tuple[int | str, ...]


class _Text(NamedTuple):
    """A text with a limit: its path, itself, and the most that it may have."""

    path: Path
    text: str
    most: int


class Fitted(NamedTuple):
    """An object whose texts keep within the limits of its model, as far as the chosen unit lets them.

    Attributes:
        sent: the object, with texts that a model would count as too long cut.
        problems: the texts that are too long in the chosen unit.
        cut: the whole texts that are not, by path.
    """

    sent: dict[str, Any]
    problems: Sequence[Problem] = ()
    cut: Mapping[Path, str] = MappingProxyType({})

    def restore(self, read: WireModel) -> None:
        """Put the whole texts back into the model that was read."""
        for (*above, name), text in self.cut.items():
            part: Any = read
            for step in above:
                part = part[step] if isinstance(step, int) else getattr(part, python_name(str(step)))
            part.__dict__[python_name(str(name))] = text  # an assignment would count its code points again


def compose(value: Any, rules: Rules) -> Any:
    r"""Return a value from a request with its texts composed (NFC) if that is assumed, and it is not composed already.

    Examples:
        >>> compose({"nickName": "e\u0301"}, Rules({"text.normalization": "composed"}))
        {'nickName': 'é'}
    """
    composed = _compose(value)
    if composed == value or rules.choice(text_rules.NORMALIZATION) == "as-sent":
        return value
    return composed


def _compose(value: Any) -> Any:
    if isinstance(value, str):
        return normal_form.compose(value)
    if isinstance(value, dict):
        return {_compose(name): _compose(each) for name, each in value.items()}
    return [_compose(each) for each in value] if isinstance(value, list) else value


def fit(sent: dict[str, Any], model: type[WireModel], rules: Rules) -> Fitted:
    """Return an object so that its model can check it, with the problems of its long texts in the unit chosen.

    Examples:
        >>> from svckit.models.user import UserChange
        >>> fitted = fit({"employeeNumber": "番" * 7}, UserChange, Rules({"text.length": "utf-8"}))
        >>> print(*fitted.problems)
        employeeNumber must have at most 20 bytes of UTF-8; given 21 bytes of UTF-8, "番番番番番番番"
    """
    return _fit(sent, _list_texts(sent, _describe_model(model), ()), rules)


def describe_units(sent: dict[str, Any], model: type[WireModel], rules: Rules) -> str:
    """Return the choices that would allow an object if the lengths of its texts are all that is wrong with it."""
    texts = [*_list_texts(sent, _describe_model(model), ())]
    if not any(map(_is_decisive, texts)):
        return ""
    try:
        model.from_wire(_cut(sent, {text.path: text.most for text in texts}), from_json=True)
    except ValidationError:
        return ""
    allowing = (unit for unit in UNITS if all(_fits(text, unit) for text in texts))
    chosen = rules.look_up(text_rules.LENGTH)
    return " or ".join(describe_choices({text_rules.LENGTH.id: unit}) for unit in allowing if unit != chosen)


def _describe_model(model: type[WireModel]) -> FieldSpec:
    return FieldSpec("", "object", fields=list_fields(model))


def find_property_problems(
    values: dict[str, Any], definitions: Iterable[PropertyDefinition], rules: Rules
) -> list[Problem]:
    """Return the problems of custom properties, whose texts are counted in the chosen unit too."""
    if not values:
        return []
    defined = {each.name: _read_property(each.property_type, each.multi_valued) for each in definitions}
    texts = (
        text
        for name, value in values.items()
        if name in defined
        for text in _list_texts(value, defined[name], ("customProperties", name))
    )
    fitted = _fit({"customProperties": values}, texts, rules)
    found = property_problems(fitted.sent["customProperties"], definitions)
    return limit_problems([*found, *fitted.problems])


@cache
def _read_property(kind: PropertyType, multi_valued: bool) -> FieldSpec:
    schema = get_adapter(kind, multi_valued).json_schema()
    return FieldSpec.read("", schema, schema.get("$defs", {}), required=True)


def _fit(sent: dict[str, Any], limited: Iterable[_Text], rules: Rules) -> Fitted:
    texts = [text for text in limited if len(text.text) * 4 > text.most]  # UTF-8 has four bytes at most
    unit = rules.choice(text_rules.LENGTH) if any(map(_is_decisive, texts)) else "code-points"
    if unit == "code-points":
        return Fitted(sent)
    problems, cut = [], {}
    for text in texts:
        if not _fits(text, unit):
            problems.append(_describe(text, unit))
        elif len(text.text) > text.most:
            cut[text.path] = text.text
    return Fitted(_cut(sent, {text.path: text.most for text in texts}), problems, cut)


def _list_texts(value: Any, field: FieldSpec, path: Path) -> Iterator[_Text]:
    """Yield the texts in a value that have a limit."""
    if isinstance(value, str) and field.kind == "text" and field.most is not None:
        yield _Text(path, value, field.most)
    elif isinstance(value, dict):
        for inner in field.fields:
            name = wire_name(inner.name)
            if name in value:
                yield from _list_texts(value[name], inner, (*path, name))
    elif isinstance(value, list) and field.item is not None:
        for at, each in enumerate(value):
            yield from _list_texts(each, field.item, (*path, at))


def _is_decisive(text: _Text) -> bool:
    """Return whether some units let a text pass and others do not: graphemes are fewest, and bytes are most."""
    return not text.text.isascii() and _fits(text, "graphemes") and not _fits(text, "utf-8")


def _fits(text: _Text, unit: str) -> bool:
    counted = len(text.text)
    if unit == "graphemes":
        return counted <= text.most or _count(text, unit) <= text.most
    return counted <= text.most and _count(text, unit) <= text.most


def _count(text: _Text, unit: str) -> int:
    """Return the length of a text, or of one that is far too long, some length beyond the limit."""
    if unit == "utf-8":
        return len(text.text.encode())
    if unit == "utf-16":
        return len(text.text.encode("utf-16-le")) // 2
    if len(text.text) > text.most * LONGEST_GRAPHEME:
        return len(text.text)
    from wcwidth import iter_graphemes  # its tables are large, and few texts need them

    return sum(1 for _ in iter_graphemes(text.text))


def _describe(text: _Text, unit: str) -> Problem:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in text.path)[1:]
    given = json.dumps(shorten(text.text), ensure_ascii=False)
    given = f"{_count(text, unit)} {UNITS[unit]}, {given}"
    return Problem(
        path, f"{path} must have at most {text.most} {UNITS[unit]}; given {given}", given, text.most
    )


def _cut(value: Any, limits: Mapping[Path, int], path: Path = ()) -> Any:
    """Return a value with the texts at some paths cut to their limits."""
    if isinstance(value, dict):
        return {name: _cut(each, limits, (*path, name)) for name, each in value.items()}
    if isinstance(value, list):
        return [_cut(each, limits, (*path, at)) for at, each in enumerate(value)]
    return value[: limits[path]] if path in limits else value
