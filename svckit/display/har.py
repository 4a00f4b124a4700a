"""Requests and responses as a HAR 1.2 archive, the format that browsers and proxies export."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from svckit import __version__

__all__ = ["HarEntry", "describe_file", "find_phrase", "format_har"]

Headers = Sequence[tuple[str, str]]
UNKNOWN = -1  # HAR's word for a size that is not known
DESCRIBED = re.compile(r"(?:.*\n)?«[^«»]*»", re.DOTALL)  # a body that was not kept, such as that of a file
TRUNCATED = re.compile(r"… \([0-9,]+ bytes? in all\)\Z")


class HarEntry(NamedTuple):
    """One request and its response, masked.

    Attributes:
        at: when the request was sent.
        method: HTTP method.
        url: the URL.
        request_headers: the names and values of the request's headers.
        request_body: its body as text, or its description in «».
        request_size: bytes of the body; ``None`` if unknown.
        status: the response's status; ``None`` without a response.
        response_headers: the names and values of the response's headers.
        response_body: its body as text, or its description in «».
        response_size: bytes of the body; ``None`` if unknown.
        took: how long it took; ``None`` if unknown.
        comment: why there is no response; empty if there is one.
        more: further fields, by names that start with an underscore, such as ``_operation``.
    """

    at: datetime
    method: str
    url: str
    request_headers: Headers
    request_body: str
    request_size: int | None
    status: int | None
    response_headers: Headers
    response_body: str
    response_size: int | None
    took: timedelta | None = None
    comment: str = ""
    more: Mapping[str, Any] = MappingProxyType({})


def format_har(entries: Iterable[HarEntry]) -> dict[str, Any]:
    """Return a HAR archive, ready for ``json.dumps``.

    Args:
        entries: the requests and responses, in order.

    Examples:
        >>> from datetime import UTC
        >>> entry = HarEntry(at=datetime(2026, 6, 1, tzinfo=UTC), method="GET", url="https://api.fake.test/users?a=1",
        ...                  request_headers=[], request_body="", request_size=0, status=404,
        ...                  response_headers=[], response_body="", response_size=0)
        >>> har = format_har([entry])["log"]
        >>> har["version"], har["entries"][0]["request"]["queryString"], har["entries"][0]["response"]["statusText"]
        ('1.2', [{'name': 'a', 'value': '1'}], 'Not Found')
    """
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "svckit", "version": __version__},
            "entries": [_format_entry(entry) for entry in entries],
        }
    }


def describe_file(part: str, file_name: str, content_type: str) -> str:
    """Return what stands for a file in a body: its part, name and media type.

    Examples:
        >>> describe_file("Filedata", "a.txt", "text/plain")
        '«Filedata: a.txt, text/plain»'
    """
    return f"«{part}: {file_name}, {content_type}»"


def _format_entry(entry: HarEntry) -> dict[str, Any]:
    milliseconds = 0 if entry.took is None else entry.took / timedelta(milliseconds=1)
    return {
        "startedDateTime": entry.at.isoformat(timespec="milliseconds"),
        "time": milliseconds,
        "request": _format_request(entry),
        "response": _format_response(entry),
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
        **({"comment": entry.comment} if entry.comment else {}),
        **entry.more,
    }


def _format_request(entry: HarEntry) -> dict[str, Any]:
    kind, body = _find(entry.request_headers, "content-type"), entry.request_body
    query = parse_qsl(entry.url.partition("?")[2], keep_blank_values=True)
    return {
        "method": entry.method,
        "url": entry.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _format_pairs(entry.request_headers),
        "queryString": _format_pairs(query),
        "headersSize": UNKNOWN,
        "bodySize": UNKNOWN if entry.request_size is None else entry.request_size,
        **({"postData": {"mimeType": kind, "params": [], **_format_body(body)}} if body else {}),
    }


def _format_response(entry: HarEntry) -> dict[str, Any]:
    size = UNKNOWN if entry.response_size is None else entry.response_size
    content = {"size": max(size, 0), "mimeType": _find(entry.response_headers, "content-type")}
    return {
        "status": entry.status or 0,
        "statusText": find_phrase(entry.status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _format_pairs(entry.response_headers),
        "content": content | _format_body(entry.response_body),
        "redirectURL": _find(entry.response_headers, "location"),
        "headersSize": UNKNOWN,
        "bodySize": size,
    }


def _format_body(body: str) -> dict[str, str]:
    """Return a body as its text, with a comment if it is truncated, or as a comment alone if it is only described."""
    if not body:
        return {}
    if DESCRIBED.fullmatch(body):
        return {"comment": body}
    return {"text": body, "comment": "truncated"} if TRUNCATED.search(body) else {"text": body}


def _format_pairs(pairs: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _find(headers: Headers, name: str) -> str:
    return next((value for header, value in headers if header.lower() == name), "")


def find_phrase(status: int | None) -> str:
    """Return the phrase of a status, such as ``Not Found``; empty if it has none.

    Examples:
        >>> find_phrase(404), find_phrase(299)
        ('Not Found', '')
    """
    try:
        return HTTPStatus(status or 0).phrase
    except ValueError:
        return ""
