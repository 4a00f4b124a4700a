"""What users are found by: e-mail addresses and external keys, and what the description leaves open about them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.parts.email_addresses import has_address_form

from ..caller import calling, make, named

# E-mail addresses of users: what the description leaves open about them is said where it matters, and only
# there.


@pytest.mark.parametrize("given", ["hana\uff20example.com", "hana@example.com ", "hana@example.com\u3000"])
def test_a_refused_address_that_an_input_method_wrote_is_recognized(given):
    with calling(make(assume={"user.email-form": "address"})) as me:
        told = me.patch(email=given).json()["description"]
    assert told.endswith(f"given {given!r}; did you mean hana@example.com?")


@pytest.mark.parametrize("name", ["email", "aliasEmails"])
def test_what_is_a_sub_address_of_another_is_free_once_it_is_given_up(name):
    fake = make(assume={"user.alias-conflict": "409"})
    asked = "Shared@example.com"
    change = {name: asked if name == "email" else [asked]}
    with calling(fake) as me:
        me.patch("u-002", aliasEmails=["shared@example.com"])
        me.patch("u-002", nickName="x")
        refused = me.patch("u-003", **change)
        assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
        assert "u-002" in refused.json()["description"]
    for each in (fake.fork(), fake):
        with calling(each) as me:
            assert me.patch("u-003", **change).status_code == 409
            assert (
                me.patch("u-002", aliasEmails=["shared@example.com", "more@example.com"]).status_code == 200
            )
            assert me.patch("u-002", aliasEmails=[]).status_code == 200
            assert me.patch("u-003", **change).status_code == 200


def test_sample_sub_addresses_conflict_too():
    fake = make(assume={"user.alias-conflict": "409"})
    owner = next(user for user in fake.records("users") if user["aliasEmails"] and user["userId"] != "u-001")
    (alias,) = owner["aliasEmails"]
    with calling(fake) as me:
        assert me.patch(email=alias).status_code == 409
        me.patch(owner["userId"], nickName="x")
        assert me.patch(email=alias).status_code == 409
        assert me.patch(owner["userId"], email=alias).status_code == 200


@given(st.text(st.sampled_from("ab@ \t\u00a0\u2028\x1c"), max_size=6))
def test_an_address_is_two_texts_without_spaces_around_a_single_sign(text):
    assert has_address_form(text) is (re.fullmatch(r"[^@\s]+@[^@\s]+", text) is not None)


# Capitals in e-mail addresses: what is kept where they are ignored, and where they are not.

EMAIL_CASE = "user.email-case"
DISTINCT = {EMAIL_CASE: "distinct"}


@pytest.mark.parametrize("alternative", ["ignored", "distinct"])
def test_case_of_emails_follows_the_assumption(alternative):
    ignored = alternative == "ignored"
    with calling(make(assume={EMAIL_CASE: alternative})) as me:
        me.fake.settings.forbidden_email_words = ["Casino"]
        old = me.fake.state.users.link_id("u-002")
        me.patch("u-002", email="casino@example.com")
        assert (me.fake.state.users.link_id("u-002") == old) == ignored
        me.fake.settings.forbidden_email_words = ["casino"]
        me.patch("u-003", email="casino.3@example.com")
        before = len(me.patch("u-003").json()["aliasEmails"])
        answer = me.patch("u-003", email="casino.3@EXAMPLE.com")
        assert EMAIL_CASE in named(answer)
        assert len(answer.json()["aliasEmails"]) == before + (0 if ignored else 1)


@pytest.mark.parametrize(("alternative", "status"), [("ignored", 400), ("distinct", 200)])
def test_sub_addresses_that_differ_in_capitals(alternative, status):
    with calling(make(assume={EMAIL_CASE: alternative, "user.alias-duplicate": "refused"})) as me:
        answer = me.patch(aliasEmails=["mina@example.com", "Mina@example.com"])
    assert (answer.status_code, EMAIL_CASE in named(answer)) == (status, status == 400)


@pytest.mark.parametrize("copied", [False, True])
def test_users_whose_emails_differ_in_case_are_found(copied):
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

        assert [found(email) for email in ("mina@example.com", "Mina@example.com")] == ["u-002", "u-003"]
        assert [found(email) for email in (theirs, theirs.upper())] == ["u-004", "u-005"]
        assert me.patch("u-006", email="Mina@example.com").status_code == 409
        assert me.patch("u-002", email="Mina@example.com").status_code == 409
        assert me.patch("u-003", email="other@example.com").status_code == 200
        assert [found(email) for email in ("mina@example.com", "Mina@example.com")] == ["u-002", None]
        assert me.patch("u-006", email="Mina@example.com").status_code == 200
        assert me.log_in("mina@example.com", fake.auth.password("u-002")).status_code == 302
        assert me.log_in("Mina@example.com", fake.auth.password("u-006")).status_code == 302


# Capitals in external keys: they make two keys, or one.

KEY_CASE = "user.external-key-case"


@pytest.mark.parametrize("alternative", ["distinct", "ignored"])
def test_an_exact_key_is_found_first(me, alternative):
    me.patch("u-002", userExternalKey="Key-A")
    me.patch("u-003", userExternalKey="key-a")
    me.fake.rules.choose({KEY_CASE: alternative})
    for key, user_id in (("Key-A", "u-002"), ("key-a", "u-003")):
        response = me.patch(f"externalKey:{key}")
        assert response.json()["userId"] == user_id
        assert KEY_CASE not in named(response)
