"""JSON schemas of what admin calls take and return, for their declarations and their OpenAPI document."""

from typing import Any

__all__ = [
    "ANY_OBJECT",
    "COUNT",
    "COUNT_OR_NULL",
    "FLAG",
    "INSTANT",
    "NAMED",
    "TEXT",
    "TEXTS",
    "TEXT_OR_NULL",
    "Schema",
    "add_named",
    "add_object",
    "describe",
    "make_list",
    "make_object",
    "refer_to_schema",
]

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
INSTANT: Schema = {"type": "string", "format": "date-time"}
COUNT: Schema = {"type": "integer", "minimum": 0}
COUNT_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 0}
FLAG: Schema = {"type": "boolean"}
ANY_OBJECT: Schema = {"type": "object", "additionalProperties": True}

NAMED: dict[str, Schema] = {}
"""The schemas that several calls refer to, or that deserve a name, which `add_named` adds."""


def describe(schema: Schema, words: str) -> Schema:
    """Return a schema with a description."""
    return schema | {"description": words}


def make_object(**properties: Schema) -> Schema:
    """Return the schema of an object that always has these properties, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def make_list(items: Schema) -> Schema:
    """Return the schema of an array."""
    return {"type": "array", "items": items}


def refer_to_schema(name: str) -> Schema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def add_named(name: str, schema: Schema) -> Schema:
    """Give a schema a name in the document, and return a reference to it."""
    NAMED[name] = schema
    return refer_to_schema(name)


def add_object(name: str, **properties: Schema) -> Schema:
    """Give the schema of an object with these properties a name, and return a reference to it."""
    return add_named(name, make_object(**properties))
