"""Service accounts: a token for an assertion, a JWT signed with the key registered for the client."""

import base64
import json
import sys
from urllib.parse import quote

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from fakes import FakeService
from fakes.http.errors import Refusal

from ...admin import Admin
from ...caller import calling, make
from ...keys import (
    JWT_BEARER,
    ask_for_token,
    assert_for,
    assert_in_base64,
    claims_of,
    private_key,
    private_pem,
    public_pem,
)

RULE = "token.jwt-bearer"
ISSUED = {RULE: "issued"}


@pytest.fixture
def fake() -> FakeService:
    fake = make(assume=ISSUED)
    fake.auth.register_key(public_pem(private_key()))
    return fake


def told(response):
    """The error of a refusal, and its description."""
    assert response.status_code == 400
    return response.json()["error"], response.json()["error_description"]


# What is issued


@pytest.mark.parametrize("subject", ["u-002", "petra.lopez.002@example.com"])
def test_an_assertion_is_exchanged_for_a_token_of_its_subject(fake, me, subject):
    issued = ask_for_token(me, assert_for(fake, sub=subject))
    assert issued.status_code == 200
    assert issued.headers["X-Fake-Assumed"] == f"{RULE}, token.assertion-subject"
    assert {name: value for name, value in issued.json().items() if name != "access_token"} == {
        "scope": "user",
        "expires_in": "86400",
        "token_type": "Bearer",
    }
    me.take(issued.json()["access_token"])
    assert me.patch("u-002").status_code == 200
    assert fake.journal[-1].user_id == "u-002"
    fake.clock.advance(hours=24)
    assert me.patch("u-002").status_code == 401


def test_a_grant_type_that_is_encoded_twice_is_accepted(me):
    assert ask_for_token(me, grant_type=quote(JWT_BEARER, safe="")).status_code == 200
    assert told(ask_for_token(me, grant_type=quote(quote(JWT_BEARER, safe=""), safe="")))[0] == (
        "unsupported_grant_type"
    )


def test_claims_that_nothing_names_are_named_as_ignored(fake, me):
    more = assert_for(fake, aud="https://elsewhere.example", delegated_user="u-002", nbf=4_000_000_000)
    response = ask_for_token(me, more)
    assert response.status_code == 200
    assert response.headers["X-Fake-Ignored"] == "assertion.aud, assertion.delegated_user, assertion.nbf"
    assert "X-Fake-Ignored" not in ask_for_token(me).headers
    unknown = ask_for_token(me, assert_for(fake, jti="1", delegatedUser="u-002"))
    assert unknown.headers["X-Fake-Ignored"] == "assertion.delegatedUser, assertion.jti"


def test_claims_that_are_not_checked_are_named_where_they_are_wrong(fake, me):
    fake.rules.choose({"token.assertion-issuer": "not-checked", "token.assertion-expiry": "not-checked"})
    response = ask_for_token(me, assert_for(fake, iss="client-2", exp=0))
    assert response.headers["X-Fake-Ignored"] == "assertion.exp, assertion.iss"
    assert "X-Fake-Ignored" not in ask_for_token(me).headers


def test_a_token_acts_for_the_delegated_user(fake, me):
    fake.rules.choose({"token.delegated-user": "honored"})
    for named, user_id in (("u-003", "u-003"), (fake.directory["u-004"]["email"], "u-004")):
        response = ask_for_token(me, assert_for(fake, delegated_user=named))
        assert "X-Fake-Ignored" not in response.headers
        assert "token.delegated-user" in response.headers["X-Fake-Assumed"].split(", ")
        me.take(response.json()["access_token"])
        me.patch(user_id)
        assert fake.journal[-1].user_id == user_id
    for wrong in ("nobody", 7, ["u-003"], ""):
        error, words = told(ask_for_token(me, assert_for(fake, delegated_user=wrong)))
        assert (error, "delegated_user must be the login ID or the ID" in words) == ("invalid_grant", True)
    assert "cannot log in" in told(ask_for_token(me, assert_for(fake, delegated_user="u-017")))[1]


