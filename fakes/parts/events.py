"""Message events, checked, serialized and signed."""

import base64
import hmac
import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from fakes import rulebook
from fakes.http import javascript_json, json_text
from fakes.http.errors import Refusal
from fakes.parts.files import FileStore
from fakes.parts.part import Part, Shared
from svckit.models.base import WireModel
from svckit.models.event import (
    MINIMUM_CLIENT_VERSION,
    FileContent,
    ImageContent,
    LocationContent,
    MessageEvent,
    StickerContent,
    TextContent,
)
from svckit.models.problems import Problem, join_problems, limit_problems, list_problems, shorten
from svckit.models.times import format_event_time

__all__ = ["CONTENTS", "EventMaker", "SignedEvent", "WrittenMessage", "parse_version"]

CONTENTS: dict[str, type[WireModel]] = {
    "text": TextContent,
    "location": LocationContent,
    "sticker": StickerContent,
    "image": ImageContent,
    "file": FileContent,
}
NOT_ASCII = re.compile("[^ -~]+")
UNTRUSTING = (401, 403)
"""The statuses with which receivers refuse a signature."""
VERSION = re.compile(r"v?([0-9]{1,9}(?:\.[0-9]{1,9})*)")


class WrittenMessage(NamedTuple):
    """A member's message: its content, its room (None for the one-to-one room), and the member's client."""

    user_id: str
    content: Mapping[str, Any]
    channel_id: str | None
    client_version: str | None


class SignedEvent(NamedTuple):
    """An event as sent."""

    at: datetime
    headers: dict[str, str]
    body: bytes


