"""Custom properties: where a value does not fit its definition; `tests/conformance` has what fits and what does not."""

import pytest
from pydantic import ValidationError

from svckit.models import PropertyDefinition, UserChange
from svckit.models.custom_properties import property_problems

DEFINITIONS = [
    PropertyDefinition(name=f"{kind.lower()}{'s' if many else ''}", property_type=kind, multi_valued=many)
    for kind in ("STRING", "DATE", "INTEGER", "LINK")
    for many in (False, True)
] + [
    PropertyDefinition(name="team", property_type="STRING", multi_valued=False, options=["red", "blue"]),
    PropertyDefinition(name="teams", property_type="STRING", multi_valued=True, options=["red", "blue"]),
]
LINK = {"text": "home", "link": "https://example.com"}


@pytest.mark.parametrize(
    ("name", "value", "paths"),
    [
        ("string", None, [""]),
        ("strings", ["x", "x" * 101, 3], ["[1]", "[2]"]),
        ("dates", ["2026-02-28", "x"], ["[1]"]),
        ("integer", -1, [""]),
        ("link", {"link": "x" * 301}, [".link"]),
        ("link", {"text": None, "link": "x"}, []),
        ("link", {"text": "x" * 101, "link": "x"}, [".text"]),
        ("links", [LINK, {"link": None}], ["[1].link"]),
        ("teams", ["red", "blue", "red"], []),
        ("teams", ["red", "green"], ["[1]"]),
        ("unheard of", "x", [""]),
    ],
)
def test_a_problem_is_told_where_it_is(name, value, paths):
    found = property_problems({name: value}, DEFINITIONS)
    assert [problem.path for problem in found] == [f"customProperties.{name}{path}" for path in paths]
    assert all(problem.message.startswith(problem.path) for problem in found)


def test_all_problems_are_found_together_in_the_order_given():
    found = property_problems({"integer": -1, "zzz": 1, "date": "x"}, DEFINITIONS)
    assert [problem.path.removeprefix("customProperties.") for problem in found] == ["integer", "zzz", "date"]
    assert "the domain defines no custom properties" in str(property_problems({"x": 1}, [])[0])


def test_options_are_for_strings():
    with pytest.raises(
        ValidationError, match="only a property of type STRING can have options; rank is of type"
    ):
        PropertyDefinition(name="rank", property_type="INTEGER", multi_valued=False, options=["1"])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_what_is_no_json_number_is_refused_and_does_not_become_null(number):
    with pytest.raises(ValidationError, match=r"customProperties\n.*must contain only JSON values"):
        UserChange.from_wire(f'{{"customProperties": {{"integer": [{number}]}}}}')
