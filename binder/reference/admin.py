"""The page of the admin calls, from their OpenAPI document."""

from typing import Any

from binder.reference.markdown import code, codes, page, prose, table
from fakes.openapi import admin_openapi

INTRO = """\
Programs control a fake by admin calls: JSON under the `admin_url` of the facts, with the header
`Authorization: Bearer <admin_key>`. They are not part of the service: the journal does not record them, and
faults do not apply to them. A call that is refused changes nothing; its response says what was wrong.

A served fake has them below `/admin`, or with `svckit serve --origins`, which is recommended, at the last of its five
ports. `GET /facts` returns what `svckit serve` prints when it starts, and `GET /health` needs no key. `svckit openapi
--admin` and `GET /admin-openapi.json` return the same as an OpenAPI document.
"""


def write() -> str:
    """Return the page."""
    document = admin_openapi()
    schemas = document["components"]["schemas"]
    calls = [
        (method, path, call) for path, item in document["paths"].items() for method, call in item.items()
    ]
    index = [
        (
            f"[{code(f'{method.upper()} {path}')}](#{call['operationId'].replace('.', '')})",
            prose(call["summary"]),
        )
        for method, path, call in calls
    ]
    return page(
        "Admin calls",
        INTRO,
        table(("call", "effect"), index),
        "## The calls",
        *(describe(method, path, call, schemas) for method, path, call in calls),
        "## Bodies",
        *(describe_body(name, schema) for name, schema in schemas.items()),
    )


def describe(method: str, path: str, call: dict[str, Any], schemas: dict[str, Any]) -> str:
    """Return the part of the page about one call."""
    lines = [f"### {call['operationId']}", f"{code(f'{method.upper()} {path}')}: {prose(call['summary'])}."]
    if not call["security"]:
        lines.append("Needs no key.")
    rows = [
        (code(each["name"]), each["in"], prose(each.get("description", "")))
        for each in call.get("parameters", ())
    ]
    lines.append(table(("parameter", "in", "meaning"), rows))
    if "requestBody" in call:
        lines.append(f"Body: {describe_type(call['requestBody']['content']['application/json']['schema'])}.")
    responses = []
    for status, response in call["responses"].items():
        content = response.get("content", {}).get("application/json", {}).get("schema")
        shown = describe_type(content) if content else "no body"
        responses.append((code(status), shown, prose(response["description"])))
    lines.append(table(("status", "body", "meaning"), responses))
    return "\n\n".join(filter(None, lines))


def describe_body(name: str, schema: dict[str, Any]) -> str:
    """Return the part of the page about one schema."""
    lines = [f"### {name}", prose(schema.get("description", "").partition("\n\n")[0])]
    if "oneOf" in schema:
        lines.append(f"One of {describe_type(schema)}.")
    required = schema.get("required", ())
    rows = [
        (
            code(field),
            describe_type(inner),
            "yes" if field in required else "",
            prose(inner.get("description", "")),
        )
        for field, inner in schema.get("properties", {}).items()
    ]
    lines.append(table(("field", "type", "required", "meaning"), rows))
    return "\n\n".join(filter(None, lines))


def describe_type(schema: dict[str, Any]) -> str:
    """Return a schema in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{code(name)}](#{name.lower()})"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(map(describe_type, schema[several]))
    if "const" in schema or "enum" in schema:
        return codes([schema["const"]] if "const" in schema else schema["enum"])
    kind = schema["type"]
    if kind == "array":
        return f"array of {describe_type(schema['items'])}"
    if kind == "object" and "properties" in schema:
        fields = (f"{code(name)} ({describe_type(inner)})" for name, inner in schema["properties"].items())
        return f"object of {', '.join(fields)}"
    words = " or ".join(kind if isinstance(kind, list) else [kind])
    return f"{words} ({schema['format']})" if "format" in schema else words
