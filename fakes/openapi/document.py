"""The OpenAPI document as a whole."""

from typing import Any

from fakes.handlers.routes import AUTHORIZE, ROUTES, TOKEN
from fakes.http.addresses import Area, BaseURLs
from fakes.openapi.callbacks import describe_webhooks, make_event_schemas
from fakes.openapi.examples import Examples
from fakes.openapi.operations import OperationWriter
from fakes.openapi.provenance import Described, list_rules
from fakes.openapi.schemas import FORMS, list_models, model_schemas
from fakes.rulebook.rules import Rules
from svckit import __version__
from svckit.models.notification import RATE_HEADERS
from svckit.models.signature import HEADER_WORD

__all__ = ["openapi"]

VERSION = "3.1.0"
AREAS: dict[Area, str] = {
    "api": "resource API",
    "auth": "authorization server",
    "storage": "file storage",
    "hooks": "incoming notification endpoint",
}
TAGS: dict[str, str] = {
    "auth": "Authorization and tokens",
    "users": "The directory and profile statuses",
    "upload": "First step of an upload",
    "download": "First step of a download",
    "storage": "Second steps: the content itself",
    "notifications": "Messages into chat rooms",
    "retired": "Operations that are retired or will retire",
}
DESCRIPTION = """\
A workplace-chat service as this fake implements it. For each operation, `x-provenance` says whether the service's
description shows it, in which section, and lists every rule that any of its responses may rest on: documented ones, and
assumptions of the fake. For each response, it names the rules that decide for this status. `x-rules` has all rules with
their texts, and the plausible alternatives of assumed ones. `x-deviations` has the chosen departures from the
description, which the rest of the document leaves out.
The version is that of the fake: the description does not show a version of the service.\
"""


def _describe_count(words: str) -> Described:
    return {"description": words, "required": True, "schema": {"type": "integer", "minimum": 0}}


def _describe_own(words: str) -> Described:
    return {"description": f"{words}; the service has no such header.", "schema": {"type": "string"}}


HEADERS: dict[str, Described] = {
    "Content-Length": _describe_count("Size of the content in bytes."),
    "Location": {
        "description": "URL to continue at.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
    **{name: _describe_count(words) for name, words in RATE_HEADERS.items()},
    "X-Fake-Assumed": _describe_own("The assumptions that this response of the fake rests on"),
    "X-Fake-Observed": _describe_own("The measured rules that this response of the fake rests on"),
    "X-Fake-Clock": _describe_own("standing, if the fake's clock stands, so that waiting does not help"),
    "X-Fake-Deviates": _describe_own(
        "The deviations from the service's description that shaped this response of the fake"
    ),
    "X-Fake-Reason": _describe_own("What was wrong, in the fake's words"),
}


def openapi(
    rules: Rules | None = None, base_urls: BaseURLs | None = None, header_word: str = HEADER_WORD
) -> dict[str, Any]:
    """Return the faked service as an OpenAPI 3.1 document: plain JSON data, the same in every run.

    Statuses and bodies are those under the chosen alternatives. The admin interface, which the service does not have,
    is not part of it.

    Args:
        rules: the rules of a fake; by default, the default alternatives.
        base_urls: the URLs of the service; by default, those of the in-process fake.
        header_word: the word that stands for the product in the header names of events.

    Examples:
        >>> document = openapi()
        >>> document["paths"]["/users/{userId}"]["patch"]["responses"]["404"]["x-provenance"]
        {'provenance': 'assumed', 'cases': [{'when': 'The user does not exist.', 'provenance': 'assumed',
        'rules': ['user.not-found', 'user.addressing', ...
    """
    at = base_urls or BaseURLs()
    current = Rules() if rules is None else rules.copy_choices()
    examples = Examples(current, at, header_word)
    writer = OperationWriter(current, examples)
    paths: Described = {}
    for route in ROUTES:
        own = {} if route.area == "api" else {"servers": [describe_server(at, route.area)]}
        path = paths.setdefault(route.template, own)
        path[route.method.lower()] = writer.write(route)
    schemas = model_schemas(list_models()) | FORMS | writer.errors | make_event_schemas()
    return {
        "openapi": VERSION,
        "info": {
            "title": "A workplace-chat service, faked",
            "version": __version__,
            "description": DESCRIPTION,
        },
        "servers": [describe_server(at, "api")],  # one, as generated clients have one host to set
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
        "paths": paths,
        "webhooks": describe_webhooks(examples),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "headers": HEADERS,
            "securitySchemes": describe_security(at),
        },
        "x-rules": list_rules(current),
        "x-deviations": {} if rules is None else dict(rules.deviations.chosen),
    }


def describe_server(base_urls: BaseURLs, area: Area) -> Described:
    """Return the server of an area."""
    return {"url": getattr(base_urls, area), "description": AREAS[area]}


def describe_security(base_urls: BaseURLs) -> Described:
    """Return the ways in which a call authenticates."""
    token = base_urls.auth + TOKEN
    flow = {
        "authorizationUrl": base_urls.auth + AUTHORIZE,
        "tokenUrl": token,
        "refreshUrl": token,
        "scopes": {"user": "A name that this fake accepts.", "file": "Another; the names are not shown."},
    }
    return {
        "bearer": {"type": "http", "scheme": "bearer", "description": "The access token."},
        "authorizationCode": {
            "type": "oauth2",
            "flows": {"authorizationCode": flow},
            "description": "How to get a user's access token.",
        },
    }
