"""Requests that the toolkit has no operation for."""

import re
from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import unquote

from pydantic_core import PydanticSerializationError, to_json

from svckit.addresses import BEARER_AREAS, Area
from svckit.errors import InvalidInput
from svckit.http.messages import Operation, Request, Response

__all__ = ["request"]

SUCCESS = tuple(range(200, 400))
READING = frozenset({"GET", "HEAD", "OPTIONS"})
_UNSENDABLE = re.compile(r"[#\x00-\x1f\x7f\ud800-\udfff]")
_USER = re.compile(r"/users/([^/?]+)(?:\?|$)")
_METHOD = re.compile(r"[A-Z]+", re.ASCII)


def request(
    method: str,
    path: str,
    *,
    json: Any = None,
    params: Mapping[str, str] | None = None,
    area: Area = "api",
) -> Operation[Response]:
    """Call any endpoint of the service, with the session's bearer, renewal, errors and traces.

    Args:
        method: HTTP method, such as ``GET``. Requests that only read are sent again if the service is busy.
        path: path below the area's base URL, beginning with ``/`` (quote IDs with `svckit.addresses.quote_segment`),
            or a URL within the area.
        json: a JSON value to send.
        params: query parameters, in addition to those in the path.
        area: ``api`` or ``storage``, which get the bearer, or ``auth`` or ``hooks``, which do not.

    Returns:
        The response: ``status``, ``headers``, ``content`` (32 MiB at most) and ``json()``. Redirects are not followed.

    Raises:
        InvalidInput: an argument makes no sense. Nothing was sent.
        ForeignOrigin: the URL is not within the area. Nothing was sent.
        ServiceError: the response is an error (a status from 400).

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> svc.request("PATCH", "/users/u-001", json={"nickName": "Mina"}).json()["nickName"]
        'Mina'
    """
    if not isinstance(method, str) or not _METHOD.fullmatch(method.upper()):
        raise InvalidInput(
            f"request was not sent: method must be an HTTP method such as GET; given {method!r}"
        )
    if not isinstance(path, str) or not (path.startswith("/") or "://" in path):
        raise InvalidInput("request was not sent: path must start with a slash, such as /users/u-001")
    if path.startswith("/") and _UNSENDABLE.search(path):  # absolute URLs are checked with all others
        raise InvalidInput(
            "request was not sent: path holds a #, a control character or half of a character; quote its segments "
            "with svckit.addresses.quote_segment"
        )
    if params is not None and not _is_text_by_name(params):
        raise InvalidInput(
            'request was not sent: params must be a mapping of names to text, such as {"limit": "10"}'
        )
    if area not in get_args(Area):
        raise InvalidInput(
            f"request was not sent: area must be one of {', '.join(get_args(Area))}; given {area!r}"
        )
    try:
        to_json(json)
    except (PydanticSerializationError, ValueError) as error:
        raise InvalidInput(f"request was not sent: json is not a JSON value: {error}") from None
    method = method.upper()
    return (
        yield Request(
            operation="request",
            method=method,
            target=path,
            area=area,
            json=json,
            params=dict(params or {}),
            bearer=area in BEARER_AREAS,
            expects=SUCCESS,
            repeatable=method in READING,
            exclusive=_find_changed_user(method, path, area),
        )
    )


def _find_changed_user(method: str, path: str, area: Area) -> str:
    """Return the path of the user that a request changes, which only one request may do at a time; else empty."""
    found = _USER.match(path) if area == "api" and method not in READING else None
    return f"/users/{unquote(found[1])}" if found else ""


def _is_text_by_name(given: object) -> bool:
    return isinstance(given, Mapping) and all(
        isinstance(text, str) for pair in given.items() for text in pair
    )