def test_a_refresh_token_of_a_service_account_works(fake, me):
    fake.rules.choose({RULE: "issued-with-refresh"})
    tokens = ask_for_token(me, assert_for(fake, sub="u-002")).json()
    fake.clock.advance(days=2)
    me.take(me.refresh(tokens["refresh_token"]).json()["access_token"])
    assert me.patch("u-002").status_code == 200
    assert fake.journal[-1].user_id == "u-002"


def test_standard_base64_is_explained_and_can_be_accepted(fake, me):
    assertion = assert_in_base64(fake, sub="u-002", note="???>>>")
    assert set("+/=") & set(assertion)
    response = ask_for_token(me, assertion)
    assert "it is in standard base64, with +, / or =" in told(response)[1]
    assert fake.journal[-1].remedy == 'assume={"token.assertion-base64": "standard-too"}'
    fake.rules.choose({"token.assertion-base64": "standard-too"})
    assert ask_for_token(me, assertion).status_code == 200
    assert ask_for_token(me).status_code == 200
    head, claims, signature = assertion.split(".")
    partly = signature.translate({ord("+"): "-", ord("/"): "_", ord("="): None})  # as some programs sign
    assert ask_for_token(me, f"{head}.{claims}.{partly}").status_code == 200
    for broken in (
        f"e30=.{claims}.{signature}",
        f"{head}.{claims}.AAA=",
        f"{head}.{claims[:-8]}AAA=.{signature}",
        "a/b.c=.d",
        *("=.=.=", "a/.."),
    ):
        assert told(ask_for_token(me, broken))[0] == "invalid_grant"


def test_a_refusal_names_what_would_allow_it(fake, me):
    ask_for_token(me, assert_for(fake, iss="x", exp=0))
    choices = {"token.assertion-issuer": "not-checked", "token.assertion-expiry": "not-checked"}
    assert fake.journal[-1].remedy == f"assume={json.dumps(choices)}"
    ask_for_token(me, assert_for(fake, iss="x", sub=None))
    assert fake.journal[-1].remedy is None
    fake.rules.choose(choices)
    assert ask_for_token(me, assert_for(fake, iss="x", exp=0)).status_code == 200


def test_names_of_claims_may_be_any_text(fake, me):
    response = ask_for_token(me, assert_for(fake, **{"\r\nX-Evil: 1": 1, "ü" * 5000: 2}))
    assert response.status_code == 200
    assert "X-Evil" not in response.headers


# What is refused

START = 1780272000
WRONG = {
    "no iss": ({"iss": None}, "iss must be the client_id, client-1; it is missing"),
    "other iss": ({"iss": "client-2"}, "iss must be the client_id, client-1; given 'client-2'"),
    "no sub": ({"sub": None}, "sub must be the login ID or the ID of a user; it is missing"),
    "empty sub": ({"sub": ""}, "sub must be the login ID or the ID of a user; given ''"),
    "sub of nobody": ({"sub": "nobody"}, "sub must be the login ID or the ID of a user; given 'nobody'"),
    "no iat": ({"iat": None}, "iat must be a number of seconds since 1970; it is missing"),
    "text as iat": ({"iat": "now"}, "iat must be a number of seconds since 1970; given 'now'"),
    "flag as iat": ({"iat": True}, "iat must be a number of seconds since 1970; given True"),
    "iat in the future": ({"iat": START + 61}, "iat must not be in the future; given 61 seconds from now"),
    "no exp": ({"exp": None}, "exp must be a number of seconds since 1970; it is missing"),
    "infinite exp": ({"exp": float("inf")}, "exp must be a number of seconds since 1970; given inf"),
    "huge exp": ({"exp": 10**400}, "exp must be a number of seconds since 1970; given 1000"),
    "huge iat": ({"iat": -(10**400)}, "iat must be a number of seconds since 1970; given -1000"),
    "exp now": ({"exp": START}, "exp must be later than now; given 0 seconds ago"),
    "exp too late": (
        {"exp": START + 3661},
        "exp must be at most 60 minutes from now; given 3661 seconds from now",
    ),
}


