"""Notifications, mentions and the rate headers; `tests/conformance` has what a notification must have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from svckit.models import Notification, RateLimit, mention, mentions

HEADERS = {
    "RateLimit-Used": "1",
    "RateLimit-Limit": "120",
    "RateLimit-Remaining": "119",
    "RateLimit-Reset": "60",
}


@pytest.mark.parametrize("name", ["title", "button"])
def test_an_optional_part_is_absent_and_not_null(name):
    with pytest.raises(ValidationError, match=name):
        Notification.from_wire({"body": {"text": "x"}, name: None})


def test_the_rate_is_read_in_any_capitalisation():
    expected = RateLimit(used=1, limit=120, remaining=119, reset=60)
    assert RateLimit.from_headers(HEADERS) == expected
    assert RateLimit.from_headers({name.lower(): value for name, value in HEADERS.items()}) == expected
    assert expected.to_headers() == HEADERS


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("value", [None, "", "x", "-1", "1.5", "²"])
def test_no_rate_without_four_whole_numbers(name, value):
    headers = {**HEADERS, name: value}
    assert RateLimit.from_headers({key: text for key, text in headers.items() if text is not None}) is None


@pytest.mark.parametrize("user_id", ["", 'a"b', "a<b", "a>b", "a\nb", "\x7f"])
def test_an_unwritable_mention_is_refused(user_id):
    with pytest.raises(ValueError, match="cannot mention"):
        mention(user_id)


USER_IDS = st.text(st.characters(blacklist_characters='"<>\x7f', blacklist_categories=["Cc"]), min_size=1)


@given(st.lists(USER_IDS), USER_IDS)
def test_mentions_are_found_in_order(user_ids, between):
    assert mentions(between.join(map(mention, user_ids))) == user_ids


@pytest.mark.parametrize("text", ["", "<m>", '<m userId="">', "<m userId=x>", '<M userId="x">', "u-001"])
def test_no_mention(text):
    assert mentions(text) == []
