"""Faults through the httpx door: what a client meets, what the fake keeps, and what the journal says of it."""

import asyncio
import fnmatch
import re
import time
from collections.abc import Iterator
from contextlib import nullcontext

import httpx
import pytest

from fakes import AssumptionRefused, FakeService
from fakes.faults.targets import CALLS

from ..caller import Caller, bearer, make

BODY = b"0123456789"
USER = "https://api.fake.test/users/u-001"


def nick_name(fake: FakeService) -> str:
    return fake.directory["u-001"]["nickName"]


@pytest.mark.parametrize(
    ("url", "method", "body"),
    [
        (USER, "PATCH", {"code": "SERVICE_UNAVAILABLE", "description": ...}),
        (
            "https://auth.fake.test/oauth2/v2.0/token",
            "POST",
            {"error": "service_unavailable", "error_description": ...},
        ),
        ("https://hooks.fake.test/message/any", "POST", {"code": 503, "description": "service unavailable"}),
        ("https://auth.fake.test/oauth2/v2.0/authorize", "GET", "<!doctype html>"),
        ("https://api.fake.test/nowhere", "GET", {"code": "SERVICE_UNAVAILABLE", "description": ...}),
    ],
)
def test_a_status_is_worded_as_its_area_words_errors(
    fake: FakeService, me: Caller, url: str, method: str, body: object
) -> None:
    fake.faults.status("*", 503, retry_after=30)
    response = me.http.request(method, url)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "30"
    assert "injected" in response.headers["X-Fake-Reason"]
    if isinstance(body, str):
        assert response.text.lower().startswith(body)
    else:
        given = response.json()
        assert given.keys() == body.keys()
        assert all(given[name] == value for name, value in body.items() if value is not ...)
    assert fake.journal[-1].injected == "status 503"
    assert fake.journal[-1].record()["injected"] == "status 503"


ANYWHERE = [
    (USER, "PATCH"),
    ("https://auth.fake.test/oauth2/v2.0/token", "POST"),
    ("https://auth.fake.test/oauth2/v2.0/authorize", "GET"),
    ("https://hooks.fake.test/message/any", "POST"),
    ("https://hooks.fake.test/mesage/any", "POST"),
]


@pytest.mark.parametrize("assumptions", ["allow", "refuse"])
@pytest.mark.parametrize(("url", "method"), ANYWHERE)
def test_an_injected_status_rests_on_no_rule_of_the_service(url: str, method: str, assumptions: str) -> None:
    fake = make(assumptions=assumptions)
    fake.faults.status("*", 503)
    me = Caller(fake)
    before = [(rule.id, rule.used) for rule in fake.rules]
    response = me.http.request(method, url, json={})
    assert response.status_code == 503
    assert (fake.journal[-1].rules, fake.journal[-1].injected) == ((), "status 503")
    assert not [name for name in ("X-Fake-Assumed", "X-Fake-Section") if name in response.headers]
    assert [(rule.id, rule.used) for rule in fake.rules] == before


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("delay", {"seconds": 5}),
        ("read_timeout", {"applied": True}),
        ("reset", {"applied": True}),
        ("truncate", {}),
        ("slow", {}),
    ],
)
def test_a_refused_assumption_uses_up_no_fault(kind: str, options: dict) -> None:
    fake = make(assumptions="refuse")
    fault = getattr(fake.faults, kind)("*", **options)
    skipping = fake.faults.reset("*", skip=1)
    start = fake.clock.now()
    with pytest.raises(AssumptionRefused):
        Caller(fake).ask()
    assert list(fake.faults) == [fault, skipping]
    assert next(iter(fake.faults)) is fault, "whoever injected it still holds the fault that applies"
    assert (fault.used, skipping.skip, fake.clock.now()) == (0, 1, start)


def test_a_rate_limit_has_the_described_words(fake: FakeService, me: Caller) -> None:
    fake.faults.status("notifications.*", 429)
    response = me.notify()
    assert (response.status_code, response.json()) == (429, {"code": 429, "description": "too many request"})
    assert fake.webhooks.messages("channel-1") == []


BREAKS = [
    ("connect_error", {}, httpx.ConnectError, False),
    ("read_timeout", {}, httpx.ReadTimeout, False),
    ("read_timeout", {"applied": True}, httpx.ReadTimeout, True),
    ("reset", {}, httpx.ReadError, False),
    ("reset", {"applied": True}, httpx.ReadError, True),
    ("truncate", {"after": 3}, httpx.RemoteProtocolError, True),
]


