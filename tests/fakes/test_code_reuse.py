"""A code that is sent again after its use ends the tokens issued for it, or leaves them valid."""

from .caller import calling, make, named, restored

RULE = "token.code-reuse"
ENDS = {RULE: "ends-tokens"}


def sign_in(me):
    """Exchange a code, and call with its access token from now on; the code and the tokens."""
    code = me.code()
    tokens = me.exchange(code).json()
    me.take(tokens["access_token"])
    return code, tokens


def test_a_code_that_was_never_exchanged_ends_nothing():
    with calling(make(assume=ENDS | {"token.wrong-secret": "burns-code"})) as me:
        code = me.code()
        me.exchange(code, client_secret="wrong")
        me.exchange(code)
        response = me.patch()  # with a token that was issued without a code
        assert (response.status_code, RULE in named(response)) == (200, False)


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
    with calling(restored(me.fake)) as me:
        me.take(tokens["access_token"])
        assert me.patch().status_code == 401
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 404
        me.fake.rules.choose({"api.bearer-order": "bearer-first"})
        assert me.api("GET", "/users/u-001/mail/vipmailfolders").status_code == 401
