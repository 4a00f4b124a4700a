"""The OpenAPI document of the admin calls: valid, whole, and true of what each call takes and returns."""

import json
import re

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from fakes import Worlds
from fakes.faults.kinds import KINDS
from fakes.handlers.admin_routes import ADMIN_ROUTES

from ..admin import Admin, describe, find_operation
from ..caller import NOW, make
from ..keys import private_key, public_pem
from .test_openapi import complaints

WEBHOOK = {"title": "Alerts", "channelId": "channel-1"}
MESSAGE = {"botId": "bot-1", "userId": "u-001", "content": {"type": "text", "text": "hello"}}
MINA = {"email": "mina@company.example", "userName": {}}
FILE = {"place": "/users/u-001/drive/files", "name": "a.txt", "text": "hello"}
PROGRESS = {"lesson": "00", "outcome": "started", "tries": 0, "at": NOW}
RECEIVER = {"url": "https://bot.example.com/callback"}

AUTHORIZE_URL = (
    "https://auth.fake.test/oauth2/v2.0/authorize?client_id=client-1&response_type=code&scope=user&state=s-1"
    "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8731%2Fcallback"
)
# Each call that succeeds, in an order in which they do.
CALLS = [
    ("GET", "/", None),
    ("GET", "/health", None),
    ("GET", "/facts", None),
    ("GET", "/clock", None),
    ("POST", "/clock", {"advance": 90}),
    ("POST", "/clock", {"to": "2026-06-02T00:00:00Z"}),
    ("GET", "/domain", None),
    ("PATCH", "/domain", {"singleSignOn": False, "retirementDates": {"custom-fields": "2026-12-01"}}),
    ("POST", "/applications", {"redirectUri": "http://127.0.0.1:1/"}),
    ("PUT", "/applications/client-1/key", {"publicKey": public_pem(private_key())}),
    ("POST", "/tokens", {}),
    ("POST", "/tokens", {"userId": "u-002", "scope": "user"}),
    ("POST", "/sign-in", {"url": AUTHORIZE_URL}),
    ("POST", "/sign-in", {"url": AUTHORIZE_URL, "userId": "u-002"}),
    ("GET", "/users", None),
    ("GET", "/users?skip=1&limit=2", None),
    ("GET", "/users/u-001", None),
    ("PUT", "/users/mina", MINA),
    ("PUT", "/users/mina", MINA | {"isDeleted": True}),
    ("DELETE", "/users/mina", None),
    ("POST", "/files", FILE),
    ("GET", "/files", None),
    ("POST", "/bots", {}),
    ("POST", "/bots", {"botId": "greeter", "callbackUrl": "https://bot.example.com/callback"}),
    ("GET", "/snapshot", None),
    ("GET", "/webhooks", None),
    ("POST", "/webhooks", WEBHOOK),
    ("GET", "/rooms", None),
    ("GET", "/rooms/channel-1/webhooks", None),
    ("GET", "/rooms/channel-1/messages", None),
    ("PUT", "/bots/bot-1/callback", {"url": None}),
    ("GET", "/bots/bot-1/messages", None),
    ("POST", "/messages", MESSAGE),
    ("POST", "/messages", MESSAGE | {"channelId": "channel-1", "clientVersion": "99.0"}),
    ("GET", "/journal", None),
    ("GET", "/journal?bodies=true", None),
    ("GET", "/journal?operation=users.*&status=200&since=1", None),
    ("GET", "/rules", None),
    ("PATCH", "/rules", {"assume": {"api.unauthorized": "403"}, "assumptions": "allow"}),
    *(("POST", "/faults", {"kind": kind}) for kind in KINDS if kind != "delay"),
    ("POST", "/faults", {"kind": "delay", "target": "users.update", "seconds": 2.5, "times": None}),
    ("POST", "/faults", {"kind": "status", "status": 500, "retryAfter": 3, "times": 2, "used": 1}),
    ("POST", "/faults", {"kind": "truncate", "afterBytes": 3}),
    ("GET", "/faults", None),
    ("GET", "/faults/{number}", None),
    ("DELETE", "/faults/{number}", None),
    ("DELETE", "/faults", None),
    ("DELETE", "/notification-app", None),
    ("PUT", "/notification-app", None),
    ("PUT", "/rooms/channel-1/bot", None),
    ("DELETE", "/rooms/channel-1/bot", None),
    ("DELETE", "/journal", None),
    ("POST", "/reset", None),
    ("POST", "/stubs", {"method": "GET", "path": "/groups"}),
    (
        "POST",
        "/stubs",
        {"method": "GET", "path": "/groups/{groupId}", "json": None, "then": [{"status": 404}]},
    ),
    ("GET", "/stubs", None),
    ("DELETE", "/stubs?method=GET&path=/groups", None),
    ("DELETE", "/stubs", None),
    ("POST", "/worlds", {}),
    (
        "POST",
        "/worlds",
        {"name": "ada", "users": 3, "seed": 1, "now": NOW, "assume": {"api.unauthorized": "403"}},
    ),
    ("POST", "/worlds/mina", {"data": [MINA]}),
    ("GET", "/worlds", None),
    ("GET", "/worlds/mina", None),
    ("DELETE", "/worlds/mina", None),
    ("POST", "/progress", PROGRESS),
    (
        "POST",
        "/progress",
        PROGRESS | {"outcome": "not yet", "check": "too soon", "tries": 1, "learner": "Mina"},
    ),
    ("GET", "/progress", None),
    ("POST", "/pushes", {"fault": {"kind": "status", "status": 503}}),
    ("POST", "/pushes", {"clear": "faults"}),
    ("POST", "/pushes", {"clock": {"advance": 60}}),
    ("POST", "/pushes", {"message": MESSAGE}),
    ("GET", "/pushes", None),
    ("GET", "/pushes?since=1", None),
    ("GET", "/openapi.json", None),
    ("GET", "/admin-openapi.json", None),
]

