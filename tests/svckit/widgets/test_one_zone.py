"""A session has one time zone, that of its clock: in tables, their filters, their code and what they export."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from svckit import frames
from svckit.frames.zones import in_zone
from svckit.session.connect import connect
from svckit.session.session import Session
from svckit.widgets import UsersExplorer
from svckit.widgets.table.code import code_of

from .conftest import NOW

START = "2026-06-01T00:00:00+09:00"


@pytest.fixture
def in_tokyo() -> Session:
    """A session at +09:00, with a user whose account became active on a midnight there."""
    svc = connect(now=NOW)
    svc.users.update("u-002", activation_date=START)
    return svc


@pytest.fixture
def real_in_tokyo(in_tokyo: Session) -> Session:
    """A session that takes its service for a real one, with a profile that names a time zone."""
    in_tokyo.users.read("u-002")
    profile = replace(in_tokyo.profile, name="work", is_fake=False, time_zone="Asia/Tokyo")
    in_tokyo._driver.clock = Session(profile, in_tokyo._driver.credentials).clock
    in_tokyo.profile, in_tokyo.fake = profile, None
    return in_tokyo


def of(svc: Session) -> UsersExplorer:
    explorer = UsersExplorer(svc, columns=["user_id", "activation_date"])
    explorer.wait()
    return explorer


@pytest.mark.parametrize("session", ["in_tokyo", "real_in_tokyo"])
def test_a_day_in_the_table_of_users_is_that_of_the_record(
    session: str, request: pytest.FixtureRequest
) -> None:
    svc = request.getfixturevalue(session)
    explorer = of(svc)
    explorer.table.filter("activation_date", low="2026-06-01", high="2026-06-01")
    assert "2026-06-01 00:00:00+09:00" in explorer.table.to_html()
    assert [row.key for row in explorer.table.model.page_rows()] == ["u-002"]
    explorer.table.filter("activation_date", low="2026-05-31", high="2026-05-31")
    assert explorer.table.model.matched == 0


def test_the_code_gives_the_same_rows(in_tokyo: Session) -> None:
    explorer = of(in_tokyo)
    explorer.table.filter("activation_date", low="2026-06-01", high="2026-06-01")
    space: dict[str, Any] = {"svc": in_tokyo}
    exec(code_of(explorer.table.model, source=explorer.table._source), space)
    pd.testing.assert_frame_equal(space["rows"], explorer.table.rows)


def test_a_refreshed_table_has_it_too(in_tokyo: Session) -> None:
    explorer = of(in_tokyo)
    in_tokyo.users.update("u-003", activation_date=START)
    explorer.refresh()
    explorer.wait()
    assert str(explorer.table.model.frame["activation_date"].dt.tz) == "UTC+09:00"
    assert str(explorer.frame["activation_date"].dt.tz) == "UTC"  # a frame keeps its own


def test_other_times_keep_their_zone() -> None:
    frame = frames.statuses([{"startTime": START, "endTime": START}])
    frame["end_time"] = frame["end_time"].dt.tz_convert("America/St_Johns")
    converted = in_zone(frame, "Asia/Tokyo")
    assert [str(converted[name].dt.tz) for name in ("start_time", "end_time")] == [
        "Asia/Tokyo",
        "America/St_Johns",
    ]
    assert str(frame["start_time"].dt.tz) == "UTC"
