"""Lesson 09: what learners write, by the sentence that each of them gets."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import ne
from typing import Any

from svckit.course.exercises.receiving import solution_remembers_signatures

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


def is_genuine(secret: str, given: str, body: bytes) -> bool:
    """Return whether a signature is that of a body."""
    return hmac.compare_digest(given, sign(secret, body))


def make(
    check: Callable[[str, str, bytes], bool] = is_genuine,
    read: Callable[[dict[str, Any]], Any] = make_entry,
    key: Callable[[Headers, bytes], object] = lambda headers, body: body,
    status: int = 200,
) -> Callable[[str, list[Any]], Receive]:
    """Return a `make_receiver` that differs from a solution in one part."""

    def make_receiver(secret: str, queue: list[Any]) -> Receive:
        seen = set()

        def receive(headers: Headers, body: bytes) -> int:
            if not check(secret, headers.get("X-SERVICE-Signature", ""), body):
                return 401
            event = json.loads(body)
            if key(headers, body) not in seen and event["type"] == "message":
                seen.add(key(headers, body))
                queue.append(read(event))
            return status

        return receive

    return make_receiver


def forgets_to_return(secret: str, queue: list[Entry]) -> None:
    def receive(headers: Headers, body: bytes) -> int:
        return 200


def queues_nothing(secret: str, queue: list[Entry]) -> Receive:
    return lambda headers, body: 200


def signs_with_a_text(secret: str, queue: list[Entry]) -> Receive:
    key: Any = secret

    def receive(headers: Headers, body: bytes) -> int:
        digest = hmac.digest(key, body, "sha256")
        return 200 if hmac.compare_digest(headers["X-SERVICE-Signature"], digest.hex()) else 401

    return receive


def raises_for_forged(secret: str, queue: list[Entry]) -> Receive:
    accept = solution_remembers_signatures(secret, queue)

    def receive(headers: Headers, body: bytes) -> int:
        status = accept(headers, body)
        if status == 401:
            raise PermissionError("this request is forged")
        return int(status)

    return receive


def needs_a_signature(secret: str, queue: list[Entry]) -> Receive:
    def receive(headers: Headers, body: bytes) -> int:
        if not is_genuine(secret, headers["X-SERVICE-Signature"], body):
            return 401
        queue.append(make_entry(json.loads(body)))
        return 200

    return receive


def trusts_every_event(secret: str, queue: list[Entry]) -> Receive:
    def receive(headers: Headers, body: bytes) -> int:
        with suppress(ValueError, LookupError):
            queue.append(make_entry(json.loads(body)))
        return 200

    return receive


def says_nothing_to_forgers(secret: str, queue: list[Entry]) -> Receive:
    receive = solution_remembers_signatures(secret, queue)
    return lambda headers, body: receive(headers, body) and 200


def returns_no_status(secret: str, queue: list[Entry]) -> Receive:
    receive = solution_remembers_signatures(secret, queue)
    return lambda headers, body: None if receive(headers, body) == 200 else 401


def write_again(secret: str, given: str, body: bytes, **options: Any) -> bool:
    """Return whether the signature is that of the event as `json.dumps` writes it."""
    try:
        again = json.dumps(json.loads(body), **options).encode()
    except ValueError:
        return False
    return is_genuine(secret, given, again)


reads_first = make(check=lambda secret, given, body: json.loads(body) and is_genuine(secret, given, body))


trusts_any_signature = make(check=lambda secret, given, body: bool(given) and body.startswith(b"{"))


writes_again = make(check=write_again)


writes_compactly = make(check=lambda *given: write_again(*given, separators=(",", ":")))


signs_in_hex = make(
    check=lambda secret, given, body: hmac.compare_digest(
        given, hmac.new(secret.encode(), body, "sha256").hexdigest()
    )
)


signs_with_another_hash = make(
    check=lambda secret, given, body: hmac.compare_digest(
        given, base64.b64encode(hashlib.sha256(secret.encode() + body).digest()).decode()
    )
)


compares_by_equality = make(check=lambda secret, given, body: given == sign(secret, body))


compares_by_inequality = make(check=lambda secret, given, body: not ne(sign(secret, body), given))


needs_a_channel = make(
    read=lambda event: (event["source"]["channelId"], event["source"]["userId"], event["content"]["type"])
)


needs_a_text = make(read=lambda event: (*make_entry(event)[:2], event["content"]["text"]))


forgets_the_text = make(read=lambda event: (*make_entry(event)[:2], event["content"]["type"]))


leaves_the_room_out = make(read=lambda event: make_entry(event)[1:])


queues_copies = make(key=lambda headers, body: object())


takes_texts_for_copies = make(key=lambda headers, body: body[body.find(b"content") :])


takes_times_for_copies = make(key=lambda headers, body: json.loads(body)["issuedTime"])


needs_content = make(key=lambda headers, body: make_entry(json.loads(body)))


responds_with_204 = make(status=204)


def knows_five_types(secret: str, queue: list[Entry]) -> Receive:
    accept = solution_remembers_signatures(secret, queue)

    def receive(headers: Headers, body: bytes) -> int:
        known = (b'"text"', b'"sticker"', b'"image"', b'"file"', b'"location"')
        if b'"message"' in body and not any(kind in body for kind in known):
            return 400
        return int(accept(headers, body))

    return receive


WRONG = {
    "no receiver": (forgets_to_return,),
    "channelId": (needs_a_channel,),
    "unknown type": (needs_content, knows_five_types),
    "raises": (needs_a_text, signs_with_a_text),
    "raises instead": (raises_for_forged, needs_a_signature, reads_first),
    "no status": (returns_no_status,),
    "other signature": (signs_in_hex, signs_with_another_hash),
    "written again": (writes_again, writes_compactly),
    "trusts": (trusts_every_event, trusts_any_signature, says_nothing_to_forgers),
    "replay": (queues_copies,),
    "taken for a replay": (takes_texts_for_copies, takes_times_for_copies),
    "nothing queued": (queues_nothing,),
    "other entry": (forgets_the_text, leaves_the_room_out),
    "other status": (responds_with_204,),
    "equality": (compares_by_equality, compares_by_inequality),
}
