"""Recorded requests and responses, read from a HAR archive or a trace."""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

import httpx

from fakes.clock import check_range
from fakes.http import json_text
from svckit.models.times import parse_iso_time

__all__ = ["Pairs", "Recorded", "find_header", "read_basic", "read_recorded", "split_url"]

Pairs = list[tuple[str, str]]
NOT_RECORDED = ("cookie", "content-length", "host", "accept-encoding", "transfer-encoding", "connection")
"""Request headers that belong to the connection, or that no rule of the service looks at."""
FORM = "multipart/form-data"
PART = re.compile("«([^«»:]+): [^«»]*, ([^«»,]*)»")
"""svckit's description of the file in an upload: the names of the part and of the file, and the media type."""
STATUSES = range(100, 600)
LARGEST_REBUILT = 64 * 2**20
"""The bytes of the largest file that zeros stand in for."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request as it was sent, and the response to it.

    Attributes:
        is_partial: whether the request's body was truncated or only described.
        is_rebuilt: whether zeros stand in for a file that was not recorded.
        is_described: whether the response's body was truncated or only described.
    """

    at: datetime
    method: str
    url: str = field(repr=False)
    headers: Pairs = field(repr=False)
    body: bytes = field(repr=False)
    status: int
    response_headers: Pairs = field(repr=False)
    content: bytes = field(repr=False)
    is_partial: bool = False
    is_rebuilt: bool = False
    is_described: bool = False

    def read_json(self) -> Any:
        """Return the JSON of the response; None if it is not JSON."""
        return json_text.read_or_none(self.content)


def read_recorded(source: Any) -> tuple[list[Recorded], int]:
    """Read a HAR archive, or a trace, as requests and responses in the order of sending.

    Requests without a response are left out. Zeros stand in for the content of a file that was not recorded.

    Args:
        source: the path of a HAR file, its JSON as a mapping, or an object with ``to_har()``.

    Returns:
        The requests, and the number of further entries that cannot be read.

    Raises:
        ValueError: it is not a HAR archive, or none of its entries can be read.
        OSError: the file cannot be read.

    Examples:
        >>> read_recorded({"log": {"entries": []}})
        ([], 0)
        >>> read_recorded({"entries": []})
        Traceback (most recent call last):
        ...
        ValueError: the traffic is not a HAR archive: it needs log.entries, as browsers and proxies save it
    """
    har = source.to_har() if hasattr(source, "to_har") else source
    try:
        if not isinstance(har, Mapping):
            text = Path(har).read_text(encoding="utf-8-sig")
            har = json.loads(text) if text.strip() else ""
        found = har["log"]["entries"]
        if not isinstance(found, list):
            raise TypeError
    except (KeyError, TypeError, ValueError, RecursionError):  # the last if it is nested too deeply
        what = "the file is empty" if har == "" else "the traffic is not a HAR archive"
        raise ValueError(f"{what}: it needs log.entries, as browsers and proxies save it") from None
    entries, damaged = [], 0
    for entry in found:
        try:
            if _has_response(entry):
                entries.append(_read_entry(entry))
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            damaged += 1
    if damaged and not entries:
        raise ValueError(
            f"the traffic is not a HAR archive: none of its {damaged} entries has a readable request, response and "
            "startedDateTime"
        )
    return list(_rebuild_uploads(sorted(entries, key=lambda entry: entry.at))), damaged


def split_url(url: str) -> SplitResult:
    """Split a URL of a response; into nothing if it is not a URL.

    Examples:
        >>> split_url("https://[").netloc
        ''
    """
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def find_header(headers: Iterable[tuple[str, str]], name: str) -> str:
    """Return the value of a header; empty if it was not sent."""
    return next((value for sent, value in headers if sent.lower() == name), "")


def read_basic(recorded: Recorded) -> list[str]:
    """Return the ID and the password of Basic credentials; empty if a request has none."""
    scheme, _, credentials = find_header(recorded.headers, "authorization").partition(" ")
    try:
        return b64decode(credentials).decode().split(":", 1) if scheme.lower() == "basic" else []
    except ValueError:
        return []


def _has_response(entry: Mapping[str, Any]) -> bool:
    return entry["response"]["status"] not in (0, "0", None)


def _read_status(status: Any) -> int:
    if int(status) not in STATUSES:
        raise ValueError(f"{status} is not a status of HTTP")
    return int(status)


def _read_entry(entry: Mapping[str, Any]) -> Recorded:
    request, response = entry["request"], entry["response"]
    posted, content = request.get("postData") or {}, response.get("content") or {}
    headers, body = _read_pairs(request["headers"]), _read_body(posted)
    is_form = find_header(headers, "content-type").startswith(FORM)
    at, url = parse_iso_time(entry["startedDateTime"]), request["url"].partition("#")[0]
    urlsplit(url.encode())  # raises if it is not a URL
    return Recorded(
        at=check_range(at if at.tzinfo else at.replace(tzinfo=UTC)),
        method=request["method"].encode("ascii").decode().upper(),
        url=url,
        headers=[pair for pair in headers if pair[0].lower() not in NOT_RECORDED],
        body=posted["comment"].encode() if "comment" in posted else body,  # a trace describes a file there
        status=_read_status(response["status"]),
        response_headers=_read_pairs(response["headers"]),
        content=_read_body(content),
        is_partial="comment" in posted or (is_form and not body.startswith(b"--")),
        is_described="comment" in content,
    )


def _rebuild_uploads(entries: Iterable[Recorded]) -> Iterator[Recorded]:
    """Yield the requests; files that were not recorded are as large as an earlier request says."""
    files: dict[str, Any] = {}
    for call in entries:
        yield _rebuild(call, files[call.url]) if call.is_partial and files.get(call.url) else call
        created = call.read_json()
        if isinstance(created, dict) and isinstance(url := created.get("uploadUrl"), str):
            files[url] = json_text.read_or_none(call.body)


def _rebuild(upload: Recorded, file: Any) -> Recorded:
    match file:
        case {"fileName": str(name), "fileSize": int(size)} if 0 <= size <= LARGEST_REBUILT:
            *fields, described = upload.body.decode().split("\n")
            found = PART.fullmatch(described)
            part, kind = found.groups() if found else ("Filedata", "application/octet-stream")
            sent = httpx.Request(
                "POST",
                upload.url,
                data=dict(field.partition("=")[::2] for field in fields),
                files={part: (name, bytes(size), kind)},
            )
            others = [pair for pair in upload.headers if pair[0].lower() != "content-type"]
            headers = [*others, ("Content-Type", sent.headers["Content-Type"])]
            return replace(upload, headers=headers, body=sent.read(), is_partial=False, is_rebuilt=True)
        case _:
            return upload


def _read_pairs(pairs: Iterable[Mapping[str, Any]]) -> Pairs:
    """Return names and values as text; some tools write numbers, and null for what is empty."""
    texts = ((pair["name"], "" if pair.get("value") is None else str(pair["value"])) for pair in pairs)
    return [(name, value) for name, value in texts if not name.startswith(":")]


def _read_body(data: Mapping[str, Any]) -> bytes:
    text = data.get("text") or ""
    if not text and data.get("params"):
        return urlencode(_read_pairs(data["params"])).encode()
    return b64decode(text) if data.get("encoding") == "base64" else text.encode("utf-8", "surrogatepass")
