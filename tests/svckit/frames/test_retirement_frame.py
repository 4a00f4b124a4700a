"""The frame of what is retired is that of a day, a session or a fake."""

from datetime import UTC, date, datetime

from fakes import FakeService
from svckit import frames
from svckit.retirements import table

from ..conftest import Face, Scripted


def test_the_frame_is_of_a_day_a_session_or_a_fake(on_script: Face, scripted: Scripted) -> None:
    fake = FakeService.sample(now="2026-12-04T09:00:00+09:00")
    scripted.clock.to(datetime(2026, 12, 4, tzinfo=UTC))
    wanted = frames.lifecycle(table(date(2026, 12, 4)))
    assert wanted.query("key == 'custom-fields'")[["status", "days_left"]].values.tolist() == [
        ["retires in 1 day", 1]
    ]
    assert frames.lifecycle(fake).equals(wanted)
    assert frames.lifecycle(on_script.session).equals(wanted)
    assert frames.lifecycle()["key"].tolist() == wanted["key"].tolist()
