"""The admin interface: what a program that does not hold the fake can do with it, and who may."""

import asyncio

import httpx
import pytest

from fakes import FakeService
from fakes.handlers.admin_routes import ADMIN_ROUTES

from ..admin import Admin
from ..caller import NOW, make

# Who may


KEYED = [route for route in ADMIN_ROUTES if not route.keyless]


@pytest.mark.parametrize("route", KEYED, ids=lambda route: route.operation)
def test_without_the_key_nothing_is_done(admin, route):
    path = route.template.replace("{", "").replace("}", "")
    key, before = admin.fake.facts["admin_key"], admin.fake.snapshot()
    for header in ("", "Bearer", "Bearer ", "Bearer wrong", f"Basic {key}", key, f"Bearer {key}x"):
        response = admin(route.method, path, {}, headers={"Authorization": header})
        assert (response.status_code, response.json().keys()) == (401, {"code", "description"})
        assert "Authorization: Bearer <admin_key>" in response.json()["description"]
        assert key not in response.text
    assert admin.fake.snapshot() == before


def test_only_what_describes_needs_no_key():
    without = [route.operation for route in ADMIN_ROUTES if route.keyless]
    assert without == [f"admin.{name}" for name in ("index", "health", "openapi", "admin_openapi")]


def test_key_of_another_fake_and_access_tokens_do_not_do(fake):
    for other in (FakeService.sample(seed=1).facts["admin_key"], fake.access_token()):
        assert Admin(fake, other)("GET", "/clock").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("GET", "/clocks", "the nearest is GET /clock"),
        ("DELETE", "/clock", "the method is GET or POST, not DELETE"),
        ("POST", "/", "is not a call of the admin interface"),
    ],
)
def test_other_calls_are_not_found(admin, method, path, said):
    assert said in admin.refused(method, path, status=404)
    assert admin.http.request(method, path, headers={"Authorization": ""}).status_code == 401


# It is no part of the service


def test_an_empty_body_is_told(admin):
    assert (
        admin.refused("POST", "/webhooks") == "the body must be JSON: it is empty; send an object, such as {}"
    )


def test_calls_leave_no_trace_in_the_journal_and_the_rules(admin):
    used = list(admin.fake.rules.records())
    names = "clock domain journal rules faults webhooks snapshot users/u-001"
    for name in names.split():
        response = admin("GET", f"/{name}")
        assert response.status_code == 200
        assert "X-Fake-Assumed" not in response.headers
    assert len(admin.fake.journal) == 0
    assert [r["id"] for r in used] == [r["id"] for r in admin.fake.rules.records()]


def test_faults_never_touch_it(admin):
    admin.fake.faults.status("*", 503, times=None)
    admin.fake.faults.connect_error("*", times=None)
    assert admin("GET", "/clock").status_code == 200


def test_choices_of_assumptions_do_not_change_it():
    admin = Admin(make(assume={"api.error-body": "oauth2", "api.invalid": "422"}))
    assert "is not a call" in admin.refused("GET", "/nowhere", status=404)
    strict = Admin(make(assumptions="refuse"))
    assert strict("POST", "/clock", {"advance": 1}).status_code == 200
    assert strict("GET", "/nowhere").status_code == 404


# What it does


def test_webhooks(admin):
    assert admin("PUT", "/rooms/r%2F2/bot").status_code == 204
    made = admin("POST", "/webhooks", {"title": "Builds", "channelId": "r/2"})
    assert made.status_code == 201
    assert admin("GET", "/webhooks").json()["webhooks"][1] == made.json()
    assert (
        httpx.Client(transport=admin.fake.transport())
        .post(made.json()["url"], json={"body": {"text": 'hi <m userId="u-002">'}})
        .is_success
    )
    webhook = admin.fake.webhooks.all()[1]
    assert admin("GET", "/rooms/r%2F2/messages").json() == {
        "messages": [
            {
                "title": "Builds",
                "text": 'hi <m userId="u-002">',
                "button": None,
                "mentions": ["u-002"],
                "webhookId": webhook.webhook_id,
                "sentAt": NOW,
            }
        ],
        "dropped": 0,
    }


