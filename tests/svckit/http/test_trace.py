"""A trace: every exchange of a block, as text, table, frame, curl and diagram, without secrets."""

import asyncio
import json
import pickle
import shlex
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.display.sequence_diagram import SequenceDiagram, label
from svckit.errors import InvalidInput, ServiceError
from svckit.models import User
from svckit.session.connect import connect, connect_async

from ...loopback import PATIENCE
from ..conftest import IN_PROCESS, USER, Face, Scripted

USER_URL = "https://api.work.test/v1/users/u-001"
DRIVE = places.drive("u-001")


def traced(face: Face, *uses: Any) -> Any:
    with face.session.trace() as trace:
        for use in uses:
            try:
                face(use)
            except ServiceError:
                continue
    return trace


@IN_PROCESS
def test_an_upload_is_two_exchanges(on_fake: Face) -> None:
    trace = traced(on_fake, lambda svc: svc.files.upload(b"hello", to=DRIVE, name="a b.txt"))
    first, second = trace
    assert first.text.startswith(
        "POST /users/u-001/drive/files HTTP/1.1\nHost: api.fake.test\nContent-Type: application/json\n"
        'Authorization: Bearer ***\n\n{"fileName":"a b.txt","fileSize":5}\n\nHTTP/1.1 200 OK\n'
    )
    assert "«Filedata: a b.txt, text/plain»" in second.text
    assert "hello" not in str(trace)
    assert "-F 'Filedata=@a b.txt;type=text/plain'" in second.request.curl
    assert "Content-Type" not in second.request.curl
    assert [exchange.response.status for exchange in trace] == [200, 201]


@IN_PROCESS
def test_curl_sends_no_half_body(on_fake: Face) -> None:
    fields = [{"customFieldId": str(number), "value": "v" * 100} for number in range(40)]
    trace = traced(
        on_fake,
        lambda svc: svc.users.update("u-001", custom_fields=fields),
        lambda svc: svc.http.patch("/users/u-001", json={"task": None}),
        lambda svc: svc.http.get("/users/u-001"),
    )
    assert ["@body" in exchange.request.curl for exchange in trace] == [True, True, False]
    assert "…" not in trace.curl()
    assert "«" not in trace.curl()


def test_a_download_is_its_size(on_fake: Face) -> None:
    stored = on_fake(lambda svc: svc.files.upload(b"x" * 5000, to=DRIVE, name="x.bin"))
    trace = traced(on_fake, lambda svc: svc.files.download(DRIVE.file(stored.file_id)))
    assert trace[1].response.body == "«5,000 bytes of application/octet-stream»"
    assert trace[1].response.size == 5000


def test_every_attempt_is_listed_with_the_waits_between(on_fake: Face, fake: FakeService) -> None:
    fake.faults.status("users.update", 503)
    fake.faults.reset("users.update")
    trace = traced(on_fake, lambda svc: svc.users.read("u-001"))
    assert [exchange.outcome for exchange in trace] == ["503 Service Unavailable", "no response", "200 OK"]
    assert "Unreachable: users.read failed" in trace[1].text
    text = str(trace)
    assert "--- the session waits 0.5 s: the service responded with 503; users.read is sent again" in text
    assert "--- the session waits 1 s: no complete response came; users.read is sent again" in text
    assert [type(exchange.failure) for exchange in trace] == [type(None), str, type(None)]
    assert [record["status"] for record in trace.records()] == [503, None, 200]


def test_a_renewal_is_listed_without_its_tokens(on_fake: Face, fake: FakeService) -> None:
    fake.clock.advance(hours=25)
    trace = traced(on_fake, lambda svc: svc.users.read("u-001"))
    assert [exchange.request.operation for exchange in trace] == ["auth.refresh", "users.read"]
    assert "grant_type=refresh_token" in trace[0].request.body
    assert "refresh_token=***" in trace[0].request.body
    assert '"access_token":"***"' in trace[0].response.body


def test_a_sign_in_looks_the_same_in_every_run() -> None:
    shown = []
    for _ in range(2):
        with connect(FakeService.sample(now="2026-06-01T09:00:00+09:00")) as svc:
            with svc.trace() as trace:
                svc.sign_in()
            shown.append((str(trace), repr(trace), trace.curl(), repr(trace.diagram()), trace._repr_html_()))
    assert shown[0] == shown[1]
    assert "state=***" in shown[0][0]
    assert "login_ticket=***" in shown[0][0]
    assert "«" in shown[0][0]  # the login screen is its size


@pytest.mark.parametrize("text", ["late; again", "#59;", "#35;59;", "a <b> & 'c' %%{init} \\ `d`"])
def test_the_text_of_a_diagram_is_not_escaped(text: str) -> None:
    shown = SequenceDiagram([f"Note over api: {label(text)}"])._repr_mimebundle_()
    assert shown["text/plain"].splitlines()[1] == f"    Note over api: {text}"
    assert shown["text/vnd.mermaid"].splitlines()[1] == f"    Note over api: {label(text)}"


def test_nothing_is_noted_outside_the_block(on_fake: Face) -> None:
    read = lambda svc: svc.users.read("u-001")  # noqa: E731
    on_fake(read)
    trace = traced(on_fake, read)
    on_fake(read)
    assert len(trace) == 1
    assert repr(traced(on_fake)).startswith("Trace: 0 requests")
    assert str(traced(on_fake)) == "--- nothing was sent"


