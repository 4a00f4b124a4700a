"""Bodies that are flat are read at a glance, and what is wrong with one is seen as with any other."""

import pytest

from svckit.models.user import UserChange

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("number", "said"),
    [("1e309", "a number beyond"), ("-1e309", "a number beyond"), ("NaN", "the body is not JSON")],
)
def test_a_number_that_json_cannot_write_fits_no_field(me, number, said):
    for field in UserChange.wire_names():
        response = me.api("PATCH", "/users/u-001", content=f'{{"{field}":{number}}}', headers=JSON)
        assert response.status_code == 400, field
        assert said in response.json()["description"], field


@pytest.mark.parametrize(
    ("body", "ignored", "rests_on"),
    [
        ('{"nickName":"Mina"}', None, None),
        (' { "nickName" : "Mina" } ', None, None),
        ('{"nickName":"Mina","task":"a: {b"}', None, None),
        ('{"nickName":"Mina","shoeSize":38}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Mina","shoeSize":[38]}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Nami","nickName":"Mina"}', None, "api.duplicate-key"),
        ('{"nickName":"Nami: x","nickName":"Mina"}', None, "api.duplicate-key"),
        ('{"nickName":"Mina","shoeSize":"a\\\\\\": b"}', "shoeSize", "api.extra-fields"),
        ('{"nickName":"Nami","nick\\u004eame":"Mina"}', None, "api.duplicate-key"),
    ],
)
def test_other_keys_and_double_ones_are_seen(me, body, ignored, rests_on):
    response = me.api("PATCH", "/users/u-001", content=body, headers=JSON)
    assert (response.status_code, response.json()["nickName"]) == (200, "Mina")
    assert response.headers.get("X-Fake-Ignored") == ignored
    assert response.headers.get("X-Fake-Assumed") == rests_on
