"""The three shapes of time, read strictly and written back the same."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from svckit.models import MessageEvent, StatusRegistration, UserChange
from svckit.models.times import (
    format_date_time,
    format_event_time,
    parse_date,
    parse_date_time,
    parse_event_time,
    parse_iso_time,
)

OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    "text",
    [
        *["2026-W23-1", "0000-01-01", " 2026-06-01", "2026-06-01\n", "\uff12026-06-01"],
        *[True, None, datetime(2026, 6, 1, tzinfo=UTC)],
    ],
)
def test_no_date(text):
    with pytest.raises(ValueError, match="must be a date written YYYY-MM-DD"):
        parse_date(text)


@pytest.mark.parametrize(
    "text",
    [
        *["2026-06-01T09:00:00", "2026-06-01 09:00:00Z", "2026-06-01T09:00:00.000Z", "2026-06-01T09:00Z"],
        *[
            "2026-06-01T09:00:00+0900",
            "2026-06-01T09:00:00+09",
            "2026-06-01T09:00:00z",
            "2026-06-01T24:00:00Z",
        ],
        *["2026-06-01T09:00:00+24:00", "2026-06-01T09:60:00Z", "2026-06-31T09:00:00Z", "2026-06-01", ""],
        *["2026-06-01T09:00:00Z\n", 1780272000, None, date(2026, 6, 1)],
    ],
)
def test_no_date_time(text):
    with pytest.raises(ValueError, match="must be a time written YYYY-MM-DDThh:mm:ss"):
        parse_date_time(text)


@pytest.mark.parametrize(
    "text",
    [
        *["2026-06-01T09:00:00Z", "2026-06-01T09:00:00.1Z", "2026-06-01T09:00:00.000", "2026-06-01", 0],
        *["2026-06-01T09:00:00.000+09", "2026-06-01T09:00:00.000+24:00", "0001-01-01T00:00:00.000+09:00"],
    ],
)
def test_no_event_time(text):
    with pytest.raises(ValueError, match=r"must be a time written YYYY-MM-DDThh:mm:ss\.SSSZ"):
        parse_event_time(text)


class NewerDateTime(datetime):
    """Reads the hour 24 as Python does from version 3.14 on."""

    @classmethod
    def fromisoformat(cls, text):
        if text[11:13] != "24":
            return datetime.fromisoformat(text)
        return datetime.fromisoformat(text[:11] + "00" + text[13:]) + timedelta(days=1)


@pytest.mark.parametrize("parse", [parse_date_time, parse_event_time, parse_iso_time])
def test_no_version_of_python_reads_the_hour_24(parse, monkeypatch):
    monkeypatch.setattr("svckit.models.times.datetime", NewerDateTime)
    for text in ("2026-06-01T24:00:00Z", "2026-06-01T24:00:00.000Z", "2026-06-01 24:00:00+09:00"):
        with pytest.raises(ValueError, match=r"must be a time written|hours of a day|Invalid"):
            parse(text)
    assert parse_iso_time("2026-06-24T00:24:24Z").isoformat() == "2026-06-24T00:24:24+00:00"
    assert parse_iso_time("2026-W24-1 09:24").isoformat() == "2026-06-08T09:24:00"


@pytest.mark.parametrize(
    ("written", "rewritten"),
    [
        ("2026-06-01T09:00:00Z", "2026-06-01T09:00:00Z"),
        ("2026-06-01T09:00:00+00:00", "2026-06-01T09:00:00Z"),
        ("2026-06-01T09:00:00-00:00", "2026-06-01T09:00:00Z"),
        ("2026-06-01T09:00:00+09:00", "2026-06-01T09:00:00+09:00"),
        ("2026-06-01T09:00:00-03:30", "2026-06-01T09:00:00-03:30"),
    ],
)
def test_offsets_are_kept_and_zero_is_z(written, rewritten):
    assert format_date_time(parse_date_time(written)) == rewritten


@pytest.mark.parametrize("read", [parse_date_time, parse_event_time, format_date_time, format_event_time])
def test_a_time_without_offset_is_refused(read):
    with pytest.raises(ValueError, match="does not name an instant"):
        read(datetime(2026, 6, 1))


def test_an_offset_with_seconds_is_refused():
    local_mean_time = timezone(timedelta(hours=9, minutes=18, seconds=59))
    with pytest.raises(ValueError, match="whole minutes"):
        parse_date_time(datetime(1880, 1, 1, tzinfo=local_mean_time))


@given(st.dates())
def test_dates_come_back(day):
    assert parse_date(day.isoformat()) == parse_date(day) == day


@given(st.datetimes(timezones=OFFSETS))
def test_date_times_come_back_in_whole_seconds(moment):
    text = format_date_time(moment)
    assert parse_date_time(text) == parse_date_time(moment) == moment.replace(microsecond=0)
    assert parse_date_time(text).utcoffset() == moment.utcoffset()
    assert len(text) <= 25


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31), timezones=OFFSETS))
def test_event_times_come_back_in_milliseconds(moment):
    text = format_event_time(moment)
    assert parse_event_time(text) == parse_event_time(moment)
    assert timedelta(0) <= moment - parse_event_time(text) < timedelta(milliseconds=1)


def test_fields_take_python_objects_and_write_text():
    nine = datetime(2026, 6, 1, 9, 0, 0, 999, tzinfo=UTC)
    assert UserChange(birthday=date(2000, 2, 29), activation_date=nine).to_wire() == {
        "birthday": "2000-02-29",
        "activationDate": "2026-06-01T09:00:00Z",
    }
    with pytest.raises(ValidationError, match="does not name an instant"):
        StatusRegistration(profile_status_id="BUSY", start_time=datetime(2026, 6, 1))
    source = {"user_id": "u-001", "domain_id": 1}
    event = MessageEvent(
        type="message", source=source, issued_time=nine, content={"type": "text", "text": "x"}
    )
    assert event.to_wire()["issuedTime"] == "2026-06-01T09:00:00.000Z"
