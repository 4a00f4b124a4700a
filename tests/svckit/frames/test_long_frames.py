"""Users made long by their lists, and the frames of what hangs on users and files: statuses, revisions, deliveries."""

from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import frames, places
from svckit.session.session import Session

from ..conftest import connect_over_tcp

NOW = "2026-06-01T09:00:00+09:00"
MINA = {
    "userId": "u-001",
    "aliasEmails": ["a@example.com", "b@example.com"],
    "customFields": [{"customFieldId": "cf-1", "value": "7", "link": None}],
    "i18nNames": [{"language": "en_US", "firstName": "Mina", "lastName": "Sato"}],
    "relations": [{"relationUserId": "u-002", "relationName": "mentor"}],
    "customProperties": {"floor": 3, "site": {"text": "Home", "link": "https://example.com"}, "tags": ["x", "y"]},
    "organizations": [
        {"domainId": 2, "primary": False, "orgUnits": []},
        {
            "domainId": 1,
            "primary": True,
            "organizationName": "Main",
            "orgUnits": [
                {"orgUnitId": "o-1", "primary": False, "isManager": True},
                {"orgUnitId": "o-2", "primary": True, "positionName": "Lead"},
            ],
        },
    ],
}  # fmt: skip
KEN = {"userId": "u-002", "organizations": None, "aliasEmails": [], "customProperties": None}


def test_organizations_are_numbered_in_the_service_s_order() -> None:
    frame = frames.organizations([MINA, KEN])
    assert frame[["user_id", "number", "domain_id", "primary", "org_unit_count"]].values.tolist() == [
        ["u-001", 1, 2, False, 0],
        ["u-001", 2, 1, True, 2],
    ]


def test_org_units_name_their_post() -> None:
    frame = frames.org_units([KEN, MINA])
    names = ["organization_number", "number", "organization_primary", "primary", "org_unit_id"]
    assert frame[names].values.tolist() == [[2, 1, True, False, "o-1"], [2, 2, True, True, "o-2"]]
    assert frame["is_manager"].tolist() == [True, pd.NA]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("alias_emails", [["u-001", 1, "a@example.com"], ["u-001", 2, "b@example.com"]]),
        ("custom_fields", [["u-001", 1, "cf-1", None, "7", None]]),
        (
            "custom_properties",
            [
                ["u-001", "floor", None, None, 3, None],
                ["u-001", "site", None, "Home", None, "https://example.com"],
                ["u-001", "tags", 1, "x", None, None],
                ["u-001", "tags", 2, "y", None, None],
            ],
        ),
    ],
)
def test_a_row_an_item(kind: str, expected: list[list[object]]) -> None:
    frame = getattr(frames, kind)([MINA, KEN]).astype(object)
    assert frame.where(frame.notna(), None).values.tolist() == expected


@pytest.mark.parametrize("kind", ["organizations", "org_units", "custom_fields", "alias_emails", "relations"])
def test_all_items_of_a_fake_s_users_are_there_each_once(kind: str, svc: Session) -> None:
    frame, flat = getattr(frames, kind)(svc), frames.users(svc)
    keys = [name for name in ("user_id", "organization_number", "number") if name in frame]
    assert not frame[keys].duplicated().any()
    count = flat[f"{kind.removesuffix('s')}_count"]
    assert len(frame) == count.sum()
    assert frame["user_id"].drop_duplicates().tolist() == flat["user_id"][count.gt(0)].tolist()


@pytest.mark.parametrize(
    "kind", ["organizations", "org_units", "custom_properties", "alias_emails", "relations"]
)
def test_a_frame_of_users_stands_for_those_it_was_read_of(kind: str) -> None:
    make = getattr(frames, kind)
    people = frames.users([MINA, KEN])
    people.loc[0, "task"] = "edited"
    pd.testing.assert_frame_equal(make(people), make([MINA, KEN]))
    pd.testing.assert_frame_equal(make(frames.relations(people)), make([MINA, KEN]))


@pytest.mark.parametrize("kind", ["users", "statuses"])
def test_other_frames_stand_for_nobody(kind: str) -> None:
    frame = pd.DataFrame({"user_id": ["u-001"]}) if kind == "users" else frames.users([MINA])
    with pytest.raises(TypeError, match="a frame stands for users only, and only while it remembers"):
        getattr(frames, kind)(frame)


@pytest.mark.parametrize("kind", frames.KINDS)
def test_every_enumeration_is_in_its_documented_order(kind: str) -> None:
    frame, documented = getattr(frames, kind)([]), frames.columns(kind).set_index("column")["values"].dropna()
    enumerations = frame.select_dtypes("category")
    assert enumerations.columns.tolist() == documented.index.tolist()
    assert all(cells.cat.ordered for _, cells in enumerations.items())
    orders = {name: " < ".join(cells.cat.categories) for name, cells in enumerations.items()}
    assert orders == documented.to_dict()
    assert all(order in getattr(frames, kind).__doc__ for order in orders.values())


def test_enumerations_sort_and_compare_by_their_order() -> None:
    stages = frames.lifecycle(svckit.lifecycle.table(datetime(2026, 12, 1, tzinfo=UTC)))["stage"]
    assert stages.min() == "planned"
    assert (stages > "planned").sum() == stages.isin(["retires", "retired"]).sum() > 0
    kinds = ["CUSTOM01", "NEW", "BUSY", "AWAY"]
    given = frames.statuses([{"profileStatusId": kind} for kind in kinds])["profile_status_id"]
    assert given.sort_values().tolist() == ["BUSY", "AWAY", "CUSTOM01", "NEW"]
    assert given[given <= "AWAY"].tolist() == ["BUSY", "AWAY"]


