"""The ready stubs: views of what the fake has, and the messages that bots send."""

import json
import re
from typing import get_args

import pytest

from fakes.handlers.views import VIEWS
from fakes.http.errors import Refusal
from fakes.rulebook.rules import AssumptionRefused
from fakes.stubs.records import READY, View

from ..admin import Admin
from ..caller import DRIVE, calling, make

RULE = "api.ready-stubs"
NOTE = "Not part of the service's description: a ready stub"
TEXT = {"content": {"type": "text", "text": "hello"}}
MESSAGES = "/bots/bot-1/users/u-002/messages"


@pytest.fixture
def me():
    with calling(make(stubs="common")) as caller:
        yield caller


def test_each_ready_stub_has_a_view():
    records = json.loads(READY["common"].read_text())
    assert sorted({record["view"] for record in records}) == sorted(get_args(View)) == sorted(VIEWS)
    assert len(make(stubs="common").stubs) == len(records)


def test_responses_say_that_they_are_not_described(me):
    response = me.api("GET", "/groups")
    assert response.headers["X-Fake-Stubbed"] == "GET /groups"
    assert response.headers["X-Fake-Note"] == NOTE
    assert response.headers["X-Fake-Assumed"] == RULE
    assert me.fake.journal[-1].operation == "stubbed"
    assert me.fake.rules[RULE].used == 1


def test_they_need_a_bearer(me):
    me.bearer = {}
    for method, path in (("GET", "/users"), ("GET", "/bots"), ("POST", MESSAGES)):
        assert me.api(method, path).status_code == 401
    assert not me.fake.bots


def test_refusing_assumptions_spares_own_stubs():
    with calling(make(stubs="common", assumptions="refuse")) as me:
        me.fake.stub("GET", "/groups", json=[])
        assert me.api("GET", "/groups").json() == []
        with pytest.raises(AssumptionRefused, match=RULE):
            me.api("GET", "/users")
        with pytest.raises(AssumptionRefused, match=RULE):
            me.api("POST", MESSAGES, json=TEXT)
        assert not me.fake.bots


def test_a_view_leaves_no_room_for_a_body():
    with pytest.raises(ValueError, match=r"stubs\[0\].* has a view, which makes the body; leave json out"):
        make(stubs=[{"method": "GET", "path": "/members", "view": "users", "json": []}])
    with pytest.raises(ValueError, match=r"stubs\[0\]\.view must be 'board', .*; given \"people\""):
        make(stubs=[{"method": "GET", "path": "/members", "view": "people"}])


