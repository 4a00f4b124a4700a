"""What holds at the very instant at which a time ends, and just before it."""

import pytest

from ..caller import calling, make

INSTANT = 1e-6  # seconds


def test_an_access_token_ends_exactly_24_hours_after_it_was_issued():
    fake = make()
    with calling(fake) as me:
        fake.clock.advance(hours=24, seconds=-INSTANT)
        assert (me.patch().status_code, states(fake)["access token"]) == (200, "valid")
        fake.clock.advance(seconds=INSTANT)
        assert (me.patch().status_code, states(fake)["access token"]) == (401, "expired")


def test_a_refresh_token_is_valid_up_to_90_days():
    fake = make()
    with calling(fake) as me:
        refresh_token = me.exchange().json()["refresh_token"]
        fake.clock.advance(days=90)
        assert states(fake)["refresh token"] == "valid"
        fake.clock.advance(seconds=INSTANT)
        assert states(fake)["refresh token"] == "expired"
        assert me.refresh(refresh_token).status_code == 400


def test_a_code_is_valid_up_to_10_minutes():
    fake = make()
    with calling(fake) as me:
        me.code()
        fake.clock.advance(minutes=10)
        assert states(fake)["code"] == "valid"
        fake.clock.advance(seconds=INSTANT)
        assert states(fake)["code"] == "expired"


def states(fake):
    """How each kind of credential stands, the last of the kind."""
    return {record["credential"]: record["state"] for record in fake.records("credentials")}


@pytest.mark.parametrize(("seconds", "used", "status"), [(59.999999, 120, 429), (60, 2, 200)])
def test_a_call_leaves_a_sliding_window_when_it_is_a_minute_old(seconds, used, status):
    fake = make(assume={"notification.window": "sliding"})
    with calling(fake) as me:
        for _ in range(119):
            me.notify()
        fake.clock.advance(seconds=40)
        me.notify()
        fake.clock.advance(seconds=seconds - 40)
        response = me.notify()
    assert response.status_code == status
    assert fake.state.notifications.limiter.stats().used == used
