"""One operation of the document: its parameters, its body, and its responses by status."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.handlers import error_formats
from fakes.handlers.error_formats import Dialect
from fakes.handlers.routing import Route, summarize
from fakes.http.errors import Refusal
from fakes.openapi.examples import PARAMETERS, Examples
from fakes.openapi.outcomes import Outcome, list_outcomes, list_rules_of
from fakes.openapi.provenance import Described, describe_provenance
from fakes.openapi.schemas import infer_schema, refer_to_schema
from fakes.rulebook import notifications
from fakes.rulebook.rule import RULEBOOK, Rule
from fakes.rulebook.rules import Rules
from svckit.models.notification import RATE_HEADERS

__all__ = ["OperationWriter"]

JSON = "application/json"
HTML = "text/html"
OCTETS = "application/octet-stream"
FORM = "application/x-www-form-urlencoded"
MEDIA: Mapping[str, tuple[str, ...]] = {"Screen": (HTML,), "Content": (OCTETS, "*/*")}
"""The media types of responses, by schema, that are not JSON."""
FORM_BODIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "auth.login": (FORM, ("LoginForm",)),
    "auth.token": (FORM, ("CodeExchange", "TokenRefresh")),
    "storage.receive": ("multipart/form-data", ("UploadForm",)),
    "storage.receive_bytes": (OCTETS, ("Octets",)),
}
"""The media type and the schemas of a body that is not JSON; a body of several schemas is one of them."""

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
NOT_SHOWN = frozenset({"auth.login", "storage.receive_bytes"})
"""Operations that the service's description does not have; it does not describe the retired ones either."""
ERRORS: Mapping[Dialect, str] = {
    error_formats.format_resource_error: "ResourceError",
    error_formats.format_token_error: "TokenError",
}
BEARER: list[Described] = [{"bearer": []}, {"authorizationCode": []}]


@dataclass(slots=True)
class _StatusResponse:
    """All outcomes that have one status."""

    cases: list[tuple[str, list[Rule]]] = field(default_factory=list)
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

    def show(
        self, media: str, schema: Described, example: Any = None, *, name: str = "", words: str = ""
    ) -> None:
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
            "summary": (route.does or summarize(route.handler)).removesuffix("."),
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
        media, names = FORM_BODIES.get(route.operation, (JSON, ()))
        if isinstance(route.takes, type):
            names = (route.takes.__name__,)
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
            if outcome.kind is None:
                self._add_success(route, outcome, responses)
            else:
                # With all that such a response can say: that the clock stands, or where an upload continues.
                waits = outcome.kind == "too_many"
                refusal = Refusal(outcome.kind, outcome.words, verbatim=outcome.verbatim, clock_stands=waits)
                refusal.offset = 0 if outcome.kind == "wrong_range" else None
                self._add_refusal(route, outcome, refusal, responses)
        return {
            str(status): response.write(self._rules.observed)
            for status, response in sorted(responses.items())
        }

    def _add_success(self, route: Route, success: Outcome, responses: dict[int, _StatusResponse]) -> None:
        rules, status = [RULEBOOK[name] for name in success.rules], success.status
        if isinstance(status, str):  # a rule, whose alternatives are statuses
            rules.append(RULEBOOK[status])
            status = int(str(self._rules[status].chosen))
        response = responses.setdefault(status, _StatusResponse())
        response.cases.append((success.words, rules))
        response.headers |= {name: refer_to_header(name) for name in success.headers}
        schema = success.schema or (route.returns.__name__ if isinstance(route.returns, type) else "")
        for media in MEDIA.get(schema, (JSON,)) if schema else ():
            shown = refer_to_schema("Octets" if media == OCTETS else schema)
            name = schema[:1].lower() + schema[1:]
            response.show(media, shown, self._examples[schema], name=name, words=success.words)

    def _add_refusal(
        self, route: Route, outcome: Outcome, refusal: Refusal, responses: dict[int, _StatusResponse]
    ) -> None:
        """Add a refusal in the words of the route's own dialect, so the document says what the fake does."""
        with self._rules.recording() as used:
            reply = route.dialect(refusal, self._rules)
        response = responses.setdefault(reply.status, _StatusResponse())
        response.cases.append((outcome.words, [*(RULEBOOK[name] for name in outcome.rules), *used]))
        response.headers |= {
            name: refer_to_header(name) for name, _ in reply.headers if name != "Content-Type"
        }
        if route.area == "hooks" and self._rules[notifications.REFUSED_HEADERS.id].chosen == "sent":
            response.headers |= {name: refer_to_header(name) for name in RATE_HEADERS}
        if "text/html" in dict(reply.headers)["Content-Type"]:
            response.show(HTML, refer_to_schema("Screen"))
            return
        body = json.loads(reply.read())
        name = ERRORS.get(route.dialect, "NotificationReply")
        if name in ERRORS.values():  # the schema of the other is that of its model
            self._add_error(name, infer_schema(body))
        response.show(JSON, refer_to_schema(name), body, name=refusal.kind, words=outcome.words)

    def _add_error(self, name: str, schema: Described) -> None:
        """Add the schema of an error; fields that not all such errors have are optional."""
        known = self.errors.setdefault(name, schema)
        required = [field for field in known["required"] if field in schema["required"]]
        properties = known["properties"] | schema["properties"]
        self.errors[name] = known | {"properties": properties, "required": required}


def refer_to_header(name: str) -> Described:
    """Return a reference to a header of the components."""
    return {"$ref": f"#/components/headers/{name}"}


def make_retired_id(route: Route) -> str:
    """Return a unique ID for an operation that is retired with others; in the journal they share a name."""
    words = "-".join(part.strip("{}") for part in route.template.split("/") if part)
    return f"{route.operation}.{route.method.lower()}-{words}"
