"""The frames: columns, dtypes, flattening, order, emptiness."""

from datetime import UTC, date, datetime

import pandas as pd
import pytest

from svckit import frames
from svckit.models.user import User
from svckit.models.user_parts import display_name

MINA = {
    "domainId": 10000001,
    "userId": "u-001",
    "email": "mina@example.com",
    "userName": {"lastName": "Sato", "firstName": "Mina"},
    "locale": "ja_JP",
    "isAdministrator": True,
    "isSuspended": False,
    "aliasEmails": ["m.sato@example.com", "mina.sato@example.com"],
    "hiredDate": "2020-04-01",
    "birthday": "1990-02-28",
    "activationDate": "2026-06-01T09:00:00+09:00",
    "messenger": {"protocol": "MSGR_A", "messengerId": "mina"},
    "customProperties": {"team": "blue"},
    "organizations": [
        {"domainId": 2, "primary": False, "organizationName": "Side", "orgUnits": []},
        {
            "domainId": 10000001,
            "primary": True,
            "organizationName": "Main",
            "levelName": "Senior",
            "orgUnits": [
                {"orgUnitId": "o-1", "primary": False, "orgUnitName": "Support"},
                {"orgUnitId": "o-2", "primary": True, "orgUnitName": "Sales", "positionName": "Lead"},
            ],
        },
    ],
}
BARE = {"domainId": 10000001, "email": "b@example.com", "userName": {}}


def first(frame: pd.DataFrame) -> dict[str, object]:
    return frame.iloc[0].to_dict()


def test_users_are_flattened() -> None:
    row = first(frames.users([MINA]))
    assert row["display_name"] == "Sato Mina"
    assert row["organization_name"] == "Main"
    assert row["level_name"] == "Senior"
    assert (row["org_unit_name"], row["position_name"]) == ("Sales", "Lead")
    assert (row["organization_count"], row["org_unit_count"]) == (2, 2)
    assert (row["alias_emails"], row["alias_email_count"]) == ("m.sato@example.com, mina.sato@example.com", 2)
    assert row["custom_property_count"] == 1
    assert row["state"] == "active"
    assert row["messenger_protocol"] == "MSGR_A"


def test_times_are_utc_and_lunar_birthdays_survive() -> None:
    row = first(frames.users([MINA | {"birthdayCalendarType": "LUNAR", "birthday": "1990-02-30"}]))
    assert row["activation_date"] == datetime(2026, 6, 1, tzinfo=UTC)
    assert row["hired_date"].date() == date(2020, 4, 1)  # type: ignore[attr-defined]
    assert row["birthday"] == "1990-02-30"


ENDS = ("0001-01-01T00:00:00+09:00", "9999-12-31T23:59:59-09:00")


@pytest.mark.parametrize("end", ENDS)
def test_times_out_of_range_are_missing_but_unedited(end: str) -> None:
    frame = frames.users([MINA | {"activationDate": end}])
    assert frame["activation_date"].isna().all()
    assert "NaT" in repr(frame["activation_date"])
    assert frame.svc.to_patches() == {}
    assert frames.statuses([{"endTime": end}]).svc.timeline()


@pytest.mark.parametrize("end", ENDS)
def test_such_times_are_refused_where_they_are_typed(end: str) -> None:
    frame = frames.users([MINA]).astype(
        {"activation_date": "object"}
    )  # as of a file; else pandas refuses them
    frame.loc[0, "activation_date"] = end
    (problem,) = frame.svc.changes().problems
    assert "activation_date must be a time in the years 1 to 9999 in UTC" in problem.message


def test_what_a_record_does_not_hold_is_missing() -> None:
    row = first(frames.users([BARE]))
    present = {name for name, value in row.items() if not pd.isna(value)}  # type: ignore[call-overload]
    assert present == {"domain_id", "email", "state"}


@pytest.mark.parametrize("null", ["userName", "messenger", "organizations", "aliasEmails", "leaveOfAbsence"])
def test_null_objects_and_lists_are_missing(null: str) -> None:
    assert len(frames.users([MINA | {null: None}])) == 1


def test_a_list_without_a_primary_item_gives_its_first() -> None:
    record = BARE | {"organizations": [{"organizationName": "A"}, {"organizationName": "B"}]}
    assert first(frames.users([record]))["organization_name"] == "A"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, "active"),
        ({"leaveOfAbsence": {"isLeaveOfAbsence": True}}, "on leave"),
        ({"isPending": True, "isAwaiting": True}, "awaiting"),
        ({"isSuspended": True, "isDeleted": True}, "deleted"),
    ],
)
def test_state(record: dict[str, object], expected: str) -> None:
    assert first(frames.users([record]))["state"] == expected


