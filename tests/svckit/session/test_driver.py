"""The bearer, its renewal and its borders, the same with and without ``await``."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit import places
from svckit.errors import (
    ForeignOrigin,
    ServiceError,
    Unauthorized,
)
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.connect import connect
from svckit.session.session import Session

from ...loopback import PATIENCE
from ..conftest import START, Face, Scripted, token_set

API = "https://api.work.test/v1"
USER_URL = f"{API}/users/u-001"
TOKEN_URL = "https://auth.work.test/oauth2/v2.0/token"
FILE = places.drive("u-001").file("f-1")
FILE_URL = f"{API}/users/u-001/drive/files/f-1/download"


@pytest.mark.parametrize(("hours", "renewals"), [(0, 0), (23, 0), (23.99, 1), (24, 1), (30, 1)])
def test_the_token_is_renewed_shortly_before_it_ends(
    hours: float, renewals: int, on_script: Face, scripted: Scripted
) -> None:
    scripted.clock.to(START + timedelta(hours=hours))
    on_script(lambda svc: svc.users.read("u-001"))
    on_script(lambda svc: svc.users.read("u-001"))
    assert scripted.renewals == renewals
    assert scripted.lines == [f"POST {TOKEN_URL}"] * renewals + [f"PATCH {USER_URL}"] * 2


def test_the_token_is_renewed_once_on_a_401(on_script: Face, scripted: Scripted) -> None:
    scripted.valid = "another"
    user = on_script(lambda svc: svc.users.update("u-001", nick_name="Mina"))
    assert user.user_id == "u-001"
    assert scripted.lines == [f"PATCH {USER_URL}", f"POST {TOKEN_URL}", f"PATCH {USER_URL}"]
    first, renewal, last = scripted.asked
    assert first.content == last.content
    assert b"refresh_token=canary-refresh" in renewal.content
    assert "authorization" not in renewal.headers


def test_401_without_a_refresh_token_is_quoted(on_script: Face, scripted: Scripted) -> None:
    on_script.session._driver.tokens.current = replace(on_script.session._driver.tokens.current, refresh=None)
    scripted.valid = "another"
    with pytest.raises(
        Unauthorized, match=r"users\.read failed: the token has expired \(401 UNAUTHORIZED"
    ) as caught:
        on_script(lambda svc: svc.users.read("u-001"))
    assert (caught.value.status, caught.value.code, scripted.renewals) == (401, "UNAUTHORIZED", 0)


def test_a_second_401_is_an_error(on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, httpx.Response(401, json={"code": "UNAUTHORIZED", "description": "no"}))
    with pytest.raises(Unauthorized, match="Sign in again"):
        on_script(lambda svc: svc.users.read("u-001"))
    assert scripted.renewals == 1


def test_eight_threads_renew_once(signed_in: Callable[..., Any], scripted: Scripted) -> None:
    all_refused = threading.Barrier(8)

    def service(request: httpx.Request) -> httpx.Response:
        response = scripted(request)
        if response.status_code == 401:
            all_refused.wait(timeout=PATIENCE)
        return response

    scripted.valid = "another"
    with signed_in(Session, service) as session, ThreadPoolExecutor(8) as threads:
        read = list(threads.map(session.users.read, [f"u-00{number}" for number in range(8)]))
    assert len(read) == 8
    assert scripted.renewals == 1
    assert len(scripted.lines) == 8 + 1 + 8


def test_eight_tasks_renew_once(signed_in: Callable[..., Any], scripted: Scripted) -> None:
    scripted.valid = "another"

    async def main() -> None:
        all_refused = asyncio.Barrier(8)

        async def service(request: httpx.Request) -> httpx.Response:
            response = scripted(request)
            if response.status_code == 401:
                await all_refused.wait()
            return response

        async with signed_in(AsyncSession, service) as svc:
            await asyncio.gather(*(svc.users.read(f"u-00{number}") for number in range(8)))

    asyncio.run(main())
    assert scripted.renewals == 1


def test_the_fake_sees_one_renewal(fake: FakeService) -> None:
    """Of threads that share a session, by its own calls and by httpx's, that find their token ended."""
    together = threading.Barrier(8)

    def call(number: int) -> int:
        own = f"/users/u-{number + 1:03d}"  # updates of one user must not be under way at the same time
        together.wait(timeout=PATIENCE)
        if number % 2:
            return int(svc.http.patch(own, json={}).status_code)
        return svc.request("PATCH", own, json={}).status

    with connect(fake) as svc, ThreadPoolExecutor(8) as threads:
        signed_in = len(fake.journal)
        fake.clock.advance(hours=25)
        assert list(threads.map(call, range(8))) == [200] * 8
    operations = [entry.operation for entry in fake.journal][signed_in:]
    assert sorted(operations) == ["auth.token"] + ["users.update"] * 8