def test_the_five_steps_of_the_setup_in_order(admin):
    webhook = {"title": "Builds", "channelId": "room-2"}
    assert admin("DELETE", "/notification-app").status_code == 204
    assert "step 1" in admin.refused("PUT", "/rooms/room-2/bot", None, status=409)
    assert "step 1" in admin.refused("POST", "/webhooks", webhook, status=409)
    assert admin("PUT", "/notification-app").status_code == 204
    assert "step 2" in admin.refused("POST", "/webhooks", webhook, status=409)
    assert admin("PUT", "/rooms/room-2/bot").status_code == 204
    assert admin("GET", "/rooms").json()["rooms"] == [
        {"channelId": "channel-1", "botInvited": False},
        {"channelId": "room-2", "botInvited": True},
    ]
    assert admin("GET", "/rooms/room-2/webhooks").json() == {"webhooks": []}
    added = admin("POST", "/webhooks", webhook)
    assert added.status_code == 201
    assert admin("GET", "/rooms/room-2/webhooks").json() == {"webhooks": [added.json()]}
    assert admin("DELETE", "/rooms/room-2/bot").status_code == 204
    assert admin("GET", "/webhooks").json() == {"webhooks": []}
    assert "room-2" in admin.refused("GET", "/rooms/room-9/webhooks", None, status=404)


def test_user(admin):
    fake = admin.fake
    known = admin("GET", "/users/u-002").json()
    assert known["loginId"] == known["linkId"] == fake.directory["u-002"]["email"]
    assert known["password"] == fake.auth.password("u-002")
    assert known["statuses"] == []


def test_messages_and_callbacks(admin):
    came = []
    undelivered = admin("POST", "/messages", MESSAGE).json()
    assert undelivered["delivered"] is False
    assert "PUT /bots/{botId}/callback" in undelivered["error"]
    admin.fake.callbacks.connect("bot-1", lambda headers, body: came.append(body))
    sent = admin("POST", "/messages", MESSAGE | {"channelId": "channel-1"}).json()
    assert (sent["delivered"], sent["status"], sent["error"]) == (True, 200, None)
    assert sent["event"]["source"]["channelId"] == "channel-1"
    assert len(came) == 1
    sticker = {"content": {"type": "sticker", "packageId": "1", "stickerId": "1"}, "clientVersion": "2.2"}
    assert "supported from 2.3" in admin("POST", "/messages", MESSAGE | sticker).json()["error"]


