"""The comparable part of a response: status, headers and the body's shape, without free values."""

import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from fakes.observing.recording import find_header, read_json

__all__ = ["HIDDEN", "PARTS", "describe_response"]

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
"""A hidden field of a screen, with its name and value."""
WORD = re.compile(r"[A-Z][A-Z0-9_]*|-?[0-9]+|")
"""A value of an enumeration, or a number; these are compared as they are."""
INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]+(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?")
LITERAL = ("content-type", "allow", "ratelimit-limit", "ratelimit-remaining")
PRESENT = ("ratelimit-reset", "retry-after", "content-disposition", "content-range", "accept-ranges")
PARTS = 3
"""The parts of a response that are compared: status, headers, and the body's shape."""
LARGEST = 1_000_000
"""The largest number that is compared as it is; larger ones are IDs."""


def describe_response(
    status: int, headers: Collection[tuple[str, str]], content: bytes, sent: Collection[str]
) -> tuple[int, dict[str, str], object]:
    """Return what can be compared of a response, in three parts; texts count only if they were sent before.

    Examples:
        >>> describe_response(200, [], b'{"name": "Mina", "id": "x-17", "state": "BUSY"}', {"Mina"})
        (200, {}, {'name': 'Mina', 'id': 'text', 'state': 'BUSY'})
    """
    found = {name: find_header(headers, name) for name in LITERAL}
    found |= {name: "sent" for name in PRESENT if find_header(headers, name)}
    found["www-authenticate"] = find_header(headers, "www-authenticate").partition(" ")[0]
    found["location"] = _describe_location(find_header(headers, "location"))
    kept = {name: value.lower().replace(" ", "") for name, value in found.items() if value}
    return status, kept, _describe_content(content, kept.get("content-type", ""), sent)


def _describe_location(url: str) -> str:
    query = dict(parse_qsl(urlsplit(url).query))
    shown = (f"{name}={query[name]}" if name == "error" else name for name in sorted(query))
    return "url?" + "&".join(shown) if url else ""


def _describe_content(content: bytes, kind: str, sent: Collection[str]) -> object:
    if "json" in kind or not kind:
        read = read_json(content)
        return "text" if read is None and content else _describe_value(read, sent)
    if "html" in kind or content.startswith(b"<"):
        return sorted(name for name, _ in HIDDEN.findall(content.decode("utf-8", "replace")))
    return len(content)


def _describe_value(value: Any, sent: Collection[str]) -> object:
    if isinstance(value, Mapping):
        return {name: _describe_value(each, sent) for name, each in value.items()}
    if isinstance(value, list):
        return [_describe_value(each, sent) for each in value]
    if isinstance(value, str):
        return _describe_text(value, sent)
    large = isinstance(value, int | float) and abs(value) > LARGEST
    return type(value).__name__ if large else (type(value).__name__, value)


def _describe_text(text: str, sent: Collection[str]) -> str:
    if instant := INSTANT.fullmatch(text):
        return f"instant {'T' if instant[1] else ''}{(instant[3] or '')[:1]}"
    return text if WORD.fullmatch(text) or text in sent else "text"
