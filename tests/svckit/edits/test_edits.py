"""Edited users compared with those that were read: the smallest changes, and everything that is wrong with them."""

import json
from collections.abc import Callable
from datetime import date, datetime
from io import BytesIO
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FakeService
from svckit import frames
from svckit.edits import Changes, UserEdit
from svckit.session.connect import connect
from svckit.session.session import Session

NOW = "2026-06-01T09:00:00+09:00"
PEOPLE = list(FakeService.sample(now=NOW).records("users"))
U1: dict[str, Any] = dict(PEOPLE[0])
UNIT = U1["organizations"][0]["orgUnits"][0]


def compared(edited: Any, against: Any = None) -> Changes:
    with connect(FakeService.sample(users=1, now=NOW)) as svc:
        return svc.users.diff(edited, against=PEOPLE if against is None else against)


def of_cell(column: str, value: Any, record: Any = U1) -> Changes:
    """What comes of one cell edited to a value."""
    frame = frames.users([record], lists=True).astype({column: "object"})
    frame.at[0, column] = value  # a list goes into one cell
    return compared(frame, [record])


@pytest.mark.parametrize("lists", [False, True])
def test_what_nobody_edited_has_no_changes(lists: bool) -> None:
    assert compared(frames.users(PEOPLE, lists=lists)) == Changes()
    assert compared(PEOPLE) == Changes()


@pytest.mark.parametrize(
    ("column", "value", "after"),
    [
        ("nick_name", np.nan, {"nick_name": None}),
        ("nick_name", "", {"nick_name": None}),
        ("phonetic_last_name", pd.NA, {"user_name": U1["userName"] | {"phoneticLastName": None}}),
        ("alias_emails", ["a@example.com"], {"alias_emails": ["a@example.com"]}),
        ("alias_emails", '["a@example.com"]', {"alias_emails": ["a@example.com"]}),
        ("alias_emails", None, {"alias_emails": []}),
        ("hired_date", pd.Timestamp("2020-04-01"), {"hired_date": "2020-04-01"}),
        ("hired_date", date(2020, 4, 1), {"hired_date": "2020-04-01"}),
        ("hired_date", "2020-04-01", {"hired_date": "2020-04-01"}),
        ("hired_date", "2020-04-01 00:00:00", {"hired_date": "2020-04-01"}),
        ("activation_date", "2026-06-01 00:00:00+00:00", {"activation_date": "2026-06-01T00:00:00Z"}),
        ("searchable", "FALSE", {"searchable": False}),
        ("searchable", np.bool_(False), {"searchable": False}),
        ("domain_id", "10000002", {"domain_id": 10000002}),
        ("domain_id", 10000002.0, {"domain_id": 10000002}),
        ("custom_properties", '{"team": "red"}', {"custom_properties": {"team": "red"}}),
        ("relations", [{"relation_user_id": "u-002"}], {"relations": [{"relationUserId": "u-002"}]}),
    ],
)
def test_a_cell_leads_back_to_its_field(column: str, value: Any, after: dict[str, Any]) -> None:
    changes = of_cell(column, value)
    assert changes.problems == ()
    ((edit),) = changes
    assert (edit.user_id, dict(edit.after)) == ("u-001", after)


@pytest.mark.parametrize(
    ("column", "value", "part"),
    [
        ("position_id", "pos-1", {"positionId": "pos-1"}),
        ("is_manager", False, {"isManager": False}),
        ("org_unit_id", "ou-dev", {"orgUnitId": "ou-dev"}),
    ],
)
def test_a_part_of_a_post_is_sent_with_the_rest_of_it(column: str, value: Any, part: dict[str, Any]) -> None:
    (edit,) = of_cell(column, value)
    written = ("orgUnitId", "primary", "positionId", "isManager", "visible", "useTeamFeature")
    (organization,) = edit.after["organizations"]
    assert organization["orgUnits"] == [{name: UNIT[name] for name in written} | part]
    assert organization["levelId"] == "lv-1"
    assert "levelName" not in organization


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("activation_date", "2023-06-09T09:00:00+09:00"),
        ("activation_date", "2023-06-09T00:00:00Z"),
        ("hired_date", "2023-06-09 00:00:00"),
        ("searchable", "TRUE"),
        ("domain_id", "10000001"),
        ("alias_emails", "hana001@example.com,"),
        ("messenger_id", ""),
        ("i18n_names", '[{"lastName": "中村", "firstName": "花", "language": "ja_JP"}]'),
    ],
)
def test_another_spelling_is_no_change(column: str, value: Any) -> None:
    assert of_cell(column, value) == Changes()