REFUSED = [
    ("GET", "/snapshot", None, 409),
    ("PUT", "/applications/client-9/key", {"publicKey": public_pem(private_key())}, 404),
    ("PUT", "/applications/client-1/key", {"publicKey": "x"}, 400),
    ("GET", "/clock?x=1", None, 400),
    ("POST", "/clock", {"advance": 1, "to": "2026-06-02T00:00:00Z"}, 400),
    ("PATCH", "/domain", {"colour": "red"}, 400),
    ("POST", "/tokens", {"userId": "x"}, 404),
    ("POST", "/sign-in", {"url": "https://auth.fake.test/"}, 400),
    ("POST", "/sign-in", {"url": AUTHORIZE_URL, "userId": "x"}, 404),
    ("GET", "/users/x", None, 404),
    ("PUT", "/users/mina", {}, 400),
    ("PUT", "/users/mina", MINA | {"userExternalKey": "emp-00002"}, 409),
    ("DELETE", "/users/mina", None, 404),
    ("POST", "/files", FILE | {"place": "/users/x/photo"}, 404),
    ("POST", "/files", FILE | {"place": "/photo"}, 400),
    ("POST", "/bots", {"botId": "bot-1"}, 409),
    ("GET", "/rooms/x/webhooks", None, 404),
    ("GET", "/rooms/x/messages", None, 404),
    ("PUT", "/bots/x/callback", RECEIVER, 404),
    ("GET", "/bots/x/messages", None, 404),
    ("POST", "/messages", MESSAGE | {"userId": "x"}, 404),
    ("POST", "/webhooks", WEBHOOK | {"channelId": "x"}, 409),
    ("POST", "/faults", {"kind": "delay"}, 400),
    ("GET", "/faults/1", None, 404),
    ("DELETE", "/faults/1", None, 404),
    ("GET", "/users?limit=many", None, 400),
    ("DELETE", "/stubs?path=/groups", None, 400),
    ("DELETE", "/stubs?method=GET&path=/groups", None, 404),
    ("POST", "/worlds", {"name": "Mina"}, 400),
    ("POST", "/worlds/mina", {"name": "ada"}, 400),
    ("POST", "/worlds", {"users": 0}, 400),
    ("GET", "/worlds/mina", None, 404),
    ("DELETE", "/worlds/mina", None, 404),
    ("POST", "/progress", PROGRESS | {"tries": -1}, 400),
    ("POST", "/pushes", {}, 400),
    ("GET", "/pushes?since=x", None, 400),
    ("POST", "/stubs", {"method": "GET"}, 400),
    ("POST", "/stubs", {"method": "PATCH", "path": "/users/{userId}"}, 409),
]


