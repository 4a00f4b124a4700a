"""Callbacks: what is sent, to whom, how it is signed, and what becomes of it."""

import asyncio
import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import AssumptionRefused, FakeService, receivers
from fakes.parts.deliveries import Deliveries
from fakes.receivers import AsgiReceiver, HttpReceiver, TimedOut, WsgiReceiver, ask
from fakes.refusals import Refused

NOW = "2026-06-01T09:00:00+09:00"
TEXT = {"type": "text", "text": "hello"}
CONTENTS: dict[str, dict[str, Any]] = {
    "text": {"text": "héllo, 世界", "postback": "start"},
    "location": {"address": "Tokyo", "latitude": 35.6, "longitude": 139},
    "sticker": {"packageId": "1", "stickerId": "2"},
    "image": {"fileId": "f-1"},
    "file": {"fileId": "f-2"},
}
Came = list[tuple[dict[str, str], bytes]]


def make(**options: Any) -> FakeService:
    return FakeService.sample(now=NOW, **options)


@pytest.fixture
def fake() -> FakeService:
    return make()


def keep(came: Came, status: int | None = None) -> Callable[[Mapping[str, str], bytes], int | None]:
    def receiver(headers: Mapping[str, str], body: bytes) -> int | None:
        came.append((dict(headers), body))
        return status

    return receiver


# What is sent


@pytest.mark.parametrize("kind", CONTENTS)
def test_every_type_arrives_as_it_was_written(fake: FakeService, kind: str) -> None:
    came: Came = []
    fake.callbacks.connect("bot-1", keep(came))
    content = {"type": kind, **CONTENTS[kind]}
    delivery = fake.callbacks.send("bot-1", "u-002", content, channel_id="channel-1")
    ((headers, body),) = came
    assert json.loads(body) == {
        "type": "message",
        "source": {"userId": "u-002", "channelId": "channel-1", "domainId": 10000001},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": content,
    }
    assert list(headers) == ["Content-Type", "X-SERVICE-Signature", "X-SERVICE-BotId"]
    assert headers["Content-Type"] == "application/json; charset=UTF-8"
    assert headers["X-SERVICE-BotId"] == "bot-1"
    expected = hmac.new(fake.facts["bot_secret"].encode(), body, hashlib.sha256).digest()
    assert base64.b64decode(headers["X-SERVICE-Signature"]) == expected
    assert (delivery.headers, delivery.body, delivery.event) == (headers, body, json.loads(body))


def test_a_one_to_one_room_has_no_channel(fake: FakeService) -> None:
    assert fake.callbacks.send("bot-1", "u-001", TEXT).event["source"] == {
        "userId": "u-001",
        "domainId": 10000001,
    }


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_body_is_compact_json_in_utf_8(text: str) -> None:
    body = make().callbacks.send("bot-1", "u-001", {"type": "text", "text": text}).body
    assert body == json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":")).encode()
    assert json.loads(body)["content"]["text"] == text


@pytest.mark.parametrize(
    ("rule", "alternative", "seen"),
    [
        (
            "callback.signature",
            "hmac-sha1",
            lambda d: len(base64.b64decode(d.headers["X-SERVICE-Signature"])) == 20,
        ),
        ("callback.bot-id-header", "BotID", lambda d: "X-SERVICE-BotID" in d.headers),
        ("callback.body", "ascii", lambda d: d.body.isascii() and d.event["content"]["text"] == "世界"),
        ("callback.issued-time", "offset", lambda d: d.event["issuedTime"] == "2026-06-01T09:00:00.000+0900"),
    ],
)
def test_what_is_assumed_can_be_chosen(rule: str, alternative: str, seen: Callable[[Any], bool]) -> None:
    message = {"type": "text", "text": "世界"}
    assert not seen(make().callbacks.send("bot-1", "u-001", message))
    assert seen(make(assume={rule: alternative}).callbacks.send("bot-1", "u-001", message))