@pytest.mark.parametrize(("kind", "options", "error", "applied"), BREAKS)
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
def test_connections_break_as_real_ones_do(
    fake: FakeService,
    me: Caller,
    kind: str,
    options: dict,
    error: type[Exception],
    applied: bool,
    asynchronous: bool,
) -> None:
    getattr(fake.faults, kind)("users.update", **options)
    before = nick_name(fake)

    async def call() -> None:
        async with httpx.AsyncClient(transport=fake.transport(), headers=me.bearer) as asynchronously:
            await asynchronously.patch(USER, json={"nickName": "Changed"})

    with pytest.raises(error) as raised:
        asyncio.run(call()) if asynchronous else me.patch(nickName="Changed")
    assert type(raised.value) is error
    assert raised.value.request.url == USER
    assert nick_name(fake) == ("Changed" if applied else before)
    entry = fake.journal[-1]
    assert entry.injected
    assert entry.status == (200 if applied else None)
    assert entry.injected in repr(fake.journal)
    assert (entry.response_body != "", bool(entry.response_headers)) == (applied, applied)
    assert me.patch(nickName="Again").status_code == 200


def test_a_refused_connection_leaves_the_body_unread(fake: FakeService, me: Caller) -> None:
    fake.faults.connect_error()
    body = iter([b'{"nickName":', b'"Mina"}'])
    request = {"content": body, "headers": {"Content-Type": "application/json"}}
    with pytest.raises(httpx.ConnectError):
        me.api("PATCH", "/users/u-001", **request)
    assert me.api("PATCH", "/users/u-001", **request).status_code == 200
    assert fake.in_progress == {}


@pytest.mark.parametrize(("after", "cut"), [(0, True), (9, True), (10, False), (11, False)])
def test_only_a_body_that_is_longer_is_truncated(
    fake: FakeService, me: Caller, after: int, cut: bool
) -> None:
    fault = fake.faults.truncate("storage.send", after=after)
    got = bytearray()
    with me.http.stream("GET", download_url(fake), headers=me.bearer) as response:
        assert response.headers["Content-Length"] == "10"
        broken = pytest.raises(httpx.RemoteProtocolError, match="expected 10") if cut else nullcontext()
        with broken:
            for chunk in response.iter_raw():
                got += chunk
    assert bytes(got) == BODY[:after]
    assert fault.used == cut
    assert (fake.journal[-1].injected is not None) == cut


def test_a_slow_body_comes_in_pieces_and_moves_a_standing_clock(fake: FakeService, me: Caller) -> None:
    url, start = download_url(fake), fake.clock.now()
    fake.faults.slow("storage.send", chunk=4, seconds=60)
    with me.http.stream("GET", url, headers=me.bearer) as response:
        seen = [(chunk, (fake.clock.now() - start).total_seconds()) for chunk in response.iter_raw()]
    assert seen == [(b"0123", 60), (b"4567", 120), (b"89", 180)]


def test_a_delay_comes_on_top_of_another_fault(fake: FakeService, me: Caller) -> None:
    fake.faults.delay("*", seconds=5, times=None)
    fake.faults.status("users.update", 503)
    fake.faults.reset("users.update")
    start = fake.clock.now()
    assert me.patch().status_code == 503
    with pytest.raises(httpx.ReadError):
        me.patch()
    assert me.patch().status_code == 200
    assert fake.journal[0].at == start
    assert (fake.clock.now() - start).total_seconds() == 15
    assert [entry.injected for entry in fake.journal] == [
        "delay of 5 s, status 503",
        "delay of 5 s, connection reset before it took effect",
        "delay of 5 s",
    ]


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The real waits of both kinds of client, which are noted and not waited."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr("anyio.sleep", sleep)
    return waits


@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(("patience", "waited"), [(None, [7.0]), (10, [7.0]), (2, [2])])
def test_running_clock_really_waits_up_to_the_timeout(
    slept: list[float], asynchronous: bool, patience: float | None, waited: list[float]
) -> None:
    fake = FakeService.sample()
    fake.faults.delay("*", seconds=7)
    options = {"transport": fake.transport(), "headers": bearer(fake), "timeout": patience}

    async def call() -> int:
        async with httpx.AsyncClient(**options) as asynchronously:
            return (await asynchronously.patch(USER, json={})).status_code

    try:
        if asynchronous:
            assert asyncio.run(call()) == 200
        else:
            assert httpx.Client(**options).patch(USER, json={}).status_code == 200
        assert waited == [7.0]
    except httpx.ReadTimeout:
        assert patience == 2
    assert slept == waited


