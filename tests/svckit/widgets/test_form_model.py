"""The engine of a form: what is typed, what is sent, what is wrong; and that bad input changes nothing."""

import json
import re
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svckit.errors import InvalidInput
from svckit.models import UserChange
from svckit.models.fields import list_fields
from svckit.operations import users
from svckit.widgets.form.model import FormModel


@pytest.fixture
def form() -> FormModel:
    return new_form()


def new_form() -> FormModel:
    return FormModel(list_fields(UserChange), lambda values: users.update("u-001", **values))


def test_three_states(form: FormModel) -> None:
    form.enter("nick_name", "Mina")
    form.set_state("task", "clear")
    assert form.values() == {"nick_name": "Mina", "task": None}
    form.set_state("nick_name", "leave")
    assert form.values() == {"task": None}
    form.set_state("nick_name", "set")
    assert form.values() == {"nick_name": "", "task": None}  # what was left is as it was
    form.reset()
    assert form.is_empty


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("nick_name", "12", "12"),
        ("domain_id", " 12 ", 12),
        ("domain_id", "12a", "12a"),
        ("searchable", "no", False),
        ("locale", "ja_JP", "ja_JP"),
        ("hired_date", "2026-06-01", "2026-06-01"),
        ("custom_properties", '{"rank": 3}', {"rank": 3}),
        ("custom_properties", "{", "{"),
        ("custom_properties", "NaN", "NaN"),
    ],
)
def test_what_is_typed_becomes_the_field_s_type(
    form: FormModel, path: str, text: str, expected: object
) -> None:
    form.enter(path, text)
    assert form.values() == {path: expected}


def test_nested_fields_set_what_they_are_in(form: FormModel) -> None:
    form.enter("user_name.last_name", "Mori")
    form.set_state("user_name.first_name", "clear")
    form.add("organizations")
    form.add("organizations[0].org_units")
    form.enter("organizations[0].org_units[0].org_unit_id", "o-1")
    form.enter("organizations[0].org_units[0].primary", "yes")
    form.enter("organizations[0].domain_id", "1")
    form.enter("organizations[0].primary", "yes")
    form.add("alias_emails")
    form.enter("alias_emails[0]", "a@example.com")
    form.add("alias_emails")
    form.remove("alias_emails[1]")
    assert form.values() == {
        "user_name": {"last_name": "Mori", "first_name": None},
        "alias_emails": ["a@example.com"],
        "organizations": [
            {"domain_id": 1, "primary": True, "org_units": [{"org_unit_id": "o-1", "primary": True}]}
        ],
    }
    assert form.check().problems == ()


RECORD = {
    "organizations": [
        {
            "domainId": 1,
            "primary": True,
            "organizationName": "Main",
            "levelId": None,
            "orgUnits": [{"orgUnitId": "o-1", "primary": False, "orgUnitName": "Sales"}],
        }
    ],
    "userName": {"lastName": "Mori"},
    "aliasEmails": ["a@example.com"],
    "nickName": None,
    "task": "Sales",
    "searchable": True,
    "customProperties": {"rank": 1},
}


def test_nested_values_are_sent_whole(
    form: FormModel,
) -> None:
    form.prefill(RECORD)
    assert form.is_empty
    form.enter("organizations[0].org_units[0].org_unit_id", "o-2")
    form.enter("user_name.first_name", "Ken")
    form.enter("alias_emails[0]", "b@example.com")
    assert form.values() == {
        "user_name": {"last_name": "Mori", "first_name": "Ken"},
        "alias_emails": ["b@example.com"],
        "organizations": [
            {
                "domain_id": 1,
                "primary": True,
                "level_id": None,
                "org_units": [{"org_unit_id": "o-2", "primary": False}],
            }
        ],
    }
    assert form.check().problems == ()
    form.remove("alias_emails[0]")
    assert form.values()["alias_emails"] == []


def test_items_of_the_record_s_lists_are_removed_and_others_added(form: FormModel) -> None:
    form.prefill(RECORD)
    form.remove("alias_emails[0]")
    assert form.values() == {"alias_emails": []}
    form.set_state("alias_emails", "leave")
    form.remove("organizations[0].org_units[0]")
    assert form.values()["organizations"][0]["org_units"] == []
    form.set_state("organizations", "leave")
    assert form.is_empty
    form.add("organizations[0].org_units")
    assert list(form.values()) == ["organizations"]


def test_only_what_differs_from_the_record_is_sent(form: FormModel) -> None:
    form.prefill(RECORD)
    shown = {path: entry.text for path, _, entry in form.walk() if entry.text}
    assert shown["organizations[0].org_units[0].primary"] == "no"
    form.enter("task", "Support")
    form.enter("task", "Sales")
    form.enter("nick_name", "M")
    form.enter("nick_name", "")
    form.enter("user_name.last_name", "Mori")
    form.set_state("organizations", "set")
    form.set_state("hired_date", "clear")
    assert form.is_empty
    form.enter("custom_properties", '{"rank": true}')
    assert repr(form.values()) == "{'custom_properties': {'rank': True}}"