def test_a_delivery_says_what_it_rests_on_and_the_rules_count_it(fake: FakeService) -> None:
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert "callback.signature" in delivery.assumed
    assert "callback.event" not in delivery.assumed
    assert fake.rules["callback.signature"].used == fake.rules["callback.event"].used == 1


def test_refused_assumptions_send_nothing() -> None:
    fake, came = make(assumptions="refuse"), []
    fake.callbacks.connect("bot-1", lambda headers, body: came.append(body))
    with pytest.raises(AssumptionRefused, match=r"callback\."):
        fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (came, len(fake.callbacks.deliveries)) == ([], 0)


# What is refused


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"type": "text"}, ["content.text is required"]),
        ({"type": "location", "latitude": "35"}, ["address", "latitude must be a number", "longitude"]),
        ({"type": "location", "address": "x", "latitude": float("nan"), "longitude": 1}, ["latitude"]),
        (
            {"type": "image", "file_id": "f-1"},
            ["content.fileId is required", "file_id is no field of a image"],
        ),
        ({"type": "text", "text": "x", "bold": True}, ["content.bold is no field"]),
        ({"type": "poll"}, ["content.type must be one of text, location, sticker, image, file"]),
        ({"text": "x"}, ["content.type"]),
        ({"type": ["text"]}, ["content.type"]),
        ("text", ["content must be an object"]),
        (None, ["content"]),
        ({"type": "text", "text": "\ud800"}, ["JSON"]),
    ],
)
def test_what_is_no_message_is_refused_and_nothing_is_sent(
    fake: FakeService, content: Any, told: list[str]
) -> None:
    came: Came = []
    fake.callbacks.connect("bot-1", keep(came))
    with pytest.raises(Refused) as refused:
        fake.callbacks.send("bot-1", "u-001", content)
    assert all(words in refused.value.description for words in told), refused.value.description
    assert (came, len(fake.callbacks.deliveries)) == ([], 0)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bot-9", "u-001", TEXT), "'bot-9'"),
        (("bot-1", "u-999", TEXT), "'u-999'"),
        (("bot-1", "u-001", TEXT, ""), "channelId"),
    ],
)
def test_unknown_names_are_refused(fake: FakeService, arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(Refused, match=told):
        fake.callbacks.send(*arguments)
    assert len(fake.callbacks.deliveries) == 0


def test_content_beyond_the_description_is_sent_if_one_says_so() -> None:
    fake = make(assume={"callback.other-content": "sent"})
    poll = {"type": "poll", "question": "Lunch?"}
    assert fake.callbacks.send("bot-1", "u-001", poll).event["content"] == poll
    with pytest.raises(Refused, match="cannot be written as JSON"):
        fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": object()})


# Client versions


@pytest.mark.parametrize(
    ("kind", "version", "sent"),
    [
        ("text", "1.0", True),
        ("location", "1", True),
        ("sticker", "2.2", False),
        ("sticker", "2.3", True),
        ("sticker", "2.10", True),
        ("sticker", "v2.2.9", False),
        ("sticker", "3", True),
        ("image", "2", False),
        ("image", "2.3.0", True),
        ("file", "2.8", False),
        ("file", "2.9", True),
        ("file", "10.0", True),
        ("file", None, True),
    ],
)
def test_old_clients_do_not_send_what_they_do_not_support(
    fake: FakeService, kind: str, version: str | None, sent: bool
) -> None:
    came: Came = []
    fake.callbacks.connect("bot-1", keep(came))
    if version is not None:
        fake.callbacks.client_versions["u-002"] = version
    delivery = fake.callbacks.send("bot-1", "u-002", {"type": kind, **CONTENTS[kind]})
    assert (delivery.delivered, len(came)) == (sent, int(sent))
    if not sent:
        assert (delivery.outcome, delivery.status) == ("not-sent", None)
        assert delivery.error is not None
        assert f"version {version}" in delivery.error
    assert fake.callbacks.send("bot-1", "u-003", {"type": kind, **CONTENTS[kind]}).delivered


def test_one_message_can_be_of_another_client(fake: FakeService) -> None:
    sticker = {"type": "sticker", **CONTENTS["sticker"]}
    fake.callbacks.connect("bot-1", keep([]))
    assert not fake.callbacks.send("bot-1", "u-001", sticker, client_version="2.2").delivered
    assert fake.callbacks.send("bot-1", "u-001", sticker).delivered


def test_old_clients_send_everything_if_one_says_so() -> None:
    fake = make(assume={"callback.old-clients": "sent"})
    fake.callbacks.connect("bot-1", keep([]))
    assert fake.callbacks.send(
        "bot-1", "u-001", {"type": "file", "fileId": "f"}, client_version="1"
    ).delivered


@pytest.mark.parametrize(
    ("user", "version"), [("u-999", "2.2"), ("u-002", "new"), ("u-002", ""), ("u-002", 2.2)]
)
def test_client_versions_are_checked(fake: FakeService, user: str, version: Any) -> None:
    with pytest.raises(Refused):
        fake.callbacks.client_versions[user] = version
    assert dict(fake.callbacks.client_versions) == {}


# Bots


def test_a_bot_can_be_added(fake: FakeService) -> None:
    came: Came = []
    bot = fake.callbacks.add_bot("bot-2", keep(came))
    assert fake.callbacks.send("bot-2", "u-001", TEXT).delivered
    assert came[0][0]["X-SERVICE-BotId"] == "bot-2"
    assert bot.secret not in f"{bot} {fake.callbacks} {fake.callbacks._repr_html_()}"
    assert bot.secret != fake.facts["bot_secret"]


@pytest.mark.parametrize("bot_id", ["bot-1", "", "a b", "a/b", "bot\r\nX: y", "ボット"])
def test_a_bot_id_is_new_and_fits_a_header(fake: FakeService, bot_id: str) -> None:
    with pytest.raises(Refused):
        fake.callbacks.add_bot(bot_id)
    assert list(fake.callbacks.bots) == ["bot-1"]


@pytest.mark.parametrize(
    ("target", "error", "told"),
    [
        (7, TypeError, "not to a int"),
        (lambda headers: None, TypeError, r"takes \(headers, body\)"),
        ("ftp://x/", ValueError, "http"),
        ("/callback", ValueError, "absolute"),
    ],
)
def test_what_cannot_receive_is_not_connected(
    fake: FakeService, target: Any, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        fake.callbacks.connect("bot-1", target)
    assert fake.callbacks.bot("bot-1").receiver is None


def test_plain_http_can_be_refused() -> None:
    fake = make(assume={"callback.address": "https-only"})
    fake.callbacks.connect("bot-1", "https://127.0.0.1:1/callback")
    with pytest.raises(Refused, match="https"):
        fake.callbacks.connect("bot-1", "http://127.0.0.1:1/callback")
    make().callbacks.connect("bot-1", "http://127.0.0.1:1/callback")


# What becomes of it


@pytest.mark.parametrize(
    ("answer", "outcome", "status"),
    [
        (None, "delivered", 200),
        (200, "delivered", 200),
        (201, "rejected", 201),
        (204, "rejected", 204),
        (302, "rejected", 302),
        (500, "rejected", 500),
        (199, "rejected", 199),
        (ValueError("broken"), "failed", None),
        ("200", "failed", None),
        (True, "failed", None),
    ],
)
def test_the_answer_decides_and_nothing_is_sent_twice(
    fake: FakeService, answer: Any, outcome: str, status: int | None
) -> None:
    came = []

    def receiver(headers: Mapping[str, str], body: bytes) -> Any:
        came.append(body)
        if isinstance(answer, Exception):
            raise answer
        return answer

    fake.callbacks.connect("bot-1", receiver)
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (delivery.outcome, delivery.status, len(came)) == (outcome, status, 1)
    assert delivery.delivered == (delivery.error is None) == (outcome == "delivered")
    assert list(fake.callbacks.deliveries) == [delivery]
    assert fake.rules["callback.not-resent"].used == (0 if delivery.delivered else 1)


@pytest.mark.parametrize(("status", "delivered"), [(200, True), (204, True), (299, True), (300, False)])
def test_all_of_2xx_counts_if_one_says_so(status: int, delivered: bool) -> None:
    fake = make(assume={"callback.delivered": "2xx"})
    fake.callbacks.connect("bot-1", keep([], status))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered == delivered


def test_a_bot_without_a_receiver_gets_nothing(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    fake.callbacks.connect("bot-1", None)
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (delivery.outcome, delivery.status) == ("not-sent", None)
    assert "connect one" in str(delivery.error)


def test_a_receiver_that_hangs_is_given_up(fake: FakeService) -> None:
    release = threading.Event()
    fake.callbacks.timeout = 0.01
    fake.callbacks.connect("bot-1", lambda headers, body: release.wait() and None)
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    release.set()
    assert (delivery.outcome, delivery.status) == ("timed-out", None)
    assert delivery.error == "the receiver did not answer within 0.01 seconds"


def test_a_slow_receiver_is_waited_for_if_one_says_so() -> None:
    fake = make(assume={"callback.timeout": "unlimited"})
    fake.callbacks.timeout = 0
    fake.callbacks.connect("bot-1", lambda headers, body: threading.Event().wait(0.01) or 200)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered


def test_a_failure_of_the_test_itself_comes_through(fake: FakeService) -> None:
    def receiver(headers: Mapping[str, str], body: bytes) -> None:
        pytest.fail("not what was expected")

    fake.callbacks.connect("bot-1", receiver)
    with pytest.raises(pytest.fail.Exception, match="not what was expected"):
        fake.callbacks.send("bot-1", "u-001", TEXT)


def test_a_receiver_may_call_the_fake_back_from_any_thread(fake: FakeService) -> None:
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    statuses = []

    def call() -> None:
        with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"]) as http:
            statuses.append(http.patch("/users/u-001", headers=headers, json={}).status_code)

    def receiver(_headers: Mapping[str, str], body: bytes) -> None:
        elsewhere = threading.Thread(target=call)
        elsewhere.start()
        elsewhere.join(5)
        call()
        if json.loads(body)["content"]["text"] == "hello":
            assert fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "again"}).delivered

    fake.callbacks.connect("bot-1", receiver)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).error is None
    assert statuses == [200] * 4
    assert [each.event["source"]["userId"] for each in fake.callbacks.deliveries] == ["u-002", "u-001"]