@pytest.mark.parametrize(
    ("view", "path", "words"),
    [
        ("bot", "/robot", "has the view bot, which needs {botId} in the path"),
        ("group", "/groups/{id}", "has the view group, which needs {groupId} in the path"),
        ("file", "/users/{userId}/drive/files", "has the view file, which needs {fileId} in the path"),
        ("files", "/files", "needs the parameters of a drive: {groupId} or {userId} or {sharedriveId} or"),
    ],
)
def test_the_path_of_a_view_has_what_the_view_needs(view, path, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        make(stubs=[{"method": "GET", "path": path, "view": view}])


def test_view_can_move_and_have_successors():
    stubs = [{"method": "GET", "path": "/profile", "view": "user", "then": [{"status": 503}]}]
    with calling(make(stubs=stubs), "u-003") as me:
        assert me.api("GET", "/profile").json()["userId"] == "u-003"
        assert [me.api("GET", "/profile").status_code for _ in range(2)] == [503, 503]


# People


def test_people_are_listed_page_by_page(me):
    found, cursor = [], None
    for size in (8, 8, 4):
        page = me.api("GET", "/users", params={"count": "8"} | ({"cursor": cursor} if cursor else {})).json()
        assert len(page["users"]) == size
        cursor = page["nextCursor"]
        assert page["responseMetaData"] == {"nextCursor": cursor}
        found += [user["userId"] for user in page["users"]]
    assert (found, cursor) == (list(me.fake.directory), None)
    assert len(me.api("GET", "/users").json()["users"]) == 20


def test_a_page_beyond_the_end_is_empty(me):
    page = me.api("GET", "/users?cursor=999").json()
    assert (page["users"], page["nextCursor"]) == ([], None)


@pytest.mark.parametrize(
    "query", ["count=0", "count=101", "count=x", "cursor=-1", "cursor=x", "count=%D9%A1"]
)
def test_other_pages_are_refused(me, query):
    response = me.api("GET", f"/users?{query}")
    assert response.status_code == 400
    assert "must be" in response.json()["description"]


def test_other_parameters_are_named_as_ignored(me):
    assert me.api("GET", "/users?domainId=1&count=5").headers["X-Fake-Ignored"] == "domainId"


def test_the_changed_user_is_returned_everywhere(me):
    changed = me.patch("u-002", nickName="Mina").json()
    assert me.api("GET", "/users/u-002").json() == changed
    assert me.api("GET", f"/users/{changed['email']}").json() == changed
    listed = me.api("GET", "/users").json()["users"]
    assert [user["nickName"] for user in listed if user["userId"] == "u-002"] == ["Mina"]
    me.fake.directory.put({"userId": "new", "email": "new@example.com", "userName": {"lastName": "New"}})
    me.fake.directory.remove("u-003")
    ids = [user["userId"] for user in me.api("GET", "/users").json()["users"]]
    assert (ids, len(ids)) == (list(me.fake.directory), 20)
    assert me.api("GET", "/users/new").json()["userName"]["lastName"] == "New"
    assert [me.api("GET", f"/users/{user}").status_code for user in ("u-003", "nobody")] == [404, 404]


def test_me_is_who_signed_in(me):
    with calling(me.fake, "u-005") as other:
        assert other.api("GET", "/users/me").json()["userId"] == "u-005"
        other.upload("/users/u-005/drive/files")
        listed = other.api("GET", "/users/me/drive/files").json()["files"]
        assert [each["fileName"] for each in listed] == ["a.txt"]
    assert me.api("GET", "/users/me").json()["userId"] == "u-001"


def test_hidden_properties_are_not_shown(me):
    me.fake.settings.property_restrictions = {"nickName": {"readable": False}}
    shown = me.api("GET", "/users/u-002")
    assert shown.json() == me.patch("u-002").json()
    assert "nickName" not in shown.json()


def test_members_are_the_people(me):
    members = me.api("GET", "/groups/group-1/members?count=2").json()
    assert (members["members"], members["nextCursor"]) == ([{"userId": "u-001"}, {"userId": "u-002"}], "2")


def test_the_rest_has_one_of_each(me):
    assert me.api("GET", "/groups").json()["groups"] == [{"groupId": "group-1", "groupName": "Stub"}]
    assert me.api("GET", "/groups/g-7").json()["groupId"] == "g-7"
    assert me.api("GET", "/boards").json()["boards"] == [{"boardId": "board-1", "boardName": "Stub"}]
    assert me.api("GET", "/boards/b-7").json()["boardId"] == "b-7"
    units = {unit["orgUnitId"] for unit in me.api("GET", "/orgunits").json()["orgUnits"]}
    assert {
        each["organizations"][0]["orgUnits"][0]["orgUnitId"] for each in me.fake.directory.values()
    } <= units


# Files


@pytest.mark.parametrize("path", [DRIVE, "/sharedrives/drive-1/files", "/groups/group-1/folder/files"])
def test_files_are_those_of_the_store(me, path):
    assert me.api("GET", path).json()["files"] == []
    stored = me.upload(path)
    inside = me.upload(f"{path}/{stored['fileId']}-folder", name="b.txt")
    me.upload("/users/u-002/drive/files", name="other.txt")
    assert me.api("GET", path).json()["files"] == [stored]
    assert me.api("GET", f"{path}/{stored['fileId']}").json() == stored
    assert me.api("GET", f"{path}/{inside['fileId']}").json() == inside
    assert me.api("GET", f"{path}/file-99").status_code == 404
    if path == DRIVE:
        folder = f"{path}/{inside['parentFileId']}/children"
        assert me.api("GET", folder).json()["files"] == [inside]
        assert me.api("GET", f"/users/u-002/drive/files/{stored['fileId']}").status_code == 404
        assert me.api("GET", "/users/nobody/drive/files").status_code == 404


# Bots and their messages


def test_bots_are_those_of_the_fake(me):
    me.fake.callbacks.add_bot("2000001")
    bots = me.api("GET", "/bots").json()["bots"]
    assert [bot["botId"] for bot in bots] == ["bot-1", "2000001"]
    assert me.api("GET", "/bots/2000001").json() == {"botId": "2000001", "botName": "Stub"}
    assert me.api("GET", "/bots/7").status_code == 404


def test_messages_are_kept_in_an_outbox(me):
    assert me.api("POST", MESSAGES, json=TEXT).status_code == 201
    me.fake.clock.advance(minutes=1)
    poll = {"content": {"type": "poll", "question": "Lunch?"}, "note": "kept"}
    response = me.api("POST", "/bots/bot-1/channels/room-7/messages", json=poll)
    assert (response.status_code, response.content) == (201, b"")
    to_user, to_room = me.fake.bots.sent("bot-1")
    assert (to_user.user_id, to_user.channel_id, to_user.content) == ("u-002", None, TEXT["content"])
    assert to_room.record() == {
        "botId": "bot-1",
        "userId": None,
        "channelId": "room-7",
        "content": poll["content"],
        "sentAt": "2026-06-01T09:01:00+09:00",
    }
    assert json.loads(to_room.body) == poll
    assert [repr(message) for message in me.fake.bots] == [
        "<SentMessage: text of bot-1 to u-002>",
        "<SentMessage: poll of bot-1 to room-7>",
    ]
    assert repr(me.fake.bots) == "<Outbox: 2 messages>"
    assert "hello" in me.fake.bots._repr_html_()
    listed = Admin(me.fake)("GET", "/bots/bot-1/messages").json()["messages"]
    assert listed == [message.record() for message in me.fake.bots]
    me.fake.callbacks.add_bot("quiet")
    assert me.fake.bots.sent("quiet") == []
    with pytest.raises(Refusal, match="bot 'bot-9' not found"):
        me.fake.bots.sent("bot-9")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "content must be an object with a type"),
        ({"content": "hello"}, "content must be an object with a type"),
        ({"content": {"text": "hello"}}, "content must be an object with a type"),
        ({"content": {"type": 7}}, "content must be an object with a type"),
        ({"content": {"type": "text"}}, "content.text is required"),
        ({"content": {"type": "text", "text": 7}}, "content.text must be a string"),
        ({"content": {"type": "sticker", "packageId": "1"}}, "content.stickerId is required"),
        ({"content": {"type": "text", "text": "\ud800"}}, "half a character"),
        ([], "must be a JSON object"),
    ],
)
def test_other_messages_are_refused(me, body, words):
    response = me.api(
        "POST", MESSAGES, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 400
    assert words in response.json()["description"]
    assert not me.fake.bots


@pytest.mark.parametrize("path", ["/bots/7/users/u-002/messages", "/bots/bot-1/users/nobody/messages"])
def test_a_message_needs_its_bot_and_its_user(me, path):
    assert me.api("POST", path, json=TEXT).status_code == 404
    assert not me.fake.bots


# The authorization server


def revoke(me, token, **changes):
    form = {"token": token} | {name: me.facts[name] for name in ("client_id", "client_secret")}
    form = {name: value for name, value in (form | changes).items() if value is not None}
    return me.http.post(me.facts["auth_url"] + "/oauth2/v2.0/revoke", data=form)


def test_a_revoked_token_is_not_valid(me):
    tokens = me.exchange().json()
    me.take(tokens["access_token"])
    response = revoke(me, tokens["access_token"])
    assert (response.status_code, response.content) == (200, b"")
    assert me.patch().status_code == 401
    assert "was revoked" in me.fake.journal[-1].reason
    again = me.refresh(tokens["refresh_token"]).json()["access_token"]
    assert revoke(me, tokens["refresh_token"], token_type_hint="refresh_token").status_code == 200
    assert tokens["refresh_token"] not in f"{me.fake.journal[-1].request_body}{me.fake.journal[-1]!r}"
    assert me.refresh(tokens["refresh_token"]).status_code == 400
    me.take(again)
    assert me.patch().status_code == 401


def test_other_revocations_change_nothing(me):
    other = me.fake.auth.register("https://other.example/callback")
    token = me.bearer["Authorization"].partition(" ")[2]
    client = {"client_id": other.client_id, "client_secret": other.client_secret}
    assert revoke(me, token, **client).status_code == 200
    assert revoke(me, "unknown").status_code == 200
    assert revoke(me, token, client_secret="wrong").status_code == 401
    refused = revoke(me, None)
    assert (refused.status_code, refused.json()["error_description"]) == (400, "the revocation lacks token")
    assert me.patch().status_code == 200


def test_discovery_and_keys_are_ready(me):
    found = me.http.get(me.facts["auth_url"] + "/.well-known/openid-configuration").json()
    assert found["revocation_endpoint"] == me.facts["auth_url"] + "/oauth2/v2.0/revoke"
    assert found["token_endpoint"] == me.facts["auth_url"] + "/oauth2/v2.0/token"
    assert found["token_endpoint_auth_methods_supported"] == ["client_secret_post"]
    (key,) = me.http.get(found["jwks_uri"]).json()["keys"]
    assert (key["kty"], key["alg"], key["e"]) == ("RSA", "RS256", "AQAB")
