"""Birthdays of a user, counted in the solar calendar or in a lunar one."""

import pytest

from .cases import RESOURCE_ERRORS, assumed, case, writes

LUNAR = assumed("user.birthday")
REFUSED = assumed("user.birthday", *RESOURCE_ERRORS)
pytestmark = writes("user")


def url(target):
    return target.api(f"/users/{target.other}")


def update(target, me, **body):
    return target.http.patch(url(target), json=body, headers=me).json()


@LUNAR
@pytest.mark.parametrize("day", ["1990-02-28", "1990-02-29", "1990-02-30", "1990-04-30", "2000-02-29"])
def test_day_of_a_lunar_calendar_is_taken(target, me, day):
    birthday = {"birthdayCalendarType": "LUNAR", "birthday": day}
    assert birthday.items() <= update(target, me, **birthday).items()
    assert update(target, me)["birthday"] == day


@LUNAR
def test_day_of_a_lunar_calendar_is_taken_where_the_user_has_one(target, me):
    update(target, me, birthdayCalendarType="LUNAR")
    assert update(target, me, birthday="1990-02-30")["birthday"] == "1990-02-30"


@REFUSED
@pytest.mark.parametrize(
    "day", ["1990-02-31", "1990-04-31", "1990-13-30", "1990-00-30", "0000-02-30", "1990-2-30", ""]
)
def test_what_is_a_day_of_neither_calendar_is_refused(target, me, day):
    birthday = {"birthdayCalendarType": "LUNAR", "birthday": day}
    response = target.refuses("PATCH", url(target), 400, json=birthday, headers=me)
    assert "birthday" in response.json()["description"]


@REFUSED
@pytest.mark.parametrize(
    "body",
    [
        case({"birthday": "1990-02-30"}, id="where the user has SOLAR"),
        case({"birthday": "1990-02-30", "birthdayCalendarType": "SOLAR"}, id="with SOLAR"),
        case({"birthday": "1990-02-30", "birthdayCalendarType": None}, id="without a calendar"),
    ],
)
def test_day_of_a_lunar_calendar_is_refused(target, me, body):
    response = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    assert "solar calendar" in response.json()["description"]


@REFUSED
@pytest.mark.parametrize("calendar", ["SOLAR", None])
def test_calendar_that_does_not_have_the_birthday_is_refused(target, me, calendar):
    update(target, me, birthdayCalendarType="LUNAR", birthday="1990-02-30")
    body = {"birthdayCalendarType": calendar}
    response = target.refuses("PATCH", url(target), 400, json=body, headers=me)
    assert "birthdayCalendarType makes the birthday 1990-02-30" in response.json()["description"]


@LUNAR
def test_other_updates_of_a_user_with_a_lunar_birthday_are_taken(target, me):
    update(target, me, birthdayCalendarType="LUNAR", birthday="1990-02-30")
    assert update(target, me, task="x")["birthday"] == "1990-02-30"
    assert update(target, me, birthday=None, birthdayCalendarType=None)["birthday"] is None