def test_traces_nest(on_fake: Face) -> None:
    with on_fake.session.trace() as outer:
        inner = traced(on_fake, lambda svc: svc.users.read("u-001"))
        on_fake(lambda svc: svc.users.read("u-002"))
    assert (len(outer), len(inner)) == (2, 1)


def test_a_block_that_fails_ends_its_trace(on_fake: Face) -> None:
    with pytest.raises(svckit.NotFound), on_fake.session.trace() as trace:
        on_fake(lambda svc: svc.users.read("u-999"))
    on_fake(lambda svc: svc.users.read("u-001"))
    assert [exchange.outcome for exchange in trace] == ["404 Not Found"]


@IN_PROCESS
@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "20"])
def test_a_limit_is_a_positive_number(on_fake: Face, limit: Any) -> None:
    with (
        pytest.raises(InvalidInput, match="limit must be a whole number from 1; given"),
        on_fake.session.trace(limit=limit),
    ):
        pass


def test_threads_share_a_trace(fake: FakeService) -> None:
    together = threading.Barrier(8)

    def read(number: int) -> User:
        together.wait(timeout=PATIENCE)
        # Of its own, as updates of one user must not be under way at the same time.
        user: User = svc.users.read(f"u-00{number}")
        return user

    with connect(fake) as svc, svc.trace() as trace, ThreadPoolExecutor(8) as threads:
        list(threads.map(read, range(1, 9)))
    assert [exchange.outcome for exchange in trace] == ["200 OK"] * 8


def test_tasks_share_a_trace(fake: FakeService) -> None:
    async def main() -> Any:
        async with connect_async(fake) as svc:
            with svc.trace() as trace:
                await asyncio.gather(*(svc.users.read(f"u-00{number}") for number in range(1, 9)))
        return trace

    trace = asyncio.run(main())
    assert [exchange.request.url[-5:] for exchange in trace] == [f"u-00{number}" for number in range(1, 9)]


def test_a_trace_holds_records_of_the_journal_only(on_fake: Face) -> None:
    with pytest.raises(ValueError, match="'journal' only"):
        traced(on_fake).records("users")


@IN_PROCESS
def test_a_diagram_names_who_is_called(on_fake: Face, fake: FakeService) -> None:
    fake.faults.reset("notifications.post")
    trace = traced(
        on_fake,
        lambda svc: svc.files.upload(b"x", to=DRIVE, name="x"),
        lambda svc: svc.notify("x"),
    )
    diagram = trace.diagram()._repr_mimebundle_()
    assert diagram["text/plain"] == diagram["text/vnd.mermaid"], "as nothing in it needs an escape"
    assert diagram["text/vnd.mermaid"].splitlines()[:7] == [
        "sequenceDiagram",
        "    participant session as session",
        "    participant api as resource API",
        "    participant storage as file storage",
        "    participant hooks as notification endpoint",
        "    session->>api: POST /users/u-001/drive/files",
        "    api-->>session: 200 OK",
    ]
    assert diagram["text/vnd.mermaid"].endswith("hooks--xsession: no response")


@pytest.mark.parametrize("text", ["a;b", "a#b", "a\nend\nb", "<script>", "%%{init: {}}%%", "a -> b : c"])
def test_a_label_cannot_end_its_statement(text: str) -> None:
    assert not set("\n<>%{}") & set(label(text))
    assert label(text).count(";") == label(text).count("#")


def test_what_others_wrote_is_escaped(on_script: Face, scripted: Scripted) -> None:
    evil = "<img src=x onerror=alert(1)>'$(reboot)`"
    scripted.on("PATCH", USER_URL, httpx.Response(200, json={**USER, "nickName": evil}))
    trace = traced(on_script, lambda svc: svc.users.update("u-001", nick_name=evil))
    assert "<img" not in trace._repr_html_()
    *_, data = shlex.split(trace.curl())
    assert json.loads(data) == {"nickName": evil}


def test_long_bodies_are_cut_and_others_are_their_size(on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, httpx.Response(400, json={"description": "x" * 100_000}))
    trace = traced(on_script, lambda svc: svc.users.update("u-001", task="x"))
    assert len(trace[0].response.body) < 2100
    assert "bytes in all" in trace[0].response.body
    scripted.on(
        "PATCH",
        USER_URL,
        httpx.Response(502, content=b"\x00\xff" * 10, headers={"content-type": "image/png"}),
    )
    trace = traced(on_script, lambda svc: svc.users.update("u-001", task="x"))
    assert trace[0].response.body == "«20 bytes of image/png»"


def test_what_signs_an_address_is_not_shown(on_script: Face, scripted: Scripted) -> None:
    own = "https://storage.work.test/up/1?sign=CANARY"
    scripted.on_upload(httpx.Response(201, json={"fileId": "f-1"}, headers={"set-cookie": "CANARY"}), own)
    trace = traced(on_script, lambda svc: svc.files.upload(b"x", to=DRIVE, name="x"))
    assert trace[0].response.body == '{"uploadUrl":"https://storage.work.test/***?***"}'
    assert trace[1].request.url == "https://storage.work.test/***"
    assert "CANARY" not in str(trace) + trace.curl() + repr(trace) + repr(trace.records())


def test_a_trace_travels(on_fake: Face) -> None:
    trace = traced(on_fake, lambda svc: svc.users.read("u-001"))
    assert str(pickle.loads(pickle.dumps(trace))) == str(trace)
