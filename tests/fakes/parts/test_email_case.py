"""Capitals in e-mail addresses: what is kept where they are ignored, and where they are not."""

import pytest

from ..caller import calling, make, named

RULE = "user.email-case"
DISTINCT = {RULE: "distinct"}


@pytest.mark.parametrize("alternative", ["ignored", "distinct"])
def test_only_other_capitals_are_no_other_address_and_no_other_forbidden_word(alternative):
    ignored = alternative == "ignored"
    with calling(make(assume={RULE: alternative})) as me:
        me.fake.settings.forbidden_email_words = ["Casino"]
        old = me.fake.state.users.link_id("u-002")
        me.patch("u-002", email="casino@example.com")
        assert (me.fake.state.users.link_id("u-002") == old) == ignored
        me.fake.settings.forbidden_email_words = ["casino"]
        me.patch("u-003", email="casino.3@example.com")
        before = len(me.patch("u-003").json()["aliasEmails"])
        answer = me.patch("u-003", email="casino.3@EXAMPLE.com")
        assert RULE in named(answer)
        assert len(answer.json()["aliasEmails"]) == before + (0 if ignored else 1)


@pytest.mark.parametrize(("alternative", "status"), [("ignored", 400), ("distinct", 200)])
def test_sub_addresses_that_differ_in_capitals(alternative, status):
    with calling(make(assume={RULE: alternative, "user.alias-duplicate": "refused"})) as me:
        answer = me.patch(aliasEmails=["mina@example.com", "Mina@example.com"])
    assert (answer.status_code, RULE in named(answer)) == (status, status == 400)


@pytest.mark.parametrize("copied", [False, True])
def test_two_users_with_addresses_that_differ_in_capitals_are_both_found(copied):
    fake = make(assume=DISTINCT)
    theirs = fake.directory["u-004"]["email"]
    with calling(fake) as me:
        me.patch("u-002", email="mina@example.com")
        me.patch("u-003", email="Mina@example.com")
        me.patch("u-005", email=theirs.upper())
    if copied:
        fake = fake.fork()
    with calling(fake) as me:

        def found(email):
            return me.patch(email).json().get("userId")

        assert [found(each) for each in ("mina@example.com", "Mina@example.com")] == ["u-002", "u-003"]
        assert [found(each) for each in (theirs, theirs.upper())] == ["u-004", "u-005"]
        assert me.patch("u-006", email="Mina@example.com").status_code == 409
        assert me.patch("u-002", email="Mina@example.com").status_code == 409
        assert me.patch("u-003", email="other@example.com").status_code == 200
        assert [found(each) for each in ("mina@example.com", "Mina@example.com")] == ["u-002", None]
        assert me.patch("u-006", email="Mina@example.com").status_code == 200
        assert me.log_in("mina@example.com", fake.auth.password("u-002")).status_code == 302
        assert me.log_in("Mina@example.com", fake.auth.password("u-006")).status_code == 302
