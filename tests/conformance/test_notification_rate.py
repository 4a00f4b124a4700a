"""The rate of the incoming notification endpoint: how many calls a minute, and what counts."""

import pytest

from .cases import assumed, case, documented, every_door, writes
from .test_notifications import HELLO, TOO_MANY, post, rate, refuses, room


@every_door
@documented("notification.success")
def test_success_carries_the_rate(target):
    used, limit, remaining, reset = rate(post(target, HELLO))
    assert (used, limit, remaining) == (1, 120, 119)
    assert 0 < reset <= 60


@writes("webhook")
@documented("notification.rate")
def test_each_call_counts_against_the_rate(target):
    before, after = rate(post(target, HELLO)), rate(post(target, HELLO))
    assert all(used + remaining == limit == 120 for used, limit, remaining, _ in (before, after))
    assert after[0] - before[0] == 1 or after[0] == 1  # in the first moment of the next minute
    assert all(0 < reset <= 60 for *_, reset in (before, after))


@documented("notification.rate")
def test_120_requests_a_minute_and_no_more(target):
    responses = [post(target, HELLO) for _ in range(120)]
    assert [rate(response)[:3] for response in responses] == [(n, 120, 120 - n) for n in range(1, 121)]
    refuses(target, TOO_MANY, HELLO, status=429)
    assert len(room(target)) == 120


SHARES = (
    case(1, 120, id="1 URL"),
    case(2, 60, id="2"),
    case(3, 40, id="3"),
    case(4, 30, id="4"),
    case(5, 24, id="5"),
)


@documented("notification.rate")
@pytest.mark.parametrize(("urls", "each"), SHARES)
def test_all_urls_of_the_domain_share_the_rate(target, urls, each):
    channel = target.facts["channel_id"]
    hooks = [*target.facts["webhooks"], *(target.add_webhook(f"{n}", channel) for n in range(urls - 1))]
    for _ in range(each):
        for hook in hooks:
            post(target, HELLO, hook)
    for hook in hooks:
        refuses(target, TOO_MANY, HELLO, hook, status=429)


@assumed("notification.window")
def test_window_opens_with_the_first_call_and_is_fixed(target):
    target.advance(1000)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)
    target.advance(20)
    assert rate(post(target, HELLO)) == (2, 120, 118, 40)
    target.advance(39)
    assert rate(post(target, HELLO)) == (3, 120, 117, 1)
    target.advance(1)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)


@assumed("notification.window")
def test_rate_resets_after_60_seconds_and_not_before(target):
    for _ in range(120):
        post(target, HELLO)
    target.advance(59)
    refuses(target, TOO_MANY, HELLO, status=429)
    target.advance(1)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)


@writes("webhook")
@assumed("notification.refused-calls")
@pytest.mark.parametrize("body", [{}, {"body": "x"}])
def test_refused_calls_do_not_count(target, body):
    before = rate(post(target, HELLO))[0]
    for _ in range(3):
        target.refuses("POST", target.facts["webhooks"][0], 400, json=body)
    target.refuses("POST", target.facts["webhooks"][0] + "x", 400, json=HELLO)
    assert rate(post(target, HELLO))[0] in (before + 1, 1)


@assumed("notification.refused-calls", "notification.window")
def test_calls_above_the_rate_do_not_prolong_it(target):
    for _ in range(120):
        post(target, HELLO)
    target.advance(30)
    for _ in range(3):
        refuses(target, TOO_MANY, HELLO, status=429)
    target.advance(30)
    assert rate(post(target, HELLO))[0] == 1


@documented("notification.rate")
def test_resource_api_is_not_limited_by_it(target, me):
    for _ in range(120):
        post(target, HELLO)
    refuses(target, TOO_MANY, HELLO, status=429)
    for number in range(10):
        response = target.http.patch(target.api("/users/u-002"), json={"task": str(number)}, headers=me)
        assert response.status_code == 200


@documented("notification.rate")
def test_resource_api_does_not_use_it_up(target, me):
    for _ in range(130):
        target.http.patch(target.api("/users/u-002"), json={}, headers=me)
    assert rate(post(target, HELLO))[0] == 1