def test_statuses_are_those_of_now(svc: Session) -> None:
    svc.users.set_status(
        "u-002", "ABSENCE", start="2026-06-02T09:00:00+09:00", end="2026-06-03T09:00:00+09:00"
    )
    svc.users.set_status("u-002", "BUSY", message="call", end="2026-06-01T10:00:00+09:00")
    frame = frames.statuses(svc)
    assert frame["schedule_type"].tolist() == ["PRESENT", "RESERVED"]
    assert frame["status_message"].tolist() == ["call", pd.NA]
    assert frame["start_time"][1] == datetime(2026, 6, 2, tzinfo=UTC)
    svc.fake.clock.advance(hours=24)
    now = frames.statuses(svc)
    assert now[["profile_status_id", "schedule_type"]].values.tolist() == [["ABSENCE", "PRESENT"]]


def test_looking_at_statuses_and_revisions_rests_on_nothing() -> None:
    fake = FakeService.sample(now=NOW)
    with svckit.connect(fake) as svc:
        svc.users.set_status("u-002", "BUSY", end="2026-06-01T10:00:00+09:00")
        svc.files.upload(b"1", to=places.drive("u-001"), name="a.txt")
        fake.clock.advance(hours=2)
        before = frames.rules(fake)
        assert len(frames.statuses(fake)) == 0
        assert frames.revisions(fake)["file_name"].tolist() == ["answer.txt", "a.txt"]
        pd.testing.assert_frame_equal(frames.rules(fake), before)


@pytest.mark.parametrize(("alternative", "ids"), [("from-1", ["1", "2"]), ("from-0", ["0", "1"])])
def test_revisions_are_named_as_downloads_name_them(alternative: str, ids: list[str]) -> None:
    fake = FakeService.sample(now=NOW, assume={"file.revision-ids": alternative})
    with svckit.connect(fake) as svc:
        drive = places.drive("u-001")
        for content in (b"one", b"two!"):
            stored = svc.files.upload(content, to=drive, name="a.txt", overwrite=True)
        frame = frames.revisions(svc).query("file_id == @stored.file_id")
        assert frame["revision_id"].tolist() == ids
        assert frame[["number", "newest", "file_size"]].values.tolist() == [[1, False, 3], [2, True, 4]]
        revision = drive.file(stored.file_id).revision(frame["revision_id"].iloc[0])
        assert svc.files.download(revision) == b"one"


def test_credentials_are_shown_without_what_is_secret(svc: Session) -> None:
    frame = frames.credentials(svc)
    assert frame["credential"].tolist() == ["access token", "refresh token"]
    assert (frame["end_time"] - frame["issued_time"]).tolist() == [
        pd.Timedelta(hours=24),
        pd.Timedelta(days=90),
    ]
    assert frame["state"].tolist() == ["valid", "valid"]
    svc.fake.clock.advance(days=91)
    assert frames.credentials(svc)["state"].tolist() == ["expired", "expired"]
    tokens = svc._driver.tokens.current
    assert tokens is not None
    assert all(secret.reveal() not in frame.to_csv() for secret in (tokens.access, tokens.refresh) if secret)


def test_a_token_of_a_session_has_ended_exactly_24_hours_later() -> None:
    """A real session goes by its own clock, and knows no more of its tokens than the responses say."""
    fake = FakeService.sample(now=NOW)
    with svckit.connect(fake) as svc:
        driver = svc._driver
        tokens = driver.tokens.current
        assert tokens is not None
        fake.clock.to(tokens.expires - timedelta(microseconds=1))
        assert frames.credentials(driver.credential_records())["state"].tolist() == ["valid", "valid"]
        fake.clock.to(tokens.expires)
        assert frames.credentials(driver.credential_records())["state"].tolist() == ["expired", "valid"]


def test_the_journal_has_what_the_rate_headers_say(svc: Session) -> None:
    svc.notify("one")
    with svc.trace() as trace:
        svc.notify("two")
    names = ["rate_used", "rate_limit", "rate_remaining", "rate_reset"]
    assert frames.journal(svc)[names].dropna().values.tolist() == [[1, 120, 119, 60], [2, 120, 118, 60]]
    assert trace.frame()[names].values.tolist() == [[2, 120, 118, 60]]


def test_a_real_session_knows_what_it_has_done() -> None:
    fake = FakeService.sample(now=NOW)
    with connect_over_tcp(fake) as svc:
        svc.users.set_status("u-002", "BUSY")
        svc.users.set_status("u-002", "AWAY")
        for _ in range(2):
            svc.files.upload(b"x", to=places.drive("u-001"), name="x.txt", overwrite=True)
        assert frames.statuses(svc)[["user_id", "profile_status_id"]].values.tolist() == [["u-002", "AWAY"]]
        assert frames.revisions(svc)["place"].tolist() == ["drive/u-001"] * 2
        assert frames.revisions(svc)["number"].isna().all()
        assert len(frames.files(svc)) == 1
        assert frames.credentials(svc)["state"].tolist() == ["valid", "valid"]
        assert len(frames.deliveries(svc)) == 0


def test_items_that_are_null_have_no_units() -> None:
    users = [{"userId": "u-001", "organizations": [None, {"orgUnits": [None]}, {"orgUnits": None}]}]
    found = frames.org_units(users)
    assert found[["user_id", "organization_number", "number"]].values.tolist() == [["u-001", 2, 1]]
    assert found["org_unit_id"].isna().all()
