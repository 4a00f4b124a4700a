"""The shapes of responses: paths, statuses and types, no values. ``python tests/conformance/shapes.py FILE`` checks a
recording of a real service against the fake's OpenAPI document, without the service."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fakes.openapi import openapi

AREAS = {
    "api": "base_url",
    "auth": "auth_url",
    "storage": "upload_url",
    "hooks": "webhook_url",
}  # and their facts
AREA_OF = {
    "auth": "authorization server",
    "storage": "file storage",
    "hooks": "incoming notification endpoint",
}
TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
NOT_DESCRIBED = "*"  # stands for a path or a field that the description has not: it may be a value


def shape_of(value: Any, described: frozenset[str]) -> Any:
    """The type of each value; fields that are not ``described`` lose their names, which may be values."""
    if isinstance(value, dict):
        named = {name: shape_of(value[name], described) for name in value if name in described}
        others = distinct(shape_of(value[name], described) for name in value if name not in described)
        return named | {f"{NOT_DESCRIBED}{number}": shape for number, shape in enumerate(others, 1)}
    if isinstance(value, list):
        return distinct(shape_of(each, described) for each in value)
    return TYPES[type(value)]


def distinct(shapes: Any) -> list[Any]:
    """Each shape once, in an order of their own."""
    return [json.loads(text) for text in sorted({json.dumps(shape, sort_keys=True) for shape in shapes})]


class Recording:
    """What is noted of a run: of each kind of response one line, and no value of any."""

    def __init__(self, facts):
        document = openapi()
        self._addresses = sorted(((facts[fact], area) for area, fact in AREAS.items()), reverse=True)
        self._paths = {
            area: [path for path, item in document["paths"].items() if area_of(item) == area]
            for area in AREAS
        }
        self.described = frozenset(names_in(document["components"]["schemas"]))
        self._seen = set()
        self.document = document
        self.requests = 0

    def add(self, method, url, answer):
        """Note a response; return its operation."""
        self.requests += 1
        area, path = self._place(url)
        media_type = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        body = None
        if media_type == "application/json":
            with suppress(ValueError):
                body = shape_of(answer.json(), self.described)
        kind = media_type if re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", media_type) else None
        line = {"area": area, "method": method, "path": path, "status": answer.status_code}
        self._seen.add(json.dumps(line | {"type": kind, "body": body}, sort_keys=True))
        return f"{method} {path}"

    def operations(self, sent):
        """Of requests whose path is described: the operation, the status, and whether it was to be refused."""
        for each in sent:
            _, path = self._place(each.url)
            if path != NOT_DESCRIBED:
                yield f"{each.method} {path}", each.status, each.expects_refusal

    def _place(self, url):
        """The area and the template of a path."""
        for address, area in self._addresses:
            if url.startswith(address):
                path = urlsplit(url.removeprefix(address)).path
                found = (each for each in self._paths[area] if template(each).fullmatch(path))
                return area, min(found, key=lambda each: each.count("{"), default=NOT_DESCRIBED)
        return NOT_DESCRIBED, NOT_DESCRIBED

    def as_text(self, rules):
        """The recording as JSON, with what the run says of each rule."""
        exchanges = [json.loads(line) for line in sorted(self._seen)]
        return json.dumps({"version": 1, "exchanges": exchanges, "rules": rules}, indent=1) + "\n"


def template(path):
    return re.compile(
        "".join("[^/]+" if part[:1] == "{" else re.escape(part) for part in re.split(r"({\w+})", path))
    )


def area_of(item):
    words = item["servers"][0]["description"] if "servers" in item else ""
    return next((area for area, said in AREA_OF.items() if said == words), "api")


def names_in(schema: Any) -> Iterator[str]:
    """The names of all fields in a schema."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for each in schema.values():
            yield from names_in(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from names_in(each)


# -- a recording beside the document ----------------------------------------------------------------------------------


def differences(recording: Any) -> list[str]:
    """Where answers that were recorded are not as the fake's document has them, in sentences."""
    document = openapi()
    found = []
    for exchange in recording["exchanges"]:
        operation = document["paths"].get(exchange["path"], {}).get(exchange["method"].lower())
        if operation is None:
            continue  # no operation of the description
        name = f"{exchange['method']} {exchange['path']} answered {exchange['status']}"
        response = operation["responses"].get(str(exchange["status"]))
        if response is None:
            found.append(f"{name}; the fake answers {', '.join(sorted(operation['responses']))}")
            continue
        kinds = response.get("content", {})
        if kinds and exchange["type"] not in kinds:
            found.append(f"{name} as {exchange['type']}; the fake, as {', '.join(kinds)}")
        elif exchange["body"] is not None and kinds:
            schema = kinds[exchange["type"]].get("schema", {})
            found += [f"{name}: {words}" for words in misfits(exchange["body"], schema, document)]
    return found


def misfits(shape: Any, schema: Any, document: Any, field: str = "the body") -> list[str]:
    """Where a shape is not of a schema."""
    schema = resolve(schema, document)
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            each = [misfits(shape, option, document, field) for option in schema[choice]]
            return min(each, key=len)
    kind = {dict: "object", list: "array"}.get(type(shape), shape)
    if kind not in kinds_of(schema) and not (kind == "integer" and "number" in kinds_of(schema)):
        return [f"{field} is of the type {kind}, not {' or '.join(sorted(kinds_of(schema)))}"]
    if isinstance(shape, list):
        rows = [misfits(each, schema.get("items", {}), document, f"{field}[]") for each in shape]
        return [words for row in rows for words in row]
    return of_object(shape, schema, document, field) if isinstance(shape, dict) else []


def resolve(schema: Any, document: Any) -> Any:
    """The schema itself, of one that may only refer to it."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def unknown_values(value: Any, schema: Any, document: Any, field: str = "the body") -> Iterator[str]:
    """The fields, at every level, whose value is not among those that a schema lists."""
    schema = resolve(schema, document)
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        yield from min((list(unknown_values(value, each, document, field)) for each in options), key=len)
    elif isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield from unknown_values(value[name], inner, document, f"{field}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from unknown_values(each, schema.get("items", {}), document, f"{field}[]")
    elif value not in ([schema["const"]] if "const" in schema else schema.get("enum", [value])):
        yield field


def kinds_of(schema: Any) -> set[str]:
    """The types that a schema allows."""
    given = schema.get("type")
    if given is not None:
        return {given} if isinstance(given, str) else set(given)
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    return {TYPES[type(value)] for value in values} if values else {*TYPES.values(), "object", "array"}


def of_object(shape: Any, schema: Any, document: Any, field: str) -> list[str]:
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    found = [f"{field} has no {name}" for name in schema.get("required", ()) if name not in shape]
    for name, inner in shape.items():
        if name in properties:
            found += misfits(inner, properties[name], document, f"{field}.{name}")
        elif isinstance(more, dict):
            found += misfits(inner, more, document, f"{field}.{NOT_DESCRIBED}")
        elif properties:
            found.append(f"{field} has a field that is not described there")
    return found


def main(*arguments: str) -> int:
    """Print the differences; the exit code is 1 where there are any."""
    parser = argparse.ArgumentParser(
        description="Check what a run against a real service has recorded against the fake's OpenAPI document."
    )
    parser.add_argument("recording", metavar="FILE", type=recorded, help="such as conformance-shapes.json")
    found = differences(parser.parse_args(arguments).recording)
    print("\n".join(found) or "Every recorded answer is one that the fake's document has.")
    return 1 if found else 0


def recorded(path: str) -> Any:
    """The recording in a file."""
    try:
        recording = json.loads(Path(path).read_text(encoding="utf-8"))
        recording["exchanges"]
    except OSError as unreadable:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {unreadable.strerror}") from None
    except (ValueError, TypeError, LookupError):
        raise argparse.ArgumentTypeError(
            f"{path} is no recording; pytest with --svckit-target=real writes one"
        ) from None
    return recording


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