@pytest.mark.parametrize(("changes", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_claim_is_refused(fake, changes, words):
    assert int(fake.clock.now().timestamp()) == START
    with calling(fake) as me:
        error, description = told(ask_for_token(me, assert_for(fake, **changes)))
        assert (error, words in description) == ("invalid_grant", True), description


def test_all_problems_of_an_assertion_are_reported_together(fake, me):
    _, words = told(ask_for_token(me, assert_for(fake, iss=None, sub=None, iat=None, exp=0)))
    assert all(f"{name} must be" in words for name in ("iss", "sub", "iat", "exp"))


@pytest.mark.parametrize(
    ("sign", "words"),
    [
        (lambda fake: assert_for(fake, private_key("second")), "signature is not that of the key"),
        (lambda fake: assert_for(fake, algorithm="PS256"), "must be signed with RS256"),
        (lambda fake: assert_for(fake, "x" * 32, "HS256"), "must be signed with RS256"),
        (lambda fake: jwt.encode(claims_of(fake), None, "none"), "must be signed with RS256"),
        (lambda fake: "not a JWT", "it is not a JWT"),
        (lambda fake: "a.b.c", "it is not a JWT"),
        (lambda fake: forge(assert_for(fake), claims_of(fake, sub="u-001")), "signature is not that"),
    ],
    ids=["other key", "other algorithm", "shared secret", "unsigned", "text", "three parts", "forged"],
)
def test_what_the_client_did_not_sign_is_refused(fake, me, sign, words):
    error, description = told(ask_for_token(me, sign(fake)))
    assert (error, words in description) == ("invalid_grant", True), description


def forge(assertion, claims):
    """An assertion with other claims under its signature."""
    head, _, signature = assertion.split(".")
    return f"{head}.{base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip('=')}.{signature}"


@pytest.mark.parametrize("name", ["assertion", "scope", "client_id", "client_secret"])
def test_each_parameter_is_required(me, name):
    form = {name: me.facts[name] for name in ("client_id", "client_secret")}
    form |= {"grant_type": JWT_BEARER, "assertion": "x", "scope": "user"}
    del form[name]
    response = me.http.post(me.facts["auth_url"] + "/oauth2/v2.0/token", data=form)
    assert told(response) == ("invalid_request", f"the token request lacks {name}")


def test_a_wrong_secret_is_refused_before_the_assertion_is_looked_at(me):
    response = ask_for_token(me, "x", client_secret="wrong")
    assert (response.status_code, response.json()["error"]) == (401, "invalid_client")


def test_other_parameters_are_unknown(fake, me):
    fake.rules.choose({"auth.unknown-parameter": "refused"})
    assert ask_for_token(me).status_code == 200
    assert "unknown parameters: domain" in told(ask_for_token(me, domain="example"))[1]


@pytest.mark.parametrize("subject", ["u-017", "id"])
def test_a_user_who_cannot_log_in_gets_no_token(fake, subject, me):
    subject = subject if subject == "u-017" else fake.directory["u-017"]["email"]
    response = ask_for_token(me, assert_for(fake, sub=subject))
    assert "cannot log in" in told(response)[1]
    assert "auth.inactive-user" in response.headers["X-Fake-Assumed"].split(", ")
    fake.rules.choose({"auth.inactive-user": "let-in"})
    assert ask_for_token(me, assert_for(fake, sub=subject)).status_code == 200


def test_capitals_in_a_login_id_are_an_assumption(fake, me):
    capitals = assert_for(fake, sub=fake.facts["login_id"].upper())
    response = ask_for_token(me, capitals)
    assert (response.status_code, response.headers["X-Fake-Assumed"]) == (
        200,
        f"{RULE}, auth.login-id-case, token.assertion-subject",
    )
    fake.rules.choose({"auth.login-id-case": "exact"})
    assert told(ask_for_token(me, capitals))[0] == "invalid_grant"


# Keys


def test_without_a_key_the_refusal_says_how_to_register_one():
    with calling(make(assume=ISSUED)) as me:
        error, words = told(ask_for_token(me))
        assert error == "invalid_grant"
        assert "fake.auth.register_key, or the admin call PUT /applications/client-1/key" in words


def test_a_key_belongs_to_one_client_and_may_be_replaced(fake, me):
    other = fake.auth.register("https://other.example/callback")
    client = {"client_id": other.client_id, "client_secret": other.client_secret}
    assertion = assert_for(fake, iss=other.client_id)
    assert "no key is registered for client-2" in told(ask_for_token(me, assertion, **client))[1]
    fake.auth.register_key(public_pem(private_key()).encode(), other.client_id)
    assert ask_for_token(me, assertion, **client).status_code == 200
    fake.auth.register_key(public_pem(private_key("second")), other.client_id)
    assert "signature" in told(ask_for_token(me, assertion, **client))[1]
    assert ask_for_token(me).status_code == 200


@pytest.mark.parametrize(
    ("pem", "words"),
    [
        ("", "must be an RSA public key as PEM"),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "must be an RSA public key as PEM"),
        (lambda: private_pem(private_key()), "this is a private key"),
        (lambda: public_pem(private_key("small", 1024)), "at least 2048 bits; given 1024"),
        (lambda: public_pem(ec.generate_private_key(ec.SECP256R1())), "must be an RSA key, for RS256"),
    ],
    ids=["empty", "broken", "private", "small", "elliptic"],
)
def test_what_is_no_public_key_is_refused(pem, words):
    fake, given = make(), pem if isinstance(pem, str) else pem()
    before = fake.snapshot()
    with pytest.raises(Refusal, match=words):
        fake.auth.register_key(given)
    assert fake.snapshot() == before


@pytest.mark.parametrize("pem", [None, 7])
def test_a_key_is_text_or_bytes(pem):
    with pytest.raises(TypeError, match=f"pem must be a public key as PEM, text or bytes; given {pem}"):
        make().auth.register_key(pem)


def test_the_key_of_an_unknown_client_is_refused():
    with pytest.raises(Refusal, match="'client-9' not found; the clients are client-1"):
        make().auth.register_key(public_pem(private_key()), "client-9")


# The admin call


def test_an_admin_call_registers_a_key():
    body = {"publicKey": public_pem(private_key())}
    with calling(make(assume=ISSUED)) as me:
        admin = Admin(me.fake)
        assert admin("PUT", "/applications/client-1/key", body).status_code == 204
        assert ask_for_token(me).status_code == 200
        admin.refused("PUT", "/applications/client-1/key", {"publicKey": "x"})
        admin.refused("PUT", "/applications/client-9/key", body, status=404)


@pytest.fixture
def without_library(monkeypatch):
    """An installation without the extra; imports find no such package."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "jwt"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jwt", None)


INSTALL = "the grant type jwt-bearer needs jwt, of the extra jwt: pip install 'path/to/clone[jwt]'"


@pytest.mark.usefixtures("without_library")
def test_without_the_library_a_key_cannot_be_registered():
    with calling(make(assume=ISSUED)) as me:
        with pytest.raises(ModuleNotFoundError) as caught:
            me.fake.auth.register_key("x")
        assert str(caught.value) == INSTALL
        told = Admin(me.fake).refused("PUT", "/applications/client-1/key", {"publicKey": "x"}, status=409)
        assert told == INSTALL


def test_without_the_library_a_key_that_was_kept_is_of_no_use(fake, me, request):
    assertion = assert_for(fake)
    request.getfixturevalue("without_library")
    assert told(ask_for_token(me, assertion)) == ("unsupported_grant_type", INSTALL)


# Secrets


def test_the_journal_masks_assertions(fake, me):
    assertion = assert_for(fake)
    ask_for_token(me, assertion)
    entry = fake.journal[-1]
    assert assertion not in f"{entry!r}{entry.request_body}{entry.record()}"
    assert "assertion=***" in entry.request_body