@pytest.mark.parametrize(
    ("locale", "last", "first_name", "expected"),
    [
        ("ko_KR", "김", "철수", "김철수"),
        ("zh_TW", "王", "小明", "王小明"),
        ("ja_JP", "佐藤", "太郎", "佐藤 太郎"),
        ("ko_KR", "Kim", "Cheolsu", "Kim Cheolsu"),
        ("ko_KR", "김", "Mina", "김 Mina"),
        ("ko_KR", "김", None, "김"),
        ("en_US", "김", "철수", "철수 김"),
    ],
)
def test_names_are_written_as_they_are_there(
    locale: str, last: str, first_name: str | None, expected: str
) -> None:
    record = MINA | {"locale": locale, "userName": {"lastName": last, "firstName": first_name}}
    others = [MINA | {"userId": f"u-{number}"} for number in range(200)]  # as many as Arrow is used for
    assert first(frames.users([record]))["display_name"] == expected
    assert first(frames.users([record, *others]))["display_name"] == expected
    assert display_name(record) == expected


@pytest.mark.parametrize("kind", frames.KINDS)
def test_the_empty_frame_has_the_documented_dtypes(kind: frames.Kind) -> None:
    documented = frames.columns(kind)
    empty = getattr(frames, kind)([])
    assert {name: str(dtype) for name, dtype in empty.dtypes.items()} == dict(
        zip(documented["column"], documented["dtype"], strict=True)
    )
    full = getattr(frames, kind)([{}])
    pd.testing.assert_series_equal(full.dtypes, empty.dtypes)


@pytest.mark.parametrize("kind", frames.KINDS)
def test_the_docstring_lists_every_column(kind: frames.Kind) -> None:
    doc = getattr(frames, kind).__doc__
    assert all(f"{name} (" in doc for name in frames.columns(kind)["column"])


def test_order_is_the_source_s_over_many_chunks() -> None:
    ids = [f"u-{number:04}" for number in range(2_500, 0, -1)]
    assert frames.users({"userId": each} for each in ids)["user_id"].tolist() == ids


def test_unknown_values_of_an_enumeration_are_kept() -> None:
    reasons = frames.users([{"suspendedReason": "NEW"}, {"suspendedReason": "MASTER"}])["suspended_reason"]
    assert reasons.tolist() == ["NEW", "MASTER"]
    assert reasons.cat.categories.tolist() == ["MASTER", "LOGIN_FAIL", "NEW"]
    assert reasons.cat.ordered
    assert reasons.max() == "NEW"


def test_models_give_the_same_frame_as_their_records() -> None:
    pd.testing.assert_frame_equal(frames.users([User.from_wire(MINA)]), frames.users([MINA]))


def test_messages() -> None:
    record = {"sentAt": "2026-06-01T00:00:00.250Z", "button": None, "webhook": "5e0c71a2"}
    frame = frames.messages([record, record | {"webhook": None, "button": {"label": "Open"}}])
    assert frame["webhook"].tolist() == ["5e0c71a2", pd.NA]
    assert frame["button_label"].tolist() == [pd.NA, "Open"]
    assert frame["sent_at"][0] == datetime(2026, 6, 1, 0, 0, 0, 250_000, tzinfo=UTC)


def test_journal() -> None:
    record = {
        "number": 1,
        "at": "2026-06-01T09:00:00+09:00",
        "method": "PATCH",
        "rules": ["a", "b"],
        "assumed": [],
    }
    row = first(frames.journal([record]))
    assert (row["rules"], row["at"]) == ("a, b", datetime(2026, 6, 1, tzinfo=UTC))
    assert pd.isna(row["assumed"])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        *((source, "iterable of records; given") for source in (None, 7, "u-001", object())),
        *((source, "put a single record into a list") for source in (MINA, User.from_wire(MINA))),
        ([1], "a record of users is a mapping .*; given 1$"),
    ],
)
def test_a_wrong_source_is_refused_with_advice(source: object, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        frames.users(source)  # type: ignore[arg-type]


def test_a_value_of_the_wrong_type_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'domain_id' is Int64.*'domainId'"):
        frames.users([{"domainId": "ten"}])


def test_an_unknown_kind_names_the_frames() -> None:
    with pytest.raises(ValueError, match="the frames are users, organizations, org_units"):
        frames.columns("rooms")  # type: ignore[arg-type]


@pytest.mark.parametrize("column", list(frames.users([]).columns))
def test_every_cell_can_be_edited(column: str) -> None:
    frame = frames.users([MINA])
    frame.loc[0, column] = None
    assert pd.isna(frame.loc[0, column])


def test_a_notebook_groups_columns_by_field() -> None:
    shown = frames.columns("users")._repr_html_()
    assert shown.count("<tr>") == len(frames.columns("users")) + shown.count("<details>")
    assert "<summary>userName: 5 rows</summary>" in shown
    assert "<summary>organizations: 15 rows</summary>" in shown
