"""Receiving events: as an ASGI app, on loopback, from a fake, with and without ``await``."""

import asyncio
import json
import socket
import threading
import traceback
from collections.abc import Iterable
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService
from fakes.parts.receivers import AsgiReceiver
from svckit import events

from ...loopback import PATIENCE

SECRET = "canary-bot-secret"
TEXT = {"type": "text", "text": "hello"}


def event(**changes: Any) -> bytes:
    whole = {
        "type": "message",
        "source": {"userId": "u-001", "domainId": 1},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": TEXT,
    }
    return json.dumps(whole | changes).encode()


def signed(body: bytes, **more: str) -> dict[str, str]:
    return {"X-SERVICE-Signature": events.signature(body, SECRET), "X-SERVICE-BotId": "bot-1"} | more


def post(app: events.Receiver, body: bytes, headers: dict[str, str], method: str = "POST") -> httpx.Response:
    async def sent() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bot.test") as http:
            return await http.request(method, "/any/path", content=body, headers=headers)

    return asyncio.run(sent())


def test_event_gets_the_response_of_the_sample() -> None:
    app = events.Receiver(SECRET)
    response = post(app, event(), signed(event()))
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-type"].startswith("application/json")
    ((received),) = app
    assert (received.number, received.bot_id, received.event.content.text) == (1, "bot-1", "hello")


@pytest.mark.parametrize(
    ("body", "headers", "method", "status", "reason"),
    [
        (event(), {}, "POST", 401, "no header X-SERVICE-Signature"),
        (event(), {"X-SERVICE-Signature": "AAAA"}, "POST", 401, "does not match the body"),
        (event(), {"X-SERVICE-Signature": "é"}, "POST", 401, "does not match the body"),
        (event() + b" ", signed(event()), "POST", 401, "does not match the body"),
        (b"[]", signed(b"[]"), "POST", 400, "this is not a message event"),
        (b"\xff", signed(b"\xff"), "POST", 400, "this is not a message event"),
        (event(issuedTime=1), signed(event(issuedTime=1)), "POST", 400, "issuedTime must be a time"),
        (event(), signed(event()), "GET", 405, "use POST"),
        (b" " * 1_000_001, signed(b" " * 1_000_001), "POST", 413, "more than 1,000,000 bytes"),
    ],
)
def test_anything_else_is_refused_and_logged(
    body: bytes, headers: dict[str, str], method: str, status: int, reason: str
) -> None:
    app = events.Receiver(SECRET)
    encoded: Any = {name: value.encode("latin-1") for name, value in headers.items()}
    assert post(app, body, encoded, method).status_code == status
    assert len(app) == 0
    (refused,) = app.refused
    assert refused.status == status
    assert reason in refused.reason


def test_a_body_in_endless_pieces_is_not_read_to_its_end() -> None:
    app, pieces, sent = events.Receiver(SECRET), 0, []

    async def receive() -> dict[str, Any]:
        nonlocal pieces
        pieces += 1
        return {"type": "http.request", "body": b"x" * 400_000, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app({"type": "http", "method": "POST", "headers": []}, receive, send))
    assert (sent[0]["status"], pieces) == (413, 3)


def test_a_sender_that_goes_away_leaves_nothing() -> None:
    app, sent = events.Receiver(SECRET), []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app({"type": "http", "method": "POST", "headers": []}, receive, send))
    assert (sent[0]["status"], len(app)) == (400, 0)


def test_the_app_lives_and_ends_with_its_server() -> None:
    app, sent = events.Receiver(SECRET), []
    told: Iterable[dict[str, str]] = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> dict[str, str]:
        return next(told)  # type: ignore[call-overload]

    async def send(message: Any) -> None:
        sent.append(message["type"])

    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_types_that_are_not_described_are_kept() -> None:
    app = events.Receiver(SECRET)
    poll = event(content={"type": "poll", "text": 7, "question": "Lunch?"})
    postback = json.dumps({"type": "postback", "data": "start", "source": 5}).encode()
    for body in (poll, postback):
        assert post(app, body, signed(body)).status_code == 200
    first, second = app.events
    assert isinstance(first, events.MessageEvent)
    assert isinstance(first.content, events.UnknownContent)
    assert isinstance(second, events.UnknownEvent)
    assert second.to_wire() == {"type": "postback", "data": "start", "source": 5}


def test_the_newest_are_kept() -> None:
    app = events.Receiver(SECRET, capacity=2)
    for text in "abc":
        body = event(content={"type": "text", "text": text})
        app.receive(signed(body), body)
        app.receive({}, body)
    assert [each.content.text for each in app.events] == ["b", "c"]
    assert ([each.number for each in app], app.forgotten, len(app.refused)) == ([2, 3], 1, 2)
    assert app.wait(3, timeout=0) == app.events
    with pytest.raises(ValueError, match="at least 1"):
        events.Receiver(SECRET, capacity=0)


CONTENTS = [
    TEXT,
    {"type": "location", "address": "Seoul", "latitude": 37.5, "longitude": 127},
    {"type": "sticker", "packageId": "1", "stickerId": "2"},
    {"type": "image", "fileId": "f-1"},
    {"type": "file", "fileId": "f-2"},
]


