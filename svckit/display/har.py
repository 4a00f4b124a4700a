"""Requests and responses as a HAR 1.2 archive, the format that browsers and proxies export."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from svckit import __version__

__all__ = ["describe_file", "find_phrase", "format_entry", "format_har", "format_request", "format_response"]

Headers = Sequence[tuple[str, str]]
UNKNOWN = -1  # HAR's word for a size that is not known
DESCRIBED = re.compile(r"(?:.*\n)?«[^«»]*»", re.DOTALL)  # a body that was not kept, such as that of a file
TRUNCATED = re.compile(r"… \([0-9,]+ bytes? in all\)\Z")


def format_har(entries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a HAR archive, ready for ``json.dumps``.

    Args:
        entries: the requests with their responses, in order, each made by `format_entry`.

    Examples:
        >>> from datetime import UTC
        >>> request = format_request("GET", "https://api.fake.test/users?a=1", headers=[], body="", size=0)
        >>> entry = format_entry(datetime(2026, 6, 1, tzinfo=UTC), request, format_response(404, [], "", 0))
        >>> har = format_har([entry])["log"]
        >>> har["version"], har["entries"][0]["request"]["queryString"], har["entries"][0]["response"]["statusText"]
        ('1.2', [{'name': 'a', 'value': '1'}], 'Not Found')
    """
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "svckit", "version": __version__},
            "entries": list(entries),
        }
    }


def describe_file(part: str, file_name: str, content_type: str) -> str:
    """Return what stands for a file in a body: its part, name and media type.

    Examples:
        >>> describe_file("Filedata", "a.txt", "text/plain")
        '«Filedata: a.txt, text/plain»'
    """
    return f"«{part}: {file_name}, {content_type}»"


def format_entry(
    at: datetime,
    request: Mapping[str, Any],
    response: Mapping[str, Any],
    *,
    took: timedelta | None = None,
    comment: str = "",
    **more: Any,
) -> dict[str, Any]:
    """Format a request with its response.

    Args:
        at: when the request was sent.
        request: the request, made by `format_request`.
        response: the response, made by `format_response`.
        took: how long it took; ``None`` if unknown.
        comment: why there is no response; empty if there is one.
        more: further fields, by names that start with an underscore, such as ``_operation``.
    """
    milliseconds = 0 if took is None else took / timedelta(milliseconds=1)
    return {
        "startedDateTime": at.isoformat(timespec="milliseconds"),
        "time": milliseconds,
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
        **({"comment": comment} if comment else {}),
        **more,
    }


def format_request(method: str, url: str, headers: Headers, body: str, size: int | None) -> dict[str, Any]:
    """Format a masked request: its body as text, or described in «», and the bytes of it; ``None`` if unknown."""
    kind, query = _find(headers, "content-type"), parse_qsl(url.partition("?")[2], keep_blank_values=True)
    return {
        "method": method,
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _format_pairs(headers),
        "queryString": _format_pairs(query),
        "headersSize": UNKNOWN,
        "bodySize": UNKNOWN if size is None else size,
        **({"postData": {"mimeType": kind, "params": [], **_format_body(body)}} if body else {}),
    }


def format_response(status: int | None, headers: Headers, body: str, size: int | None) -> dict[str, Any]:
    """Format a masked response as `format_request` does a request; without a response, the status is ``None``."""
    size = UNKNOWN if size is None else size
    content = {"size": max(size, 0), "mimeType": _find(headers, "content-type")}
    return {
        "status": status or 0,
        "statusText": find_phrase(status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _format_pairs(headers),
        "content": content | _format_body(body),
        "redirectURL": _find(headers, "location"),
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