def test_a_messenger_comes_and_goes() -> None:
    frame = frames.users([U1])
    frame[["messenger_protocol", "messenger_id"]] = ["MSGR_A", "mina"]
    (edit,) = compared(frame)
    assert edit.after == {"messenger": {"protocol": "MSGR_A", "messengerId": "mina"}}
    record = U1 | {"messenger": {"protocol": "CUSTOM", "customProtocol": "own", "messengerId": "mina"}}
    frame = frames.users([record])
    names = ["messenger_protocol", "messenger_custom_protocol", "messenger_id"]
    frame[names[1]] = None
    assert compared(frame, [record])[0].after == {"messenger": {"protocol": "CUSTOM", "messengerId": "mina"}}
    frame[names] = None
    assert compared(frame, [record])[0].after == {"messenger": None}


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("email", None, "u-001: email must be a string and cannot be null"),
        ("nick_name", "x" * 101, "u-001: nick_name must have at most 100 characters; given 101 characters"),
        ("telephone", 312345678, "u-001: telephone must be a string; given the number 312345678"),
        ("searchable", "maybe", "searchable must be true or false; given 'maybe'"),
        ("hired_date", "soon", "hired_date must be a date, such as 2026-06-01; given 'soon'"),
        ("hired_date", datetime(2026, 6, 1, 9), "hired_date must be a date"),
        ("activation_date", "2026-06-01 09:00", "activation_date must be a time with its offset"),
        ("domain_id", "ten", "domain_id must be a whole number; given 'ten'"),
        ("organizations", "{", "organizations must be JSON"),
        (
            "org_unit_id",
            None,
            "organizations[0].org_units[0].org_unit_id must be a string and cannot be null",
        ),
        ("org_unit_name", "Sales", "org_unit_name is read-only: it follows from org_unit_id, so edit that"),
        ("display_name", "Mina", "it follows from last_name and first_name"),
        ("relation_count", 3, "relation_count is read-only: it follows from relations"),
        ("is_suspended", True, "is_suspended is read-only: only the service writes it"),
        ("state", "suspended", "state is read-only"),
        ("messenger_id", "mina", "messenger.protocol is required"),
    ],
)
def test_what_cannot_be_is_a_problem(column: str, value: Any, message: str) -> None:
    changes = of_cell(column, value)
    assert len(changes) == 0
    (problem,) = changes.problems
    assert message in problem.message
    assert problem.path.startswith("u-001.")


def test_all_problems_are_told_at_once() -> None:
    frame = frames.users(PEOPLE[:3])
    frame.loc[0, ["nick_name", "org_unit_name"]] = ["x" * 101, "Sales"]
    frame.loc[1, "telephone"] = "call me"
    frame.loc[2, "task"] = "Sales"
    changes = compared(frame.assign(nickname="Mina", shoe_size=38))
    assert [problem.path for problem in changes.problems] == [
        "nickname",
        "shoe_size",
        "u-001.org_unit_name",
        "u-001.nick_name",
        "u-002.telephone",
    ]
    assert "did you mean nick_name?" in changes.problems[0].message
    assert [edit.user_id for edit in changes] == ["u-003"]


def test_a_field_edited_in_two_columns_is_a_problem() -> None:
    frame = frames.users([U1], lists=True)
    frame[["organizations", "position_id"]] = ["[]", "pos-1"]
    changes = compared(frame)
    assert ["edited as a whole and in a column" in problem.message for problem in changes.problems] == [True]


def test_a_part_needs_what_it_is_a_part_of() -> None:
    changes = of_cell("position_id", "pos-1", U1 | {"organizations": []})
    (problem,) = changes.problems
    assert "cannot be set without orgUnits; give organizations as a whole" in problem.message


def test_columns_that_are_not_there_are_left_alone() -> None:
    few = pd.DataFrame({"user_id": ["u-002", "u-001"], "task": ["Sales", "Night desk"]})
    changes = compared(few)
    assert [(edit.user_id, dict(edit.after)) for edit in changes] == [("u-002", {"task": "Sales"})]
    assert compared(few.set_index("user_id")) == changes


def test_changes_show_themselves() -> None:
    before = {"nick_name": "<b>Hana</b>", "task": None, "alias_emails": ["a"]}
    after = {"nick_name": "Mi\nna\u202e", "task": "x" * 80, "alias_emails": []}
    changes = Changes([UserEdit("u-001", before, after)])
    assert repr(changes).splitlines() == [
        "Changes: 3 fields of 1 user",
        "  user_id  field         before         after",
        '  u-001    nick_name     "<b>Hana</b>"  "Mi\\nna\\u202e"',
        f'           task          null           "{"x" * 46}…',
        '           alias_emails  ["a"]          []',
    ]
    assert "&lt;b&gt;Hana" in changes._repr_html_()
    frame = changes.frame()
    assert frame["before"].fillna("-").tolist() == ["<b>Hana</b>", "-", '["a"]']
    assert set(map(str, frame.dtypes)) == {"string"}
    many = Changes([UserEdit(f"u-{n}", {"task": None}, {"task": "x"}) for n in range(25)])
    assert repr(many).splitlines()[-1] == "  and 5 more"
    assert repr(Changes()) == "Changes: 0 fields of 0 users"
    assert len(many[:3]) == 3


