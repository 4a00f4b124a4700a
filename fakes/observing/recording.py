"""Recorded requests and responses, read from a HAR archive or a trace."""

import json
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fakes.http import json_text

__all__ = ["Recorded", "read_recorded"]

Pairs = list[tuple[str, str]]
NOT_RECORDED = ("cookie", "content-length", "host", "accept-encoding", "transfer-encoding", "connection")
"""Request headers that belong to the connection, or that no rule of the service looks at."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request as it was sent, and the response to it."""

    at: datetime
    method: str
    url: str = field(repr=False)
    headers: Pairs = field(repr=False)
    body: bytes = field(repr=False)
    status: int
    response_headers: Pairs = field(repr=False)
    content: bytes = field(repr=False)

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

    Requests without a response are left out, and so are those whose body is only described in a comment.

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
        entries = [_read_entry(entry) for entry in har["log"]["entries"] if _is_whole(entry)]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ValueError(
            "the traffic is not a HAR archive: it needs log.entries, as browsers and proxies save it"
        ) from None
    return sorted(entries, key=lambda entry: entry.at)


def _is_whole(entry: Mapping[str, Any]) -> bool:
    """Return whether there is a response, and bodies are not only described."""
    posted, status = entry["request"].get("postData") or {}, entry["response"]["status"]
    return bool(status) and not ("comment" in posted and not posted.get("text"))


def _read_entry(entry: Mapping[str, Any]) -> Recorded:
    request, response = entry["request"], entry["response"]
    at = datetime.fromisoformat(entry["startedDateTime"])
    return Recorded(
        at if at.tzinfo else at.replace(tzinfo=UTC),
        request["method"].upper(),
        request["url"].partition("#")[0],
        [pair for pair in _read_pairs(request["headers"]) if pair[0].lower() not in NOT_RECORDED],
        _read_body(request.get("postData") or {}),
        response["status"],
        _read_pairs(response["headers"]),
        _read_body(response.get("content") or {}),
    )


def _read_pairs(pairs: Iterable[Mapping[str, str]]) -> Pairs:
    return [(pair["name"], pair["value"]) for pair in pairs if not pair["name"].startswith(":")]


def _read_body(data: Mapping[str, Any]) -> bytes:
    text = data.get("text") or ""
    if not text and data.get("params"):
        return urlencode(_read_pairs(data["params"])).encode()
    return b64decode(text) if data.get("encoding") == "base64" else text.encode("utf-8", "surrogatepass")
