"""The table of retirements and the dates on which the messenger's values change."""

from datetime import date, timedelta

import pytest

from svckit.models import MESSENGER_OLD_VALUE_END, MESSENGER_RESPONSE_SWITCH, RETIREMENTS

BY_KEY = {item.key: item for item in RETIREMENTS}


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
    item = BY_KEY[key]
    assert item.date == end
    assert not item.is_retired(end - timedelta(days=1))
    assert item.is_retired(end)


@pytest.mark.parametrize("key", ["shared-drive-permissions", "employment-types"])
def test_an_undecided_end_has_not_come(key):
    assert BY_KEY[key].date is None
    assert not BY_KEY[key].is_retired(date.max)


def test_what_is_retired_has_an_exact_date_and_what_is_planned_a_wording():
    for item in RETIREMENTS:
        if item.status == "retired":
            assert item.date is not None
            assert item.date_wording == item.date.strftime("%Y/%m/%d")
    assert BY_KEY["custom-fields"].date_wording == "early December 2026"


def test_the_messenger_switches():
    assert (MESSENGER_RESPONSE_SWITCH.date, MESSENGER_RESPONSE_SWITCH.date_wording) == (
        date(2026, 7, 31),
        "late July 2026",
    )
    assert (MESSENGER_OLD_VALUE_END.date, MESSENGER_OLD_VALUE_END.date_wording) == (
        date(2026, 11, 15),
        "mid November 2026",
    )
