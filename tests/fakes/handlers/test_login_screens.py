"""How often and how long a login screen works."""

import pytest

from ..caller import calling, make
from ..edges_signing_in import log_in

RULE = "auth.screen-reuse"


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
