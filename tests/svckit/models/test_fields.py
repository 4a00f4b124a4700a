"""The field table says what the models check."""

from typing import Any

import pytest
from pydantic import ValidationError

from svckit.models import StatusRegistration, UserChange
from svckit.models.base import WireModel
from svckit.models.fields import FieldSpec, list_fields
from svckit.models.user_parts import UserName, UserOrganizationChange

MODELS = (UserChange, UserName, UserOrganizationChange, StatusRegistration)
FIELDS = [(model, field) for model in MODELS for field in list_fields(model)]
SAMPLES: dict[str, Any] = {
    "user_name": {},
    "messenger": {"protocol": "CUSTOM", "messenger_id": "m"},
    "telephone": "0",
    "cell_phone": "0",
    "time_zone": "Asia/Tokyo",
    "birthday": "2026-06-01",
    "phonetic_last_name": "ア",
    "phonetic_first_name": "ア",
    "auto_reply_mail": {},
}
BY_KIND = {
    "text": "x",
    "integer": 1,
    "flag": True,
    "date": "2026-06-01",
    "time": "2026-06-01T09:00:00Z",
    "list": [],
    "json": {},
}


def sample(field: FieldSpec) -> Any:
    if field.kind == "choice":
        return field.choices[0]
    return SAMPLES.get(field.name, BY_KIND.get(field.kind))


def takes(model: type[WireModel], field: FieldSpec, value: Any) -> bool:
    others = {each.name: sample(each) for each in list_fields(model) if each.required}
    try:
        model.model_validate(others | {field.name: value})
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(("model", "field"), FIELDS, ids=lambda each: getattr(each, "name", ""))
def test_a_model_takes_null_and_lengths_as_the_table_says(model: type[WireModel], field: FieldSpec) -> None:
    assert takes(model, field, sample(field))
    assert takes(model, field, None) == field.nullable
    one = sample(field)
    if field.kind == "text" and field.most and field.name != "birthday":
        assert takes(model, field, one * field.most)
        assert not takes(model, field, one * (field.most + 1))
    if field.kind == "choice":
        assert all(takes(model, field, choice) for choice in field.choices)
        assert not takes(model, field, "ELSE")
    if field.kind == "list" and field.most:
        items = (
            ["x"]
            if field.item and field.item.kind == "text"
            else [{"custom_field_id": "c", "org_unit_id": "o", "primary": True}]
        )
        assert takes(model, field, items * field.most)
        assert not takes(model, field, items * (field.most + 1))
    assert field.help


def test_every_field_of_the_model_is_there_with_its_parts() -> None:
    table = {field.name: field for field in list_fields(UserChange)}
    assert list(table) == list(UserChange.model_fields)
    organization = table["organizations"].item
    assert organization is not None
    units = {field.name: field for field in organization.fields}["org_units"]
    assert (units.kind, units.most) == ("list", 30)
    assert units.item is not None
    assert [field.name for field in units.item.fields if field.required] == ["org_unit_id", "primary"]
