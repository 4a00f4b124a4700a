"""What holds at the very instant at which a time ends, and that only this instant rests on an assumption."""

from datetime import timedelta

import pytest

from ..caller import calling, make, named
from ..edges_signing_in import upload

RULE = "token.last-instant"
INSTANT = timedelta(microseconds=1)


def test_an_upload_url_without_an_end_has_no_last_instant():
    with calling(make(assume={"file.upload-lifetime": "unlimited", RULE: "excluded"})) as me:
        lifetime, send = upload(me)
        me.fake.clock.to(me.fake.clock.now() + lifetime)
        response = send()
        assert response.status_code == 201
        assert RULE not in named(response)


def states(fake):
    """How each kind of credential stands, the last of the kind."""
    return {record["credential"]: record["state"] for record in fake.records("credentials")}


@pytest.mark.parametrize("alternative", ["included", "excluded"])
def test_an_access_token_ends_exactly_24_hours_after_it_was_issued(alternative):
    fake = make(assume={RULE: alternative})
    with calling(fake) as me:
        for seconds, status, state in ((24 * 3600 - 1e-6, 200, "valid"), (1e-6, 401, "expired")):
            fake.clock.advance(seconds=seconds)
            response = me.patch()
            assert (response.status_code, states(fake)["access token"]) == (status, state)
            assert RULE not in named(response)


@pytest.mark.parametrize(("alternative", "state"), [("included", "valid"), ("excluded", "expired")])
def test_the_list_of_credentials_agrees(alternative, state):
    fake = make(assume={RULE: alternative})
    with calling(fake) as me:
        me.code()
        start = fake.clock.now()
        for kind, lifetime in (("code", timedelta(minutes=10)), ("refresh token", timedelta(days=90))):
            for moment, expected in ((timedelta(), state), (INSTANT, "expired")):
                fake.clock.to(start + lifetime + moment)
                assert states(fake)[kind] == expected


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
    assert fake.state.webhooks.limiter.stats().used == used
