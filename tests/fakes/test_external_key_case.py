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


def test_an_exact_key_is_found_first(me, same):
    me.patch("u-002", userExternalKey="Key-A")
    me.fake.rules.choose({RULE: "distinct"})
    me.patch("u-003", userExternalKey="key-a")
    me.fake.rules.choose({RULE: "ignored" if same else "distinct"})
    for key, user_id in (("Key-A", "u-002"), ("key-a", "u-003")):
        response = me.patch(f"externalKey:{key}")
        assert (response.json()["userId"], told(response)) == (user_id, (200, False))
