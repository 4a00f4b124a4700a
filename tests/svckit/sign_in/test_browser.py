"""Signing in with this machine's browser, against the fake; and what becomes of a sign-in that does not end well."""

import asyncio
import errno
import os
import threading
import webbrowser
from dataclasses import replace
from queue import SimpleQueue

import httpx
import pytest

from fakes import FakeService
from svckit.errors import SignInStopped
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.aio import AsyncSession
from svckit.session.session import Session
from svckit.sign_in.browser import BrowserVisitor

from ...loopback import PATIENCE, free_port
from .browser import log_in
from .conftest import Told, get, led_back, visit


class Person:
    """Logs in to a fake in a browser, which then goes where it is led."""

    def __init__(self, fake: FakeService) -> None:
        self.email, self.password = fake.facts["login_id"], fake.facts["password"]
        self.http = httpx.Client(transport=fake.transport())
        self.pages: SimpleQueue[httpx.Response] = SimpleQueue()

    def __call__(self, address: str) -> bool:
        self.pages.put(get(log_in(address, self.email, self.password, self.http)))
        return True


def session_parts(fake: FakeService, visitor: BrowserVisitor) -> tuple[tuple, dict]:
    profile = replace(Profile.from_facts(fake.facts), name="work", is_fake=False)
    credentials = Credentials(client_secret=Secret(fake.facts["client_secret"]))
    return (profile, credentials), {"transport": fake.transport(), "clock": fake.clock, "visitor": visitor}


def test_a_person_signs_in(fake: FakeService, told: Told) -> None:
    person = Person(fake)
    parts, wiring = session_parts(fake, BrowserVisitor(open_browser=person))
    with Session(*parts, **wiring) as svc:
        svc.sign_in()
        assert svc.users.update("u-001", nick_name="Mina").nick_name == "Mina"
        assert "REAL" in repr(svc)
        assert "by a person" in repr(svc)
    assert person.pages.get(timeout=PATIENCE).status_code == 200
    assert [line for line in told[0].splitlines() if line.startswith(fake.facts["auth_url"])]


def test_the_same_with_await_while_the_event_loop_goes_on(fake: FakeService, told: Told) -> None:
    parts, wiring = session_parts(fake, BrowserVisitor(open_browser=Person(fake)))

    async def main() -> tuple[str | None, bool]:
        async with AsyncSession(*parts, **wiring) as svc:
            free = asyncio.create_task(asyncio.sleep(0, result=True))
            await svc.sign_in()
            return (await svc.users.read("u-002")).user_id, await free

    assert asyncio.run(main()) == ("u-002", True)


def test_nobody_signs_in(way: str, sign_in_request: SignInRequest, told: Told) -> None:
    visitor = BrowserVisitor(timeout=0.01, open_browser=lambda _: None)
    with pytest.raises(SignInStopped, match="nobody had signed in after 0 s") as caught:
        visit(visitor, sign_in_request, way)
    assert caught.value.reason == "timeout"


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_cancels(sign_in_request: SignInRequest, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = BrowserVisitor(open_browser=lambda _: None)
    for where in ("svckit.sign_in.listener.Future.result", "svckit.sign_in.browser.say"):
        with monkeypatch.context() as patch:
            patch.setattr(where, interrupted)
            with pytest.raises(SignInStopped, match="it was cancelled") as caught:
                visitor.visit(sign_in_request)
        assert caught.value.reason == "cancelled"


def test_a_task_that_is_cancelled_frees_the_port(sign_in_request: SignInRequest, told: Told) -> None:
    opened = threading.Event()
    visitor = BrowserVisitor(open_browser=lambda _: opened.set())

    async def main() -> None:
        task = asyncio.create_task(visitor.visit_async(sign_in_request))
        await asyncio.to_thread(opened.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    with pytest.raises(SignInStopped, match="nobody had signed in"):
        BrowserVisitor(timeout=0.01, open_browser=lambda _: None).visit(sign_in_request)


def test_a_second_sign_in_at_the_same_address_is_told(sign_in_request: SignInRequest, told: Told) -> None:
    """The first is not disturbed."""
    second: list[SignInStopped] = []
    redirect_uri = sign_in_request.profile.redirect_uri

    def browser(address: str) -> None:
        with pytest.raises(SignInStopped) as caught:
            BrowserVisitor(open_browser=lambda _: None).visit(sign_in_request)
        second.append(caught.value)
        led_back(redirect_uri, "code=c-1&state={state}")(address)

    code = BrowserVisitor(open_browser=browser).visit(sign_in_request)
    assert code == Secret("c-1")
    assert [stopped.reason for stopped in second] == ["port"]
    port = httpx.URL(redirect_uri).port
    assert second[0].why == f"nothing can listen on 127.0.0.1 port {port}: {os.strerror(errno.EADDRINUSE)}"


def test_sign_ins_of_different_applications_do_not_meet(profile: Profile, told: Told) -> None:
    """Each waits for the other's browser to be open, and then gets its own code."""
    both = threading.Barrier(2, timeout=PATIENCE)
    codes: dict[str, Secret] = {}

    def sign_in(name: str) -> None:
        own = replace(profile, name=name, redirect_uri=f"http://127.0.0.1:{ports[name]}/callback")

        def browser(address: str) -> None:
            both.wait()
            led_back(own.redirect_uri, f"code=code-of-{name}&state={{state}}")(address)

        visitor = BrowserVisitor(open_browser=browser)
        codes[name] = visitor.visit(SignInRequest.begin(own))

    ports = {"one": free_port(), "two": free_port()}
    threads = [threading.Thread(target=sign_in, args=(name,)) for name in ports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert codes == {"one": Secret("code-of-one"), "two": Secret("code-of-two")}


@pytest.mark.parametrize("failure", [OSError("no such program"), webbrowser.Error("none"), None])
def test_a_browser_that_cannot_be_opened_is_told_with_what_to_do(
    failure: Exception | None, sign_in_request: SignInRequest, told: Told
) -> None:
    """`webbrowser` raises an error, or returns that no browser opened."""

    def broken(address: str) -> bool:
        threading.Timer(
            0.1, led_back(sign_in_request.profile.redirect_uri, "code=c-1&state={state}"), [address]
        ).start()
        if failure is not None:
            raise failure
        return False

    assert BrowserVisitor(open_browser=broken).visit(sign_in_request) == Secret("c-1")
    said, url = told[1].splitlines()
    assert said.startswith(
        "No browser could be opened. Open this URL in one on this machine, or press Ctrl-C and "
    )
    assert url == sign_in_request.url.reveal()


def test_a_browser_that_opens_is_not_told_of_again(sign_in_request: SignInRequest, told: Told) -> None:
    led = led_back(sign_in_request.profile.redirect_uri, "code=c-1&state={state}")
    assert BrowserVisitor(open_browser=lambda url: bool(led(url))).visit(sign_in_request) == Secret("c-1")
    assert len(told) == 1


def test_an_address_of_another_machine_is_not_listened_on(profile: Profile, told: Told) -> None:
    request = SignInRequest.begin(replace(profile, redirect_uri="https://app.example.com/callback"))
    with pytest.raises(SignInStopped, match=r"is not an http URL of this machine.*--paste"):
        BrowserVisitor(open_browser=lambda _: None).visit(request)
    assert told == []