def test_with_a_running_clock_each_piece_of_a_slow_body_is_waited_for(slept: list[float]) -> None:
    fake = FakeService.sample()
    url = download_url(fake)
    fake.faults.slow("storage.send", chunk=5, seconds=1.5)
    assert Caller(fake).fetch(url).content == BODY
    assert slept == [1.5, 1.5]


def test_a_dropped_callback_reaches_nobody_and_is_not_sent_again(fake: FakeService) -> None:
    received: list[bytes] = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append(body))
    fault = fake.faults.drop_callback("bot-*")
    first, second = (fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": t}) for t in ("a", "b"))
    assert (first.delivered, first.status, first.injected) == (False, None, "callback dropped")
    assert (second.delivered, second.injected) == (True, None)
    assert received == [second.body]
    assert fault.left == 0
    assert first.record()["injected"] == "callback dropped"


@pytest.mark.parametrize("receiver", [None, lambda headers, body: None])
def test_a_message_that_is_not_sent_uses_up_no_fault(fake: FakeService, receiver: object) -> None:
    """As nobody would get it, or as the member's client is too old for it."""
    fake.callbacks.connect("bot-1", receiver)
    fault = fake.faults.drop_callback()
    sticker = {"type": "sticker", "packageId": "1", "stickerId": "2"}
    version = "2.2" if receiver else None
    assert fake.callbacks.send("bot-1", "u-001", sticker, client_version=version).outcome == "not-sent"
    assert (fault.used, fault.left) == (0, 1)


@pytest.mark.parametrize(
    ("add", "told"),
    [
        (lambda f: f.status("users.updated", 503), "did you mean users.update"),
        (lambda f: f.status("nothing", 503), "no operation matches 'nothing'; .* [a-z_.]+\\. A path"),
        (
            lambda f: f.delay("users.update", 0),
            "seconds must be a number .* above 0, such as seconds=3; given 0",
        ),
        (lambda f: f.status("users.read", 503), "'users.read'; that call uses users.update\\. A path"),
        (lambda f: f.reset("files.upload"), "'files.upload'; that call uses upload.drive and .*upload\\.\\*"),
        (lambda f: f.reset("files.download"), "that call uses download.drive_file and .*download\\.\\*"),
        (lambda f: f.status("notify"), "'notify'; that call uses notifications.post"),
        (lambda f: f.drop_callback("bto-1"), "no bot matches 'bto-1'; did you mean bot-1"),
        (lambda f: f.drop_callback("robot-*"), "no bot matches 'robot-\\*'"),
        (lambda f: f.status("*", 200), "status must be an error status, from 400 to 599; given 200"),
        (lambda f: f.status("*", 600), "status must be an error status, from 400 to 599; given 600"),
        (
            lambda f: f.status("*", 503, times=0),
            "times must be a whole number from 1, or None for always; given 0",
        ),
        (lambda f: f.status("", 503), "target must be the name of an operation, a path, or"),
        (lambda f: f.delay(seconds=0), "seconds must be a number .* above 0, such as seconds=3; given 0"),
        (
            lambda f: f.delay(seconds=float("inf")),
            "a number of seconds above 0, such as seconds=3; given inf",
        ),
        (lambda f: f.delay("users.update"), "above 0, such as seconds=3; given None"),
        (lambda f: f.slow(chunk=0), "chunk must be a whole number of bytes, from 1; given 0"),
        (lambda f: f.truncate(after=-1), "after must be a whole number of bytes, from 0; given -1"),
    ],
)
def test_a_fault_that_cannot_be_is_refused_and_not_added(fake: FakeService, add: object, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        add(fake.faults)
    assert len(fake.faults) == 0


def test_faults_show_themselves(fake: FakeService, me: Caller) -> None:
    assert repr(fake.faults) == "<Faults: none>"
    fake.faults.status("users.update", 503, times=2)
    fake.faults.delay("/users/<b>", seconds=0.5, times=None)
    me.patch()
    assert repr(fake.faults) == (
        "<Faults: 2>\n  status 503 for users.update, 1 more time\n  delay of 0.5 s for /users/<b>, always"
    )
    html = fake.faults._repr_html_()
    assert "/users/&lt;b&gt;" in html
    assert "1 more time" in html


def download_url(fake: FakeService) -> str:
    stored = fake.files.seed(("drive", "u-001"), "file-1", "a.txt", "text/plain", BODY)
    return f"https://storage.fake.test/downloads/{stored.latest.address}"


def test_what_calls_use_is_there(fake: FakeService) -> None:
    for words in CALLS.values():
        names = re.findall(r"[a-z]+\.(?:[a-z_]+|\*)", words)
        assert names
        assert not [name for name in names if not fnmatch.filter(fake.faults.operations, name)]
