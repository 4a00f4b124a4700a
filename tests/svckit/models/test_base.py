"""What every wire model keeps to: names, strict types, and absent is not null."""

import pytest
from pydantic import ValidationError

from svckit.models import UserChange
from svckit.models.base import WireModel, python_name, wire_name


def _models(base: type[WireModel] = WireModel) -> list[type[WireModel]]:
    found = [base]
    for child in base.__subclasses__():
        found += _models(child)
    return [
        model for model in found if model.__module__.startswith("svckit.models.") and "[" not in repr(model)
    ]


@pytest.mark.parametrize("model", _models(), ids=lambda model: model.__name__)
def test_every_field_is_described(model):
    for name, field in model.model_fields.items():
        assert field.description, f"{model.__name__}.{name}"


def test_absent_null_and_value_are_three_things():
    absent, null, value = UserChange(), UserChange(task=None), UserChange(task="x")
    assert (absent.task, absent.model_fields_set) == (None, set())
    assert (null.task, null.model_fields_set) == (None, {"task"})
    assert absent != null
    assert null == UserChange(task=None) != "null"
    assert [change.to_wire() for change in (absent, null, value)] == [{}, {"task": None}, {"task": "x"}]


def test_a_bad_assignment_is_refused_and_changes_nothing():
    change = UserChange(email="mina@example.com")
    with pytest.raises(ValidationError):
        change.email = None
    change.nick_name = "Mina"
    assert change.to_wire() == {"email": "mina@example.com", "nickName": "Mina"}


def test_wire_names_alone_count_on_the_wire():
    assert UserChange.from_wire({"nick_name": "Mina"}).to_wire() == {}
    assert UserChange.from_wire('{"nickName": "Mina"}').to_wire() == {"nickName": "Mina"}
    assert UserChange(nick_name="Mina") == UserChange.from_wire(b'{"nickName": "Mina"}')


def test_schema_has_only_documented_defaults():
    fields = UserChange.model_json_schema()["properties"]
    assert "default" not in fields["email"]
    assert "default" not in fields["nickName"]
    assert fields["searchable"]["default"] is True
    assert {"type": "null"} in fields["nickName"]["anyOf"]
    assert fields["email"]["type"] == "string"


@pytest.mark.parametrize("model", _models())
def test_python_names_are_those_of_the_fields(model: type[WireModel]) -> None:
    assert [python_name(wire_name(field)) for field in model.model_fields] == list(model.model_fields)
