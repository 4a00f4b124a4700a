"""E-mail addresses of users: what the description leaves open about them is said where it matters, and only there."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.parts.email_addresses import has_address_form

from ..caller import calling, make


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


def test_sub_addresses_of_sample_users_count_before_and_after_they_are_changed():
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
