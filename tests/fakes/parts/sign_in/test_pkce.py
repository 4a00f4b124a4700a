"""Proof Key for Code Exchange: ignored, or checked as in RFC 7636."""

import json
from base64 import urlsafe_b64encode
from hashlib import sha256

import pytest

from ...caller import calling, make

RULE = "auth.pkce"
VERIFIER, OTHER = "v" * 43, "w" * 43
S256 = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def make_checked(**options):
    return make(assume={RULE: "checked"}, **options)


def names_rule(response):
    return RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


def challenge(value=S256, method="S256"):
    """The parameters of an authorization request; those that are None are left out."""
    sent = {"code_challenge": value, "code_challenge_method": method}
    return {name: each for name, each in sent.items() if each is not None}


RIGHT = {
    "S256": (challenge(), VERIFIER),
    "plain": (challenge(VERIFIER, "plain"), VERIFIER),
    "no method is plain": (challenge(VERIFIER, None), VERIFIER),
    "the longest": (challenge("v" * 128, "plain"), "v" * 128),
    "neither": ({}, None),
}
WRONG = {
    "other verifier": (challenge(), OTHER, "does not fit the code_challenge"),
    "other plain verifier": (challenge(VERIFIER, "plain"), OTHER, "by the method plain"),
    "the challenge itself": (challenge(), S256, "does not fit"),
    "no verifier": (challenge(), None, "code_verifier is missing"),
    "short verifier": (challenge(), "v" * 42, "43 to 128 of the characters"),
    "long verifier": (challenge(), "v" * 129, "given 129 characters"),
    "verifier of other characters": (challenge(), "é" * 43, "43 to 128 of the characters"),
    "no challenge": ({}, VERIFIER, "had no code_challenge"),
}
UNFIT = {
    "other method": (challenge(S256, "S512"), "must be S256 or plain; given 'S512'"),
    "method in small letters": (challenge(S256, "s256"), "must be S256 or plain"),
    "method alone": (challenge(None), "code_challenge is missing"),
    "short challenge": (challenge("x" * 42), "code_challenge must have 43 to 128"),
    "long challenge": (challenge("x" * 129), "code_challenge must have 43 to 128"),
    "challenge in another base64": (challenge("+" + S256[1:]), "code_challenge must have 43 to 128"),
}


def exchange(me, sent, verifier):
    return me.exchange(me.code(**sent), **({} if verifier is None else {"code_verifier": verifier}))


@pytest.mark.parametrize(("sent", "verifier"), RIGHT.values(), ids=RIGHT)
@pytest.mark.parametrize("alternative", ["ignored", "checked"])
def test_a_right_verifier_is_accepted_and_rests_on_nothing(sent, verifier, alternative):
    with calling(make(assume={RULE: alternative})) as me:
        issued = exchange(me, sent, verifier)
        assert (issued.status_code, names_rule(issued)) == (200, False)


@pytest.mark.parametrize(("sent", "verifier", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_verifier_is_refused_only_if_it_is_checked(sent, verifier, words):
    with calling(make()) as me:
        issued = exchange(me, sent, verifier)
        assert (issued.status_code, names_rule(issued)) == (200, True)
    with calling(make_checked()) as me:
        refused = exchange(me, sent, verifier)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
        assert words in refused.json()["error_description"]
        assert names_rule(refused)


@pytest.mark.parametrize(("sent", "words"), UNFIT.values(), ids=UNFIT)
def test_an_unfit_challenge_is_refused_only_if_it_is_checked(sent, words):
    with calling(make()) as me:
        screen = me.authorize(**sent)
        assert (screen.status_code, names_rule(screen)) == (200, True)
    with calling(make_checked()) as me:
        refused = me.authorize(**sent)
        assert (refused.status_code, names_rule(refused)) == (400, True)
        assert words in refused.headers["X-Fake-Reason"]


def test_a_refused_verifier_leaves_the_code_good():
    with calling(make_checked()) as me:
        code = me.code(**challenge())
        assert me.exchange(code, code_verifier=OTHER).status_code == 400
        assert me.exchange(code, code_verifier=VERIFIER).status_code == 200


def test_what_is_right_works_where_assumptions_are_refused():
    with calling(make(assumptions="refuse")) as me:
        assert exchange(me, challenge(), VERIFIER).status_code == 200


def test_challenges_are_kept_in_snapshots():
    with calling(make_checked()) as me:
        code = me.code(**challenge())
        kept = json.loads(json.dumps(me.fake.snapshot()))
    with calling(make()) as me:
        me.fake.restore(kept)
        assert me.exchange(code).status_code == 400
        assert me.exchange(code, code_verifier=VERIFIER).status_code == 200


def test_signing_in_without_the_screen_keeps_the_challenge():
    fake = make_checked()
    fake.auth.auto_login = "u-002"
    with calling(fake) as me:
        code = me.authorize(**challenge()).headers["Location"].partition("code=")[2].partition("&")[0]
        assert me.exchange(code).status_code == 400
        assert me.exchange(code, code_verifier=VERIFIER).status_code == 200


def test_the_journal_masks_verifiers(me):
    exchange(me, challenge(), VERIFIER)
    entry = me.fake.journal[-1]
    assert VERIFIER not in f"{entry!r}{entry.request_body}"


def test_the_journal_shows_neither_the_verifier_nor_the_challenge_that_may_equal_it():
    with calling(make_checked()) as me:
        assert exchange(me, challenge(VERIFIER, "plain"), VERIFIER).status_code == 200
        shown = repr([(entry.record(), entry.request_body) for entry in me.fake.journal])
        assert VERIFIER not in shown
        assert "code_challenge=***&code_challenge_method=plain" in shown
