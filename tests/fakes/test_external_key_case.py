"""Capitals in external keys: they make two keys, or one."""

import pytest

from .caller import calling, make

RULE = "user.external-key-case"


@pytest.fixture(params=["distinct", "ignored"])
def same(request):
    return request.param == "ignored"


@pytest.fixture
def me(same):
    with calling(make(assume={RULE: "ignored" if same else "distinct"})) as caller:
        yield caller


def told(response):
    return response.status_code, RULE in response.headers.get("X-Fake-Assumed", "").split(", ")


@pytest.mark.parametrize(("stored", "asked"), [("Key-A", "key-a"), ("key-a", "KEY-A"), ("Key-A", "KEY-a")])
def test_a_changed_user_is_found_by_another_case(me, same, stored, asked):
    me.patch("u-002", userExternalKey=stored)
    assert told(me.patch(f"externalKey:{asked}")) == (200 if same else 404, True)
    assert told(me.patch(f"externalKey:{stored}")) == (200, False)
    assert told(me.patch("externalKey:key-b")) == (404, False)
    assert told(me.set_status(f"externalKey:{asked}")) == (200 if same else 404, True)


@pytest.mark.parametrize(("stored", "sent"), [("Key-A", "key-a"), ("key-a", "KEY-A"), ("Key-A", "KEY-a")])
def test_a_key_of_another_user_conflicts(me, same, stored, sent):
    me.patch("u-002", userExternalKey=stored)
    assert told(me.patch("u-003", userExternalKey=sent)) == (409 if same else 200, True)


def test_a_users_own_key_in_another_case_does_not_conflict(me):
    assert told(me.patch("u-002", userExternalKey="EMP-00002")) == (200, False)
    assert told(me.patch("u-002", userExternalKey="Emp-00002")) == (200, False)
    assert told(me.patch("u-002", userExternalKey="emp-00002")) == (200, False)


def test_a_key_that_was_given_up_is_free_in_any_case(me):
    me.patch("u-002", userExternalKey="Key-A")
    me.patch("u-002", userExternalKey=None)
    assert told(me.patch("u-003", userExternalKey="key-a")) == (200, False)
    assert told(me.patch("externalKey:EMP-00002")) == (404, False)


def test_an_exact_key_is_found_first(me, same):
    me.patch("u-002", userExternalKey="Key-A")
    me.fake.rules.choose({RULE: "distinct"})
    me.patch("u-003", userExternalKey="key-a")
    me.fake.rules.choose({RULE: "ignored" if same else "distinct"})
    for key, user_id in (("Key-A", "u-002"), ("key-a", "u-003")):
        response = me.patch(f"externalKey:{key}")
        assert (response.json()["userId"], told(response)) == (user_id, (200, False))
