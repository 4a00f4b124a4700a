"""No secret shows in a traceback with local variables, whatever ends a call and wherever it hits."""

import asyncio
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import pytest
from IPython.core.ultratb import VerboseTB
from rich.traceback import Traceback

from fakes import FakeService
from svckit import places
from svckit.errors import InvalidInput, SignInStopped
from svckit.events import receive
from svckit.models.secret import Secret
from svckit.operations.authorization import Visitor
from svckit.profiles.credentials import Credentials, Tokens
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.session import Session
from svckit.sign_in.browser import BrowserVisitor
from svckit.sign_in.paste import PasteVisitor
from svckit.tracebacks import forgetting_all_locals

from ..loopback import free_port
from .canaries import ISSUED, Renaming
from .conftest import Face

DRIVE = places.drive("u-001")
INTERRUPTS = {"sync": KeyboardInterrupt, "async": asyncio.CancelledError}
"""What a person who stops a call, or a time limit, raises in the midst of it."""


def ours(trace: TracebackType | None) -> TracebackType | None:
    """A traceback from the first frame of the toolkit on: those of a test know the secrets."""
    while trace is not None and not trace.tb_frame.f_globals.get("__name__", "").startswith("svckit."):
        trace = trace.tb_next
    return trace


def chain(error: BaseException) -> list[BaseException]:
    """An error and all that it came from, those included whose frames are no longer shown."""
    found, waiting = [], [error]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.append(each)
            waiting += filter(None, [each.__cause__, each.__context__])
    return found


def plain(error: BaseException) -> str:
    """Every frame with the repr of each local variable, as pytest shows it, and the standard library."""
    links = [(each, ours(each.__traceback__)) for each in chain(error)]
    told = (traceback.TracebackException(type(e), e, trace, capture_locals=True) for e, trace in links)
    return "".join(line for each in told for line in each.format(chain=False))


def in_ipython(error: BaseException) -> str:
    formatter = VerboseTB(theme_name="nocolor", include_vars=True)
    formatter.skip_hidden = False
    return formatter.text(type(error), error, ours(error.__traceback__))


def in_rich(error: BaseException) -> str:
    """What rich makes of it, before it colours the source lines, which takes seconds."""
    options = {"show_locals": True, "locals_max_length": None, "locals_max_string": None}
    found = Traceback.extract(type(error), error, ours(error.__traceback__), **options)
    frames = [frame for stack in found.stacks for frame in stack.frames]
    return "\n".join(
        f"{each.filename} {each.locals and {n: str(v) for n, v in each.locals.items()}}" for each in frames
    )


def in_pytest(error: BaseException) -> str:
    whole = error.__traceback__
    try:
        own = pytest.ExceptionInfo.from_exception(error.with_traceback(ours(whole)))
        return str(own.getrepr(showlocals=True, style="short"))
    finally:
        error.__traceback__ = whole


