"""How often and how long a login screen works."""

import pytest

from ..caller import calling, make

RULE = "auth.screen-reuse"


@pytest.mark.parametrize("policy", ["allow", "refuse"])
@pytest.mark.parametrize("status", [302, 303])
def test_the_redirect_may_have_another_status_and_is_no_less_described(policy, status):
    with calling(make(assume={"auth.redirect-status": str(status)}, assumptions=policy)) as me:
        answer = me.log_in()
        assert (answer.status_code, "X-Fake-Assumed" in answer.headers) == (status, False)