def test_a_failed_renewal_lets_the_next_one_try(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.clock.to(START + timedelta(hours=25))
    renew = scripted.renew
    monkeypatch.setattr(scripted, "renew", lambda: httpx.Response(503))
    with pytest.raises(ServiceError):
        on_script(lambda svc: svc.users.read("u-001"))
    monkeypatch.setattr(scripted, "renew", renew)
    assert on_script(lambda svc: svc.users.read("u-001")).user_id == "u-001"


TRICKS = [
    "https://evil.test/downloads/1",
    "http://storage.work.test/downloads/1",
    "https://storage.work.test:8443/downloads/1",
    "https://storage.work.test.evil.test/downloads/1",
    "https://storage.work.test.:443/downloads/1",
    "https://storage.work.test@evil.test/downloads/1",
    "https://storage.work.test:443@evil.test/downloads/1",
    "https://evil.test\\@storage.work.test/downloads/1",
    "https://evil.test#@storage.work.test/downloads/1",
    "https://evil.test?@storage.work.test/downloads/1",
    "https://storage.work.test%2eevil.test/downloads/1",
    "https://storage.work.test\t.evil.test/",
    "https:evil.test/downloads/1",
    "https:///evil.test/downloads/1",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://api.work.test/v1/users/u-001",
    "ftp://storage.work.test/downloads/1",
    "javascript:alert(1)",
    "",
]


RELATIVE = ["/downloads/1", "//evil.test/downloads/1", "/\\evil.test/downloads/1", "\\\\evil.test/1"]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        *((address, "") for address in TRICKS),
        *((address, ".* is relative, so it belongs to the resource API") for address in RELATIVE),
    ],
)
def test_the_bearer_never_leaves_for_an_address_in_a_response(
    address: str, why: str, on_script: Face, scripted: Scripted
) -> None:
    drive_url = f"{API}/users/u-001/drive/files"
    scripted.on("GET", FILE_URL, httpx.Response(302, headers={"Location": address}))
    scripted.on("POST", drive_url, httpx.Response(200, json={"uploadUrl": address}))
    with pytest.raises(ForeignOrigin, match=f"download was stopped: {why}"):
        on_script(lambda svc: svc.files.download(FILE))
    with pytest.raises(ForeignOrigin, match=f"upload was stopped: {why}"):
        on_script(lambda svc: svc.files.upload(b"x", to=places.drive("u-001"), name="x"))
    assert scripted.lines == [f"GET {FILE_URL}", f"POST {drive_url}"]


def test_a_chain_of_redirects_is_not_followed(on_script: Face, scripted: Scripted) -> None:
    own = "https://storage.work.test/downloads/1"
    scripted.on("GET", FILE_URL, httpx.Response(302, headers={"Location": own}))
    scripted.on("GET", own, httpx.Response(302, headers={"Location": "https://evil.test/"}))
    with pytest.raises(ServiceError, match=r"302.*No redirect is expected"):
        on_script(lambda svc: svc.files.download(FILE))
    assert scripted.lines == [f"GET {FILE_URL}", f"GET {own}"]


def test_a_download_asks_the_storage_with_the_bearer(on_script: Face, scripted: Scripted) -> None:
    own = "https://STORAGE.work.test:443/downloads/1?sign=x"
    scripted.on("GET", FILE_URL, httpx.Response(302, headers={"Location": own}))
    scripted.on("GET", "https://storage.work.test/downloads/1?sign=x", httpx.Response(200, content=b"PNG"))
    assert on_script(lambda svc: svc.files.download(FILE)) == b"PNG"
    assert [request.headers["authorization"] for request in scripted.asked] == ["Bearer canary-token-0"] * 2


def test_an_upload_is_sent_whole_again_after_a_401(on_script: Face, scripted: Scripted) -> None:
    own = "https://storage.work.test/uploads/1"

    def ticket(_: httpx.Request) -> httpx.Response:
        scripted.valid = "another"
        return httpx.Response(200, json={"uploadUrl": own})

    scripted.on("POST", f"{API}/users/u-001/drive/files", ticket)
    scripted.on("POST", own, httpx.Response(201, json={"fileId": "f-1"}))
    on_script(lambda svc: svc.files.upload(b"content", to=places.drive("u-001"), name="x.txt"))
    sent = [request for request in scripted.asked if str(request.url) == own]
    assert len(sent) == 2
    for request in sent:
        assert (
            b'name="Filedata"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n'
            in request.content
        )


def test_a_notification_carries_no_bearer_and_stays_at_its_endpoint(
    on_script: Face, scripted: Scripted
) -> None:
    hook = "https://hooks.work.test/message/canary-webhook"
    scripted.on("POST", hook, httpx.Response(200, json={"code": 200, "description": "success"}))
    assert on_script(lambda svc: svc.notify("Hi")).code == 200
    with pytest.raises(ForeignOrigin):
        on_script(lambda svc: svc.notify("Hi", webhook="https://evil.test/message/1"))
    (request,) = scripted.asked
    assert "authorization" not in request.headers


def test_nobody_is_signed_in(profile: Profile, credentials: Credentials, scripted: Scripted) -> None:
    session = Session(profile, credentials, transport=httpx.MockTransport(scripted))
    with (
        session,
        pytest.raises(
            Unauthorized, match=r"the session is not signed in\. Sign in with svc\.sign_in\(\)\.$"
        ) as caught,
    ):
        session.users.read("u-001")
    assert (caught.value.operation, caught.value.request) == ("users.read", f"PATCH {USER_URL}")
    assert scripted.asked == []


def test_unsendable_new_token_is_refused_unshown(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = httpx.Response(200, json=token_set("canary-1\ncanary-2"))
    monkeypatch.setattr(scripted, "renew", lambda: issued)
    scripted.clock.to(START + timedelta(hours=24))
    with pytest.raises(ServiceError, match="access_token cannot be sent in a header") as caught:
        on_script(lambda svc: svc.users.read("u-001"))
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None