def test_the_rules_of_an_answer_are_not_mixed_with_those_of_a_callback(fake: FakeService) -> None:
    with fake.rules.recording() as outer:
        fake.rules.choice(fake.rules["api.error-body"])
        fake.callbacks.send("bot-1", "u-001", TEXT)
    assert [rule.id for rule in outer] == ["api.error-body"]


def test_latency_is_the_clocks(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).latency == 0
    fake.callbacks.connect("bot-1", lambda headers, body: fake.clock.advance(seconds=2) and None)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).latency == 2
    running = FakeService.sample()
    running.callbacks.connect("bot-1", keep([]))
    assert 0 <= running.callbacks.send("bot-1", "u-001", TEXT).latency < 10


def test_the_log_shows_itself_and_gives_records(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([], 500))
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "<b>"}, channel_id="channel-1")
    assert repr(fake.callbacks.deliveries) == (
        "<Deliveries: 1 delivery>\n"
        "  <Delivery: text of u-001 to bot-1, rejected: the receiver answered 500, not 200>"
    )
    assert "answered 500" in fake.callbacks.deliveries._repr_html_()
    (record,) = fake.records("deliveries")
    assert "callback.signature" in record["assumed"]
    assert {name: record[name] for name in record if name != "assumed"} == {
        "at": "2026-06-01T00:00:00.000Z",
        "botId": "bot-1",
        "userId": "u-001",
        "channelId": "channel-1",
        "type": "text",
        "outcome": "rejected",
        "status": 500,
        "error": "the receiver answered 500, not 200",
        "latency": 0.0,
        "injected": None,
    }


