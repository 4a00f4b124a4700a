"""Whether the signature of a callback fits its body, as it came or with a byte of it changed, for people to see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from svckit.display.masking import MASK, mask
from svckit.errors import InvalidInput
from svckit.events.parsing import header, parse
from svckit.events.signing import BadSignature
from svckit.models.secret import Secret
from svckit.models.signature import ALGORITHMS, SignedBy

__all__ = ["Callback", "check_signature", "headers_of"]


@dataclass(frozen=True, slots=True)
class Callback:
    """A callback request: its headers, and its body as the bytes that came."""

    headers: Mapping[str, str]
    body: bytes


def headers_of(text: str) -> dict[str, str]:
    """Headers that were pasted, one a line.

    Raises:
        InvalidInput: a line is none.

    Examples:
        >>> headers_of("Content-Type: application/json\\n\\nX-SERVICE-BotId: bot-1")
        {'Content-Type': 'application/json', 'X-SERVICE-BotId': 'bot-1'}
    """
    found = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise InvalidInput(
                "headers are lines such as X-SERVICE-BotId: bot-1; a line has no name or no colon"
            )
        found[name.strip()] = value.strip()
    return found


def check_signature(
    callback: Callback,
    secret: Secret,
    header_word: str,
    *,
    signature: SignedBy = ALGORITHMS[0],
    change: bool = False,
) -> dict[str, Any]:
    """Check a callback as a receiver does, and say what came of it.

    Args:
        callback: the request.
        secret: the bot's secret.
        header_word: the product word in the header names.
        signature: how events are signed.
        change: whether to change a byte of the body before.

    Returns:
        ``fits``: whether the signature does; ``words``: what came of it; ``event``: the event as indented JSON;
        ``body``: the text of the body in three parts, the second of which is the byte that was changed.

    Examples:
        >>> from svckit.events import signature
        >>> body = b'{"type":"poll","question":"Lunch?"}'
        >>> came = Callback({"X-SERVICE-Signature": signature(body, "canary")}, body)
        >>> told = check_signature(came, Secret("canary"), "SERVICE")
        >>> told["fits"], told["words"]
        (True, 'X-SERVICE-Signature fits: base64 of HMAC-SHA256 over the 35 bytes of the body, keyed with ***')
        >>> told = check_signature(came, Secret("canary"), "SERVICE", change=True)
        >>> told["fits"], told["body"]
        (False, ['{"type":"poll","q', 'x', 'estion":"Lunch?"}'])
    """
    at = _find_changeable_byte(callback.body) if change and callback.body else None
    body = callback.body if at is None else _change_byte(callback.body, at)
    name = f"X-{header_word}-Signature"
    fits, problem = True, ""
    try:
        parse(callback.headers, body, secret=secret, header_word=header_word, signature=signature)
    except BadSignature as forged:
        fits, problem = False, str(forged)
    except InvalidInput as unreadable:
        problem = str(unreadable)
    how = (
        "the function of the profile, given" if callable(signature) else f"base64 of {signature.upper()} over"
    )
    words = f"{name} fits: {how} the {len(body):,} bytes of the body, keyed with {MASK}"
    return {
        "fits": fits,
        "words": mask(f"{words}; but {problem}" if fits and problem else problem or words),
        "event": _indent(body),
        "body": [_text(part) for part in _parts(body, at)],
        "given": header(callback.headers, name) or "",
    }


def _find_changeable_byte(body: bytes) -> int:
    """The place of a letter near the middle; of the middle where there is none."""
    middle = len(body) // 2
    return next(
        (at for at in range(middle, len(body)) if chr(body[at]).isascii() and chr(body[at]).isalnum()), middle
    )


def _change_byte(body: bytes, at: int) -> bytes:
    other = b"y" if body[at : at + 1] == b"x" else b"x"
    return body[:at] + other + body[at + 1 :]


def _parts(body: bytes, at: int | None) -> tuple[bytes, bytes, bytes]:
    return (body, b"", b"") if at is None else (body[:at], body[at : at + 1], body[at + 1 :])


def _indent(body: bytes) -> str:
    """The event for reading; as it came where it is no JSON."""
    try:
        return mask(to_json(from_json(body), indent=2).decode())
    except ValueError:
        return _text(body)


def _text(part: bytes) -> str:
    return mask(part.decode("utf-8", "replace"))
