"""Admin calls that tell what there is and choose how the fake behaves: the index, tokens, bodies, assumptions."""

from datetime import timedelta

import pytest

from fakes import AssumptionRefused
from fakes.handlers.admin_routes import ADMIN_ROUTES
from svckit.models import Secret

from ..caller import calling


def test_journal_with_bodies(admin):
    with calling(admin.fake) as me:
        me.patch(nickName="Mina")
        me.exchange(me.code())
    (plain, *_), (full, *_, token) = (
        admin("GET", "/journal", params=query).json()["exchanges"] for query in ({}, {"bodies": "true"})
    )
    assert full == plain | {"requestBody": '{"nickName":"Mina"}', "responseBody": full["responseBody"]}
    assert '"nickName":"Mina"' in full["responseBody"]
    assert "access_token" in token["responseBody"]
    assert '"at_' not in token["responseBody"]


def test_token_is_a_bearer_of_any_user(admin):
    with calling(admin.fake) as me:
        for given, user in (({}, "u-001"), ({"userId": "u-002", "scope": "file"}, "u-002")):
            made = admin("POST", "/tokens", given)
            assert made.status_code == 201
            bearer = {"Authorization": "Bearer " + made.json()["accessToken"]}
            assert me.api("PATCH", "/users/u-003", json={}, headers=bearer).status_code == 200
            assert admin.fake.journal[-1].user_id == user


def test_tokens_are_renewed_without_a_sign_in(admin):
    fake = admin.fake
    by_call = admin("POST", "/tokens", {"userId": "u-002", "scope": "file"}).json()
    assert by_call["expiresIn"] == 86400
    issued = fake.tokens("u-002", "file")
    assert (issued.lifetime, issued.scope) == (timedelta(days=1), "file")
    assert all(isinstance(secret, Secret) for secret in (issued.access_token, issued.refresh_token))
    fake.clock.advance(hours=25)
    with calling(fake) as me:
        for token in (by_call["refreshToken"], issued.refresh_token.reveal()):
            renewed = me.refresh(token).json()
            bearer = {"Authorization": "Bearer " + renewed["access_token"]}
            assert me.api("PATCH", "/users/u-002", json={}, headers=bearer).status_code == 200
            assert fake.journal[-1].user_id == "u-002"


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


def test_assumptions_are_chosen(admin):
    fake = admin.fake
    chosen = admin("PATCH", "/rules", {"assume": {"api.unauthorized": "403"}})
    assert chosen.json() == admin("GET", "/rules").json()
    with calling(fake) as me:
        wrong = {"json": {}, "headers": {"Authorization": "Bearer wrong"}}
        assert me.api("PATCH", "/users/u-001", **wrong).status_code == 403
        admin("PATCH", "/rules", {"assumptions": "refuse"})
        with pytest.raises(AssumptionRefused):
            me.api("PATCH", "/users/u-001", **wrong)
        admin("PATCH", "/rules", {"assumptions": "allow"})
        assert me.api("PATCH", "/users/u-001", **wrong).status_code == 403
