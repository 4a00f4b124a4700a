"""The table of retirements and the dates on which the messenger's values change."""

from datetime import date, timedelta

import pytest

from svckit.models import (
    MESSENGER_OLD_VALUE_END,
    MESSENGER_RESPONSE_SWITCH,
    RETIREMENTS,
    list_lifecycle_statuses,
)

BY_KEY = {item.key: item for item in RETIREMENTS}


def find_status(key, today):
    return {feature.key: feature.status for feature in list_lifecycle_statuses(today)}[key]


def test_every_retirement_is_there_once():
    assert len(BY_KEY) == len(RETIREMENTS) == 10
    operations = [operation for item in RETIREMENTS for operation in item.operations]
    assert len(set(operations)) == len(operations) == 5 + 2 + 12 + 3 + 1 + 1


@pytest.mark.parametrize(
    ("key", "end"),
    [
        ("custom-fields", date(2026, 12, 5)),
        ("board-comment-attachment", date(2024, 5, 31)),
        ("vip-mail-folders", date(2023, 11, 21)),
        ("first-generation", date(2023, 4, 30)),
        ("mail-bulk-delete", date(2023, 2, 16)),
        ("console-screen-restriction", date(2026, 3, 13)),
        ("console-custom-url", date(2025, 7, 24)),
        ("ip-telephony", date(2024, 5, 31)),
    ],
)
def test_a_feature_is_gone_from_the_day_of_its_end(key, end):
    assert BY_KEY[key].date == end
    assert find_status(key, end - timedelta(days=1)) == "retires in 1 day"
    assert find_status(key, end) == "retired"


@pytest.mark.parametrize("key", ["shared-drive-permissions", "employment-types"])
def test_an_undecided_end_has_not_come(key):
    assert BY_KEY[key].date is None
    assert find_status(key, date.max) == "planned"


def test_dates_are_exact_but_for_three_that_have_a_wording():
    worded = {key: item.date_wording for key, item in BY_KEY.items() if not item.date_wording[0].isdigit()}
    assert worded == {
        "custom-fields": "early December 2026",
        "shared-drive-permissions": "undecided",
        "employment-types": "undecided",
    }
    exact = [item for key, item in BY_KEY.items() if key not in worded]
    assert [item.date_wording for item in exact] == [item.date.strftime("%Y/%m/%d") for item in exact]


def test_the_messenger_switches():
    assert (MESSENGER_RESPONSE_SWITCH.date, MESSENGER_RESPONSE_SWITCH.date_wording) == (
        date(2026, 7, 31),
        "late July 2026",
    )
    assert (MESSENGER_OLD_VALUE_END.date, MESSENGER_OLD_VALUE_END.date_wording) == (
        date(2026, 11, 15),
        "mid November 2026",
    )
