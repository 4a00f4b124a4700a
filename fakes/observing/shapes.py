"""The comparable part of a response: status, headers and the body's shape, without free values."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from fakes.http import json_text
from fakes.observing.recording import find_header, split_url

__all__ = ["HIDDEN", "MADE_UP", "STATUS", "Shape", "describe_body", "describe_head", "find_differences"]

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
"""A hidden field of a screen, with its name and value."""
WORD = re.compile(r"[A-Z][A-Z0-9_]*|")
"""A value of an enumeration, which is compared as it is."""
NUMBER = re.compile(r"-?[0-9]+")
DESCRIBED = re.compile(
    r"(success|(?:missing|invalid) parameter|invalid webhook URL|too many request|Not used status\.|"
    r"The status must be enable\.)(?:[;:].*)?"
)
"""The words that the service's description gives for responses."""
MADE_UP = re.compile(r"(?i).*(id|url|token|code|cursor)")
"""The names of fields with values that the service makes up."""
INSTANT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]+(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?")
LITERAL = ("content-type", "allow", "ratelimit-limit", "ratelimit-remaining")
PRESENT = (
    "ratelimit-reset",
    "retry-after",
    "content-disposition",
    "content-range",
    "accept-ranges",
    "sunset",
    "deprecation",
)
STATUS = "status"
BOM = b"\xef\xbb\xbf"
LARGEST = 1_000_000
"""The largest number that is compared as it is; larger ones are IDs."""
Shape = dict[str, object]
"""What can be compared of a response, by where it is: ``status``, the name of a header, or a path as ``.userId``."""


def describe_head(status: int, headers: Collection[tuple[str, str]]) -> Shape:
    """Return what can be compared of a response's status and headers.

    Examples:
        >>> describe_head(429, [("Retry-After", "7"), ("Date", "today")])
        {'status': 429, 'retry-after': 'sent'}
    """
    found = {name: find_header(headers, name) for name in LITERAL}
    found |= {name: "sent" for name in PRESENT if find_header(headers, name)}
    found["www-authenticate"] = find_header(headers, "www-authenticate").partition(" ")[0]
    found["location"] = _describe_location(find_header(headers, "location"))
    return {
        STATUS: status,
        **{name: value.lower().replace(" ", "") for name, value in found.items() if value},
    }


def describe_body(content: bytes, head: Shape, sent: Collection[str]) -> Shape:
    """Return what can be compared of a response's body; texts count only if they were sent before.

    Examples:
        >>> describe_body(b'{"name": "Mina", "id": "x-17", "state": "BUSY"}', {"status": 200}, {"Mina"})
        {'': 'dict', '.name': 'Mina', '.id': 'text', '.state': 'BUSY'}
    """
    return dict(_describe_content(content, str(head.get("content-type", "")), sent))


def find_differences(one: Shape, other: Shape) -> frozenset[str]:
    """Return where two shapes differ.

    Examples:
        >>> find_differences({"status": 200, ".a": 1}, {"status": 200, ".a": 2})
        frozenset({'.a'})
    """
    absent = object()
    return frozenset(
        where for where in one.keys() | other.keys() if one.get(where, absent) != other.get(where, absent)
    )


def _describe_location(url: str) -> str:
    query = dict(parse_qsl(split_url(url).query))
    shown = (f"{name}={query[name]}" if name == "error" else name for name in sorted(query))
    return "url?" + "&".join(shown) if url else ""


def _describe_content(content: bytes, kind: str, sent: Collection[str]) -> Iterator[tuple[str, object]]:
    if "json" in kind or not kind:
        read = json_text.read_or_none(content)
        if read is None and content:
            yield "", "text"
        else:
            yield from _describe_value("", read, sent)
    elif "html" in kind or content.startswith(b"<"):
        yield "", sorted(name for name, _ in HIDDEN.findall(content.decode("utf-8", "replace")))
    elif "csv" in kind:
        yield "", "log, with a byte order mark" if content.startswith(BOM) else "log"
    else:
        yield "", len(content)


def _describe_value(where: str, value: Any, sent: Collection[str]) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        yield where, "dict"
        for name, item in value.items():
            yield from _describe_value(f"{where}.{name}", item, sent)
    elif isinstance(value, list):
        yield where, "list"
        for number, item in enumerate(value):
            yield from _describe_value(f"{where}[{number}]", item, sent)
    elif isinstance(value, str):
        yield where, value if where == ".error" else _describe_text(where, value, sent)
    else:
        large = isinstance(value, int | float) and abs(value) > LARGEST
        yield where, type(value).__name__ if large else (type(value).__name__, value)


def _describe_text(where: str, text: str, sent: Collection[str]) -> str:
    if instant := INSTANT.fullmatch(text):
        return f"instant {'T' if instant[1] else ''}{(instant[3] or '')[:1]}"
    if described := DESCRIBED.fullmatch(text):
        return described[1]
    if text.startswith("/"):  # a path: its segments may have been sent one by one
        return "/".join(segment if segment in sent else "text" for segment in text.split("/")[1:])
    is_number = NUMBER.fullmatch(text) and not MADE_UP.fullmatch(where)  # an ID may be written in digits
    return text if is_number or WORD.fullmatch(text) or text in sent else "text"
