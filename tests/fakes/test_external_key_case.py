"""Capitals in external keys: they make two keys, or one."""

import pytest

from .caller import named

RULE = "user.external-key-case"


@pytest.mark.parametrize("alternative", ["distinct", "ignored"])
def test_an_exact_key_is_found_first(me, alternative):
    me.patch("u-002", userExternalKey="Key-A")
    me.patch("u-003", userExternalKey="key-a")
    me.fake.rules.choose({RULE: alternative})
    for key, user_id in (("Key-A", "u-002"), ("key-a", "u-003")):
        response = me.patch(f"externalKey:{key}")
        assert response.json()["userId"] == user_id
        assert RULE not in named(response)
