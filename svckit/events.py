"""Message events that the service sends to a bot's server.

Examples:
    >>> import base64, hashlib, hmac
    >>> body = b'''{"type": "message", "source": {"userId": "u-001", "domainId": 10000001},
    ...            "issuedTime": "2026-06-01T00:00:00.000Z", "content": {"type": "text", "text": "hello"}}'''
    >>> signature = base64.b64encode(hmac.digest(b"bot secret", body, hashlib.sha256)).decode()
    >>> event = parse({"X-SERVICE-Signature": signature, "X-SERVICE-BotId": "bot-1"}, body, secret="bot secret")
    >>> event.source.user_id, event.content.text
    ('u-001', 'hello')
"""

import base64
import hmac
from collections.abc import Mapping

from pydantic import ValidationError

from svckit.errors import InvalidInput
from svckit.models.event import MessageEvent
from svckit.models.problems import problems_of
from svckit.models.secret import Secret

__all__ = ["BadSignature", "parse", "signature"]


class BadSignature(ValueError):
    """The request does not come from the service, or was changed on the way; do not act on it."""


def signature(body: bytes, secret: str | Secret) -> str:
    """The signature of a body: base64 of HMAC-SHA256 over exactly these bytes, keyed with the bot's secret.

    This is an assumption: the service's description (section "Events › Headers sent") does not show how the
    signature is computed, only that it is base64 text.
    """
    return base64.b64encode(hmac.digest(Secret(secret).reveal().encode(), body, "sha256")).decode()


def parse(
    headers: Mapping[str, str], body: bytes, *, secret: str | Secret, header_word: str = "SERVICE"
) -> MessageEvent:
    """Check the signature of a callback request and read its event.

    Content of a type that the service's description does not name is kept as it is
    (`svckit.models.UnknownContent`).

    Args:
        headers: the request's headers; their capitalisation does not matter.
        body: the request's body, exactly as it came: parsed and written again, it has another signature.
        secret: the bot's secret.
        header_word: the product word in the header names.

    Raises:
        BadSignature: the signature header is missing or does not fit the body.
        InvalidInput: the body is signed but is no message event.
    """
    name = f"X-{header_word}-Signature"
    given = next((value for key, value in headers.items() if key.lower() == name.lower()), None)
    if given is None:
        raise BadSignature(f"the request has no header {name}; the service sends it with every event")
    if not hmac.compare_digest(given.strip().encode(), signature(body, secret).encode()):
        raise BadSignature(
            f"{name} does not fit the body: check that the bot's secret is the right one and that the body "
            "is passed as the bytes that came"
        )
    try:
        return MessageEvent.from_wire(body)
    except ValidationError as error:
        problems = problems_of(error)
        listed = "; ".join(problem.message for problem in problems)
        raise InvalidInput(f"this is no message event: {listed}", problems) from None
