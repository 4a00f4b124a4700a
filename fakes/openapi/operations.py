"""One operation of the document: its parameters, its body, and its responses by status."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.handlers import error_formats
from fakes.handlers.error_formats import Dialect
from fakes.handlers.routing import Route
from fakes.http.errors import Refusal
from fakes.openapi.cases import HTML, JSON, OCTETS, RefusalCase, Success
from fakes.openapi.examples import PARAMETERS, Examples
from fakes.openapi.outcomes import list_outcomes, list_rules_of
from fakes.openapi.provenance import Described, describe_provenance
from fakes.openapi.schemas import infer_schema, refer_to_schema
from fakes.rulebook import notifications
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models.lifecycle import RETIREMENTS
from svckit.models.notification import RATE_HEADERS
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES

__all__ = ["OperationWriter"]

FORM = "application/x-www-form-urlencoded"
BODIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "auth.login": (FORM, ("LoginForm",)),
    "auth.token": (FORM, ("CodeExchange", "TokenRefresh")),
    "users.update": (JSON, ("UserChange",)),
    "users.set_status": (JSON, ("StatusRegistration",)),
    "storage.receive": ("multipart/form-data", ("UploadForm",)),
    "storage.receive_raw": (OCTETS, ("Octets",)),
    "notifications.post": (JSON, ("Notification",)),
}
"""The media type and the schemas of a request's body; a body of several schemas is one of them."""
UPLOAD_BODY = (JSON, ("UploadRequest",))

AUTHORIZATION: Mapping[str, Described] = {
    "client_id": {"schema": {"type": "string"}, "description": "ID of the application."},
    "redirect_uri": {"schema": {"type": "string"}, "description": "URL to redirect back to."},
    "scope": {"schema": {"type": "string"}, "description": "Scopes, separated by commas."},
    "response_type": {
        "schema": {"type": "string", "const": "code"},
        "description": "Type of response requested.",
    },
    "state": {"schema": {"type": "string"}, "description": "Any value, against request forgery."},
    "domain": {"schema": {"type": "string"}, "description": "Name of the domain, under single sign-on."},
}
CONTENT_RANGE: Described = {
    "name": "Content-Range",
    "in": "header",
    "description": "Range of the content in a resumable upload: <start>-<end>/<total>.",
    "schema": {"type": "string", "pattern": "^([Bb][Yy][Tt][Ee][Ss] )?[0-9]+-[0-9]+/[0-9]+$"},
}
SUMMARIES: Mapping[str, str] = {
    "auth.authorize": "Request authorization: the login screen",
    "auth.login": "Send the login screen's form",
    "auth.token": "Exchange a code for tokens, or refresh the access token",
    "users.update": "Partially update a user",
    "users.set_status": "Register a profile status for a user",
    "storage.receive": "Send the content of an upload",
    "storage.receive_raw": "Send the content of an upload as raw bytes",
    "storage.send": "Fetch the content of a download",
    "notifications.post": "Post a message into the room of a webhook",
    **{f"upload.{at.key}": f"Request a URL to upload to: {at.purpose}" for at in UPLOAD_PLACES},
    **{f"download.{at.key}": f"Request the URL of a download: {at.purpose}" for at in DOWNLOAD_PLACES},
    **{f"retired.{item.key}": f"Retired: {item.item}" for item in RETIREMENTS},
}
NOT_SHOWN = frozenset({"auth.login", "storage.receive_raw"})
"""Operations that the service's description does not have; it does not describe the retired ones either."""
ERRORS: Mapping[Dialect, str] = {
    error_formats.format_resource_error: "ResourceError",
    error_formats.format_token_error: "TokenError",
}
BEARER: list[Described] = [{"bearer": []}, {"authorizationCode": []}]


@dataclass(slots=True)
class _StatusResponse:
    """All outcomes that have one status."""

    cases: list[tuple[str, tuple[Rule, ...]]] = field(default_factory=list)
    headers: dict[str, Described] = field(default_factory=dict)
    content: dict[str, Described] = field(default_factory=dict)

    def write(self, observed: Collection[str]) -> Described:
        """Return the response of the document."""
        names = {rule.id for _, rules in self.cases for rule in rules if rule.alternatives}
        for header, found in (
            ("X-Fake-Assumed", names.difference(observed)),
            ("X-Fake-Observed", names & {*observed}),
        ):
            if found:
                self.headers.setdefault(header, refer_to_header(header))
        response: Described = {"description": " ".join(dict.fromkeys(words for words, _ in self.cases))}
        if self.headers:
            response["headers"] = dict(sorted(self.headers.items()))
        if self.content:
            response["content"] = self.content
        return response | {"x-provenance": self._describe_provenance(observed)}

    def _describe_provenance(self, observed: Collection[str]) -> Described:
        """Return the provenance of a status, which is documented or observed as soon as one of its cases is."""
        cases = [{"when": words, **describe_provenance(rules, observed)} for words, rules in self.cases]
        found = {case["provenance"] for case in cases}
        best = next((word for word in ("documented", "observed") if word in found), "assumed")
        return {"provenance": best, "cases": cases}

    def show(self, media: str, schema: Described, example: Any, name: str, words: str) -> None:
        """Add a body of a schema, with an example unless that is None."""
        content = self.content.setdefault(media, {"schema": schema})
        if example is not None:
            examples = content.setdefault("examples", {})
            number = sum(known.partition("-")[0] == name for known in examples)
            examples[f"{name}-{number + 1}" if number else name] = {"summary": words, "value": example}


