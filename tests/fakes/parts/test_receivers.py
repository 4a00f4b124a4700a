"""Receivers: functions, apps, transports and real addresses, with threads and without."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest

from fakes import FakeService
from fakes.parts import receivers
from fakes.parts.receivers import AsgiReceiver, HttpReceiver, TimedOut, WsgiReceiver, call_receiver

from ...loopback import free_port
from ..bots import TEXT, keep

# Kinds of receivers


class Asgi:
    """An ASGI app that responds after calling something."""

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
    assert [name.decode() for name, _ in came[0].headers.raw] == ["Host", *sent[0].headers, "Content-Length"]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:99999/in?key=canary", "must have a port from 1 to 65535"),
        ("http://127.0.0.1:0/in", "must have a port from 1 to 65535"),
        ("http://127.0.0.1:-1/in", "must have a port from 1 to 65535"),
        ("http://127.0.0.1:8x/in?key=canary", "must have a port from 1 to 65535"),
        ("http://[::1/in?key=canary", "must be an absolute http or https URL"),
        ("http://bot\x00.example/in?key=canary", "cannot be requested"),
        (f"http://bot.example/{'x' * 70_000}", "cannot be requested"),
    ],
)
def test_a_url_that_cannot_be_called_is_refused_when_it_is_set(fake: FakeService, url: str, why: str) -> None:
    fake.callbacks.connect("bot-1", "http://127.0.0.1:9/in")
    with pytest.raises(ValueError, match=why) as caught:
        fake.callbacks.connect("bot-1", url)
    assert "canary" not in str(caught.value)
    assert repr(fake.callbacks.bot("bot-1").receiver) == "<HttpReceiver: http://127.0.0.1:9/in>"


def test_the_repr_of_a_receiver_whose_url_was_changed_does_not_fail() -> None:
    receiver = HttpReceiver("http://127.0.0.1:9/in?key=canary")
    receiver.url = "http://127.0.0.1:99999/in?key=canary"
    assert repr(receiver) == "<HttpReceiver: http://127.0.0.1:99999/in>"


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
    fake.callbacks.connect("bot-1", f"http://127.0.0.1:{free_port()}/callback?key=hidden")
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
        call_receiver(Own(), {}, b"", None)
