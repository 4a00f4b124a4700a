"""Odd headers never make a success fail: what was done is returned as it is without them.

Left out is what a response needs: the Location of a redirect, and a Content-Length or a Content-Encoding that another
body belongs to.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FakeService
from svckit import places
from svckit.errors import RateLimited, ServiceError
from svckit.http.rate_limit import RateGauge
from svckit.http.retry import parse_retry_after
from svckit.models import RateLimit

from ..conftest import Face

DRIVE = places.drive("u-001")
FILE = places.form_response("form-1", "response-1").file("attachment-1")

NUMBERS = (
    "", "-1", "+5", "0.5", "1e3", "0x10", "inf", "soon", "60, 60", "60;w=60", "\uff16\uff10", "٣", "²",
    "1795310758431", f"1{'0' * 30}", "9" * 5000, "\xff",
)  # fmt: skip
DATES = (
    "Mon, 01 Jun 99999999999999999999 00:00:00 GMT",
    "Mon, 01 Jun 2026 00:00:00 +99999999999999",
    "Mon, 01 Jun 0001 00:00:00 +2359",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "Sun, 31 Feb 2026 00:00:00 GMT",
    "Mon, 01 Jun 2026 00:00:00",
    "2026-06-01T09:00:00Z",
    ", , ,",
)
RATES = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
ODD: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(RATES, NUMBERS),
    "Retry-After": NUMBERS + DATES,
    "Content-Length": tuple(text for text in NUMBERS if not (text.isascii() and text.isdigit())),
    "Content-Type": ("", ";;;", "a/b/c", "application/json; charset=no-such", "text/html; charset=\xff"),
    "Content-Encoding": ("", "utf-8", "none", "aws-chunked", "identity", "gzip", "x-gzip", "deflate"),
    "Content-Disposition": (
        "", 'attachment; filename="../../etc/passwd"', "attachment; filename*=no-such''%ff%", "\xff" * 500,
    ),
    "Content-Range": ("", "x", "bytes 5-2/1", "bytes */*", f"bytes 0-{'9' * 5000}/*"),
    "Location": ("", "//[", "http://[::1", "javascript:x", "https://a.test:99999/", "\xff"),
    "Set-Cookie": (
        "", "=", 'a="', "a=b; Version=x", f"a=b; Max-Age={'9' * 5000}", f"a=b; Expires={DATES[0]}",
    ),
    **dict.fromkeys(("Date", "Sunset", "Expires", "Last-Modified"), ("", *DATES)),
    "Deprecation": ("", "true", "@x", f"@{'9' * 5000}", *DATES),
    "Link": ("", "<", "<>; rel"),
    "X-Fake-Assumed": ("", ", ,", "\xff"),
    "X-Fake-Clock": ("", "standing", "\xff"),
}  # fmt: skip


class Odd(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """The transport of a fake, whose responses get headers of a test's choice."""

    def __init__(self, fake: FakeService) -> None:
        self._inner = fake.transport()
        self.headers: Mapping[str, str] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._with_headers(self._inner.handle_request(request))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self._with_headers(await self._inner.handle_async_request(request))

    def _with_headers(self, response: httpx.Response) -> httpx.Response:
        odd = {
            name: text
            for name, text in self.headers.items()
            if not (response.is_redirect and name == "Location")
        }
        headers = response.headers
        for name, text in odd.items():
            headers.pop(name, None)
            headers = httpx.Headers([*headers.raw, (name.encode(), text.encode("utf-8", "surrogateescape"))])
        return httpx.Response(response.status_code, headers=headers, stream=response.stream)


class Stage:
    """A session, with a trace open, whose calls get odd responses."""

    def __init__(self, fake: FakeService, transport: Odd, face: Face) -> None:
        self.fake = fake
        self.transport = transport
        self.face = face

    def __call__(self, use: Callable[[Any], Any], headers: Mapping[str, str]) -> Any:
        self.fake.clock.advance(minutes=1)  # so that the rate is not used up
        self.transport.headers = headers
        with self.face.session.trace() as trace:
            found = self.face(use)
        trace.records()
        assert self.face.session.rate.view(self.fake.clock.now(), standing=True)["words"]
        return found


@pytest.fixture(scope="module", params=["sync", "async"])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    fake = FakeService.sample(users=3, now="2026-06-01T09:00:00+09:00")
    wiring = {"transport": Odd(fake), "clock": fake.clock}
    with asyncio.Runner() as runner, Face.opened(request.param, fake.facts, runner, **wiring) as face:
        yield Stage(fake, wiring["transport"], face)