def test_receiver_may_share_the_event_loop_of_the_sender(fake):
    """A bot's server and the program that sends the message, in one loop, through the door for httpx."""

    async def receive(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def run():
        async with await asyncio.start_server(receive, "127.0.0.1", 0) as server:
            host, port = server.sockets[0].getsockname()
            fake.callbacks.connect("bot-1", f"http://{host}:{port}/callback")
            headers = {"Authorization": f"Bearer {fake.facts['admin_key']}"}
            async with httpx.AsyncClient(transport=fake.transport(), headers=headers) as http:
                return (await http.post(fake.facts["admin_url"] + "/messages", json=MESSAGE)).json()

    assert asyncio.run(run())["delivered"] is True


def test_callback_address(admin):
    assert admin("PUT", "/bots/bot-1/callback", {"url": "http://127.0.0.1:9/x"}).status_code == 204
    assert repr(admin.fake.callbacks.bot("bot-1").receiver) == "<HttpReceiver: http://127.0.0.1:9/x>"
    assert admin("PUT", "/bots/bot-1/callback", {"url": None}).status_code == 204
    assert admin.fake.callbacks.bot("bot-1").receiver is None


# What it refuses, and in which words

TEXT = {"type": "text", "text": "hi"}
MESSAGE = {"botId": "bot-1", "userId": "u-001", "content": TEXT}
WRONG = [
    ("POST", "/clock", {}, "either"),
    ("POST", "/clock", {"advance": 1, "to": NOW}, "either"),
    ("POST", "/clock", {"advance": "1"}, "advance must be a number"),
    ("POST", "/clock", {"advance": None}, "cannot be null"),
    ("POST", "/clock", {"advance": -1}, "forward only"),
    ("POST", "/clock", {"advance": 1e300}, "cannot be moved like this"),
    ("POST", "/clock", {"to": "tomorrow"}, "is not an instant"),
    ("POST", "/clock", {"to": "2026-07-01T00:00:00"}, "no offset"),
    ("POST", "/clock", {"minutes": 5}, "minutes is not a field of this call; its fields are advance, to"),
    ("PATCH", "/domain", [], "JSON object"),
    ("PATCH", "/domain", {"singleSignOn": "yes"}, "singleSignOn must be true or false"),
    ("PATCH", "/domain", {"singleSignOn": True, "advanced": True}, "advanced is not a field"),
    ("PATCH", "/domain", {"domainId": 5}, "domainId is always 10000001"),
    (
        "PATCH",
        "/domain",
        {"customProperties": [{"name": "x"}]},
        "customProperties[0].propertyType is required",
    ),
    ("PATCH", "/domain", {"retirementDates": {"x": "2026-01-01"}}, "must have the keys"),
    ("POST", "/webhooks", {"title": "x"}, "channelId is required"),
    ("POST", "/webhooks", {"title": "", "channelId": "channel-1"}, "needs a title"),
    ("PUT", "/bots/bot-1/callback", {"url": "ftp://x"}, "http or https URL"),
    ("PUT", "/bots/bot-1/callback", {"url": "http://127.0.0.1:99999/"}, "must have a port from 1 to 65535"),
    ("PUT", "/bots/bot-1/callback", {}, "url is required"),
    ("POST", "/messages", {"botId": "bot-1", "userId": "u-001"}, "content is required"),
    ("POST", "/messages", MESSAGE | {"content": {}}, "content.type"),
    ("POST", "/messages", MESSAGE | {"clientVersion": "x"}, "like 2.3"),
    ("POST", "/messages", MESSAGE | {"channelId": ""}, "channelId"),
    ("POST", "/faults", {}, '"kind", one of status, delay'),
    ("POST", "/faults", {"kind": "status", "status": 200}, "status"),
    ("POST", "/faults", {"kind": "status", "target": "user.update"}, "did you mean users.update?"),
    ("POST", "/faults", {"kind": "delay"}, "seconds must be a number of seconds above 0"),
    ("POST", "/faults", {"kind": "reset", "seconds": 1}, "its options are target, times, skip, applied"),
    ("POST", "/faults", {"kind": "reset", "target": 7}, "target must be text"),
    ("PUT", "/snapshot", {}, "GET /snapshot"),
    ("POST", "/tokens", {"user": "u-001"}, "its fields are scope, userId"),
    ("PATCH", "/rules", {"assume": {"api.unautorized": "403"}}, "did you mean api.unauthorized"),
    (
        "PATCH",
        "/rules",
        {"assume": {"api.unauthorized": "403", "api.invalid": "1"}},
        "not an alternative of api.invalid",
    ),
    ("PATCH", "/rules", {"assume": {"api.bearer": "none"}}, "GET /rules"),
    ("PATCH", "/rules", {"assumptions": "maybe"}, "assumptions"),
    ("PATCH", "/rules", {"deviations": {"file.sored": "200"}}, "did you mean"),
    (
        "PATCH",
        "/rules",
        {"assumptions": "refuse", "deviations": {"file.stored": "200"}},
        "choose one or the other",
    ),
    *(
        ("GET", f"/journal?{query}", None, "takes the query parameters bodies=true")
        for query in ("bodies=maybe", "since=-1", "status=many", "status=" + "9" * 5000, "colour=red")
    ),
    ("GET", "/journal?operation=users.updte", None, "did you mean users.update?"),
    ("GET", "/clock?x=1", None, "takes no query"),
    ("GET", "/users?limit=many", None, "limit"),
    ("DELETE", "/stubs?path=/groups", None, "method"),
    ("POST", "/reset", {"x": 1}, "takes no body"),
    ("PUT", "/rooms/r-2/bot", {"x": 1}, "takes no body"),
    ("PUT", "/notification-app", {"x": 1}, "takes no body"),
    ("PUT", "/snapshot", {"version": 99}, "update svckit"),
    ("PUT", "/snapshot", [1], "not a snapshot"),
]


@pytest.mark.parametrize(("method", "path", "body", "said"), WRONG)
def test_what_is_wrong_is_said_and_changes_nothing(admin, method, path, body, said):
    assert said in admin.refused(method, path, body)


@pytest.mark.parametrize("body", [b"", b"{", b"{'a': 1}", b'{"advance": NaN}', b"\xff"])
def test_what_is_no_json_is_said(admin, body):
    assert "must be JSON" in admin.refused("POST", "/clock", content=body)


@pytest.mark.parametrize(
    ("method", "path", "body", "said"),
    [
        ("GET", "/users/u-999", None, "there is no user 'u-999'"),
        ("POST", "/tokens", {"userId": "u-999"}, "there is no user 'u-999'"),
        ("POST", "/tokens", {"userId": ""}, "there is no user ''"),
        ("POST", "/files", {"place": "/users/u-999/photo", "name": "a", "text": ""}, "there is no user"),
        ("GET", "/rooms/r-9/messages", None, "choose from: channel-1"),
        ("GET", "/bots/bot-9/messages", None, "the bots are bot-1"),
        ("GET", "/faults/1", None, "no fault that still applies"),
        ("DELETE", "/faults/1", None, "no fault that still applies"),
        ("DELETE", "/stubs?method=GET&path=/groups", None, "there is no stub"),
        ("PUT", "/bots/bot-9/callback", {"url": None}, "the bots are bot-1"),
        ("POST", "/messages", MESSAGE | {"botId": "bot-9"}, "the bots are bot-1"),
        ("POST", "/messages", MESSAGE | {"userId": "u-999"}, "there is no user"),
    ],
)
def test_what_is_not_there_is_said(admin, method, path, body, said):
    assert said in admin.refused(method, path, body, status=404)
