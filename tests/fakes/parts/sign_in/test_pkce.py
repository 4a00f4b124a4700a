"""Proof Key for Code Exchange: ignored, or checked as in RFC 7636."""

from ...caller import calling, make
from ...edges_signing_in import OTHER, VERIFIER, challenge, exchange

RULE = "auth.pkce"


def make_checked(**options):
    return make(assume={RULE: "checked"}, **options)


def test_a_refused_verifier_leaves_the_code_good():
    with calling(make_checked()) as me:
        code = me.code(**challenge())
        assert me.exchange(code, code_verifier=OTHER).status_code == 400
        assert me.exchange(code, code_verifier=VERIFIER).status_code == 200


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


def test_the_journal_shows_neither_the_verifier_nor_the_challenge_that_may_equal_it():
    with calling(make_checked()) as me:
        assert exchange(me, challenge(VERIFIER, "plain"), VERIFIER).status_code == 200
        shown = repr([(entry.record(), entry.request_body) for entry in me.fake.journal])
        assert VERIFIER not in shown
        assert "code_challenge=***&code_challenge_method=plain" in shown
