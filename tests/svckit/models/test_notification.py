"""Notifications, mentions and the rate headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from svckit.models import Notification, RateLimit, mention, mentions
from svckit.models.problems import list_problems

HEADERS = {
    "RateLimit-Used": "1",
    "RateLimit-Limit": "120",
    "RateLimit-Remaining": "119",
    "RateLimit-Reset": "60",
}


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"body": {"text": "x"}}, []),
        ({"body": {"text": "x"}, "title": "t", "button": {"label": "l", "url": "u"}}, []),
        ({}, ["body"]),
        ({"body": {}}, ["body.text"]),
        ({"body": "x"}, ["body"]),
        ({"body": {"text": 1}}, ["body.text"]),
        ({"body": {"text": "x"}, "title": None}, ["title"]),
        ({"body": {"text": "x"}, "button": None}, ["button"]),
        ({"body": {"text": "x"}, "button": {}}, ["button.label", "button.url"]),
    ],
)
def test_what_a_notification_has(body, paths):
    try:
        assert Notification.from_wire(body).to_wire() == body
        found = []
    except ValidationError as error:
        found = [problem.path for problem in list_problems(error)]
    assert found == paths


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
