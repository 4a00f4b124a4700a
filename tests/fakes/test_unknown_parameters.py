"""Parameters of sign-in requests that nothing describes, and scopes of any name."""

from .caller import calling, make

RULE = "auth.unknown-parameter"


def test_a_refused_exchange_leaves_the_code_alone():
    with calling(make(assume={RULE: "refused"})) as me:
        code = me.code()
        assert me.exchange(code, nonce="1").status_code == 400
        assert me.exchange(code).status_code == 200


def test_a_client_that_acts_for_itself_may_name_a_scope():
    with calling(make(assume={RULE: "refused", "token.client-credentials": "issued"})) as me:
        grant = {"grant_type": "client_credentials", "scope": "user"}
        assert me.token(**grant).status_code == 200
        assert me.token(**grant, domain="example").status_code == 400
