"""A record as the result of a cell: bounded, masked, escaped, and without Jupyter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.models import User, UserProfileStatus
from svckit.models.record_card import LONGEST, MOST

SECRET = "at_" + "0123456789abcdef" * 3
LEAST = {"domainId": 1, "email": "mina@example.com", "userName": {"lastName": "Sato"}, "userId": "u-001"}


def user(**fields: object) -> User:
    return User.from_response({**LEAST, **fields})


def test_each_field_stands_by_the_path_that_reads_it():
    unit = {"orgUnitId": "o-1", "primary": True, "orgUnitName": "Sales", "positionId": None}
    shown = user(organizations=[{"domainId": 1, "primary": True, "orgUnits": [unit]}], task=None)
    lines = [line.split() for line in repr(shown).splitlines()]
    assert lines == [
        ["User", "u-001"],
        ["user_name.last_name", "Sato"],
        ["email", "mina@example.com"],
        ["domain_id", "1"],
        ["organizations[0].domain_id", "1"],
        ["organizations[0].primary", "True"],
        ["organizations[0].org_units[0].org_unit_id", "o-1"],
        ["organizations[0].org_units[0].primary", "True"],
        ["organizations[0].org_units[0].org_unit_name", "Sales"],
        ["user_id", "u-001"],
        ["empty", "task"],
    ]
    assert shown.organizations is not None
    assert shown.organizations[0].org_units is not None
    assert shown.organizations[0].org_units[0].org_unit_id == "o-1"
    assert str(shown) == repr(shown)


def test_a_notebook_folds_the_fields_of_lists():
    html = user(organizations=[{"domainId": 1, "primary": True, "orgUnits": []}])._repr_html_()
    card, _, lists = html.partition("<details>")
    assert "user_name.last_name" in card
    assert "organizations[0]" not in card
    assert "<summary>organizations: 2 rows</summary>" in lists


@pytest.mark.parametrize(
    "fields",
    [
        {"nickName": f"token {SECRET}"},
        {"customProperties": {"password": SECRET[3:20]}},
        {"customProperties": {SECRET: 1}},
        {"location": f"https://hooks.example/message/{SECRET[3:]}"},
    ],
)
def test_a_secret_is_masked(fields):
    shown = user(**fields)
    for face in (repr(shown), str(shown), shown._repr_html_()):
        assert SECRET[3:20] not in face
        assert "***" in face


def test_markup_is_text_and_control_characters_do_nothing():
    shown = user(nickName="<script>\x1b[2J\n</script>", customProperties={"<b>\x1b": "x"})
    assert "<script>" not in shown._repr_html_()
    assert "&lt;script&gt;" in shown._repr_html_()
    assert "\x1b" not in repr(shown) + shown._repr_html_()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=150), inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_whatever_is_in_it_it_is_a_card_of_some_lines(properties):
    lines = repr(user(customProperties=properties)).splitlines()
    assert len(lines) <= MOST + 3
    assert all(len(line) <= 2 * LONGEST + 10 for line in lines)


def test_very_many_fields_are_counted():
    shown = user(customProperties={f"property {number}": number for number in range(500)})
    assert f"and {504 - MOST} more" in repr(shown)


def test_one_without_an_id_is_named_by_what_it_is():
    assert repr(UserProfileStatus(profile_status_id="BUSY")).splitlines()[0] == "UserProfileStatus"
