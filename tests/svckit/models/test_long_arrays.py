"""An array that is too long, or holds much that is wrong, costs no more than reading it."""

import json
import tracemalloc
from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from svckit.models import User, UserChange
from svckit.models.base import WireModel
from svckit.models.long_arrays import ENOUGH, InSteps
from svckit.models.problems import list_problems

from ...work import ratio

MANY = 30_000
LIMITED = {
    "aliasEmails": (10, 7),
    "customFields": (50, {}),
    "relations": (10, {"relationName": 7}),
}


def errors_of(body):
    with pytest.raises(ValidationError) as caught:
        UserChange.from_wire(body)
    return caught.value.errors(include_url=False)


@pytest.mark.parametrize(("name", "most", "item"), [(name, *limit) for name, limit in LIMITED.items()])
@pytest.mark.parametrize("count", [1, 100])
@pytest.mark.parametrize("kind", [list, tuple])
def test_the_length_of_an_array_is_checked_before_its_items(name, most, item, count, kind):
    [error] = errors_of({name: kind([item] * (most + count))})
    assert error["type"] == "too_long"
    assert error["ctx"] == {"field_type": "List", "max_length": most, "actual_length": most + count}


def test_inner_array_is_measured_before_its_items():
    [error] = errors_of({"organizations": [{"domainId": 1, "primary": True, "orgUnits": [7] * 31}]})
    assert error["loc"] == ("organizations", 0, "orgUnits")
    assert error["type"] == "too_long"


@pytest.mark.parametrize("wrong", [0, 49, 50, 51, 77, 149])
def test_what_is_wrong_in_a_long_array_is_told_where_it_is(wrong):
    items = [{"domainId": 1, "primary": True}] * 150
    items = [*items[:wrong], {"domainId": 1, "primary": 7}, *items[wrong + 1 :]]
    [error] = errors_of({"organizations": items})
    assert error["loc"] == ("organizations", wrong, "primary")
    assert error["input"] == 7


@pytest.mark.parametrize("count", [0, 1, 50, 51, 100, 1234])
def test_what_is_right_in_a_long_array_is_kept(count):
    items = [{"language": "ja_JP", "firstName": str(number)} for number in range(count)]
    assert UserChange.from_wire({"i18nNames": items}).to_wire() == {"i18nNames": items}
    assert UserChange.from_wire(json.dumps({"i18nNames": items})).to_wire() == {"i18nNames": items}


@pytest.mark.parametrize("item", [7, {"language": 3, "firstName": 4, "lastName": 5}])
def test_items_after_many_problems_are_not_checked_and_it_says_so(item):
    found = errors_of({"i18nNames": [item] * MANY, "nickName": 7})
    assert found[-1]["loc"] == ("nickName",)
    assert found[-2]["type"] == "items_unread"
    assert found[-2]["loc"] == ("i18nNames",)
    each = len(item) if isinstance(item, dict) else 1
    assert ENOUGH < len(found) - 2 <= ENOUGH + 50 * each
    assert found[-2]["ctx"]["left"] == MANY - (len(found) - 2) // each


def test_an_array_whose_last_items_are_wrong_is_read_to_its_end():
    found = errors_of({"i18nNames": [{}] * 49 + [7] * 51})
    assert [error["loc"] for error in found] == [("i18nNames", at) for at in range(49, 100)]


def test_items_of_an_array_in_an_item_can_remain_unchecked():
    class Inner(WireModel):
        names: list[str]

    class Outer(WireModel):
        inners: list[Inner]

    with pytest.raises(ValidationError) as caught:
        Outer.from_wire({"inners": [{"names": []}] * 60 + [{"names": [7] * 200}]})
    assert caught.value.errors()[-1]["loc"] == ("inners", 60, "names")
    assert caught.value.errors()[-1]["type"] == "items_unread"


def test_types_outside_of_the_models_can_be_checked_so_too():
    adapter = TypeAdapter(Annotated[list[str], Field(max_length=3), InSteps()])
    assert adapter.validate_python(["a", "b"]) == ["a", "b"]
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python([7] * 100)
    assert [error["type"] for error in caught.value.errors()] == ["too_long"]


def test_answers_are_read_whatever_their_length():
    body = {"domainId": 1, "email": "a@example.com", "userName": {}, "aliasEmails": ["x"] * 200}
    assert len(User.from_response(body).alias_emails) == 200


LONG_ARRAYS = pytest.mark.parametrize(
    "body",
    [
        {"organizations": [{"orgUnits": [{}]}] * MANY},
        {"organizations": [{"orgUnits": [{}] * MANY}]},
        {"i18nNames": [7] * MANY},
        {"aliasEmails": [7] * MANY},
        {"customFields": [{}] * MANY},
    ],
    ids=lambda body: next(iter(body)),
)


def check(body):
    with pytest.raises(ValidationError) as caught:
        UserChange.from_wire(body)
    list_problems(caught.value)


@pytest.mark.long
@LONG_ARRAYS
def test_many_wrong_items_cost_no_more_than_to_read_them(body):
    text = json.dumps(body)
    assert ratio(lambda: check(body), lambda: json.loads(text), at_most=1) <= 1


@LONG_ARRAYS
def test_many_wrong_items_take_little_memory(body):
    tracemalloc.start()
    try:
        check(body)
        assert tracemalloc.get_traced_memory()[1] < 256 * 1024  # measured: 125 KiB
    finally:
        tracemalloc.stop()
