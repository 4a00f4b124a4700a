"""Message events that the service sends to a bot's server: parsing, and a server to receive them.

Examples:
    >>> import base64, hashlib, hmac
    >>> body = b'''{"type": "message", "source": {"userId": "u-001", "domainId": 10000001},
    ...            "issuedTime": "2026-06-01T00:00:00.000Z", "content": {"type": "text", "text": "hello"}}'''
    >>> signature = base64.b64encode(hmac.digest(b"bot secret", body, hashlib.sha256)).decode()
    >>> event = parse({"X-SERVICE-Signature": signature, "X-SERVICE-BotId": "bot-1"}, body, secret="bot secret")
    >>> event.source.user_id, event.content.text
    ('u-001', 'hello')
"""

from svckit.events.inbox import Inbox, Received, Rejected
from svckit.events.loopback import Loopback, receive
from svckit.events.parsing import parse
from svckit.events.receiver import Receiver
from svckit.events.signing import BadSignature, signature
from svckit.models.event import (
    Content,
    Event,
    FileContent,
    ImageContent,
    LocationContent,
    MessageEvent,
    Source,
    StickerContent,
    TextContent,
    UnknownContent,
    UnknownEvent,
)
from svckit.models.signature import Verifier

__all__ = [
    "BadSignature",
    "Content",
    "Event",
    "FileContent",
    "ImageContent",
    "Inbox",
    "LocationContent",
    "Loopback",
    "MessageEvent",
    "Received",
    "Receiver",
    "Rejected",
    "Source",
    "StickerContent",
    "TextContent",
    "UnknownContent",
    "UnknownEvent",
    "Verifier",
    "parse",
    "receive",
    "signature",
]
