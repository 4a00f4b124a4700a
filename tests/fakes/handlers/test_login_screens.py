"""How often and how long a login screen works."""

import pytest

from ..caller import calling, make

RULE = "auth.screen-reuse"


def log_in(me, hidden, password=None):
    form = {"login_id": me.facts["login_id"], "password": password or me.facts["password"]}
    return me.send_login(hidden | form)


def assumed(answer):
    return RULE in answer.headers.get("X-Fake-Assumed", "").split(", ")


def test_a_first_attempt_within_10_minutes_rests_on_no_such_assumption(me):
    hidden = me.hidden()
    me.fake.clock.advance(minutes=10)
    assert not assumed(log_in(me, hidden, "wrong"))
    hidden = me.hidden()
    answer = log_in(me, hidden)
    assert (answer.status_code, assumed(answer)) == (302, False)
    again = log_in(me, hidden)
    assert (again.status_code, assumed(again)) == (400, False)


@pytest.mark.parametrize(
    ("alternative", "status"), [("until-login", 302), ("one-attempt", 400), ("10-minutes", 302)]
)
def test_a_second_attempt(alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        hidden = me.hidden()
        log_in(me, hidden, "wrong")
        answer = log_in(me, hidden)
        assert (answer.status_code, assumed(answer)) == (status, True)


@pytest.mark.parametrize(
    ("alternative", "status"), [("until-login", 302), ("one-attempt", 302), ("10-minutes", 400)]
)
def test_an_old_screen(alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        hidden = me.hidden()
        me.fake.clock.advance(minutes=10, seconds=1)
        answer = log_in(me, hidden)
        assert (answer.status_code, assumed(answer)) == (status, True)


def test_a_snapshot_keeps_how_old_a_screen_is_and_whether_a_login_failed():
    fake = make(assume={RULE: "10-minutes"})
    with calling(fake) as me:
        hidden, before = me.hidden(), fake.snapshot()
        log_in(me, hidden, "wrong")
        (screen,) = before["auth"]["logins"].values()
        screen["failed"] = True
        assert fake.snapshot() == before
        fake.clock.advance(minutes=11)
        fake.restore(before | {"clock": fake.snapshot()["clock"]})
        assert log_in(me, hidden).status_code == 400


@pytest.mark.parametrize("policy", ["allow", "refuse"])
@pytest.mark.parametrize("status", [302, 303])
def test_the_redirect_may_have_another_status_and_is_no_less_described(policy, status):
    with calling(make(assume={"auth.redirect-status": str(status)}, assumptions=policy)) as me:
        answer = me.log_in()
        assert (answer.status_code, "X-Fake-Assumed" in answer.headers) == (status, False)
