"""A code that is sent again after its use ends the tokens issued for it, or leaves them valid."""

import pytest

from fakes import FakeService

from .caller import calling, make

RULE = "token.code-reuse"
ENDS = {RULE: "ends-tokens"}


def sign_in(me):
    """Exchange a code, and call with its access token from now on; the code and the tokens."""
    code = me.code()
    tokens = me.exchange(code).json()
    me.bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    return code, tokens


def names_rule(response):
    return RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize(("alternative", "status"), [("keeps-tokens", 200), ("ends-tokens", 401)])
def test_only_the_tokens_of_that_code_are_affected(alternative, status):
    with calling(make(assume={RULE: alternative})) as me:
        sign_in(me)
        other = me.bearer
        code, tokens = sign_in(me)
        assert not names_rule(me.patch())
        assert not names_rule(me.exchange(code))
        response = me.patch()
        assert (response.status_code, names_rule(response)) == (status, True)
        renewed = me.refresh(tokens["refresh_token"])
        assert (renewed.is_success, names_rule(renewed)) == (status == 200, True)
        me.bearer = other
        response = me.patch()
        assert (response.status_code, names_rule(response)) == (200, False)


def test_access_tokens_that_were_refreshed_before_end_too():
    with calling(make(assume=ENDS)) as me:
        code, tokens = sign_in(me)
        newer = me.refresh(tokens["refresh_token"]).json()["access_token"]
        me.exchange(code)
        me.bearer = {"Authorization": f"Bearer {newer}"}
        assert me.patch().status_code == 401


def test_a_code_that_was_never_exchanged_ends_nothing():
    with calling(make(assume=ENDS | {"token.wrong-secret": "burns-code"})) as me:
        code = me.code()
        me.exchange(code, client_secret="wrong")
        me.exchange(code)
        response = me.patch()  # with a token that was issued without a code
        assert (response.status_code, names_rule(response)) == (200, False)


def test_a_wrong_client_ends_nothing():
    with calling(make(assume=ENDS)) as me:
        code, _ = sign_in(me)
        me.exchange(code, client_secret="wrong")
        assert me.patch().status_code == 200


def test_ended_tokens_are_listed_as_expired_and_stay_ended_in_a_snapshot():
    with calling(make(assume=ENDS)) as me:
        code, tokens = sign_in(me)
        me.exchange(code)
        assert [each["state"] for each in me.fake.state.tokens.records()] == [
            "valid",
            "expired",
            "valid",
            "expired",
        ]
        restored = FakeService.sample()
        restored.restore(me.fake.snapshot())
    with calling(restored) as me:
        me.bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
        assert me.patch().status_code == 401
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 404
        restored.rules.choose({"api.bearer-order": "bearer-first"})
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 401


def test_wrong_token_is_found_before_an_operation_that_has_ended():
    with calling(make(assume=ENDS | {"api.bearer-order": "bearer-first"})) as me:
        code, _ = sign_in(me)
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 404
        me.exchange(code)
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 401
