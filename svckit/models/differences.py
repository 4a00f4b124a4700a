"""The differences between a response and the service's description, in words without any value of it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import from_json

from svckit.models.base import WireModel
from svckit.models.long_arrays import ENOUGH
from svckit.models.problems import describe_rules, shorten

__all__ = ["list_differences"]

_INDEX: Final = re.compile(r"\[\d+\]")
_NESTED: Final = frozenset({dict, list})


def list_differences(record: WireModel, body: bytes, errors: list[ValidationError]) -> list[str]:
    """Return how the fields of a response differ from those that are described, each once.

    Args:
        record: what was read from the response.
        body: its body, a JSON object.
        errors: what a strict reading would have raised.

    Examples:
        >>> from svckit.models import TokenSet
        >>> body = b'{"access_token":"a","scope":"user","expires_in":86400,"token_type":"bearer","id":7}'
        >>> errors = []
        >>> list_differences(TokenSet.from_response(body, errors.append), body, errors)
        ['expires_in must be a string', "token_type must be 'Bearer'", 'id is not described']
    """
    unknown = islice(_find_unknown_names(record, from_json(body)), ENOUGH)
    found = [rule for error in errors for rule in describe_rules(error)]
    found += (f"{name} is not described" for name in unknown)
    return list(dict.fromkeys(_INDEX.sub("[]", each) for each in found))


def _find_unknown_names(record: object, wire: Any, at: str = "") -> Iterator[str]:
    if isinstance(record, list):
        for each, given in zip(record, wire, strict=False):
            yield from _find_unknown_names(each, given, f"{at}[]")
    elif isinstance(record, WireModel) and record.model_config["extra"] == "ignore":
        names = _map_names(type(record))
        if not wire.keys() <= names.keys():
            yield from (_join_path(at, name) for name in wire if name not in names)
        for name, value in wire.items():
            if type(value) in _NESTED and name in names:
                yield from _find_unknown_names(getattr(record, names[name]), value, _join_path(at, name))


def _join_path(at: str, name: str) -> str:
    return f"{at}.{shorten(name)}" if at else shorten(name)


@cache
def _map_names(model: type[WireModel]) -> Mapping[str, str]:
    """Return the Python names of a model's fields by their wire names."""
    return {field.alias or name: name for name, field in model.model_fields.items()}
