"""The request bodies and the responses of the admin calls, as schemas."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from pydantic import BaseModel

from fakes.faults.kinds import AnyFault
from fakes.handlers import admin_data, admin_domain, admin_records, admin_rooms, admin_worlds
from fakes.openapi.admin_words import describe_fields
from fakes.openapi.provenance import Described
from fakes.openapi.schemas import model_schemas, refer_to_schema
from fakes.parts.settings import DomainSettings
from fakes.stubs.records import StubRecord

__all__ = ["CALLS", "AdminCall", "make_schemas"]

TEXT: Described = {"type": "string"}
TEXTS: Described = {"type": "array", "items": TEXT}
TEXT_OR_NULL: Described = {"type": ["string", "null"]}
INSTANT: Described = {"type": "string", "format": "date-time"}
COUNT: Described = {"type": "integer", "minimum": 0}
COUNT_OR_NULL: Described = {"type": ["integer", "null"], "minimum": 0}
FLAG: Described = {"type": "boolean"}
ANY_OBJECT: Described = {"type": "object", "additionalProperties": True}


def make_object(**properties: Described) -> Described:
    """Return the schema of an object that always has these properties, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def make_list(items: Described) -> Described:
    """Return the schema of an array."""
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True)
class AdminCall:
    """An admin call as the document describes it.

    Attributes:
        response: the schema of the response's body; None without a body.
        status: the status of success.
        body: the name of the body's schema; None if the call takes no body.
        errors: the statuses of refusals, besides those that every call may get.
        replaced: another status of success, if something was replaced.
    """

    response: Described | None
    status: int = 200
    body: str | None = None
    errors: tuple[int, ...] = ()
    replaced: int | None = None


SETTINGS = AdminCall(refer_to_schema("DomainSettings"))
RULES = make_object(
    rules=make_list(refer_to_schema("Rule")), deviations=make_list(refer_to_schema("Deviation"))
)
DONE = AdminCall(None, 204)

