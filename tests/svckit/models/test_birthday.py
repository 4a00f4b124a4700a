"""Birthdays are dates, or text where only a lunar calendar has the day."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svckit.models import User, UserChange
from svckit.models.user import parse_birthday

RECORD = {"domainId": 1, "email": "mina@example.com", "userName": {}}


@given(st.dates())
def test_a_day_of_the_solar_calendar_is_a_date(day: date) -> None:
    assert parse_birthday(day) == parse_birthday(day.isoformat()) == day
    assert UserChange(birthday=day).to_wire() == {"birthday": day.isoformat()}


@given(st.integers(1, 9999), st.integers(1, 12))
def test_every_lunar_month_may_have_30_days(year: int, month: int) -> None:
    text = f"{year:04d}-{month:02d}-30"
    assert UserChange(birthday=text).to_wire() == {"birthday": text}


@pytest.mark.parametrize(
    "calendar", [{}, {"birthday_calendar_type": "LUNAR"}, {"birthday_calendar_type": None}]
)
def test_a_change_may_name_a_lunar_day(calendar: dict[str, Any]) -> None:
    change = UserChange(birthday="1990-02-30", **calendar)
    assert change.birthday == "1990-02-30"
    assert change.to_wire()["birthday"] == "1990-02-30"


def test_a_record_is_read_however_its_birthday_was_counted() -> None:
    record = RECORD | {"birthdayCalendarType": "SOLAR", "birthday": "1990-02-30"}
    assert User.from_wire(record).to_wire() == record
