"""A fake whose clock stands at an end of the calendar answers as on any other day."""

from datetime import date, timedelta

import pytest

from fakes import FakeService
from svckit.models.lifecycle import RETIREMENTS

from ..caller import calling

ENDS = [
    f"{day}{offset}"
    for day in ("0002-01-02T00:00:00", "9998-12-30T23:59:59")
    for offset in ("-14:00", "Z", "+14:00")
]


@pytest.fixture(params=ENDS)
def me(request):
    with calling(FakeService.sample(users=3, now=request.param)) as caller:
        yield caller


def test_codes_and_tokens_live_and_end(me):
    code = me.code()
    tokens = me.exchange(code).json()
    assert me.refresh(tokens["refresh_token"]).status_code == 200
    late = me.code()
    me.fake.clock.advance(minutes=11)
    assert me.exchange(late).status_code == 400
    me.take(tokens["access_token"])
    assert me.patch(task="x").status_code == 200


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", None])
@pytest.mark.parametrize("end", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", None])
def test_statuses_at_any_time_are_answered(me, start, end):
    response = me.set_status(startTime=start, endTime=end)
    assert response.status_code in (200, 400)
    assert len(me.fake.statuses.of("u-001")) == (response.status_code == 200)


def test_files_notifications_and_messages_come_through(me):
    assert me.download(me.upload()["fileId"]).content == b"hello"
    assert me.notify().status_code == 200
    assert me.say()[0].delivered
    me.fake.restore(me.fake.snapshot())


@pytest.mark.parametrize("day", [date.min, date.max])
def test_retirements_at_the_ends_of_the_calendar_are_told(me, day):
    me.fake.settings.retirement_dates = {item.key: day for item in RETIREMENTS}
    response = me.api("GET", "/directory/custom-fields")
    assert response.status_code == (404 if day == date.min else 501)
    assert response.headers["Sunset"].endswith("GMT")
    assert me.fake.state.lifecycle.list_statuses()[0].date == day


def test_statuses_ended_by_the_longest_advance():
    with calling(FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00")) as me:
        me.set_status(endTime="9000-01-01T00:00:00Z")
        me.fake.clock.to("9998-12-31T00:00:00Z")
        assert me.fake.statuses.of("u-001") == []
        assert me.patch().status_code == 401
        with pytest.raises(ValueError, match="covers the years 2"):
            me.fake.clock.advance(seconds=timedelta(days=1).total_seconds())
