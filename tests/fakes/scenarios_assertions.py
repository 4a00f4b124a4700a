"""For each assumption about assertions, a call whose observable outcome depends on it."""

from .caller import Caller
from .keys import ask_for_token, assert_for, assert_in_base64, private_key, public_pem
from .scenario import scenario

TOKEN = ["access_token", "expires_in", "scope", "token_type"]


@scenario(
    "token.jwt-bearer",
    {
        "refused": [["error", "error_description"], 400, 400, 400, 400],
        "issued": [TOKEN, 200, 200, 400, 400],
        "issued-with-refresh": [sorted([*TOKEN, "refresh_token"]), 200, 200, 400, 400],
    },
)
def token_for_a_service_account(me: Caller):
    me.fake.auth.register_key(public_pem(private_key()))
    subjects = ("u-002", me.facts["login_id"].upper(), "u-017", "nobody")
    answers = [ask_for_token(me, assert_for(me.fake, sub=subject)) for subject in subjects]
    return [sorted(answers[0].json()), *answers]


def ask_as_service_account(me: Caller, **claims):
    """Ask for a token with these claims, where service accounts get one."""
    if me.fake.rules["token.jwt-bearer"].chosen == "refused":
        me.fake.rules.choose({"token.jwt-bearer": "issued"})
        me.fake.auth.register_key(public_pem(private_key()))
    return ask_for_token(me, assert_for(me.fake, **claims))


def ask_with_each(me: Caller, *claims):
    return [ask_as_service_account(me, **each) for each in claims]


@scenario("token.assertion-issuer", {"client-id": [400, 400], "not-checked": [200, 200]})
def other_issuers(me: Caller):
    return ask_with_each(me, {"iss": "client-2"}, {"iss": None})


@scenario(
    "token.assertion-subject",
    {"login-id-or-id": [200, 200, 400], "login-id": [200, 400, 400], "id": [400, 200, 400]},
)
def subjects(me: Caller):
    return ask_with_each(me, {"sub": me.facts["login_id"]}, {"sub": "u-002"}, {"sub": None})


@scenario("token.assertion-issued-at", {"checked": [200, 400, 400], "not-checked": [200, 200, 200]})
def times_of_issue(me: Caller):
    now = me.fake.clock.now().timestamp()
    return ask_with_each(me, {"iat": now + 60}, {"iat": now + 61}, {"iat": None})


@scenario(
    "token.assertion-expiry",
    {
        "within-60-minutes": [200, 400, 400, 400],
        "any-time-later": [200, 200, 400, 400],
        "not-checked": [200, 200, 200, 200],
    },
)
def times_of_expiry(me: Caller):
    now = me.fake.clock.now().timestamp()
    return ask_with_each(me, {"exp": now + 3660}, {"exp": now + 3661}, {"exp": now}, {"exp": None})


@scenario("token.assertion-not-before", {"ignored": [200, 200, 200], "checked": [200, 400, 400]})
def times_of_beginning(me: Caller):
    now = me.fake.clock.now().timestamp()
    return ask_with_each(me, {"nbf": now + 60}, {"nbf": now + 61}, {"nbf": "now"})


@scenario("token.assertion-audience", {"ignored": [200, 200, 200], "checked": [200, 200, 400]})
def audiences(me: Caller):
    url = me.facts["auth_url"]
    return ask_with_each(
        me, {"aud": url}, {"aud": ["x", f"{url}/oauth2/v2.0/token"]}, {"aud": "https://elsewhere.example"}
    )


@scenario("token.assertion-base64", {"base64url": [400, 400], "standard-too": [200, 400]})
def assertions_in_standard_base64(me: Caller):
    ask_as_service_account(me)
    good, other = assert_in_base64(me.fake), assert_in_base64(me.fake, private_key("second"))
    return [ask_for_token(me, assertion) for assertion in (good, other)]


@scenario("token.delegated-user", {"ignored": ["u-001", 200], "honored": ["u-003", 400]})
def delegated_users(me: Caller):
    token = ask_as_service_account(me, delegated_user="u-003").json()["access_token"]
    me.take(token)
    me.patch("u-003")
    return [me.fake.journal[-1].user_id, ask_as_service_account(me, delegated_user="nobody")]
