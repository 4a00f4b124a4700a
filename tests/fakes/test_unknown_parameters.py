"""Parameters of sign-in requests that nothing describes, and scopes of any name."""

import pytest

from .caller import calling, make

RULE = "auth.unknown-parameter"
SCOPES = "auth.scope-names"


def assumed(response):
    return response.headers.get("X-Fake-Assumed", "").split(", ")


KNOWN = {
    "authorize": lambda me: me.authorize(domain="example"),
    "authorize with a challenge": lambda me: me.authorize(code_challenge="x", code_challenge_method="S256"),
    "exchange with a verifier": lambda me: me.exchange(code_verifier="x"),
    "exchange": lambda me: me.exchange(domain="example", redirect_uri=me.facts["redirect_uri"]),
    "refresh": lambda me: me.refresh(me.exchange().json()["refresh_token"], scope="user"),
}
UNKNOWN = {
    "authorize": lambda me: me.authorize(prompt="login"),
    "exchange": lambda me: me.exchange(nonce="x"),
    "exchange with a scope": lambda me: me.exchange(scope="user"),
    "refresh": lambda me: me.refresh(me.exchange().json()["refresh_token"], redirect_uri="x"),
}


@pytest.mark.parametrize("request_of", KNOWN.values(), ids=KNOWN)
def test_parameters_that_a_rule_names_are_known(request_of):
    with calling(make(assume={RULE: "refused"})) as me:
        response = request_of(me)
        assert response.status_code == 200
        assert RULE not in assumed(response)


@pytest.mark.parametrize("request_of", UNKNOWN.values(), ids=UNKNOWN)
def test_others_are_ignored_or_refused(request_of):
    for alternative, status in (("ignored", 200), ("refused", 400)):
        with calling(make(assume={RULE: alternative})) as me:
            response = request_of(me)
            assert (response.status_code, RULE in assumed(response)) == (status, True)
    assert "unknown parameters" in response.text


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


@pytest.mark.parametrize(
    ("scope", "unknown"), [("user", False), ("file,user", False), ("user,,bot", True), ("User", True)]
)
def test_scopes_of_other_names_rest_on_an_assumption(scope, unknown):
    for alternative, status in (("any", 200), ("user-and-file", 400)):
        with calling(make(assume={SCOPES: alternative})) as me:
            response = me.authorize(scope=scope)
            assert (response.status_code, SCOPES in assumed(response)) == (
                status if unknown else 200,
                unknown,
            )
            assert ("there is no scope" in response.text) == (unknown and alternative != "any")
