"""Recorded requests and responses, read from a HAR archive or a trace."""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx

from fakes.http import json_text
from svckit.models.times import parse_iso_time

__all__ = ["Pairs", "Recorded", "find_header", "read_basic", "read_json", "read_recorded"]

Pairs = list[tuple[str, str]]
NOT_RECORDED = ("cookie", "content-length", "host", "accept-encoding", "transfer-encoding", "connection")
"""Request headers that belong to the connection, or that no rule of the service looks at."""
FORM = "multipart/form-data"
PART = re.compile("«([^«»:]+): [^«»]*, ([^«»,]*)»")
"""svckit's description of the file in an upload: the names of the part and of the file, and the media type."""
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
        return read_json(self.content)


def read_json(content: bytes) -> Any:
    """Return JSON; None if it is not JSON."""
    try:
        return json_text.read(content)
    except ValueError:
        return None


def read_recorded(source: Any) -> list[Recorded]:
    """Read a HAR archive, or a trace, as requests and responses in the order of sending.

    Requests without a response are left out. Zeros stand in for the content of a file that was not recorded.

    Args:
        source: the path of a HAR file, its JSON as a mapping, or an object with ``to_har()``.

    Raises:
        ValueError: it is not a HAR archive.
        OSError: the file cannot be read.

    Examples:
        >>> read_recorded({"log": {"entries": []}})
        []
        >>> read_recorded({"entries": []})
        Traceback (most recent call last):
        ...
        ValueError: the traffic is not a HAR archive: it needs log.entries, as browsers and proxies save it
    """
    har = source.to_har() if hasattr(source, "to_har") else source
    try:
        if not isinstance(har, Mapping):
            har = json.loads(Path(har).read_text(encoding="utf-8-sig"))
        entries = [_read_entry(entry) for entry in har["log"]["entries"] if entry["response"]["status"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(
            "the traffic is not a HAR archive: it needs log.entries, as browsers and proxies save it"
        ) from None
    return list(_rebuild_uploads(sorted(entries, key=lambda entry: entry.at)))


def find_header(headers: Iterable[tuple[str, str]], name: str) -> str:
    """Return the value of a header; empty if it was not sent."""
    return next((value for each, value in headers if each.lower() == name), "")


def read_basic(recorded: Recorded) -> list[str]:
    """Return the ID and the password of Basic credentials; empty if a request has none."""
    scheme, _, credentials = find_header(recorded.headers, "authorization").partition(" ")
    try:
        return b64decode(credentials).decode().split(":", 1) if scheme.lower() == "basic" else []
    except ValueError:
        return []


def _read_entry(entry: Mapping[str, Any]) -> Recorded:
    request, response = entry["request"], entry["response"]
    posted, content = request.get("postData") or {}, response.get("content") or {}
    headers, body = _read_pairs(request["headers"]), _read_body(posted)
    is_form = find_header(headers, "content-type").startswith(FORM)
    at = parse_iso_time(entry["startedDateTime"])
    return Recorded(
        at if at.tzinfo else at.replace(tzinfo=UTC),
        request["method"].upper(),
        request["url"].partition("#")[0],
        [pair for pair in headers if pair[0].lower() not in NOT_RECORDED],
        posted["comment"].encode() if "comment" in posted else body,
        response["status"],
        _read_pairs(response["headers"]),
        _read_body(content),
        is_partial="comment" in posted or (is_form and not body.startswith(b"--")),
        is_described="comment" in content,
    )


def _rebuild_uploads(entries: Iterable[Recorded]) -> Iterator[Recorded]:
    """Yield the requests; files that were not recorded are as large as an earlier request says."""
    files: dict[str, Any] = {}
    for each in entries:
        yield _rebuild(each, files[each.url]) if each.is_partial and files.get(each.url) else each
        created = each.read_json()
        if isinstance(created, dict) and isinstance(url := created.get("uploadUrl"), str):
            files[url] = read_json(each.body)


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


def _read_pairs(pairs: Iterable[Mapping[str, str]]) -> Pairs:
    return [(pair["name"], pair["value"]) for pair in pairs if not pair["name"].startswith(":")]


def _read_body(data: Mapping[str, Any]) -> bytes:
    text = data.get("text") or ""
    if not text and data.get("params"):
        return urlencode(_read_pairs(data["params"])).encode()
    return b64decode(text) if data.get("encoding") == "base64" else text.encode("utf-8", "surrogatepass")