CALLS: Mapping[str, AdminCall] = {
    "index": AdminCall(
        make_object(calls=make_list(make_object(method=TEXT, path=TEXT, does=TEXT, key=FLAG))),
    ),
    "health": AdminCall(make_object(status={"const": "ok"})),
    "facts": AdminCall(refer_to_schema("Facts")),
    "clock.read": AdminCall(make_object(now=INSTANT)),
    "clock.move": AdminCall(make_object(now=INSTANT), body="Move"),
    "domain.read": SETTINGS,
    "domain.change": AdminCall(SETTINGS.response, body="DomainSettings"),
    "applications.register": AdminCall(
        make_object(clientId=TEXT, clientSecret=TEXT, redirectUri=TEXT), 201, "Registration"
    ),
    "applications.set_key": AdminCall(None, 204, "NewKey", (404, 409)),
    "tokens.issue": AdminCall(make_object(accessToken=TEXT), 201, "TokenRequest", (404,)),
    "sign_in": AdminCall(make_object(redirect=TEXT), body="SignIn", errors=(404,)),
    "users.read": AdminCall(
        make_object(userId=TEXT, loginId=TEXT, password=TEXT, linkId=TEXT, statuses=make_list(ANY_OBJECT)),
        errors=(404,),
    ),
    "users.put": AdminCall(ANY_OBJECT, 201, "WholeUser", (409,), replaced=200),
    "users.remove": AdminCall(None, 204, errors=(404, 409)),
    "files.put": AdminCall(make_object(fileId=TEXT), 201, "NewFile", (404, 409)),
    "snapshot.take": AdminCall(ANY_OBJECT, errors=(409,)),
    "snapshot.restore": AdminCall(None, 204, "Snapshot", errors=(409,)),
    "reset": DONE,
    "webhooks.list": AdminCall(make_object(webhooks=make_list(refer_to_schema("Webhook")))),
    "webhooks.add": AdminCall(refer_to_schema("Webhook"), 201, "NewWebhook", (409,)),
    "app.add": DONE,
    "app.remove": DONE,
    "rooms.list": AdminCall(make_object(rooms=make_list(make_object(channelId=TEXT, botInvited=FLAG)))),
    "rooms.invite_bot": AdminCall(None, 204, errors=(409,)),
    "rooms.remove_bot": DONE,
    "rooms.webhooks": AdminCall(make_object(webhooks=make_list(refer_to_schema("Webhook"))), errors=(404,)),
    "rooms.read": AdminCall(
        make_object(messages=make_list(refer_to_schema("Message")), dropped=COUNT), errors=(404,)
    ),
    "bots.add": AdminCall(make_object(botId=TEXT, botSecret=TEXT), 201, "NewBot", (409,)),
    "bots.connect": AdminCall(None, 204, "CallbackURL", (404,)),
    "messages.send": AdminCall(
        make_object(
            delivered=FLAG,
            status={"type": ["integer", "null"]},
            error=TEXT_OR_NULL,
            event=ANY_OBJECT,
        ),
        body="MemberMessage",
        errors=(404,),
    ),
    "journal.read": AdminCall(make_object(exchanges=make_list(refer_to_schema("JournalEntry")))),
    "journal.clear": DONE,
    "rules.list": AdminCall(RULES),
    "rules.choose": AdminCall(RULES, body="Choices"),
    "faults.list": AdminCall(make_object(faults=make_list(refer_to_schema("Fault")))),
    "faults.add": AdminCall(refer_to_schema("Fault"), 201, "Fault"),
    "faults.clear": DONE,
    "stubs.list": AdminCall(make_object(stubs=make_list(refer_to_schema("StubRecord")))),
    "stubs.add": AdminCall(refer_to_schema("StubRecord"), 201, "StubRecord", (409,)),
    "stubs.clear": DONE,
    "worlds.list": AdminCall(make_object(worlds=TEXTS), errors=(404,)),
    "worlds.add": AdminCall(refer_to_schema("Facts"), 201, "NewWorld", (404, 409, 421)),
    "worlds.read": AdminCall(refer_to_schema("Facts"), errors=(404, 421)),
    "worlds.add_named": AdminCall(refer_to_schema("Facts"), 201, "NewWorld", (404, 409, 421)),
    "worlds.remove": AdminCall(None, 204, errors=(404, 421)),
    "openapi": AdminCall(ANY_OBJECT),
    "asyncapi": AdminCall(ANY_OBJECT),
    "admin_openapi": AdminCall(ANY_OBJECT),
}
"""The admin calls by the name of their operation, without ``admin.``"""

BODIES: tuple[type[BaseModel], ...] = (
    admin_data.NewBot,
    admin_data.NewFile,
    admin_domain.Move,
    admin_domain.NewKey,
    admin_domain.Registration,
    admin_domain.SignIn,
    admin_domain.TokenRequest,
    admin_records.Choices,
    admin_rooms.NewWebhook,
    admin_rooms.CallbackURL,
    admin_rooms.MemberMessage,
    admin_worlds.NewWorld,
    DomainSettings,
    StubRecord,
)

