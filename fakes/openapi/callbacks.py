"""The events that are sent to the server of a bot: the webhooks of the OpenAPI document."""

from fakes.openapi.examples import MESSAGES, Examples
from fakes.openapi.provenance import Described, describe_provenance
from fakes.openapi.schemas import EVENT_MODELS, model_schemas, refer_to_schema
from fakes.rulebook import callbacks
from svckit.models.event import MINIMUM_CLIENT_VERSION

__all__ = ["describe_webhooks", "make_event_schemas"]

RESTS_ON = (
    callbacks.EVENT,
    callbacks.ADDRESS,
    callbacks.HEADERS,
    callbacks.FIELDS,
    callbacks.CONTENT,
)
HEADERS = (
    ("Signature of the exact body, in base64.", callbacks.SIGNATURE),
    ("ID of the bot.", callbacks.BOT_ID_HEADER),
)
"""The words and rules of the headers of an event, in their order, after the media type."""


def describe_webhooks(examples: Examples) -> Described:
    """Return the webhook that all events are sent to, with an example of each type from the sample."""
    events = {kind: examples.event(kind) for kind in MESSAGES}
    headers, _ = events["text"]
    operation = {
        "operationId": "callback.message",
        "summary": "A member has written to the bot",
        "description": "The URL is up to the bot; the description does not show how it is registered.",
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": words,
                "schema": {"type": "string"},
                "example": example,
                "x-provenance": describe_provenance([rule]),
            }
            for (name, example), (words, rule) in zip(list(headers.items())[1:], HEADERS, strict=True)
        ],
        "requestBody": {
            "required": True,
            "content": {
                headers["Content-Type"]: {
                    "schema": {"oneOf": [refer_to_schema(f"{kind.capitalize()}Event") for kind in MESSAGES]},
                    "examples": {
                        kind: {"summary": describe_support(kind), "value": body}
                        for kind, (_, body) in events.items()
                    },
                }
            },
        },
        "responses": {
            "200": {
                "description": "Success. Whatever the response, nothing is sent again.",
                "x-provenance": describe_provenance([callbacks.DELIVERED, callbacks.NOT_RESENT]),
            }
        },
        "x-provenance": describe_provenance(RESTS_ON),
    }
    return {"message": {"post": operation}}


def describe_support(kind: str) -> str:
    """Return which clients send a type of message."""
    version = MINIMUM_CLIENT_VERSION[kind]
    return f"Supported from client version {version}." if version else "Supported by all clients."


def make_event_schemas() -> Described:
    """Return the schemas of the events by name, one for each type of content."""
    schemas = model_schemas(EVENT_MODELS)
    general = schemas.pop("MessageEvent")
    del schemas["UnknownContent"]
    for kind in MESSAGES:
        name = kind.capitalize()
        schemas[f"{name}Event"] = general | {
            "properties": general["properties"] | {"content": refer_to_schema(f"{name}Content")},
            "description": f"A message of the type {kind}.",
            "title": f"{name}Event",  # generators name a class by it
        }
    return schemas