NAMES = st.text(st.characters(codec="utf-8"), max_size=20)
EDITS: dict[str, st.SearchStrategy[Any]] = {
    "nick_name": st.none() | NAMES,
    "last_name": st.none() | NAMES,
    "phonetic_first_name": st.none() | st.text("アイウエオー ", max_size=9),
    "task": st.none() | NAMES,
    "telephone": st.none() | st.from_regex(r"[+0-9()*#-]{0,20}[0-9]", fullmatch=True),
    "alias_emails": st.none() | st.sampled_from(["a@example.com", "b@example.com, c@example.com"]),
    "hired_date": st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1)).map(pd.Timestamp),
    "birthday": st.none() | st.dates().map(date.isoformat),
    "activation_date": st.none() | st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(
        lambda at: pd.Timestamp(at.replace(microsecond=0), tz="UTC")
    ),
    "searchable": st.booleans(),
    "locale": st.sampled_from(["ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW"]),
    "position_id": st.none() | NAMES,
    "is_manager": st.booleans(),
    "level_id": st.none() | NAMES,
    "custom_fields": st.lists(NAMES.map(lambda text: {"customFieldId": "cf-1", "value": text}), max_size=2),
    "employee_number": st.none() | st.text("0123456789E", min_size=1, max_size=20),
}  # fmt: skip
EDITED = st.dictionaries(
    st.tuples(st.integers(0, 4), st.sampled_from(sorted(EDITS))), st.none(), max_size=8
).flatmap(lambda cells: st.fixed_dictionaries({cell: EDITS[cell[1]] for cell in cells}))


def as_csv(frame: pd.DataFrame) -> pd.DataFrame:
    file = BytesIO()
    frames.write_users(frame, file)
    return frames.read_users(BytesIO(file.getvalue()))


@pytest.mark.parametrize("travel", [pd.DataFrame.copy, as_csv], ids=["frame", "csv"])
@settings(deadline=None, max_examples=15)
@given(EDITED)
def test_what_is_edited_and_applied_is_what_is_read(
    travel: Callable[..., Any], edits: dict[Any, Any]
) -> None:
    with connect(FakeService.sample(users=5, now=NOW)) as svc:
        frame = frames.users(svc, lists=True)
        for (row, column), value in edits.items():
            frame.loc[row, column] = json.dumps(value) if column == "custom_fields" else value
        edited = travel(frame)
        assert svc.users.diff(travel(frames.users(svc, lists=True))) == Changes()
        changes = svc.users.diff(edited)
        assert changes.problems == ()
        assert edited.svc.changes(against=svc) == changes
        assert svc.users.apply(changes, progress=False).failed == []
        assert svc.users.diff(edited[["user_id", *EDITS]]) == Changes()
        after = frames.users(svc, lists=True)
        for column in EDITS:
            assert seen(after, column) == seen(frame, column, in_sheet=travel is as_csv)


def seen(frame: pd.DataFrame, column: str, in_sheet: bool = False) -> list[Any]:
    """The cells as people see them: nothing is nothing, and JSON is what it says, apart from read-only keys.

    Of a sheet, blanks at the ends do not count, and text is composed.
    """
    cells = [None if pd.isna(cell) else cell for cell in frame[column]]
    if column != "custom_fields":
        texts = [
            normalize("NFC", cell).strip() if in_sheet and isinstance(cell, str) else cell for cell in cells
        ]
        return [text or None for text in texts]
    return [[(each["customFieldId"], each["value"]) for each in json.loads(cell)] for cell in cells]


def test_a_read_only_key_that_is_left_out_is_not_a_problem(svc: Session) -> None:
    people = frames.users(svc, lists=True)[["user_id", "custom_fields"]]
    for value, problems in (
        ({"customFieldId": "cf-1", "value": "a"}, 0),
        ({"customFieldId": "cf-1", "value": "a", "customFieldExternalKey": "other"}, 1),
    ):
        people.loc[0, "custom_fields"] = json.dumps([value])
        svc.users.update("u-001", custom_fields=[{"customFieldId": "cf-1", "value": "a"}])
        assert len(svc.users.diff(people).problems) == problems


def test_only_the_changed_part_of_a_field_is_shown(svc: Session) -> None:
    people = frames.users(svc)
    row = people["user_id"] == "u-001"
    people.loc[row, "position_id"] = "p-canary"
    changes = svc.users.diff(people)
    path = "organizations[0].orgUnits[0].positionId"
    assert repr(changes).splitlines()[0] == "Changes: 1 field of 1 user"
    (line,) = repr(changes).splitlines()[2:]
    assert line.split()[:2] == ["u-001", path]
    assert line.endswith('"p-canary"')
    assert f'{path}: "p-canary"' in repr(svc.users.apply(changes, dry_run=True))


def test_long_texts_are_shown_where_they_differ() -> None:
    long = "x" * 80
    line = repr(Changes([UserEdit("u-001", {"task": f"{long}a"}, {"task": f"{long}b"})])).splitlines()[2]
    assert line.split()[2:] == ['…xxxxxxxxxxxxa"', '…xxxxxxxxxxxxb"']


@pytest.mark.parametrize(("values", "helps"), [([3, 4], True), ([3, "x"], False)])
def test_only_numbers_suggest_read_users(svc: Session, values: list[object], helps: bool) -> None:
    people = frames.users(svc)[["user_id"]].head(2)
    people["nick_name"] = values
    (problem, *_) = svc.users.diff(people).problems
    assert ("read_users" in problem.message) is helps
