"""Half a character in a body, an escape of a surrogate without its other half, is told as that."""

import pytest

from ..admin import Admin

JSON = {"Content-Type": "application/json"}
TOLD = "half a character, a \\uD800 to \\uDFFF without its other half, at line 1 column "


@pytest.mark.parametrize(
    "body", [rb'{"task": "\ud800"}', rb'{"\udc00": 1}', rb'{"relations": [{"x": "\ud800\u0041"}]}']
)
def test_half_a_character_is_told_as_that(me, body):
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert response.status_code == 400
    assert response.json()["description"].startswith(f"the body is not JSON: {TOLD}")


def test_both_halves_are_a_character(me):
    response = me.api("PATCH", "/users/u-001", content=rb'{"task": "\ud83d\ude42"}', headers=JSON)
    assert response.json()["task"] == "🙂"


def test_an_admin_call_tells_it_too(fake):
    assert TOLD in Admin(fake).refused("PATCH", "/domain", content=rb'{"domainName": "\ud800"}')