def told(found: Any) -> Any:
    """A result, without what another file or another moment would change as well."""
    if isinstance(found, httpx.Response):
        return found.status_code
    if isinstance(found, Path):
        return found.read_bytes()
    if hasattr(found, "rate_limit"):
        return found.code, found.description
    if hasattr(found, "file_size"):
        return found.file_name, found.file_size
    return getattr(found, "content", found)


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "update": lambda svc: svc.users.update("u-001", task="Sales"),
    "read": lambda svc: svc.users.read("u-002"),
    "notify": lambda svc: svc.notify("Build is green"),
    "upload": lambda svc: svc.files.upload(b"hello", DRIVE, name="a.txt"),
    "ranges": lambda svc: svc.files.upload(b"hello", DRIVE, name="a.txt", resumable=2),
    "download": lambda svc: svc.files.download(FILE),
    "request": lambda svc: svc.request("PATCH", "/users/u-001", json={}),
    "http": lambda svc: svc.http.patch("/users/u-001", json={}),
}


OTHERS = sorted(ODD.keys() - {*RATES})
ROUNDS = [
    {name: ODD[name][i % len(ODD[name])] for name in OTHERS} for i in range(max(map(len, ODD.values())))
]
"""Each value of each header at least once, many headers at a time."""


@pytest.fixture(scope="module")
def plain(stage: Stage) -> dict[str, Any]:
    """What each operation returns without odd headers."""
    return {name: told(stage(use, {})) for name, use in OPERATIONS.items()}


@pytest.mark.parametrize("name", OPERATIONS)
def test_odd_headers_make_no_success_fail(name: str, stage: Stage, plain: dict[str, Any]) -> None:
    for each in ROUNDS:
        if name == "http" or (name == "download" and each["Content-Encoding"] == "deflate"):
            headers = each | {"Content-Encoding": ""}  # httpx decodes by itself; a file may be anything
        else:
            headers = each
        assert (headers, told(stage(OPERATIONS[name], headers))) == (headers, plain[name])


@pytest.mark.parametrize("header", RATES)
def test_one_odd_number_makes_no_notification_fail(header: str, stage: Stage, plain: dict[str, Any]) -> None:
    for text in NUMBERS:
        found = stage(OPERATIONS["notify"], {header: text})
        assert (text, told(found)) == (text, plain["notify"])
        assert found.rate_limit is None


def test_sign_in_renewal_and_statuses_too(stage: Stage) -> None:
    for headers in ROUNDS:
        stage(lambda svc: svc.sign_in(), headers)
        stage.fake.clock.advance(hours=25)
        status = stage(lambda svc: svc.users.set_status("u-001", "BUSY"), headers)
        assert status.profile_status_id == "BUSY"


def test_a_file_is_saved_whatever_the_headers_say_of_its_name(
    stage: Stage, plain: dict[str, Any], tmp_path: Path
) -> None:
    rounds = [each | {"Content-Encoding": each["Content-Encoding"].replace("deflate", "")} for each in ROUNDS]
    for number, headers in enumerate(rounds):
        folder = tmp_path / str(number)
        path = stage(lambda svc, to=folder: svc.files.download(FILE, f"{to}/"), headers)
        assert path.read_bytes() == plain["download"]
        assert list(folder.iterdir()) == [path]


@settings(max_examples=12, deadline=None)
@given(
    headers=st.dictionaries(
        st.sampled_from(sorted(ODD.keys() - {"Content-Length", "Content-Encoding"})),
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=30)
        | st.integers().map(str)
        | st.floats().map(str),
        min_size=1,
        max_size=8,
    )
)
def test_nor_do_headers_at_random(headers: dict[str, str], stage: Stage, plain: dict[str, Any]) -> None:
    assert {name: told(stage(use, headers)) for name, use in OPERATIONS.items()} == plain


@pytest.mark.parametrize("header", ["Retry-After", *RATES])
def test_an_error_stays_the_error_it_is(header: str, stage: Stage) -> None:
    for text in ODD[header]:
        stage.fake.faults.status("notifications.post", 429)
        with pytest.raises(RateLimited, match="429"):
            stage(lambda svc: svc.notify("x"), {header: text})


def test_an_error_whose_body_cannot_be_decoded_keeps_its_status(stage: Stage) -> None:
    for coding in ("gzip, gzip", "br", "deflate"):
        with pytest.raises(ServiceError, match="404"):
            stage(lambda svc: svc.users.read("u-999"), {"Content-Encoding": coding})


def test_a_gauge_does_not_fail_where_there_are_no_dates() -> None:
    now = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    gauge = RateGauge()
    gauge.record_success(RateLimit(1, 120, 119, 60), now)
    assert gauge.describe(now) == "1 of 120 used, 119 left; the service did not say when it is reset"
    gauge.record_refusal(10**30, now)
    assert gauge.seconds_left(now) is None


@pytest.mark.parametrize("text", NUMBERS + DATES)
def test_a_wait_is_a_number_of_seconds_or_not_known(text: str) -> None:
    wait = parse_retry_after({"retry-after": text}, datetime(2026, 6, 1, tzinfo=UTC))
    assert wait is None or 0 <= wait < 10**12
