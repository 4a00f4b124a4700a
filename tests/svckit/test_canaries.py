"""Random secrets through every feature; then none of them in anything that is shown, logged or stored.

A new feature is covered by a line in `FEATURES`: a function of a session that gives what can be looked at.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit import events, explain, frames, places
from svckit.errors import SignInStopped
from svckit.http.messages import Response
from svckit.http.prepare import prepare_request
from svckit.models.secret import Secret
from svckit.operations import files, notifications, users
from svckit.operations.authorization import SignInRequest
from svckit.session.session import Session
from svckit.widgets import UsersExplorer
from svckit.widgets.explorers.explorer_panel import EXPLORERS, open_explorer

from .canaries import Renaming, faces
from .conftest import Face

DRIVE = places.drive("u-001")
EVENT = b'{"type":"unheard-of","issuedTime":"2026-06-01T00:00:00.000Z"}'


class Stage:
    """A session on a fake whose secrets were renamed.

    Attributes:
        face: the session, called alike with and without ``await``.
        fake: the fake.
        facts: what the session is configured with, secrets included.
        renaming: what knows all secrets.
    """

    def __init__(self, face: Face, fake: FakeService, facts: dict[str, Any], renaming: Renaming) -> None:
        self.face = face
        self.fake = fake
        self.facts = facts
        self.renaming = renaming

    def call(self, use: Callable[[Any], Any]) -> Any:
        """What comes of a call: its result, or its error."""
        try:
            return self.face(use)
        except Exception as error:  # noqa: BLE001 - errors are looked at like results
            return error


def broken(stage: Stage, use: Callable[[Any], Any], fault: str = "reset", **options: Any) -> Any:
    getattr(stage.fake.faults, fault)(times=None, **options)
    result = stage.call(use)
    stage.fake.faults.clear()
    return result


def traced(stage: Stage) -> list[Any]:
    with stage.face.session.trace() as trace:
        stage.call(lambda svc: svc.sign_in())
        stage.call(lambda svc: svc.files.upload(b"hello", to=DRIVE, name="a.txt"))
        stage.call(lambda svc: svc.notify("x"))
        stage.call(lambda svc: svc.http.patch("/users/u-001", json={}))
        stage.fake.clock.advance(hours=25)
        stage.call(lambda svc: svc.users.read("u-001"))
        broken(stage, lambda svc: svc.notify("x"))
    har = str(trace.to_har())
    return [trace, *trace, trace.curl(), trace.diagram(), trace.frame().to_csv(), trace.records(), har]


def explained(stage: Stage) -> list[Any]:
    webhook = stage.facts["webhooks"][0]
    shown = [
        explain(notifications.notify(webhook, "x")),
        stage.face.session.explain(notifications.notify(webhook, "x")),
        explain(users.update("u-001", task=None)),
        explain(
            files.download(DRIVE.file("f-1")),
            Response(302, {"location": "https://storage.fake.test/1?sign=x"}),
        ),
    ]
    return [*shown, *(explanation.curl for explanation in shown)]


def ended(stage: Stage) -> Any:
    stage.fake.clock.advance(days=91)
    error = stage.call(lambda svc: svc.users.read("u-001"))
    stage.call(lambda svc: svc.sign_in())
    return error


def wrong_password(stage: Stage) -> list[Any]:
    stage.fake.faults.status("auth.login", 401)
    return [stage.call(lambda svc: svc.sign_in()), stage.call(lambda svc: svc.sign_in())]


def wrong_webhooks(url: str) -> list[str]:
    secret = url.rpartition("/")[2]
    return [f"{url}wrong", url.replace("http", "ftp"), f"https://evil.test/message/{secret}", secret]


def parsed(stage: Stage) -> list[Any]:
    secret = stage.facts["bot_secret"]
    headers = {"X-SERVICE-Signature": events.signature(EVENT, secret)}
    shown = [events.parse(headers, EVENT, secret=secret)]
    for wrong in ({}, {"X-SERVICE-Signature": "x"}):
        try:
            events.parse(wrong, EVENT, secret=secret)
        except ValueError as error:
            shown.append(error)
    return shown


def looked_at(stage: Stage) -> list[Any]:
    svc = stage.face.session
    driver = svc._driver
    own = [svc, svc.users, svc.files, svc.profile, svc.http, driver, driver.credentials, driver.tokens]
    return [*own, driver.tokens.current, svc.retries, svc.listing_note]


def framed(stage: Stage) -> list[Any]:
    kinds = (frames.users, frames.files, frames.messages, frames.journal)
    return [text for make in kinds for text in (make(stage.fake), make(stage.fake).to_csv())]


def journal(stage: Stage) -> list[Any]:
    entries = list(stage.fake.journal)
    texts = [
        f"{e.url} {e.request_headers} {e.request_body} {e.response_headers} {e.response_body} {e.record()}"
        for e in entries
    ]
    return [stage.fake, stage.fake.journal, *entries, *texts, str(stage.fake.journal.to_har())]


def sign_in_of_a_person(stage: Stage) -> list[Any]:
    request = SignInRequest.begin(stage.face.session.profile)
    stage.renaming.states.add(request.state.reveal())
    sent = prepare_request(request.call, request.profile, None)
    shown: list[Any] = [request, request.url, request.call, sent]
    redirect = request.profile.redirect_uri
    for query in ("code=CODE&state=forged", f"error=access_denied&state={request.state.reveal()}", ""):
        try:
            shown.append(request.extract_code(Secret(f"{redirect}?{query}")))
        except SignInStopped as error:
            shown.append(error)
    return shown


def in_bulk(stage: Stage) -> list[Any]:
    people = frames.users(stage.fake)
    people.loc[people["user_id"] < "u-003", "task"] = "Sales"
    changes = stage.call(lambda svc: svc.users.diff(people))
    stage.fake.faults.status("users.update", 409)
    applied = stage.call(lambda svc: svc.users.apply(changes))
    uploads = stage.call(lambda svc: svc.files.upload_many({"a": b"A", "b": b"B"}, to=DRIVE))
    return [changes, applied, *applied, uploads, *uploads]


def explored(stage: Stage) -> list[Any]:
    session = stage.face.session
    if not isinstance(session, Session):  # which explorers do not take
        explorer = UsersExplorer(session.records("users"))
        return [explorer, *states(explorer)]
    explorers = {name: open_explorer(name, session) for name in EXPLORERS}
    for name in ("notifications", "inbox"):
        explorers[name].write(text="hello")
    explorers["notifications"].send()
    explorers["inbox"].receive_here()
    explorers["inbox"].send()
    explorers["inbox"].wait()
    for step in ("request", "log_in", "check", "exchange", "renew"):
        getattr(explorers["sign-in"], step)()
    traffic, used = explorers["traffic"], list(explorers.values())
    for message in traffic.messages:
        traffic.select(message.number)
        used += [repr(traffic), traffic.to_html(), *states(traffic)]
    return [*used, *(state for explorer in explorers.values() for state in states(explorer))]


def states(widget: Any) -> list[Any]:
    """What the browser, and so a saved notebook, may have of a widget and of those in it."""
    parts = getattr(widget, "children", ())
    return [widget.get_state(), *(state for part in parts for state in states(part))]


FEATURES: dict[str, Callable[[Stage], Any]] = {
    "the session": looked_at,
    "sign-in": lambda stage: stage.call(lambda svc: svc.sign_in()),
    "a wrong password": wrong_password,
    "a sign-in that breaks": lambda stage: broken(stage, lambda svc: svc.sign_in()),
    "an ended sign-in": ended,
    "users": lambda stage: [
        stage.call(lambda svc: svc.users.update("u-001", nick_name="Mina")),
        stage.call(lambda svc: svc.users.read("u-999")),
        stage.call(lambda svc: svc.users.set_status("u-001", "BUSY")),
        stage.call(lambda svc: svc.users.update("u-001", task="x" * 200)),
    ],
    "a refused user": lambda stage: broken(
        stage, lambda svc: svc.users.update("u-001", task=None), "status", status=409
    ),
    "a service that is down": lambda stage: broken(
        stage, lambda svc: svc.users.read("u-001"), "status", status=503
    ),
    "files": lambda stage: [
        stage.call(lambda svc: svc.files.upload(b"hello", to=DRIVE, name="a.txt")),
        stage.call(lambda svc: svc.files.download(DRIVE.file("f-999"))),
        broken(stage, lambda svc: svc.files.upload(b"hello", to=DRIVE, name="a.txt")),
    ],
    "notifications": lambda stage: [
        stage.call(lambda svc: svc.notify("x", button=("Open", "https://example.com"))),
        *(
            stage.call(lambda svc, webhook=webhook: svc.notify("x", webhook=webhook))
            for webhook in wrong_webhooks(stage.facts["webhooks"][0])
        ),
        broken(stage, lambda svc: svc.notify("x")),
        broken(stage, lambda svc: svc.notify("x", wait=True), "status", status=429),
        broken(stage, lambda svc: svc.notify("x"), "connect_error"),
    ],
    "events": parsed,
    "a person's sign-in": sign_in_of_a_person,
    "many at once": in_bulk,
    "explorers": explored,
    "calls of one's own": lambda stage: [
        stage.call(lambda svc: svc.request("PATCH", "/users/u-001", json={})),
        stage.call(lambda svc: svc.request("GET", "/nowhere")),
        stage.call(lambda svc: svc.http.patch("/users/u-001", json={})),
        broken(stage, lambda svc: svc.http.patch("/users/u-001", json={})),
    ],
    "traces": traced,
    "explanations": explained,
    "frames": framed,
    "the journal": journal,
    "a snapshot's repr": lambda stage: repr(stage.fake.state),
}


@pytest.fixture(params=["in-process", "tcp"])
def stage(request: pytest.FixtureRequest, way: str, runner: asyncio.Runner) -> Iterator[Stage]:
    fake = FakeService.sample(seed=random.randrange(2**32), now="2026-06-01T09:00:00+09:00")
    with ExitStack() as stack:
        if request.param == "in-process":
            facts, inner = fake.facts, fake.transport()
        else:
            facts = stack.enter_context(fake.serve()).facts
            inner = httpx.HTTPTransport() if way == "sync" else httpx.AsyncHTTPTransport()
        renaming = Renaming(inner)
        renamed = renaming.facts(facts)
        wiring = {"transport": renaming, "fake": fake, "clock": fake.clock}
        face = stack.enter_context(Face.opened(way, renamed, runner, **wiring))
        yield Stage(face, fake, renamed, renaming)


@pytest.mark.parametrize("feature", FEATURES)
def test_no_secret_shows(feature: str, stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    result = FEATURES[feature](stage)
    shown = [face for thing in (result if isinstance(result, list) else [result]) for face in faces(thing)]
    shown += [f"{record.name}: {record.getMessage()} {record.args}" for record in caplog.records]
    secrets = stage.renaming.secrets
    assert len(secrets) >= 12  # of the facts, the sign-in and its tokens, by both names
    assert [(secret, text) for text in shown for secret in secrets if secret in text] == []


def test_the_search_finds_what_shows(stage: Stage) -> None:
    """Or a search that looked in the wrong place would find nothing, for ever."""
    token = stage.face.session._driver.tokens.current.access.reveal()
    assert token in stage.renaming.secrets
    assert stage.facts["password"] in stage.renaming.secrets
    assert any(token in face for face in faces({"token": token}))
    assert any(token in face for face in faces(Leaking(token)))
    assert any(token in face for face in faces(httpx.Request("GET", "https://a.test", headers={"x": token})))


class Leaking:
    def __init__(self, token: str) -> None:
        self._token = token

    def _repr_html_(self) -> str:
        return f"<b>{self._token}</b>"