def test_the_log_is_a_ring(fake: FakeService) -> None:
    fake.callbacks.deliveries = Deliveries(capacity=2)
    sent = [fake.callbacks.send("bot-1", f"u-00{number}", TEXT) for number in (1, 2, 3)]
    assert list(fake.callbacks.deliveries) == sent[1:]
    assert fake.callbacks.deliveries[-1] is sent[-1]


# Kinds of receivers


class Asgi:
    """An ASGI app that answers after calling something."""

    def __init__(self, status: int = 200, first: Callable[[], Any] = lambda: None) -> None:
        self.status = status
        self.first = first
        self.came: list[tuple[dict[str, Any], bytes]] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        message = await receive()
        self.came.append((scope, message["body"]))
        found = self.first()
        if asyncio.iscoroutine(found):
            await found
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def test_an_asgi_app_receives(fake: FakeService) -> None:
    app = Asgi()
    fake.callbacks.connect("bot-1", AsgiReceiver(app))
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    ((scope, body),) = app.came
    assert delivery.delivered
    assert (scope["method"], scope["path"], body) == ("POST", "/callback", delivery.body)
    sent = {name.decode(): value.decode() for name, value in scope["headers"]}
    assert sent.pop("host") == "bot.test"
    assert sent.pop("content-length") == str(len(body))
    assert sent == {name.lower(): value for name, value in delivery.headers.items()}