class EventMaker(Part):
    """The maker of one domain's events."""

    def __init__(self, files: FileStore, shared: Shared) -> None:
        super().__init__(shared)
        self._files = files

    def make(self, message: WrittenMessage, bot_id: str, secret: str) -> SignedEvent:
        """Make the event of a message to a bot.

        Raises:
            Refusal: it is not a message that a member can send; all problems are reported together.
        """
        if not isinstance(message.content, Mapping):
            example = 'such as {"type": "text", "text": "hello"}'
            raise Refusal("invalid", f"content must be an object, {example}; given {message.content!r}")
        now = self._clock.now()
        event = self._make_event(message, now)
        self._rules.weigh(
            partial(self._check, event, bot_id), type
        )  # a refusal is the same whatever its words
        if self._rules.apply(rulebook.callbacks.ISSUED_TIME) == "offset":
            event["issuedTime"] = f"{now.isoformat(timespec='milliseconds')[:23]}{now:%z}"  # as in +0900
        body = self._serialize(event)
        for rule in (rulebook.callbacks.EVENT, rulebook.callbacks.FIELDS, rulebook.callbacks.CONTENT):
            self._rules.follow(rule)
        return SignedEvent(now, self._make_headers(bot_id, secret, body), body)

    def make_postback(self, message: WrittenMessage, bot_id: str, secret: str) -> SignedEvent | None:
        """Make the event that follows a message with a postback, if one is assumed to follow."""
        data = message.content.get("postback") if message.content["type"] == "text" else None
        if data is None or self._rules.apply(rulebook.callbacks.OTHER_EVENTS) == "none":
            return None
        now = self._clock.now()
        event = self._make_event(message, now) | {"type": "postback", "data": data}
        del event["content"]
        body = self._serialize(event)
        return SignedEvent(now, self._make_headers(bot_id, secret, body), body)

    def explain_unsupported(self, message: WrittenMessage) -> str | None:
        """Return why a message is not sent, if the member's client is too old for it."""
        kind = message.content["type"]
        minimum, version = MINIMUM_CLIENT_VERSION.get(kind), message.client_version
        if minimum is None or version is None or parse_version(version) >= parse_version(minimum):
            return None
        self._rules.follow(rulebook.callbacks.CLIENT_VERSION)
        if self._rules.apply(rulebook.callbacks.OLD_CLIENTS) == "sent":
            return None
        return (
            f"the client of {message.user_id} has version {version}, and {kind} messages are supported "
            f"from {minimum}"
        )

    def explain_status(self, status: int) -> str:
        """Explain a response of the receiver that is not a success: it may look for another signature."""
        explained = f"the receiver responded with {status}, not 200"
        if status not in UNTRUSTING:
            return explained
        return (
            f"{explained}; if it refused the signature, that was sent as X-{self._settings.header_word}-Signature (the "
            f"setting header_word), by the rule {rulebook.callbacks.SIGNATURE.id}"
        )

    def _make_event(self, message: WrittenMessage, now: datetime) -> dict[str, Any]:
        source: dict[str, Any] = {"userId": message.user_id}
        if message.channel_id is None:
            self._rules.follow(rulebook.callbacks.ONE_TO_ONE)
        else:
            source["channelId"] = message.channel_id
        return {
            "type": "message",
            "source": source | {"domainId": self._settings.domain_id},
            "issuedTime": format_event_time(now),
            "content": message.content,
        }

    def _check(self, event: dict[str, Any], bot_id: str) -> None:
        content = event["content"]
        problems = [*check_event(event), *self._check_described(content), *self._check_file(content, bot_id)]
        if problems:
            raise Refusal(
                "invalid",
                f"this is not a message that a member can send: {join_problems(problems)}",
                problems=limit_problems(problems),
            )

    def _check_described(self, content: Mapping[str, Any]) -> list[Problem]:
        """Return the problems of a type or fields that are not described."""
        kind = content.get("type")
        if not isinstance(kind, str):
            return []
        if kind not in CONTENTS:
            message = f"content.type must be one of {', '.join(CONTENTS)}; given {kind!r}"
            problems = [Problem("content.type", message, repr(kind))]
        else:
            known = CONTENTS[kind].wire_names()
            problems = [
                Problem(
                    f"content.{name}",
                    f"content.{name} is not a field of a {kind} message; its fields are {', '.join(sorted(known))}",
                )
                for name in content
                if name not in known
            ]
        if problems and self._rules.apply(rulebook.callbacks.OTHER_CONTENT) == "sent":
            return []
        return problems

    def _check_file(self, content: Mapping[str, Any], bot_id: str) -> list[Problem]:
        """Return the problem of a file that is not content of the bot, if that is assumed to matter."""
        file_id = content.get("fileId")
        if (
            content.get("type") not in ("image", "file")
            or not isinstance(file_id, str)
            or self._files.holds(("bot", bot_id), file_id)
            or self._rules.apply(rulebook.callbacks.FILE_ID) == "not-checked"
        ):
            return []
        message = f"content.fileId is not the ID of content stored for {bot_id}; given {shorten(file_id)}"
        return [Problem("content.fileId", message, shorten(file_id))]

    def _serialize(self, event: dict[str, Any]) -> bytes:
        path = json_text.find_unwritable(event)
        if path is not None:
            raise Refusal("invalid", f"{path} is infinite or not a number, which JSON cannot express")
        try:
            text = javascript_json.write(event)
        except (PydanticSerializationError, OverflowError) as unwritable:
            raise Refusal("invalid", f"this message cannot be written as JSON: {unwritable}") from None
        escaped = NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)  # without its quotes
        ascii_only = escaped != text and self._rules.apply(rulebook.callbacks.BODY) == "ascii"
        return (escaped if ascii_only else text).encode()

    def _make_headers(self, bot_id: str, secret: str, body: bytes) -> dict[str, str]:
        self._rules.follow(rulebook.callbacks.HEADERS)
        algorithm = self._rules.apply(rulebook.callbacks.SIGNATURE).removeprefix("hmac-")
        signature = base64.b64encode(hmac.digest(secret.encode(), body, algorithm)).decode()
        word = self._settings.header_word
        return {
            "Content-Type": "application/json; charset=UTF-8",
            f"X-{word}-Signature": signature,
            f"X-{word}-{self._rules.apply(rulebook.callbacks.BOT_ID_HEADER)}": bot_id,
        }


def check_event(event: dict[str, Any]) -> list[Problem]:
    """Return the problems of an event by the description."""
    problems: list[Problem] = []
    if event["source"].get("channelId") == "":
        problems.append(
            Problem("channelId", "channelId must not be empty; leave it out for the one-to-one room", '""')
        )
    try:
        MessageEvent.from_wire(event)
    except ValidationError as error:
        problems += list_problems(error)
    return problems


def parse_version(version: str) -> tuple[int, ...]:
    """Return a client version as numbers, which compare as versions do.

    Raises:
        Refusal: it is not a version.

    Examples:
        >>> parse_version("2.10") > parse_version("v2.9")
        True
    """
    match = VERSION.fullmatch(version) if isinstance(version, str) else None
    if match is None:
        raise Refusal("invalid", f"a client version must look like 2.3; given {version!r}")
    return tuple(int(number) for number in match[1].split("."))