@pytest.fixture
def document():
    return describe()


def schema_of(content):
    return content["application/json"]["schema"]


def check_call(document, admin, method, path, body):
    """Make a call that succeeds; its request and response must be those of the document."""
    operation = find_operation(method, path)
    response = admin(method, path, body)
    assert response.is_success, (method, path, response.text)
    content = operation["responses"][str(response.status_code)].get("content")
    assert bool(response.content) == bool(content)
    assert content is None or complaints(document, schema_of(content), response.json()) == []
    taken = operation.get("requestBody")
    assert (body is None) == (taken is None)
    assert taken is None or complaints(document, schema_of(taken["content"]), body) == []
    return operation["operationId"]


def test_it_is_valid(document):
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_it_has_every_admin_call_and_no_other(document):
    found = {
        (method.upper(), path, each["operationId"], each["security"] == [])
        for path, item in document["paths"].items()
        for method, each in item.items()
    }
    assert found == {(each.method, each.template, each.operation, each.keyless) for each in ADMIN_ROUTES}


def test_each_call_takes_and_returns_what_the_document_says(document):
    admin, with_worlds = Admin(make()), Admin(Worlds(now=NOW))
    admin.http.post(admin.fake.facts["webhooks"][0], json={"title": "CI", "body": {"text": "green"}})
    seen = set()
    for method, path, body in CALLS:
        called = with_worlds if path.startswith(("/worlds", "/progress", "/pushes")) else admin
        number = max((admin.fake.faults.number(fault) for fault in admin.fake.faults), default=0)
        seen.add(check_call(document, called, method, path.replace("{number}", str(number)), body))
    seen.add(check_call(document, admin, "PUT", "/snapshot", admin("GET", "/snapshot").json()))
    assert seen == {route.operation for route in ADMIN_ROUTES}, "each needs a row in CALLS"


def test_without_the_key_it_is_a_401_of_the_document(document):
    response = Admin(make(), "wrong")("GET", "/clock")
    described = find_operation("GET", "/clock")["responses"][str(response.status_code)]
    assert (response.status_code, complaints(document, schema_of(described["content"]), response.json())) == (
        401,
        [],
    )


def test_a_client_is_told_no_default_that_it_would_send(document):
    fields = [
        field
        for schema in document["components"]["schemas"].values()
        for field in schema.get("properties", {}).values()
    ]
    assert len(fields) > 50
    assert [field for field in fields if "default" in field] == []
    assert "service's default" not in json.dumps(document)


def test_every_field_and_path_parameter_is_described(document):
    schemas = document["components"]["schemas"]
    fields = {
        (name, field): inner
        for name, schema in schemas.items()
        for field, inner in schema.get("properties", {}).items()
    }
    assert [
        at for at, inner in fields.items() if not re.match(r"(?!The default)[A-Z]", inner["description"])
    ] == []
    parameters = [
        each
        for path in document["paths"].values()
        for call in path.values()
        for each in call.get("parameters", ())
    ]
    assert [each["name"] for each in parameters if "description" not in each] == []


def test_its_server_is_the_admin_interface_and_it_holds_no_secret(fake, document):
    assert [server["url"] for server in document["servers"]] == [fake.facts["admin_url"]]
    secrets = [fake.facts[name] for name in ("client_secret", "password", "bot_secret", "admin_key")]
    assert [secret for secret in secrets if secret in json.dumps(document)] == []


@pytest.mark.parametrize(("method", "path", "body", "status"), REFUSED)
def test_a_refusal_is_in_the_document(document, method, path, body, status):
    response = Admin(Worlds(now=NOW))(method, path, body)
    described = find_operation(method, path)["responses"][str(status)]["content"]
    assert (response.status_code, complaints(document, schema_of(described), response.json())) == (status, [])
