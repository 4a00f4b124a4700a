"""Whether what has a lifetime still works at its exact end, and that only this instant rests on an assumption."""

from datetime import timedelta

import pytest

from ..caller import calling, make

RULE = "token.last-instant"
INSTANT = timedelta(microseconds=1)


def redeem(me):
    code = me.code()
    return timedelta(minutes=10), lambda: me.exchange(code)


def renew(me):
    refresh_token = me.exchange().json()["refresh_token"]
    return timedelta(days=90), lambda: me.refresh(refresh_token)


def upload(me):
    url = me.url()

    def send():
        me.bearer = {"Authorization": f"Bearer {me.fake.access_token()}"}
        return me.send(url)

    return timedelta(hours=24), send


USES = {"code": redeem, "refresh token": renew, "upload URL": upload}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("alternative", ["included", "excluded"])
def test_only_the_very_end_rests_on_it(use, alternative):
    works = alternative == "included"
    for moment, expected in ((-INSTANT, True), (timedelta(), works), (INSTANT, False)):
        with calling(make(assume={RULE: alternative})) as me:
            lifetime, send = USES[use](me)
            me.fake.clock.to(me.fake.clock.now() + lifetime + moment)
            response = send()
            assert response.is_success is expected
            assert (RULE in response.headers.get("X-Fake-Assumed", "")) is (moment == timedelta())


def test_an_upload_url_without_an_end_has_no_last_instant():
    with calling(make(assume={"file.upload-lifetime": "unlimited", RULE: "excluded"})) as me:
        lifetime, send = upload(me)
        me.fake.clock.to(me.fake.clock.now() + lifetime)
        response = send()
        assert response.status_code == 201
        assert RULE not in response.headers["X-Fake-Assumed"]


def test_an_access_token_has_expired_when_24_hours_have_elapsed():
    for alternative in ("included", "excluded"):
        with calling(make(assume={RULE: alternative})) as me:
            me.fake.clock.advance(hours=24)
            response = me.patch()
            assert (response.status_code, RULE in response.headers["X-Fake-Assumed"]) == (401, False)


@pytest.mark.parametrize(("alternative", "state"), [("included", "valid"), ("excluded", "expired")])
def test_the_list_of_credentials_agrees(alternative, state):
    fake = make(assume={RULE: alternative})
    with calling(fake) as me:
        me.code()
        tokens = fake.state.tokens
        fake.clock.advance(minutes=10)
        assert [each["state"] for each in fake.auth.records()] == [state]
        fake.clock.advance(days=90, minutes=-10)
        states = {each["state"] for each in tokens.records() if each["credential"] == "refresh token"}
        assert states == {state}