class OperationWriter:
    """The writer of a document's operations, which collects the schemas of their errors.

    Args:
        rules: the chosen alternatives; looking them up does not count as use.
        examples: examples of bodies.
    """

    def __init__(self, rules: Rules, examples: Examples) -> None:
        self._rules = rules
        self._examples = examples
        self.errors: dict[str, Described] = {}

    def write(self, route: Route) -> Described:
        """Return the operation of a route."""
        family = route.operation.partition(".")[0]
        operation: Described = {
            "operationId": route.operation if family != "retired" else make_retired_id(route),
            "summary": SUMMARIES[route.operation],
            "tags": [family],
            "security": BEARER if route.area in ("api", "storage") else [],
        }
        if family == "retired":
            operation["deprecated"] = True
        if parameters := list(self._write_parameters(route)):
            operation["parameters"] = parameters
        if body := self._write_body(route):
            operation["requestBody"] = body
        documented = family != "retired" and route.operation not in NOT_SHOWN
        return operation | {
            "responses": self._write_responses(route),
            "x-provenance": {
                "provenance": "documented" if documented else "assumed",
                "section": route.section,
                "rules": [rule.id for rule in list_rules_of(route)],
            },
        }

    def _write_parameters(self, route: Route) -> Iterator[Described]:
        for segment in route.template.split("/"):
            if segment[:1] == "{":
                name = segment[1:-1]
                known: Described = {"example": PARAMETERS[name]} if name in PARAMETERS else {}
                schema = {"type": "string", "minLength": 1}
                yield {"name": name, "in": "path", "required": True, "schema": schema} | known
        if route.operation == "auth.authorize":
            for name, described in AUTHORIZATION.items():
                yield {"name": name, "in": "query", "required": name != "domain"} | described
        if route.area == "storage" and route.method != "GET":
            yield CONTENT_RANGE

    def _write_body(self, route: Route) -> Described | None:
        family = route.operation.partition(".")[0]
        media, names = BODIES.get(route.operation, UPLOAD_BODY if family == "upload" else ("", ()))
        if not names:
            return None
        schemas = [refer_to_schema(name) for name in names]
        schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
        example = self._examples[names[0]]
        examples: Described = {} if example is None else {"example": example}
        return {"required": True, "content": {media: {"schema": schema} | examples}}

    def _write_responses(self, route: Route) -> Described:
        responses: dict[int, _StatusResponse] = {}
        for outcome in list_outcomes(route, self._rules):
            if isinstance(outcome, Success):
                self._add_success(outcome, responses)
            else:
                self._add_refusal(route, outcome, responses)
        return {
            str(status): response.write(self._rules.observed)
            for status, response in sorted(responses.items())
        }

    def _add_success(self, success: Success, responses: dict[int, _StatusResponse]) -> None:
        status, rules = success.status, success.rules
        if isinstance(status, Rule):
            rules = (*rules, status)
            status = int(str(self._rules[status.id].chosen))
        response = responses.setdefault(status, _StatusResponse())
        response.cases.append((success.words, rules))
        response.headers |= {
            name: refer_to_header(name) for name in success.headers if name != "Content-Type"
        }
        if success.media and success.schema:
            example = self._examples[success.schema]
            name = success.schema[:1].lower() + success.schema[1:]
            for media in (success.media,) if isinstance(success.media, str) else success.media:
                schema = "Octets" if media == OCTETS else success.schema
                response.show(media, refer_to_schema(schema), example, name, success.words)

    def _add_refusal(self, route: Route, refusal: RefusalCase, responses: dict[int, _StatusResponse]) -> None:
        """Add a refusal in the words of the route's own dialect, so the document says what the fake does."""
        waits = refusal.kind == "too_many"
        refused = Refusal(refusal.kind, refusal.words, verbatim=refusal.verbatim, clock_stands=waits)
        refused.offset = 0 if refusal.kind == "wrong_range" else None
        with self._rules.recording() as used:
            reply = route.dialect(refused, self._rules)
        response = responses.setdefault(reply.status, _StatusResponse())
        response.cases.append((refusal.words, (*refusal.rules, *used)))
        response.headers |= {
            name: refer_to_header(name) for name, _ in reply.headers if name != "Content-Type"
        }
        if route.area == "hooks" and self._rules[notifications.REFUSED_HEADERS.id].chosen == "sent":
            response.headers |= {name: refer_to_header(name) for name in RATE_HEADERS}
        if "text/html" in dict(reply.headers)["Content-Type"]:
            response.show(HTML, refer_to_schema("Screen"), None, "", "")
            return
        body = json.loads(reply.read())
        name = ERRORS.get(route.dialect, "NotificationReply")
        if name in ERRORS.values():
            self._add_error(name, infer_schema(body))
        response.show(JSON, refer_to_schema(name), body, refusal.kind, refusal.words)

    def _add_error(self, name: str, schema: Described) -> None:
        """Add the schema of an error; fields that not all such errors have are optional."""
        known = self.errors.setdefault(name, schema)
        required = [each for each in known["required"] if each in schema["required"]]
        properties = known["properties"] | schema["properties"]
        self.errors[name] = known | {"properties": properties, "required": required}


def refer_to_header(name: str) -> Described:
    """Return a reference to a header of the components."""
    return {"$ref": f"#/components/headers/{name}"}


def make_retired_id(route: Route) -> str:
    """Return a unique ID for an operation that is retired with others; in the journal they share a name."""
    words = "-".join(part.strip("{}") for part in route.template.split("/") if part)
    return f"{route.operation}.{route.method.lower()}-{words}"
