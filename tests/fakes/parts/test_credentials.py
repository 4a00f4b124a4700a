"""Codes and tokens: at their last instant, after they were used, and of users who are not active."""

from datetime import timedelta

import pytest

from ..caller import calling, make, named, restored
from ..edges_signing_in import upload

# What holds at the very instant at which a time ends, and that only this instant rests on an assumption.

RULE = "token.last-instant"
INSTANT = timedelta(microseconds=1)


def test_an_upload_url_without_an_end_has_no_last_instant():
    with calling(make(assume={"file.upload-lifetime": "unlimited", RULE: "excluded"})) as me:
        lifetime, send = upload(me)
        me.fake.clock.to(me.fake.clock.now() + lifetime)
        response = send()
        assert response.status_code == 201
        assert RULE not in named(response)


def states(fake):
    """How each kind of credential stands, the last of the kind."""
    return {record["credential"]: record["state"] for record in fake.records("credentials")}


@pytest.mark.parametrize("alternative", ["included", "excluded"])
def test_an_access_token_ends_exactly_24_hours_after_it_was_issued(alternative):
    fake = make(assume={RULE: alternative})
    with calling(fake) as me:
        for seconds, status, state in ((24 * 3600 - 1e-6, 200, "valid"), (1e-6, 401, "expired")):
            fake.clock.advance(seconds=seconds)
            response = me.patch()
            assert (response.status_code, states(fake)["access token"]) == (status, state)
            assert RULE not in named(response)


@pytest.mark.parametrize(("alternative", "state"), [("included", "valid"), ("excluded", "expired")])
def test_the_list_of_credentials_agrees(alternative, state):
    fake = make(assume={RULE: alternative})
    with calling(fake) as me:
        me.code()
        start = fake.clock.now()
        for kind, lifetime in (("code", timedelta(minutes=10)), ("refresh token", timedelta(days=90))):
            for moment, expected in ((timedelta(), state), (INSTANT, "expired")):
                fake.clock.to(start + lifetime + moment)
                assert states(fake)[kind] == expected


@pytest.mark.parametrize(("seconds", "used", "status"), [(59.999999, 120, 429), (60, 2, 200)])
def test_a_call_leaves_a_sliding_window_when_it_is_a_minute_old(seconds, used, status):
    fake = make(assume={"notification.window": "sliding"})
    with calling(fake) as me:
        for _ in range(119):
            me.notify()
        fake.clock.advance(seconds=40)
        me.notify()
        fake.clock.advance(seconds=seconds - 40)
        response = me.notify()
    assert response.status_code == status
    assert fake.state.webhooks.limiter.stats().used == used


# What the codes and tokens of a user who is not active are good for, which the description does not show.

INACTIVE = "u-017"
INACTIVE_USER = "token.inactive-user"


def issued(fake, user_id=INACTIVE):
    return fake.state.tokens.issue(user_id, fake.facts["client_id"], "user,file")


def test_a_code_that_is_refused_is_not_used_up():
    fake = make(assume={"auth.inactive-user": "let-in", INACTIVE_USER: "refused"})
    with calling(fake) as me:
        email = fake.directory[INACTIVE]["email"]
        code = (
            me.log_in(email, fake.auth.password(INACTIVE)).headers["Location"].split("code=")[1].split("&")[0]
        )
        assert me.exchange(code).json()["error"] == "invalid_grant"
        fake.rules.choose({INACTIVE_USER: "valid"})
        assert me.exchange(code).status_code == 200


def test_the_list_of_credentials_says_that_they_no_longer_work():
    fake = make(assume={INACTIVE_USER: "refused"})
    issued(fake)
    issued(fake, "u-002")
    states = {(each["userId"], each["credential"]): each["state"] for each in fake.state.tokens.records()}
    assert states == {
        (INACTIVE, "access token"): "expired",
        (INACTIVE, "refresh token"): "expired",
        ("u-002", "access token"): "valid",
        ("u-002", "refresh token"): "valid",
    }


def test_a_restored_directory_decides_who_is_active():
    fake, other = make(assume={INACTIVE_USER: "refused"}), make(assume={INACTIVE_USER: "refused"})
    with calling(fake, "u-002") as me:
        assert me.patch().status_code == 200
        snapshot = fake.snapshot()
        snapshot["directory"]["users"]["changed"]["u-002"] = fake.directory["u-002"] | {"isPending": True}
        fake.restore(snapshot)
        assert me.patch().status_code == 401
        fake.restore(other.snapshot() | {"tokens": snapshot["tokens"]})
        assert me.patch().status_code == 200


def test_content_of_a_suspended_user_is_refused_before_it_comes(fake):
    with calling(fake, INACTIVE) as me:
        url = me.url()
        fake.rules.choose({INACTIVE_USER: "refused"})
        assert me.send(url).status_code == 401


# A code that is sent again after its use ends the tokens issued for it, or leaves them valid.

CODE_REUSE = "token.code-reuse"
ENDS = {CODE_REUSE: "ends-tokens"}


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
        assert (response.status_code, CODE_REUSE in named(response)) == (200, False)


def test_snapshots_keep_expired_tokens():
    with calling(make(assume=ENDS)) as me:
        code, tokens = sign_in(me)
        me.exchange(code)
        assert [record["state"] for record in me.fake.state.tokens.records()] == [
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
