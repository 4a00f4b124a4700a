"""A text of a notification that is refused for its length is searched for mentions only if they matter."""

import tracemalloc

import pytest

from ..caller import calling, make

LONG = '<m userId="u-999"> ' * 50_000


@pytest.mark.parametrize(
    ("mentions", "rests_on"),
    [("not-checked", "api.text-limit"), ("checked", "api.text-limit, notification.mentions")],
)
def test_a_long_text_is_refused_for_its_length(mentions, rests_on):
    """If mentions are checked, those of unknown users are a second reason, which is named too."""
    with calling(make(assume={"notification.mentions": mentions})) as me:
        response = me.http.post(me.facts["webhooks"][0], json={"body": {"text": LONG}})
        assert (response.status_code, response.headers["X-Fake-Assumed"]) == (400, rests_on)


@pytest.mark.parametrize("mentions", ["not-checked", "checked"])
def test_a_long_text_is_searched_no_further_than_to_an_unknown_user(mentions):
    with calling(make(assume={"notification.mentions": mentions})) as me:
        content = b'{"body":{"text":"%s"}}' % LONG.replace('"', r"\"").encode()
        post = {"content": content, "headers": {"Content-Type": "application/json"}}
        me.http.post(me.facts["webhooks"][0], **post)
        tracemalloc.start()
        me.http.post(me.facts["webhooks"][0], **post)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 * len(content)  # measured: 1.9; with all mentions, 6.9


def test_a_long_text_that_may_be_long_is_searched():
    with calling(make(assume={"api.text-limit": "unlimited"})) as me:
        response = me.http.post(me.facts["webhooks"][0], json={"body": {"text": LONG}})
        assert response.status_code == 200
        assert "notification.mentions" in response.headers["X-Fake-Assumed"]
        assert len(me.fake.webhooks.messages("channel-1")[0].mentions) == 50_000