def test_an_asgi_app_receives_while_an_event_loop_runs(fake: FakeService) -> None:
    app = Asgi(first=lambda: calls(fake))
    fake.callbacks.connect("bot-1", AsgiReceiver(app, path="/hook"))

    async def notebook() -> str | None:
        return fake.callbacks.send("bot-1", "u-001", TEXT).error

    assert asyncio.run(notebook()) is None
    assert app.came[0][0]["path"] == "/hook"
    assert fake.journal[-1].status == 200


async def calls(fake: FakeService) -> None:
    async with httpx.AsyncClient(transport=fake.transport()) as http:
        headers = {"Authorization": f"Bearer {fake.access_token()}"}
        await http.patch(f"{fake.facts['base_url']}/users/u-001", headers=headers, json={})


def test_an_asgi_app_that_hangs_is_given_up(fake: FakeService) -> None:
    fake.callbacks.timeout = 0.01
    fake.callbacks.connect("bot-1", AsgiReceiver(Asgi(first=lambda: asyncio.Event().wait())))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).outcome == "timed-out"


def test_an_app_that_fails_says_how(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", AsgiReceiver(Asgi(first=lambda: 1 / 0)))
    error = fake.callbacks.send("bot-1", "u-001", TEXT).error
    assert error == "the receiver failed: ZeroDivisionError: division by zero"
    fake.callbacks.connect("bot-1", AsgiReceiver(Asgi(status=503)))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).status == 503


def test_a_wsgi_app_receives(fake: FakeService) -> None:
    came = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        came.append((environ, environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))))
        start_response("200 OK", [("Content-Type", "application/json")])
        return [b""]

    fake.callbacks.connect("bot-1", WsgiReceiver(app))
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    ((environ, body),) = came
    assert delivery.delivered
    assert body == delivery.body
    assert environ["PATH_INFO"] == "/callback"
    assert environ["CONTENT_TYPE"] == "application/json; charset=UTF-8"
    assert environ["HTTP_X_SERVICE_BOTID"] == "bot-1"


@pytest.mark.parametrize("target", [Asgi(), Asgi().__call__, lambda environ, start_response: []])
def test_an_app_is_not_taken_for_a_function(fake: FakeService, target: Any) -> None:
    with pytest.raises(TypeError, match=r"(AsgiReceiver|WsgiReceiver)\("):
        fake.callbacks.connect("bot-1", target)


def test_an_httpx_transport_receives_and_stays_open(fake: FakeService) -> None:
    came: list[httpx.Request] = []
    transport = httpx.MockTransport(lambda request: came.append(request) or httpx.Response(200))
    fake.callbacks.connect("bot-1", HttpReceiver("https://bot.example/in?x=1", transport))
    sent = [fake.callbacks.send("bot-1", "u-001", TEXT) for _ in range(2)]
    assert [delivery.delivered for delivery in sent] == [True, True]
    assert str(came[0].url) == "https://bot.example/in?x=1"
    assert [name.decode() for name, _ in came[0].headers.raw] == [
        "Host",
        *sent[0].headers,
        "Content-Length",
    ]