@pytest.mark.parametrize("way", ["url", "receiver", "asgi"])
def test_a_bot_of_the_fake_is_connected(fake: FakeService, way: str) -> None:
    with events.receive(fake.facts["bot_secret"]) as inbox:
        target = {"url": inbox.url, "receiver": inbox, "asgi": AsgiReceiver(inbox)}[way]
        fake.callbacks.connect("bot-1", target)
        for content in CONTENTS:
            assert fake.callbacks.send("bot-1", "u-001", content, "channel-1").delivered
        came = inbox.wait(len(CONTENTS))
    assert [each.content.to_wire() for each in came] == CONTENTS
    assert inbox.records() == [*fake.records("events")]


def test_it_works_where_an_event_loop_runs(fake: FakeService) -> None:
    async def main() -> list[str]:
        async with events.receive(fake.facts["bot_secret"]) as inbox:
            fake.callbacks.connect("bot-1", inbox.url)
            later = asyncio.create_task(inbox.wait_async(2))
            for text in ("one", "two"):
                await asyncio.to_thread(fake.callbacks.send, "bot-1", "u-001", {"type": "text", "text": text})
            await later
        with events.receive(fake.facts["bot_secret"]) as other:
            fake.callbacks.connect("bot-1", other.url)
            fake.callbacks.send("bot-1", "u-001", TEXT)
            (last,) = other.wait()
        return [each.content.text for each in (*inbox.events, last)]

    assert asyncio.run(main()) == ["one", "two", "hello"]


def test_waiting_in_vain_says_what_came() -> None:
    app = events.Receiver(SECRET)
    app.receive({}, event())
    expected = (
        r"received 0 of 1 events within 0 seconds; 1 refused, the last with 401: the request has no header"
    )
    with pytest.raises(TimeoutError, match=expected):
        app.wait(timeout=0)
    with pytest.raises(TimeoutError, match=expected):
        asyncio.run(app.wait_async(timeout=0))


def test_waiting_in_vain_where_nothing_came_says_so() -> None:
    with pytest.raises(TimeoutError, match=r"^received 0 of 2 events within 0 seconds$"):
        events.Receiver(SECRET).wait(2, timeout=0)


def test_a_wait_that_is_given_up_leaves_nothing_behind() -> None:
    app = events.Receiver(SECRET)

    async def main() -> None:
        waiting = asyncio.create_task(app.wait_async(timeout=None))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(main())
    assert app._listeners == []


def test_it_listens_on_loopback_and_only_while_it_is_entered() -> None:
    before = threading.active_count()
    receiving = events.receive(SECRET)
    with pytest.raises(RuntimeError, match="with block"):
        _ = receiving.url
    with receiving as inbox:
        address = httpx.URL(inbox.url)
        assert address.host == "127.0.0.1"
        with pytest.raises(OSError, match="port=0 takes any free one"):
            events.receive(SECRET, port=address.port or 0).__enter__()
        with pytest.raises(RuntimeError, match="already"):
            inbox.__enter__()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", address.port)) != 0
    assert threading.active_count() == before
    with pytest.raises(ValueError, match="port is a number"):
        events.receive(SECRET, port=70_000)


def test_it_can_be_entered_again_at_the_same_port() -> None:
    receiving = events.receive(SECRET)
    with receiving as inbox:
        url = inbox.url
    with receiving as inbox:
        assert inbox.url == url
        response = httpx.post(inbox.url, content=event(), headers=signed(event()), timeout=PATIENCE)
    assert (response.status_code, len(inbox)) == (200, 1)


def test_it_shows_what_came_and_never_the_secret() -> None:
    app = events.Receiver(SECRET)
    app.receive(signed(event()), event())
    postback = json.dumps({"type": "<b>", "x": 1}).encode()
    app.receive(signed(postback), postback)
    app.receive(signed(event(), **{"X-SERVICE-Signature": "AAAA"}), event())
    assert repr(app).splitlines() == [
        "Receiver: 2 received, 1 refused",
        "  number  bot    user   type",
        "  1       bot-1  u-001  text",
        "  2       bot-1         <b>",
    ]
    assert "&lt;b&gt;" in app._repr_html_()
    try:
        app.wait(3, timeout=0)
    except TimeoutError as error:
        whole = traceback.TracebackException.from_exception(error, capture_locals=True)
    shown = [repr(app), app._repr_html_(), repr(app.refused), *whole.format(), repr(app.records())]
    assert [line for line in shown if SECRET in line or events.signature(event(), SECRET) in line] == []


def test_an_inbox_without_events_shows_no_table() -> None:
    app = events.Receiver(SECRET)
    assert repr(app) == "Receiver: 0 received, 0 refused"
    assert "<table" not in app._repr_html_()


def test_living_receivers_of_a_session_are_found() -> None:
    svc, other = svckit.connect(), svckit.connect()
    assert svc.bot_secret is not None
    first = events.Receiver(svc.bot_secret, on=svc)
    second = events.receive(svc.bot_secret, on=svc)
    events.Receiver(svc.bot_secret, on=svc)
    assert events.Receiver.of(svc) == [first, second]
    assert events.Receiver.of(other) == []


def test_events_come_from_a_session_or_a_profile() -> None:
    with pytest.raises(TypeError, match="on must be a session or a profile; given 5"):
        events.Receiver("secret", on=5)  # type: ignore[arg-type]