class Interrupting(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport in which a call ends that has come to a request line."""

    def __init__(self, inner: Renaming) -> None:
        self.inner = inner
        self.line = ""
        self.error: type[BaseException] = KeyboardInterrupt

    def _end(self, request: httpx.Request) -> None:
        line, headers, body = f"{request.method} {request.url}", dict(request.headers), request.content
        if self.line and line.startswith(self.line):
            raise self.error(len(line) + len(headers) + len(body))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self._end(request)
        return self.inner.handle_request(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self._end(request)
        return await self.inner.handle_async_request(request)

    def close(self) -> None:
        self.inner.close()

    async def aclose(self) -> None:
        await self.inner.aclose()


@pytest.fixture
def interrupting(fake: FakeService) -> Interrupting:
    return Interrupting(Renaming(fake.transport()))


@pytest.fixture
def face(way: str, fake: FakeService, interrupting: Interrupting, runner: asyncio.Runner) -> Iterator[Face]:
    facts = interrupting.inner.facts(fake.facts)
    with Face.opened(way, facts, runner, transport=interrupting, clock=fake.clock) as face:
        yield face
        interrupting.line = ""


CALLS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a notification": ("POST https://hooks", lambda svc: svc.notify("hello")),
    "a bearer": ("PATCH https://api", lambda svc: svc.users.read("u-001")),
    "an upload URL": ("POST https://storage", lambda svc: svc.files.upload(b"x", to=DRIVE, name="a.txt")),
    "many uploads": ("POST https://storage", lambda svc: svc.files.upload_many({"a": b"A"}, to=DRIVE)),
    "a state": ("GET https://auth", lambda svc: svc.sign_in()),
    "a password": ("POST https://auth.fake.test/oauth2/v2.0/authorize", lambda svc: svc.sign_in()),
    "a code and a client secret": (
        "POST https://auth.fake.test/oauth2/v2.0/token",
        lambda svc: svc.sign_in(),
    ),
    "a call of one's own": ("PATCH https://api", lambda svc: svc.request("PATCH", "/users/u-001", json={})),
    "a call of httpx": ("PATCH https://api", lambda svc: svc.http.patch("/users/u-001", json={})),
}


def ended(use: Callable[[Any], Any], face: Face) -> list[BaseException]:
    """What a call ends with; of many at once, each of them."""
    try:
        result = face(use)
    except BaseException as error:  # noqa: BLE001 - whatever it is
        return [error, *(each.error for each in getattr(error, "result", None) or () if each.error)]
    return [each.error for each in result if each.error]


@pytest.mark.parametrize("is_interrupt", [True, False])
@pytest.mark.parametrize("call", CALLS)
def test_what_a_call_ends_with_shows_no_secret(
    call: str, is_interrupt: bool, way: str, face: Face, interrupting: Interrupting
) -> None:
    interrupting.line, use = CALLS[call]
    interrupting.error = INTERRUPTS[way] if is_interrupt else LookupError
    text = "".join(map(plain, ended(use, face)))
    assert interrupting.error.__name__ in text or (call, is_interrupt) == (
        "many uploads",
        True,
    )  # which end well
    assert [secret for secret in interrupting.inner.secrets if secret in text] == []


@pytest.mark.parametrize("show", [in_ipython, in_rich, in_pytest])
def test_nor_does_it_in_the_tools_that_show_local_variables(
    show: Callable[[BaseException], str], face: Face, interrupting: Interrupting, way: str
) -> None:
    interrupting.line, use = CALLS["a notification"]
    interrupting.error = INTERRUPTS[way]
    [error] = ended(use, face)
    text = show(error)
    assert "transport" in text
    assert [secret for secret in interrupting.inner.secrets if secret in text] == []


class Silent:
    """A server that takes a request, does not answer, and tells when it has it."""

    def __init__(self, told: Callable[[], object]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, args=(told,), daemon=True).start()

    def _serve(self, told: Callable[[], object]) -> None:
        with self._listener, self._listener.accept()[0] as connection:
            connection.recv(65536)
            told()
            connection.recv(1)  # until the client has gone


def press_ctrl_c() -> None:
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


@pytest.mark.skipif(sys.platform == "win32", reason="a thread cannot interrupt another there")
@pytest.mark.parametrize("call", ["a notification", "a bearer", "a call of httpx"])
def test_nor_does_ctrl_c_while_a_response_is_waited_for(
    call: str, way: str, runner: asyncio.Runner, profile: Profile
) -> None:
    server, canary = Silent(press_ctrl_c), secrets.token_urlsafe(30)
    own = replace(profile, base_url=server.url, webhook_url=server.url)
    webhooks = {"alerts": Secret(f"{server.url}/message/{canary}")}
    credentials = Credentials(client_secret=Secret("x"), webhooks=webhooks)
    session = (Session if way == "sync" else AsyncSession)(own, credentials)
    session._driver.tokens.current = Tokens(Secret(canary), None, datetime.max.replace(tzinfo=UTC))
    face, before = Face(session, runner), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            face(CALLS[call][1])
    finally:
        signal.signal(signal.SIGINT, before)
    with asyncio.Runner() as last:
        Face(session, last)(lambda svc: svc.close())
    text = plain(caught.value)
    assert "httpcore" in text
    assert canary not in text


def test_nor_does_a_test_that_fails_inside_a_fake(way: str, runner: asyncio.Runner) -> None:
    strict = FakeService.sample(assumptions="refuse")
    renaming = Renaming(strict.transport())
    wiring = {"transport": renaming, "clock": strict.clock}
    with Face.opened(way, renaming.facts(strict.facts), runner, **wiring) as face:
        with pytest.raises(AssertionError) as caught:
            face(lambda svc: svc.users.set_status("u-001", "BUSY"))
        text = plain(caught.value)
    assert "fakes/" in text
    assert [secret for secret in renaming.secrets if secret in text] == []


INSIDE_PYTEST = """
def test_a_call(svc, monkeypatch):
    here = "a variable that pytest shows"

    def handle_request(self, request):
        held = request.content, dict(request.headers), str(request.url)
        raise LookupError(len(held))

    monkeypatch.setattr(type(svc.fake.transport()), "handle_request", handle_request)
    svc.notify("hello")
"""


@pytest.mark.long
def test_nor_does_pytest_with_showlocals(tmp_path: Path) -> None:
    (tmp_path / "test_inside.py").write_text(INSIDE_PYTEST)
    command = [sys.executable, "-m", "pytest", "--showlocals", "-p", "no:schemathesis", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert "1 failed" in done.stdout, done.stdout + done.stderr
    assert "'a variable that pytest shows'" in done.stdout
    assert "transport" in done.stdout
    assert ISSUED.findall(done.stdout + done.stderr) == []


class Interrupted(StringIO):
    """A terminal at which somebody presses Ctrl-C as soon as something is printed."""

    def write(self, text: str, /) -> int:
        del text
        raise KeyboardInterrupt


@pytest.mark.parametrize("visitor", [PasteVisitor(prompt=lambda _: Secret("x")), BrowserVisitor()])
def test_nor_does_ctrl_c_while_the_link_of_a_sign_in_is_shown(
    visitor: Visitor, way: str, runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch, profile: Profile
) -> None:
    canary, own = (
        secrets.token_urlsafe(30),
        replace(profile, redirect_uri=f"http://127.0.0.1:{free_port()}/cb"),
    )
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: canary)
    session = (Session if way == "sync" else AsyncSession)(
        own, Credentials(client_secret=Secret("x")), visitor=visitor
    )
    monkeypatch.setattr(sys, "stderr", Interrupted())
    face = Face(session, runner)
    with pytest.raises((KeyboardInterrupt, SignInStopped)) as caught:
        face(lambda svc: svc.sign_in())
    monkeypatch.undo()
    assert "prompt.py" in plain(caught.value)
    assert canary not in plain(caught.value)


@pytest.mark.parametrize("show", [in_ipython, in_rich, in_pytest])
def test_nor_does_a_receiver_that_cannot_be_made(show: Callable[[BaseException], str]) -> None:
    for options in ({"port": 99_999}, {"signature": "md5"}):
        with pytest.raises((ValueError, InvalidInput)) as caught:
            receive("bot-canary", **options)
        assert "bot-canary" not in show(caught.value).replace('receive("bot-canary"', "")


def locals_of(error: BaseException) -> list[tuple[str, set[str]]]:
    return [
        (frame.f_code.co_name, set(frame.f_locals)) for frame, _ in traceback.walk_tb(error.__traceback__)
    ]


def test_what_was_being_handled_before_a_call_stays_as_it_was() -> None:
    """It is the reader's business, and a debugger goes through it."""

    def earlier() -> None:
        json.loads("{", object_hook=dict)

    def call() -> None:
        own = "x"
        raise LookupError(own)

    try:
        try:
            earlier()
        except ValueError:
            with forgetting_all_locals:
                call()
    except LookupError as error:
        later = error
    assert locals_of(later)[1:] == [("call", set())]
    assert later.__context__ is not None
    assert ("loads", {"s", "object_hook"}) in [
        (name, own & {"s", "object_hook"}) for name, own in locals_of(later.__context__)
    ]


def test_what_came_before_an_error_is_forgotten_too() -> None:
    def first() -> None:
        own = "x"
        raise KeyError(own)

    def second() -> None:
        try:
            first()
        except KeyError as error:
            raise ExceptionGroup("all", [ValueError()]) from error

    with pytest.raises(ExceptionGroup) as caught, forgetting_all_locals:
        second()
    assert caught.value.__cause__ is not None
    assert locals_of(caught.value.__cause__) == [("second", set()), ("first", set())]
