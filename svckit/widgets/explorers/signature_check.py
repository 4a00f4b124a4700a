"""The signature check of a callback, with its body as received or with one byte changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from svckit.display.masking import MASK, mask
from svckit.errors import InvalidInput
from svckit.events.parsing import parse
from svckit.events.signing import BadSignature
from svckit.models.secret import Secret
from svckit.profiles.profiles import Profile

__all__ = ["Callback", "check_signature", "parse_headers"]


@dataclass(frozen=True, slots=True)
class Callback:
    """A callback request: its headers, and its body as received."""

    headers: Mapping[str, str]
    body: bytes


def parse_headers(text: str) -> dict[str, str]:
    """Parse pasted headers, one per line.

    Raises:
        InvalidInput: a line is not a header.

    Examples:
        >>> parse_headers("Content-Type: application/json\\n\\nX-SERVICE-BotId: bot-1")
        {'Content-Type': 'application/json', 'X-SERVICE-BotId': 'bot-1'}
    """
    headers = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise InvalidInput(
                "headers are lines such as X-SERVICE-BotId: bot-1; a line has no name or no colon"
            )
        headers[name.strip()] = value.strip()
    return headers


def check_signature(
    callback: Callback, secret: Secret, profile: Profile, *, change: bool = False
) -> dict[str, Any]:
    """Check a callback as a receiver does.

    Args:
        callback: the request.
        secret: the bot's secret.
        profile: the profile with the header word and the signature algorithm.
        change: whether to change a byte of the body first.

    Returns:
        ``matches``: whether the signature matches; ``words``: the result in words; ``event``: the event as indented
        JSON; ``body``: the text of the body in three parts, the second of which is the changed byte.

    Examples:
        >>> import svckit
        >>> from svckit.events import signature
        >>> profile = svckit.connect(now="2026-06-01T09:00:00+09:00").profile
        >>> body = b'{"type":"poll","question":"Lunch?"}'
        >>> callback = Callback({"X-SERVICE-Signature": signature(body, "canary")}, body)
        >>> result = check_signature(callback, Secret("canary"), profile)
        >>> result["matches"], result["words"]
        (True, 'X-SERVICE-Signature matches: base64 of HMAC-SHA256 over the 35 bytes of the body, keyed with ***')
        >>> result = check_signature(callback, Secret("canary"), profile, change=True)
        >>> result["matches"], result["body"]
        (False, ['{"type":"poll","q', 'x', 'estion":"Lunch?"}'])
    """
    at = _find_changeable_byte(callback.body) if change and callback.body else None
    body = callback.body if at is None else _change_byte(callback.body, at)
    word, signature = profile.header_word, profile.signature
    name = f"X-{word}-Signature"
    matches, problem = True, ""
    try:
        parse(callback.headers, body, secret=secret, header_word=word, signature=signature)
    except BadSignature as error:
        matches, problem = False, str(error)
    except InvalidInput as error:
        problem = str(error)
    how = "the profile's function, given" if callable(signature) else f"base64 of {signature.upper()} over"
    words = f"{name} matches: {how} the {len(body):,} bytes of the body, keyed with {MASK}"
    return {
        "matches": matches,
        "words": mask(f"{words}; but {problem}" if matches and problem else problem or words),
        "event": _indent(body),
        "body": [_decode(part) for part in _split_body(body, at)],
    }


def _find_changeable_byte(body: bytes) -> int:
    """Return the index of a letter or digit near the middle, or else of the middle."""
    middle = len(body) // 2
    return next(
        (at for at in range(middle, len(body)) if chr(body[at]).isascii() and chr(body[at]).isalnum()), middle
    )


def _change_byte(body: bytes, at: int) -> bytes:
    other = b"y" if body[at : at + 1] == b"x" else b"x"
    return body[:at] + other + body[at + 1 :]


def _split_body(body: bytes, at: int | None) -> tuple[bytes, bytes, bytes]:
    return (body, b"", b"") if at is None else (body[:at], body[at : at + 1], body[at + 1 :])


def _indent(body: bytes) -> str:
    """Return the event as indented JSON, or unchanged if it is not JSON."""
    try:
        return mask(to_json(from_json(body), indent=2).decode())
    except ValueError:
        return _decode(body)


def _decode(part: bytes) -> str:
    return mask(part.decode("utf-8", "replace"))
