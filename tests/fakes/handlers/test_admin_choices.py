"""Admin calls that tell what there is and choose how the fake behaves: index, tokens, bodies, assumptions, stubs."""

from datetime import timedelta

import pytest

from fakes.handlers.admin_routes import ADMIN_ROUTES
from svckit.models import Secret

from ..admin import Admin
from ..caller import calling, make

# Admin calls that tell what there is and choose how the fake behaves: the index, tokens, bodies, assumptions.


def test_journal_with_bodies(admin):
    with calling(admin.fake) as me:
        me.patch(nickName="Mina")
        me.exchange(me.code())
    (plain, *_), (full, *_, token) = (
        admin("GET", "/journal", params=query).json()["exchanges"] for query in ({}, {"bodies": "true"})
    )
    assert plain == admin.fake.journal[0].record()
    assert full == plain | {"requestBody": '{"nickName":"Mina"}', "responseBody": full["responseBody"]}
    assert '"nickName":"Mina"' in full["responseBody"]
    assert "access_token" in token["responseBody"]
    assert '"at_' not in token["responseBody"]


def test_tokens_are_renewed_without_a_sign_in(admin):
    fake = admin.fake
    issued = fake.tokens("u-002", "file")
    assert (issued.lifetime, issued.scope) == (timedelta(days=1), "file")
    assert all(isinstance(secret, Secret) for secret in (issued.access_token, issued.refresh_token))
    by_call = [admin("POST", "/tokens", given).json() for given in ({}, {"userId": "u-002", "scope": "file"})]
    assert [made["expiresIn"] for made in by_call] == [86400] * 2
    fake.clock.advance(hours=25)
    with calling(fake) as me:
        refresh_tokens = [*(made["refreshToken"] for made in by_call), issued.refresh_token.reveal()]
        for token, user in zip(refresh_tokens, ("u-001", "u-002", "u-002"), strict=True):
            me.take(me.refresh(token).json()["access_token"])
            assert me.patch("u-003").status_code == 200
            assert fake.journal[-1].user_id == user


def test_index_lists_every_call_without_a_key(admin):
    for address in (admin.fake.facts["admin_url"], admin.fake.facts["admin_url"] + "/"):
        calls = admin.http.get(address, headers={"Authorization": ""}).json()["calls"]
    assert [(call["method"], call["path"]) for call in calls] == [
        (r.method, r.template) for r in ADMIN_ROUTES
    ]
    (move,) = [call for call in calls if (call["method"], call["path"]) == ("POST", "/clock")]
    assert move["does"] == 'Move the clock: {"advance": seconds} or {"to": instant}.'
    assert move["key"] is True
    assert all(call["does"].endswith(".") for call in calls)


# The admin calls for stubs.

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
