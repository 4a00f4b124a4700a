"""The schemas of bodies, with and without models."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema
from pydantic_core import to_json

from fakes.handlers.admin_schemas import refer_to_schema
from fakes.handlers.routes import ROUTES
from fakes.openapi.provenance import Described
from svckit.models.event import MessageEvent
from svckit.models.files import UploadOffset

__all__ = ["FORMS", "infer_schema", "list_models", "model_schemas", "refer_to_schema"]

Modes = Iterable[tuple[type[BaseModel], JsonSchemaMode]]

EVENT_MODELS: Modes = ((MessageEvent, "serialization"),)

_TEXT: Described = {"type": "string"}
_REQUIRED_TEXT: Described = {"type": "string", "minLength": 1}


def _make_form(required: Iterable[str], optional: Iterable[str] = (), **fixed: str) -> Described:
    fields = {name: dict(_REQUIRED_TEXT) for name in required} | {name: dict(_TEXT) for name in optional}
    for name, value in fixed.items():
        fields[name] = {"type": "string", "const": value}
    return {"type": "object", "properties": fields, "required": [*required, *fixed]}


_FILE: Described = {"type": "string", "format": "binary"}
"""The format is from OpenAPI 3.0: in 3.1 it means nothing, but client generators know a file only by it."""

FORMS: dict[str, Described] = {
    "LoginForm": _make_form(("login_ticket", "login_id", "password")),
    "CodeExchange": _make_form(
        ("code", "client_id", "client_secret"), ("domain", "redirect_uri"), grant_type="authorization_code"
    ),
    "TokenRefresh": _make_form(("refresh_token", "client_id", "client_secret"), grant_type="refresh_token"),
    "UploadForm": {
        "description": "One file: the part Filedata, or else the parts resourceName and FileData.",
        "type": "object",
        "properties": {
            "Filedata": _FILE | {"description": "The content, with a file name and a media type of its own."},
            "resourceName": _TEXT | {"description": "Name of the file, in the alternative form."},
            "FileData": _FILE | {"description": "The content, in the alternative form."},
        },
        "minProperties": 1,
        "dependentRequired": {"resourceName": ["FileData"], "FileData": ["resourceName"]},
    },
    "Screen": {"type": "string", "description": "A page of HTML."},
    "Content": {"description": "The content of a file, as it was uploaded."},
    "Octets": _FILE | {"description": "The content of a file, byte by byte."},
}
"""Schemas of bodies that are not JSON."""


class _Untitled(GenerateJsonSchema):
    """A generator of schemas without titles derived from field names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return false: no field gets a title."""
        return False


def list_models() -> Modes:
    """Yield the models of the bodies that the operations of the service take and return."""
    for route in ROUTES:
        if isinstance(route.takes, type):
            yield route.takes, "validation"
        if isinstance(route.returns, type):
            yield route.returns, "serialization"
    yield UploadOffset, "serialization"


def model_schemas(models: Modes, default_words: str = "The service's default is") -> Described:
    """Return the schemas of models and their parts by name, with the first paragraphs of their docstrings."""
    _, found = models_json_schema(
        list(dict.fromkeys(models)), ref_template="#/components/schemas/{model}", schema_generator=_Untitled
    )
    schemas: Described = found["$defs"]
    for schema in schemas.values():
        if "description" in schema:
            schema["description"] = schema["description"].partition("\n\nExamples:")[0]
        for field in schema.get("properties", {}).values():
            _move_default(field, default_words)
    return schemas


def _move_default(field: Described, words: str) -> None:
    """Move a field's default into its description.

    Generated clients send the defaults of fields that were not given, which a partial update takes as a change, and
    generated TypeScript types require such a field.
    """
    if "default" in field:
        default = to_json(field.pop("default")).decode()
        field["description"] = f"{field.get('description', '')} {words} {default}.".lstrip()


def infer_schema(body: Described) -> Described:
    """Return the schema of an error body, derived from an example.

    Examples:
        >>> infer_schema({"code": 400, "description": "invalid parameter"})["properties"]
        {'code': {'type': 'integer'}, 'description': {'type': 'string'}}
    """
    kinds = {name: "integer" if isinstance(value, int) else "string" for name, value in body.items()}
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in kinds.items()},
        "required": list(kinds),
    }