RECORDS: Mapping[str, Described] = {
    "Snapshot": ANY_OBJECT | {"description": "The whole state of a fake, as GET /snapshot returns it."},
    "Facts": ANY_OBJECT | {"description": "What configures a client: the keys of the ready line."},
    "WholeUser": ANY_OBJECT
    | {"description": "A user with the service's fields, of which email and userName are required."},
    "Webhook": make_object(url=TEXT, title=TEXT, channelId=TEXT),
    "Message": make_object(
        title=TEXT_OR_NULL,
        text=TEXT,
        button={"type": ["object", "null"], "additionalProperties": TEXT},
        mentions=TEXTS,
        webhookId=TEXT,
        sentAt=INSTANT,
    ),
    "Rule": make_object(
        id=TEXT,
        provenance={"enum": ["documented", "assumed", "observed"]},
        section=TEXT,
        text=TEXT,
        alternatives=TEXTS,
        chosen=TEXT_OR_NULL,
        used=COUNT,
        observed={"anyOf": [refer_to_schema("Measurement"), {"type": "null"}]},
    ),
    "Measurement": make_object(
        result={"enum": ["confirmed", "alternative", "refuted"]},
        value=TEXT_OR_NULL,
        seen=COUNT,
        statuses={"type": "array", "items": COUNT},
        source=TEXT,
        date=TEXT,
    ),
    "Deviation": make_object(
        id=TEXT,
        departsFrom=TEXTS,
        section=TEXT,
        text=TEXT,
        need=TEXT,
        values=TEXTS,
        chosen=TEXT_OR_NULL,
        used=COUNT,
    ),
    "RateLimit": make_object(used=COUNT, limit=COUNT, remaining=COUNT, reset=COUNT),
    "AdminError": make_object(code=TEXT, description=TEXT),
}
ENTRY: Described = make_object(
    number=COUNT,
    at=INSTANT,
    operation=TEXT_OR_NULL,
    method=TEXT,
    url=TEXT,
    status=COUNT_OR_NULL,
    userId=TEXT_OR_NULL,
    rules=TEXTS,
    assumed=TEXTS,
    observed=TEXTS,
    deviations=TEXTS,
    ignored=TEXTS,
    requestBytes=COUNT_OR_NULL,
    responseBytes=COUNT_OR_NULL,
    rateLimit={"anyOf": [refer_to_schema("RateLimit"), {"type": "null"}]},
    injected=TEXT_OR_NULL,
    reason=TEXT_OR_NULL,
    remedy=TEXT_OR_NULL,
    section=TEXT_OR_NULL,
    webhook=TEXT_OR_NULL,
    parts=make_list(make_object(name=TEXT, fileName=TEXT_OR_NULL, contentType=TEXT_OR_NULL)),
)
WITH_BODIES: Described = {
    "requestBody": TEXT | {"description": "Only with bodies=true."},
    "responseBody": TEXT | {"description": "Only with bodies=true."},
}


def make_schemas() -> Described:
    """Return the schemas of all bodies by name."""
    faults = get_args(AnyFault)
    found = model_schemas([(each, "validation") for each in BODIES], "The default is")
    kinds = model_schemas([(each, "validation") for each in faults], "The default is")
    for fault in faults:
        describe_fault(kinds[fault.__name__], fault)
    described = {f"{name}Fault": schema for name, schema in kinds.items()}
    any_fault: Described = {"oneOf": [refer_to_schema(name) for name in described]}
    del found["JsonValue"]  # has no fields
    found["StubRecord"]["properties"]["function"] = FLAG | {"readOnly": True}
    entry = ENTRY | {"properties": ENTRY["properties"] | WITH_BODIES}
    schemas = {**found, **described, **RECORDS, "Fault": any_fault, "JournalEntry": entry}
    return {name: describe_fields(name, schema) for name, schema in sorted(schemas.items())}


def describe_fault(schema: Described, fault: type[AnyFault]) -> None:
    """Change the schema of a saved fault to that of an admin call: wire names, and only its kind is required."""
    names = {"after_bytes": "afterBytes", "retry_after": "retryAfter"}
    properties = {names.get(name, name): value for name, value in schema["properties"].items()}
    kind: Described = {"const": fault.model_fields["kind"].default}
    derived: Described = {
        "left": COUNT_OR_NULL | {"readOnly": True},
        "label": TEXT | {"readOnly": True},
    }
    schema["properties"] = {"kind": kind} | properties | {"kind": kind} | derived  # the kind first
    schema["required"] = ["kind", *(["seconds"] if fault.__name__ == "Delay" else [])]
