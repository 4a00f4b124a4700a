"""The toolkit refuses only what is too long by every way to count, as the description does not say which is right."""

import pytest
from pydantic import ValidationError

import svckit
from svckit.models.custom_properties import PropertyDefinition, property_problems
from svckit.models.fields import list_fields
from svckit.models.status import StatusRegistration
from svckit.models.user import User, UserChange
from svckit.operations import users
from svckit.widgets.form.model import FormModel

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
"""One character as readers see it, of seven code points."""


def connect():
    return svckit.connect(users=1, now="2026-06-01T09:00:00+09:00")


@pytest.mark.parametrize("text", ["x" * 100, "漢" * 100, FAMILY * 100, "e\u0301" * 100])
def test_what_some_way_of_counting_accepts_is_not_refused(text):
    assert UserChange(nick_name=text).to_wire() == {"nickName": text}
    assert UserChange.from_wire({"nickName": text}).nick_name == text
    form = FormModel(list_fields(UserChange), lambda values: users.update("u-001", **values))
    form.enter("nick_name", text)
    assert not form.check().problems
    properties = [PropertyDefinition(name="p", property_type="STRING", multi_valued=True)]
    assert property_problems({"p": [text]}, properties) == []
    assert StatusRegistration(profile_status_id="BUSY", status_message=text[: len(text) // 2]).to_wire()


@pytest.mark.parametrize(
    "text", ["x" * 101, "漢" * 101, FAMILY * 101, "e\u0301" * 101, "e" + "\u0301" * 6400]
)
def test_what_all_refuse_is_refused_before_it_is_sent(text):
    with pytest.raises(svckit.InvalidInput, match="nick_name must have at most 100 characters; given"):
        connect().users.update("u-001", nick_name=text)


@pytest.mark.parametrize("given", [7, None, ["x"], b"x" * 101])
def test_another_type_is_one_problem_as_before(given):
    with pytest.raises(ValidationError) as caught:
        UserChange(private_email=None, employee_number="", email=given)
    email, number = caught.value.errors()
    assert (number["type"], email["loc"], email["input"]) == ("string_too_short", ("email",), given)
    assert email["type"] == ("string_too_long" if isinstance(given, bytes) else "string_type")


def test_length_comes_before_form():
    with pytest.raises(ValidationError) as caught:
        UserChange(telephone="x" * 101)
    assert [error["type"] for error in caught.value.errors()] == ["string_too_long"]


def test_limits_are_described_and_responses_have_none():
    field = UserChange.model_json_schema()["properties"]["telephone"]["anyOf"][0]
    assert (field["type"], field["maxLength"], "pattern" in field) == ("string", 100, True)
    record = {"domainId": 1, "email": "x" * 101, "userName": {"lastName": "x" * 101}}
    assert User.from_response(record).to_wire() == record


def test_a_text_that_is_too_long_is_counted_as_its_limit_is():
    with pytest.raises(svckit.InvalidInput, match="given 101 characters of 707 code points"):
        connect().users.update("u-001", nick_name=FAMILY * 101)
    with pytest.raises(svckit.InvalidInput, match="given 101 characters, "):
        connect().users.update("u-001", nick_name="漢" * 101)
