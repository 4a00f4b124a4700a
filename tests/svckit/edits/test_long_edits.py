"""Long frames to patches: the list is built whole of its rows, and what nobody edited stays as it was read."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import svckit
from fakes import FakeService
from svckit import frames
from svckit.edits.long_rows import kind_of
from svckit.errors import InvalidInput
from svckit.models.custom_properties import PropertyDefinition

# pandas 2 says of a row that is added by `loc` what pandas 3 will make of it, which here is the same.
pytestmark = pytest.mark.filterwarnings("ignore:The behavior of DataFrame concatenation:FutureWarning")

NOW = "2026-06-01T09:00:00+09:00"
UNIT = {"orgUnitId": "ou-dev", "primary": False}
UNITS = [{"orgUnitId": "ou-sales", "primary": True, "positionId": None, "orgUnitName": "Sales"}, UNIT]
MINA: dict[str, Any] = {
    "domainId": 1,
    "userId": "u-001",
    "email": "mina@example.com",
    "userName": {},
    "aliasEmails": ["a@example.com", "b@example.com"],
    "customFields": [{"customFieldId": "cf-1", "value": "7"}, {"customFieldId": "cf-2", "link": None}],
    "i18nNames": [{"language": "en_US", "firstName": "Mina"}],
    "relations": [{"relationUserId": "u-002", "relationName": "mentor", "externalKey": "emp-2"}],
    "customProperties": {
        "floor": 3,
        "site": {"text": None, "link": "https://example.com"},
        "none": None,
        "tags": ["x", "y"],
    },
    "organizations": [
        {"domainId": 1, "primary": True, "levelId": "lv-1", "levelName": "Director", "orgUnits": UNITS},
        {"domainId": 2, "primary": False},
    ],
}
KEN: dict[str, Any] = MINA | {"userId": "u-002", "aliasEmails": None, "customFields": [], "organizations": []}
SENT = {"orgUnitId": "ou-sales", "primary": True, "positionId": None}
POST = {"domainId": 1, "primary": True, "levelId": "lv-1", "orgUnits": [SENT, UNIT]}
LONG = [
    *("organizations", "org_units", "custom_fields", "custom_properties"),
    *("alias_emails", "i18n_names", "relations"),
]


def frame_of(kind: str, *records: dict[str, Any]) -> pd.DataFrame:
    made: pd.DataFrame = getattr(frames, kind)(list(records or (MINA, KEN)))
    return made


def edited(kind: str, row: int, **cells: Any) -> pd.DataFrame:
    frame = frame_of(kind)
    for name, value in cells.items():
        frame.loc[row, name] = value
    return frame


def problem(frame: pd.DataFrame, **options: Any) -> str:
    (found,) = frame.svc.changes(**options).problems
    with pytest.raises(InvalidInput):
        frame.svc.to_patches(**options)
    return found.message


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame,
        lambda frame: frame.sort_values("user_id", ascending=False),
        lambda frame: frame.sample(frac=1, random_state=0),
        lambda frame: frame[frame["user_id"] == "u-001"],
        lambda frame: frame.set_index("user_id"),
        lambda frame: frame.set_index(["user_id", "number"]),
        lambda frame: frame.astype(object),
        lambda frame: frame.convert_dtypes(),
        lambda frame: frame.astype({"number": "string"}),
        lambda frame: frame.iloc[:, :3],
    ],
)
def test_what_nobody_edited_has_no_patches(kind: str, change: Callable[[pd.DataFrame], Any]) -> None:
    frame = change(frame_of(kind))
    assert frame.svc.to_patches() == {}
    assert frame.svc.to_patches(against=[MINA, KEN]) == {}


@pytest.mark.parametrize(
    ("frame", "body"),
    [
        (edited("alias_emails", 1, alias_email="c@example.com"), {"aliasEmails": ["a@example.com", "c@example.com"]}),
        (
            edited("custom_fields", 1, value="8"),
            {"customFields": [MINA["customFields"][0], {"customFieldId": "cf-2", "link": None, "value": "8"}]},
        ),
        (
            edited("custom_fields", 0, value=None),
            {"customFields": [{"customFieldId": "cf-1", "value": None}, MINA["customFields"][1]]},
        ),
        (
            edited("i18n_names", 0, last_name="Sato"),
            {"i18nNames": [{"language": "en_US", "firstName": "Mina", "lastName": "Sato"}]},
        ),
        (edited("relations", 0, relation_name=None), {"relations": [{"relationUserId": "u-002"}]}),
        (
            edited("organizations", 0, level_id="lv-2"),
            {"organizations": [POST | {"levelId": "lv-2"}, MINA["organizations"][1]]},
        ),
        (
            edited("org_units", 1, is_manager=True),
            {"organizations": [POST | {"orgUnits": [SENT, UNIT | {"isManager": True}]}, MINA["organizations"][1]]},
        ),
        (
            edited("custom_properties", 0, integer=4),
            {"customProperties": MINA["customProperties"] | {"floor": 4}},
        ),
        (
            edited("custom_properties", 1, text="Home"),
            {"customProperties": MINA["customProperties"] | {"site": {"text": "Home", "link": "https://example.com"}}},
        ),
        (
            edited("custom_properties", 4, text="z"),
            {"customProperties": MINA["customProperties"] | {"tags": ["x", "z"]}},
        ),
        (
            edited("custom_properties", 0, integer=None, text="third"),
            {"customProperties": MINA["customProperties"] | {"floor": "third"}},
        ),
    ],
)  # fmt: skip
def test_the_list_is_sent_whole_and_keeps_absent_from_null(frame: pd.DataFrame, body: dict[str, Any]) -> None:
    assert frame.svc.to_patches() == {"u-001": body}


@pytest.mark.parametrize(
    ("kind", "row", "body"),
    [
        (
            "alias_emails",
            {"user_id": "u-001", "alias_email": "c@example.com"},
            {"aliasEmails": [*MINA["aliasEmails"], "c@example.com"]},
        ),
        ("alias_emails", {"user_id": "u-002", "alias_email": "k@example.com"}, {"aliasEmails": ["k@example.com"]}),
        (
            "custom_fields",
            {"user_id": "u-002", "custom_field_id": "cf-1"},
            {"customFields": [{"customFieldId": "cf-1"}]},
        ),
        (
            "org_units",
            {"user_id": "u-001", "organization_number": 2, "org_unit_id": "ou-hr", "primary": True},
            {
                "organizations": [
                    POST,
                    MINA["organizations"][1] | {"orgUnits": [{"orgUnitId": "ou-hr", "primary": True}]},
                ]
            },
        ),
        (
            "custom_properties",
            {"user_id": "u-001", "name": "tags", "number": 3, "text": "z"},
            {"customProperties": MINA["customProperties"] | {"tags": ["x", "y", "z"]}},
        ),
        (
            "custom_properties",
            {"user_id": "u-001", "name": "chat", "link": "https://chat.example.com"},
            {"customProperties": MINA["customProperties"] | {"chat": {"link": "https://chat.example.com"}}},
        ),
    ],
)  # fmt: skip
def test_a_new_row_is_a_new_item(kind: str, row: dict[str, Any], body: dict[str, Any]) -> None:
    frame = frame_of(kind)
    frame.loc[len(frame)] = row  # type: ignore[call-overload] # a mapping may be given
    assert frame.svc.to_patches() == {row["user_id"]: body}


def test_rows_that_are_missing_ask_what_that_means() -> None:
    frame = frame_of("alias_emails").iloc[1:]
    assert problem(frame) == (
        "alias_emails: rows that were read are missing (u-001 1), and a list is sent as a whole. "
        "Choose what that means: frame.svc.changes(missing_rows='keep') keeps these items, missing_rows='remove' "
        "removes them"
    )
    assert frame.svc.to_patches(missing_rows="keep") == {}
    assert frame.svc.to_patches(missing_rows="remove") == {"u-001": {"aliasEmails": ["b@example.com"]}}
    assert frame.iloc[:0].svc.to_patches() == {}
    assert frame.iloc[:0].svc.to_patches(missing_rows="remove") == {"u-001": {"aliasEmails": []}}
    with pytest.raises(InvalidInput, match="missing_rows is refuse, keep, remove; given 'drop'"):
        frame.svc.changes(missing_rows="drop")


def test_a_property_without_rows_is_taken_away() -> None:
    frame = frame_of("custom_properties", MINA).query("name != 'tags'")
    rest = {name: value for name, value in MINA["customProperties"].items() if name != "tags"}
    assert frame.svc.to_patches(missing_rows="remove") == {"u-001": {"customProperties": rest}}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            edited("org_units", 0, org_unit_name="Buying"),
            "u-001: org_unit_name of number 1 is read-only: it follows from org_unit_id, so edit that",
        ),
        (
            edited("org_units", 0, domain_id=7),
            "number 1 is read-only: it follows from the post, which svckit.frames.organizations shows, so edit that",
        ),
        (edited("organizations", 0, executive=True), "executive of number 1 is read-only: only the service writes it"),
        (edited("organizations", 0, org_unit_count=7), "it follows from the rows of svckit.frames.org_units"),
        (edited("relations", 0, external_key="x"), "it follows from relation_user_id"),
        (edited("custom_fields", 0, custom_field_id=None), "custom_fields[0].custom_field_id must be a string"),
        (edited("custom_fields", 0, value="x" * 101), "custom_fields[0].value must have at most 100 characters"),
        (edited("alias_emails", 0, alias_email=None), "alias_emails[0] must be a string"),
        (edited("alias_emails", 1, number=1), "u-001: number 1 is given more than once; a new row has no number"),
        (edited("alias_emails", 1, number=0), "row 1: number counts from 1; given 0"),
        (edited("alias_emails", 1, user_id=None), "row 1: user_id is missing"),
        (edited("alias_emails", 1, user_id="u-009"), "u-009 is not among the users"),
        (edited("org_units", 1, organization_number=3), "is 3, but the user has 2 posts, numbered from 1"),
        (edited("custom_properties", 0, text="x"), "floor is both a number and a text or link"),
        (edited("custom_properties", 4, number=None), "number of tags is missing in one row"),
        (edited("custom_properties", 0, name=None), "name of a new row is missing"),
        (frame_of("alias_emails").assign(alias="x"), "alias is not a column of a frame of alias_emails; did you mean"),
        (
            frame_of("alias_emails").astype({"number": object}).assign(number="one"),
            "row 0: number must be a whole number; given 'one'",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_problem_that_teaches(frame: pd.DataFrame, message: str) -> None:
    changes = frame.svc.changes(missing_rows="keep")
    assert message in changes.problems[0].message
    assert changes.problems[0].path


def test_a_new_row_has_nothing_that_only_the_service_writes() -> None:
    frame = frame_of("custom_fields")
    frame.loc[len(frame)] = {"user_id": "u-002", "custom_field_id": "cf-1", "external_key": "x"}  # type: ignore[call-overload]
    assert problem(frame) == (
        "u-002: external_key of a new row is read-only: it follows from custom_field_id, so edit that; "
        "leave it empty there"
    )


@pytest.mark.parametrize("kind", LONG)
def test_another_frame_is_known_by_its_columns(kind: str) -> None:
    frame = pd.DataFrame(frame_of(kind).to_dict("list"))
    assert frame.svc.to_patches(against=[MINA, KEN]) == {}
    text = {"alias_emails": "alias_email", "custom_properties": "text", "org_units": "position_id"}.get(kind)
    if text:
        frame[text] = frame[text].astype(object)
        frame.loc[frame.index[-1], text] = "other"
        assert len(frame.svc.to_patches(against=[MINA, KEN])) == 1


def test_a_session_compares_long_frames_too() -> None:
    with svckit.connect(now=NOW) as svc:
        aliases = frames.alias_emails(svc)
        aliases.loc[0, "alias_email"] = "other@example.com"
        changes = svc.users.diff(aliases)
        assert changes == aliases.svc.changes()
        assert svc.users.apply(changes, progress=False).failed == []
        assert frames.alias_emails(svc)["alias_email"][0] == "other@example.com"


TEXT = st.text("abcäö佐藤 <&'\"=", min_size=1, max_size=8).map(str.strip).filter(bool)
OPTIONAL = st.none() | TEXT
CELLS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "organizations": {"level_id": OPTIONAL, "user_external_key": OPTIONAL, "domain_id": st.integers(1, 9)},
    "org_units": {
        "org_unit_id": TEXT,
        "position_id": OPTIONAL,
        "is_manager": st.booleans(),
        "visible": st.booleans(),
        "primary": st.booleans(),
    },
    "custom_fields": {"custom_field_id": TEXT, "value": OPTIONAL, "link": OPTIONAL},
    "alias_emails": {"alias_email": st.from_regex(r"[a-z]{1,8}@example\.com", fullmatch=True)},
    "i18n_names": {
        "language": st.sampled_from(["ja_JP", "ko_KR", "en_US"]),
        "last_name": OPTIONAL,
        "first_name": OPTIONAL,
    },
    "relations": {"relation_user_id": TEXT, "relation_name": OPTIONAL},
    "custom_properties": {"text": TEXT},
}
NEEDED = {
    "organizations": {"primary": False, "domain_id": 3},
    "org_units": {"primary": False, "org_unit_id": "ou-x"},
}
FIELDS = {kind: frames.columns(kind)["wire"].iloc[-1].partition(".")[0] for kind in LONG} | {
    "custom_properties": "customProperties"
}


def populated() -> FakeService:
    """A fake whose users have some of everything."""
    fake = FakeService.sample(users=5, now=NOW)
    fake.settings.custom_properties = [
        PropertyDefinition(name=name, property_type="STRING", multi_valued=many)
        for name, many in (("team", False), ("tags", True))
    ]
    with svckit.connect(fake) as svc:
        for number in (1, 2, 3):
            post = {"domain_id": number, "primary": number == 1, "org_units": UNITS[:number]}
            svc.users.update(
                f"u-00{number}",
                alias_emails=[f"{letter}{number}@example.com" for letter in "abc"[:number]],
                custom_fields=[{"custom_field_id": f"cf-{n}", "value": None} for n in range(number)],
                i18n_names=[{"language": "en_US", "last_name": "Sato"}],
                relations=[{"relation_user_id": "u-005"}],
                custom_properties={"team": "blue", "tags": ["x", "y"][: number - 1]},
                organizations=[post] * number,
            )
    return fake


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, FakeService, pd.DataFrame, set[str]]:
    """A long frame of a fake, edited the ways people do, and the users it was edited of."""
    kind, fake = draw(st.sampled_from(LONG)), populated()
    frame: pd.DataFrame = getattr(frames, kind)(fake)
    touched: set[str] = set()
    cells = st.fixed_dictionaries({}, optional=CELLS[kind])
    for row in draw(st.lists(st.integers(0, len(frame) - 1), max_size=3, unique=True)):
        for name, value in draw(cells).items():
            frame.loc[row, name] = value
            touched.add(frame.loc[row, "user_id"])
    gone = draw(st.lists(st.integers(0, len(frame) - 1), max_size=2, unique=True))
    if kind == "organizations":
        gone = []  # a user has a primary post
    touched |= set(frame.loc[gone, "user_id"])
    if kind != "custom_properties" and draw(st.booleans()):
        new = {name: draw(values) for name, values in CELLS[kind].items()}
        at = {"organization_number": 1} if kind == "org_units" else {}
        frame.loc[len(frame)] = {"user_id": "u-003", **NEEDED.get(kind, {}), **new, **at}  # type: ignore[call-overload]
        touched.add("u-003")
    frame = frame.drop(index=gone)
    return kind, fake, frame.iloc[draw(st.permutations(range(len(frame))))], touched


def ordered(kind: str, frame: pd.DataFrame) -> list[Any]:
    """The rows as they are to be: in the order of users and numbers, new ones last, numbered anew."""
    keys = [name for name in ("user_id", "organization_number", "name") if name in frame]
    frame = frame.sort_values([*keys, "number"], na_position="last", kind="stable")
    shown = frame[[*keys, *CELLS[kind]]].astype(object)
    rows: list[Any] = shown.where(shown.notna(), None).values.tolist()
    return rows


@settings(deadline=None, max_examples=60)
@given(edits())
def test_frame_to_edited_to_patches_to_applied_to_frame(
    edit: tuple[str, FakeService, pd.DataFrame, set[str]],
) -> None:
    kind, fake, frame, touched = edit
    with svckit.connect(fake) as svc:
        changes = frame.svc.changes(missing_rows="remove")
        assert changes.problems == ()
        patches = frame.svc.to_patches(missing_rows="remove")
        assert patches.keys() <= touched
        assert all(list(body) == [FIELDS[kind]] for body in patches.values())
        assert svc.users.apply(changes, progress=False).failed == []
        after = getattr(frames, kind)(svc)
        assert ordered(kind, after) == ordered(kind, frame)
        assert after.svc.to_patches(against=svc) == {}


def test_a_long_frame_is_known_by_its_keys_alone() -> None:
    keys = pd.DataFrame({"user_id": ["u-001"], "name": ["badge"], "number": [1]})
    assert kind_of(keys) == kind_of(keys.set_index([*keys.columns])) == "custom_properties"