def test_emptied_text_clears_what_can_be_null(form: FormModel) -> None:
    form.prefill(RECORD)
    for path in ("task", "user_name.last_name", "searchable", "alias_emails[0]"):
        form.enter(path, "")
    assert form.values() == {
        "user_name": {"last_name": None},
        "alias_emails": [""],
        "searchable": "",
        "task": None,
    }
    form.set_state("task", "leave")
    form.set_state("user_name", "leave")
    assert (form.entry("task").text, form.entry("user_name.last_name").text) == ("Sales", "Mori")


def test_a_newer_record_keeps_what_was_edited(form: FormModel) -> None:
    form.prefill(RECORD)
    form.enter("task", "Support")
    form.prefill({**RECORD, "task": "Press", "nickName": "Ken"})
    assert (form.values(), form.entry("nick_name").text) == ({"task": "Support"}, "Ken")
    form.prefill({**RECORD, "task": "Support"})
    assert form.is_empty


def test_search_shows_fields_in_their_context(form: FormModel) -> None:
    form.prefill(RECORD)

    def search(query: str) -> list[str]:
        form.query = query
        return [path for path, _, _ in form.shown()]

    everything = search("")
    assert search("MOBILE telephone") == ["cell_phone"]
    assert search("position_id") == [
        "organizations",
        "organizations[0]",
        "organizations[0].org_units",
        "organizations[0].org_units[0]",
        "organizations[0].org_units[0].position_id",
    ]
    assert search("shoe") == []
    assert search(" ") == everything


def test_all_problems_at_once_and_nothing_to_send(form: FormModel) -> None:
    form.enter("nick_name", "x" * 101)
    form.enter("locale", "fr_FR")
    form.add("organizations")
    check = form.check()
    assert [problem.path for problem in check.problems] == [
        "nick_name",
        "organizations[0].domain_id",
        "organizations[0].primary",
        "locale",
    ]
    assert not check.code


def test_a_long_preview_is_whole(form: FormModel) -> None:
    for number in range(50):
        form.add("custom_fields")
        form.enter(f"custom_fields[{number}].custom_field_id", f"f-{number}")
        form.enter(f"custom_fields[{number}].value", "x" * 100)
    code = dict(form.check().code)
    asked, _, body = code["curl"].partition("--data ")
    assert asked.startswith('curl -X PATCH "$BASE_URL"/users/u-001 \\\n')
    assert "$ACCESS_TOKEN" in asked
    sent = next(users.update("u-001", **form.values())).json  # type: ignore[arg-type]
    assert json.loads(shlex.split(body)[0]) == json.loads(code["JSON"]) == sent


WRONG: list[tuple[Callable[[FormModel], None], type[Exception], str]] = [
    (lambda form: form.enter("shoe_size", "38"), KeyError, "no field 'shoe_size'; it has domain_id"),
    (lambda form: form.enter("alias_emails[7]", "a"), KeyError, "no field"),
    (lambda form: form.enter("user_name.", "a"), KeyError, "no field"),
    (lambda form: form.enter("", "a"), KeyError, "no field"),
    (lambda form: form.enter("user_name", "Mori"), ValueError, "type into the fields in it"),
    (lambda form: form.enter("nick_name", 7), ValueError, "takes text; given 7"),  # type: ignore[arg-type]
    (
        lambda form: form.set_state("email", "clear"),
        ValueError,
        "email can be leave or set; given 'clear': it cannot",
    ),
    (lambda form: form.set_state("task", "drop"), ValueError, "given 'drop'"),  # type: ignore[arg-type]
    (lambda form: form.set_state("alias_emails[0]", "leave"), ValueError, "can be set; given 'leave'"),
    (lambda form: form.add("nick_name"), ValueError, "is not a list"),
    (lambda form: form.remove("nick_name"), ValueError, "is not an item of a list"),
]


@pytest.mark.parametrize(("step", "kind", "message"), WRONG)
def test_wrong_input_is_refused_and_changes_nothing(
    form: FormModel, step: Callable[[FormModel], None], kind: type[Exception], message: str
) -> None:
    form.add("alias_emails")
    before = (form.values(), [(path, entry.state) for path, _, entry in form.walk()])
    with pytest.raises(kind, match=message):
        step(form)
    assert (form.values(), [(path, entry.state) for path, _, entry in form.walk()]) == before


PATHS = [
    "nick_name",
    "email",
    "domain_id",
    "searchable",
    "hired_date",
    "user_name.last_name",
    "employee_number",
]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(PATHS),
            st.text(max_size=4) | st.sampled_from(["yes", "7", "2026-06-01", "x" * 101]) | st.none(),
        ),
        max_size=6,
    )
)
def test_the_form_lets_through_exactly_what_the_client_s_check_does(steps: list[tuple[str, Any]]) -> None:
    form = new_form()
    for path, text in steps:
        if text is not None:
            form.enter(path, text)
        elif "clear" in form.entry(path).states:
            form.set_state(path, "clear")
    told = [(problem.path, rule(problem.message)) for problem in form.check().problems]
    assert told == sent_problems(form.values())


def rule(message: str) -> str:
    """What a problem says of its field, whatever that is called."""
    return re.split(r" (?=must |is |holds )", message, maxsplit=1)[-1]


def sent_problems(values: dict[str, Any]) -> list[tuple[str, str]]:
    """What the operation itself finds wrong."""
    try:
        next(users.update("u-001", **values))
    except InvalidInput as wrong:
        return [(problem.path, rule(problem.message)) for problem in wrong.problems]
    return []
