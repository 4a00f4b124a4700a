"""The AsyncAPI document: the events that are sent to the server of a bot."""

from importlib.metadata import version
from typing import Any

from fakes.http.addresses import BaseURLs
from fakes.openapi.examples import MESSAGES, Examples
from fakes.openapi.provenance import Described, describe_provenance, list_rules
from fakes.openapi.schemas import EVENT_MODELS, model_schemas, refer_to_schema
from fakes.rulebook import callbacks
from fakes.rulebook.rules import Rules
from svckit.models.event import MINIMUM_CLIENT_VERSION
from svckit.models.signature import HEADER_WORD

__all__ = ["asyncapi"]

VERSION = "3.0.0"
BINDING = "0.3.0"
DESCRIPTION = """\
The events that the service sends to the server of a bot, by POST. `x-provenance` names the rules behind them:
documented ones, or assumptions of this fake. `x-rules` has all rules with their texts. The version is that of the
fake: the description does not show a version of the service.\
"""
RESTS_ON = (callbacks.EVENT, callbacks.HEADERS, callbacks.FIELDS, callbacks.CONTENT)
HEADERS: tuple[tuple[str, Any], ...] = (
    ("Media type of the body.", callbacks.HEADERS),
    ("Signature of the exact body, in base64.", callbacks.SIGNATURE),
    ("ID of the bot.", callbacks.BOT_ID_HEADER),
)
"""The words and rules of the headers of an event, in their order."""


def asyncapi(rules: Rules | None = None, header_word: str = HEADER_WORD) -> dict[str, Any]:
    """Return the events as an AsyncAPI 3 document: plain JSON data, the same in every run.

    Args:
        rules: the rules of a fake; by default, the default alternatives.
        header_word: the word that stands for the product in header names.

    Examples:
        >>> sorted(asyncapi()["components"]["messages"])
        ['file', 'image', 'location', 'sticker', 'text']
    """
    current = Rules() if rules is None else rules.copy_choices()
    examples = Examples(current, BaseURLs(), header_word)
    schemas = model_schemas(EVENT_MODELS)
    for kind in MESSAGES:
        schemas[f"{kind.capitalize()}Event"] = make_event_schema(schemas["MessageEvent"], kind)
    del schemas["MessageEvent"], schemas["UnknownContent"]
    return {
        "asyncapi": VERSION,
        "info": {
            "title": "Events of a workplace-chat service, faked",
            "version": version("svckit"),
            "description": DESCRIPTION,
        },
        "defaultContentType": "application/json",
        "servers": {
            "bot": {
                "host": "{host}",
                "protocol": "https",
                "description": "The receiving server of a bot.",
                "variables": {
                    "host": {"default": "bot.example.com", "description": "Host of the bot's server."}
                },
            }
        },
        "channels": {"callback": describe_channel()},
        "operations": {"receiveMessage": describe_operation()},
        "components": {
            "messages": {kind: describe_message(kind, examples) for kind in MESSAGES},
            "schemas": dict(sorted(schemas.items())),
        },
        "x-rules": list_rules(current),
    }


def make_event_schema(general: Described, kind: str) -> Described:
    """Return the schema of an event with one type of content."""
    properties = general["properties"] | {"content": refer_to_schema(f"{kind.capitalize()}Content")}
    return {**general, "properties": properties, "description": f"A message of the type {kind}."}


def describe_channel() -> Described:
    """Return the channel to the bot's server."""
    return {
        "address": "/callback",
        "description": "The path is up to the bot; the description does not show how its URL is registered.",
        "servers": [{"$ref": "#/servers/bot"}],
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in MESSAGES},
        "x-provenance": describe_provenance([callbacks.EVENT, callbacks.ADDRESS]),
    }


def describe_operation() -> Described:
    """Return the operation that the bot's server takes part in."""
    return {
        "action": "receive",
        "channel": {"$ref": "#/channels/callback"},
        "summary": "A member has written to the bot; HTTP 200 is success, and nothing is sent again.",
        "messages": [{"$ref": f"#/channels/callback/messages/{kind}"} for kind in MESSAGES],
        "bindings": {"http": {"method": "POST", "bindingVersion": BINDING}},
        "x-provenance": describe_provenance([callbacks.EVENT, callbacks.DELIVERED, callbacks.NOT_RESENT]),
    }


def describe_message(kind: str, examples: Examples) -> Described:
    """Return a message of one type, with its headers and an example from the sample."""
    headers, payload = examples.event(kind)
    version = MINIMUM_CLIENT_VERSION[kind]
    since = f"Supported from client version {version}." if version else "Supported by all clients."
    return {
        "name": kind,
        "title": f"Message of the type {kind}",
        "summary": since,
        "headers": {
            "type": "object",
            "properties": {
                name: {"type": "string", "description": words, "x-provenance": describe_provenance([rule])}
                for name, (words, rule) in zip(headers, HEADERS, strict=True)
            },
            "required": list(headers),
        },
        "payload": refer_to_schema(f"{kind.capitalize()}Event"),
        "examples": [{"name": kind, "headers": headers, "payload": payload}],
        "x-provenance": describe_provenance(RESTS_ON),
    }
