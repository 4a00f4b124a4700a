"""Signing in: without the login screen, with a challenge, and with parameters that nothing describes."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from fakes.http.errors import Refusal

from ...admin import Admin
from ...caller import calling, make
from ...edges_signing_in import VERIFIER, challenge, exchange

# Signing a user in without the login screen: in process, by the admin call, and at each authorization request.


def authorization(fake, **changes):
    """The URL of an authorization request."""
    names = ("client_id", "redirect_uri")
    query = {"scope": "user,file", "response_type": "code", "state": "s-1"} | {
        n: fake.facts[n] for n in names
    }
    return fake.facts["auth_url"] + "/oauth2/v2.0/authorize?" + urlencode(query | changes)


def parameters(redirect):
    return {name: values[0] for name, values in parse_qs(urlsplit(redirect).query).items()}


def test_redirect_has_a_code_that_works_and_the_state(fake, me):
    redirect = fake.auth.follow(authorization(fake), user="u-002")
    assert redirect.partition("?")[0] == fake.facts["redirect_uri"]
    assert parameters(redirect)["state"] == "s-1"
    assert len(fake.journal) == 0
    token = me.exchange(parameters(redirect)["code"]).json()["access_token"]
    me.api("PATCH", "/users/u-002", json={}, headers={"Authorization": f"Bearer {token}"})
    assert fake.journal[-1].user_id == "u-002"
    assert not list(fake.auth.records()), "the code is used, and no login is pending"
    assert not fake.snapshot()["auth"]["logins"]


def test_the_oldest_of_more_than_a_thousand_pending_logins_ends(fake, me):
    for number in range(1000):
        me.authorize(state=f"s-{number}")
    assert pending_logins(fake) == [f"s-{number}" for number in range(1000)]
    me.authorize(state="s-1000")
    assert pending_logins(fake) == [f"s-{number}" for number in range(1, 1001)]


def pending_logins(fake):
    return [login["state"] for login in fake.snapshot()["auth"]["logins"].values()]


def test_redirect_url_with_a_query_keeps_it(fake):
    other = fake.auth.register("https://app.example/callback?x=1")
    redirect = fake.auth.follow(
        authorization(fake, client_id=other.client_id, redirect_uri=other.redirect_uri)
    )
    assert redirect.startswith("https://app.example/callback?x=1&code=")


@pytest.mark.parametrize(
    ("changes", "user", "said"),
    [
        ({"state": ""}, "u-001", "the authorization request lacks state"),
        ({"response_type": "token"}, "u-001", "response_type must be code"),
        ({"redirect_uri": "https://elsewhere.example/"}, "u-001", "is not the one registered"),
        ({}, "nobody", "there is no user 'nobody'"),
        ({}, "u-017", "the account is not active"),
    ],
)
def test_what_the_login_would_refuse_is_refused_and_changes_nothing(fake, changes, user, said):
    before = fake.snapshot()
    with pytest.raises(Refusal, match=said):
        fake.auth.follow(authorization(fake, **changes), user=user)
    assert fake.snapshot() == before
    body = {"url": authorization(fake, **changes), "userId": user}
    status = 404 if user == "nobody" else 400
    assert said in Admin(fake).refused("POST", "/sign-in", body, status=status)


def test_other_urls_are_refused(fake):
    with pytest.raises(
        Refusal, match=r"has the path /oauth2/v2.0/authorize; given 'https://auth.fake.test/login'"
    ):
        fake.auth.follow("https://auth.fake.test/login")


def test_admin_call_returns_the_redirect(fake):
    admin = Admin(fake)
    for body in ({}, {"userId": "u-002"}, {"userId": fake.facts["login_id"]}):
        response = admin("POST", "/sign-in", {"url": authorization(fake, state="s-2")} | body)
        assert response.status_code == 200
        assert parameters(response.json()["redirect"])["state"] == "s-2"
    assert [record["userId"] for record in fake.auth.records()] == ["u-001", "u-002", "u-001"]
    assert "url" in admin.refused("POST", "/sign-in", {})


def test_each_authorization_request_can_log_a_user_in(fake, me):
    fake.auth.auto_login = "u-002"
    redirect = me.authorize()
    assert redirect.status_code == 302
    assert redirect.headers["X-Fake-Auto-Login"] == "u-002"
    assert parameters(redirect.headers["Location"]).keys() == {"code", "state"}
    assert me.exchange(parameters(redirect.headers["Location"])["code"]).status_code == 200
    assert me.authorize(scope="").status_code == 400
    fake.reset()
    assert me.authorize().status_code == 302, "it is no part of the state"
    fake.auth.auto_login = None
    assert me.authorize().status_code == 200
    assert "auth.redirect" in fake.journal[0].rules
    assert "auth.login-screen" not in fake.journal[0].rules


# Proof Key for Code Exchange: ignored, or checked as in RFC 7636.

RULE = "auth.pkce"


def make_checked(**options):
    return make(assume={RULE: "checked"}, **options)


def test_what_is_right_works_where_assumptions_are_refused():
    with calling(make(assumptions="refuse")) as me:
        assert exchange(me, challenge(), VERIFIER).status_code == 200


def test_signing_in_without_the_screen_keeps_the_challenge():
    fake = make_checked()
    fake.auth.auto_login = "u-002"
    with calling(fake) as me:
        code = me.authorize(**challenge()).headers["Location"].partition("code=")[2].partition("&")[0]
        assert me.exchange(code).status_code == 400
        assert me.exchange(code, code_verifier=VERIFIER).status_code == 200


def test_journal_masks_verifier_and_challenge():
    with calling(make_checked()) as me:
        assert exchange(me, challenge(VERIFIER, "plain"), VERIFIER).status_code == 200
        shown = repr([(entry.record(), entry.request_body) for entry in me.fake.journal])
        assert VERIFIER not in shown
        assert "code_challenge=***&code_challenge_method=plain" in shown


# Parameters of sign-in requests that nothing describes, and scopes of any name.

UNKNOWN = "auth.unknown-parameter"


def test_a_refused_exchange_leaves_the_code_alone():
    with calling(make(assume={UNKNOWN: "refused"})) as me:
        code = me.code()
        assert me.exchange(code, nonce="1").status_code == 400
        assert me.exchange(code).status_code == 200


def test_a_client_that_acts_for_itself_may_name_a_scope():
    with calling(make(assume={UNKNOWN: "refused", "token.client-credentials": "issued"})) as me:
        grant = {"grant_type": "client_credentials", "scope": "user"}
        assert me.token(**grant).status_code == 200
        assert me.token(**grant, domain="example").status_code == 400


# How many times and how long a login screen works.


@pytest.mark.parametrize("policy", ["allow", "refuse"])
@pytest.mark.parametrize("status", [302, 303])
def test_every_redirect_status_counts_as_described(policy, status):
    with calling(make(assume={"auth.redirect-status": str(status)}, assumptions=policy)) as me:
        answer = me.log_in()
        assert (answer.status_code, "X-Fake-Assumed" in answer.headers) == (status, False)