def test_late_transports_have_timed_out(fake: FakeService) -> None:
    def late(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    fake.callbacks.connect("bot-1", HttpReceiver("https://bot.example/", httpx.MockTransport(late)))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).outcome == "timed-out"


class Handler(BaseHTTPRequestHandler):
    """Takes callbacks on a loopback port; redirects whoever knocks at /moved."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.came.append((dict(self.headers), body))  # type: ignore[attr-defined]
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("Location", "/callback")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Not on stderr."""


@pytest.fixture
def loopback() -> Iterator[HTTPServer]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.came = []  # type: ignore[attr-defined]
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield server
        server.shutdown()
        serving.join()


@pytest.mark.parametrize(("path", "status"), [("/callback", 200), ("/moved", 302)])
def test_a_real_address_receives(fake: FakeService, loopback: HTTPServer, path: str, status: int) -> None:
    fake.callbacks.connect("bot-1", f"http://127.0.0.1:{loopback.server_port}{path}")
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    ((headers, body),) = loopback.came  # type: ignore[attr-defined]
    assert (delivery.status, body) == (status, delivery.body)
    assert headers == delivery.headers | {
        "Host": f"127.0.0.1:{loopback.server_port}",
        "Content-Length": str(len(body)),
    }


def test_nobody_at_the_address(fake: FakeService) -> None:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        port = server.server_port
    fake.callbacks.connect("bot-1", f"http://127.0.0.1:{port}/callback?key=hidden")
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert delivery.outcome == "failed"
    assert "ConnectError" in str(delivery.error)
    assert "hidden" not in f"{delivery!r} {fake.callbacks._repr_html_()}"


# Where there are no threads


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoThread(threading.Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(receivers, "Thread", NoThread)


@pytest.mark.usefixtures("no_threads")
def test_without_threads_receivers_run_on_the_spot(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered
    fake.callbacks.connect("bot-1", AsgiReceiver(Asgi()))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered


@pytest.mark.usefixtures("no_threads")
def test_without_threads_an_event_loop_is_an_obstacle_that_is_named(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", AsgiReceiver(Asgi()))

    async def notebook() -> str | None:
        return fake.callbacks.send("bot-1", "u-001", TEXT).error

    assert "no threads" in str(asyncio.run(notebook()))


def test_a_receiver_of_ones_own() -> None:
    class Own:
        def receive(self, headers: Mapping[str, str], body: bytes, seconds: float | None) -> int:
            raise TimedOut

    with pytest.raises(TimedOut):
        ask(Own(), {}, b"", None)


# Events that are no messages


def test_a_postback_event_follows_the_text_of_a_button_where_that_is_assumed():
    fake = make(assume={"callback.other-events": "postback"})
    came = []
    fake.callbacks.connect("bot-1", lambda headers, body: came.append(json.loads(body)))
    sent = fake.callbacks.send(
        "bot-1", "u-001", {"type": "text", "text": "Go", "postback": "go"}, "channel-1"
    )
    message, postback = fake.callbacks.deliveries
    assert (sent, message.type, postback.type) == (message, "text", "postback")
    assert came[0]["source"] == came[1]["source"]
    assert (came[1]["type"], came[1]["data"]) == ("postback", "go")
    assert postback.record()["outcome"] == "delivered"
    assert repr(postback) == "<Delivery: postback of u-001 to bot-1, delivered>"
    fake.restore(fake.snapshot())


@pytest.mark.parametrize("postback", [{}, {"postback": "go"}])
def test_whether_a_postback_event_follows_is_an_assumption_only_where_there_is_a_postback(postback):
    fake = make()
    delivery = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "Go"} | postback)
    assert ("callback.other-events" in delivery.assumed) == bool(postback)
    assert len(fake.callbacks.deliveries) == 1
