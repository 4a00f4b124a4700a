"""Lesson 09: receive events, and trust only those that the service signed."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["SOLUTIONS"]

Headers = Mapping[str, str]
Entry = tuple[str | None, str, str]
Receive = Callable[[Headers, bytes], Any]


def sign(secret: str, body: bytes) -> str:
    """Return the signature of a body."""
    return base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()


def make_entry(event: dict[str, Any]) -> Entry:
    """Return the entry of a message."""
    source, content = event["source"], event["content"]
    return source.get("channelId"), source["userId"], content.get("text", content["type"])


def solution_remembers_signatures(secret: str, queue: list[Entry]) -> Receive:
    """Check, then read, and remember each signature."""
    seen: set[str] = set()

    def receive(headers: Headers, body: bytes) -> int:
        expected = sign(secret, body)
        if not hmac.compare_digest(headers.get("X-SERVICE-Signature", ""), expected):
            return 401
        if expected in seen:
            return 200
        seen.add(expected)
        event = json.loads(body)
        if event["type"] == "message":
            queue.append(make_entry(event))
        return 200

    return receive


def solution_compares_bytes(secret: str, queue: list[Entry]) -> Receive:
    """Decode the signature, remember bodies, and refuse copies."""
    seen: set[bytes] = set()

    def receive(headers: Headers, body: bytes) -> int:
        given = headers.get("X-SERVICE-Signature")
        if given is None or body in seen:
            return 401
        digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
        if not hmac.compare_digest(base64.b64decode(given), digest):
            return 401
        seen.add(body)
        match json.loads(body):
            case {"content": {"type": kind} as content, "source": {"userId": user} as source}:
                text = content["text"] if kind == "text" else kind
                queue.append((source.get("channelId"), user, text))
        return 200

    return receive


SOLUTIONS = (solution_remembers_signatures, solution_compares_bytes)
