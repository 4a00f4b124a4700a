"""E-mail addresses of users: what the description leaves open about them is said where it matters, and only there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.parts.email_addresses import has_address_form

from ..caller import calling, make

ORGANIZATION = {"domainId": 10000001, "primary": True}
ODD = {
    "email": {"email": ""},
    "privateEmail": {"privateEmail": "foo"},
    "aliasEmails[1]": {"aliasEmails": ["mina@example.com", ""]},
    "organizations[0].email": {"organizations": [ORGANIZATION | {"email": "foo bar@example.com"}]},
}


def assumed(answer):
    return answer.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize(("path", "change"), ODD.items(), ids=ODD)
def test_an_address_of_no_such_form_is_kept_or_refused(path, change):
    with calling(make()) as me:
        answer = me.patch(**change)
        assert answer.status_code == 200
        assert "user.email-form" in assumed(answer)
    with calling(make(assume={"user.email-form": "address"})) as me:
        answer = me.patch(**change)
        assert answer.status_code == 400
        assert path in answer.json()["description"]


@pytest.mark.parametrize("given", ["hana\uff20example.com", "hana@example.com ", "hana@example.com\u3000"])
def test_a_refused_address_that_an_input_method_wrote_is_recognized(given):
    with calling(make(assume={"user.email-form": "address"})) as me:
        told = me.patch(email=given).json()["description"]
    assert told.endswith(f"given {given!r}; did you mean hana@example.com?")


def test_usual_addresses_rest_on_nothing():
    change = {"email": "mina@example.com", "privateEmail": None, "aliasEmails": ["m.sato+1@mail.example.com"]}
    with calling(make(assumptions="refuse")) as me:
        assert me.patch(**change).status_code == 200


def taken_by(me, user, **change):
    assert me.patch(user, **change).status_code == 200
    return me


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


def test_sub_addresses_of_sample_users_count_before_and_after_they_are_changed():
    fake = make(assume={"user.alias-conflict": "409"})
    owner = next(user for user in fake.records("users") if user["aliasEmails"] and user["userId"] != "u-001")
    (alias,) = owner["aliasEmails"]
    with calling(fake) as me:
        assert me.patch(email=alias).status_code == 409
        me.patch(owner["userId"], nickName="x")
        assert me.patch(email=alias).status_code == 409
        assert me.patch(owner["userId"], email=alias).status_code == 200


def test_a_sub_address_that_is_another_users_login_is_such_a_conflict_too():
    login = make().directory["u-002"]["email"]
    with calling(make(assume={"user.alias-conflict": "409"})) as me:
        assert me.patch(aliasEmails=[login]).status_code == 409
    with calling(make()) as me:
        answer = me.patch(aliasEmails=[login])
        assert answer.status_code == 200
        assert "user.alias-conflict" in assumed(answer)


def test_the_domain_of_a_post_is_a_reference():
    change = {"organizations": [ORGANIZATION | {"domainId": 7}]}
    with calling(make()) as me:
        answer = me.patch(**change)
        assert answer.status_code == 200
        assert "user.references" in assumed(answer)
    with calling(make(assume={"user.references": "checked"})) as me:
        answer = me.patch(**change)
        assert answer.status_code == 400
        assert "organizations[0].domainId is not the ID of a domain" in answer.json()["description"]


@given(st.text(st.sampled_from("ab@ \t\u00a0\u2028\x1c"), max_size=6))
def test_an_address_is_two_texts_without_spaces_around_a_single_sign(text):
    assert has_address_form(text) is (re.fullmatch(r"[^@\s]+@[^@\s]+", text) is not None)
