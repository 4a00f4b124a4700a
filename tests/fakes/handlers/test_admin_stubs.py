"""The admin calls for stubs."""

import pytest

from ..admin import Admin
from ..caller import calling, make

GROUPS = {"method": "GET", "path": "/groups", "json": {"groups": []}}


def test_a_stub_is_added_listed_and_removed(admin):
    response = admin("POST", "/stubs", GROUPS)
    whole = {
        "area": "api",
        "bearer": True,
        "status": 200,
        "headers": {},
        "then": [],
        "used": 0,
        "function": False,
    } | GROUPS
    assert (response.status_code, response.json()) == (201, whole)
    with calling(admin.fake) as me:
        assert me.api("GET", "/groups").json() == {"groups": []}
    assert admin("GET", "/stubs").json() == {"stubs": [whole | {"used": 1}]}
    assert admin("DELETE", "/stubs").status_code == 204
    assert admin("GET", "/stubs").json() == {"stubs": []}


def test_post_accepts_what_get_returns(admin):
    admin("POST", "/stubs", GROUPS | {"status": 503, "then": [{"headers": {"X-A": "1"}, "json": None}]})
    admin("POST", "/stubs", {"method": "DELETE", "path": "/groups/{groupId}", "status": 204})
    listed = admin("GET", "/stubs").json()
    other = Admin(make())
    for stub in listed["stubs"]:
        assert other("POST", "/stubs", stub).status_code == 201
    assert other("GET", "/stubs").json() == listed


def test_a_function_is_listed_but_cannot_be_sent(admin):
    admin.fake.stub("GET", "/groups", json=lambda call: [])
    (listed,) = admin("GET", "/stubs").json()["stubs"]
    assert listed["function"] is True
    assert "json" not in listed
    assert "a function cannot be sent" in admin.refused("POST", "/stubs", listed)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([], "a stub is a JSON object"),
        ({"method": "GET"}, "path is required"),
        (
            GROUPS | {"staus": 200},
            "staus is not a field of this call; its fields are area, bearer, headers, json, method",
        ),
        (GROUPS | {"status": 1, "path": "x"}, "status must be at least 200; given 1; path must be"),
    ],
)
def test_what_is_wrong_is_told(admin, body, reason):
    assert reason in admin.refused("POST", "/stubs", body)
