"""Sessions that sign in with the first call that needs a token: once, and only where a person can be asked."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.errors import SignInStopped, Unauthorized, UnusableProfile
from svckit.models.secret import Secret
from svckit.operations.authorization import SignInRequest
from svckit.session.aio import AsyncSession
from svckit.session.session import Session
from svckit.sign_in import prompt
from svckit.sign_in.paste import PasteVisitor

from ...loopback import local_client
from ..bare_machine import MemoryKeyring
from .browser import log_in

Facts = Mapping[str, Any]


class Person:
    """Signs in to the served fake."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.visits = 0

    def visit(self, request: SignInRequest) -> Secret:
        self.visits += 1
        with local_client() as http:
            landed = log_in(request.url.reveal(), self.facts["login_id"], self.facts["password"], http)
        return request.extract_code(Secret(landed))

    async def visit_async(self, request: SignInRequest) -> Secret:
        await asyncio.sleep(0)
        return self.visit(request)


@pytest.fixture
def person(served: Facts, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Signs in wherever a person is asked."""
    person = Person(served)
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    monkeypatch.setenv("SVCKIT_WORK_WEBHOOK_ALERTS", served["webhooks"][0])
    monkeypatch.setattr(PasteVisitor, "visit", lambda _, request: person.visit(request))
    monkeypatch.setattr(PasteVisitor, "visit_async", lambda _, request: person.visit_async(request))
    return person


@pytest.fixture
def svc(person: Person) -> Iterator[Session]:
    with svckit.connect("work") as svc:
        yield svc


def test_the_first_call_that_needs_a_token_signs_in(svc: Session, person: Person) -> None:
    assert svc.notify("Build is green").description == "success"
    assert (person.visits, svc.sign_in_status[0]) == (0, "nobody")
    for _ in range(2):
        assert svc.users.read("u-003").user_id == "u-003"
    assert person.visits == 1


def test_the_client_for_other_calls_signs_in_too(svc: Session, person: Person) -> None:
    assert svc.http.patch("/users/u-003", json={}).status_code == 200
    assert person.visits == 1


def test_an_argument_asks_for_it_at_once(person: Person) -> None:
    with svckit.connect("work", sign_in="paste") as svc:
        assert (person.visits, svc.resume()) == (1, True)


def test_tasks_wait_for_one_sign_in(person: Person) -> None:
    async def read_all() -> list[Any]:
        async with svckit.connect_async("work") as svc:
            return await asyncio.gather(*(svc.users.read(f"u-00{number}") for number in range(1, 6)))

    assert len(asyncio.run(read_all())) == 5
    assert person.visits == 1


def test_threads_that_wait_for_the_main_thread_use_its_tokens(
    svc: Session, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The main thread asks the person; the threads call meanwhile."""
    calling, read = threading.Barrier(3), lambda number: svc.users.read(f"u-00{number}").user_id
    visit = person.visit

    def visit_slowly(request: SignInRequest) -> Secret:
        calling.wait()
        return visit(request)

    monkeypatch.setattr(person, "visit", visit_slowly)

    def call(number: int) -> str | None:
        calling.wait()
        return read(number)

    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(call, number) for number in (1, 2)]
        assert read(3) == "u-003"
        assert [each.result() for each in others] == ["u-001", "u-002"]
    assert person.visits == 1


def test_threaded_methods_sign_in_first(svc: Session, person: Person) -> None:
    stored = svc.files.upload_many({"a.txt": b"A", "b.txt": b"B"}, to=places.drive("u-001"), workers=2)
    assert (len(stored.ok), person.visits) == (2, 1)


def test_a_background_thread_does_not_ask(
    svc: Session, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(SignInStopped, match="SVCKIT_WORK_REFRESH_TOKEN"):
            pool.submit(svc.users.read, "u-003").result()
        monkeypatch.setattr("svckit.sign_in.paste.is_somebody_there", lambda: True)
        with pytest.raises(SignInStopped, match=r"Call svc\.sign_in\(\) in a cell"):
            pool.submit(svc.users.read, "u-003").result()
        assert person.visits == 0
        svc.sign_in()
        assert pool.submit(svc.users.read, "u-003").result().user_id == "u-003"


def test_a_person_who_cancels_is_asked_again_only_by_sign_in(
    svc: Session, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cancel(_: SignInRequest) -> Secret:
        person.visits += 1
        raise SignInStopped("cancelled", "it was cancelled")

    async def read_all() -> Any:
        async with svckit.connect_async("work") as other:
            return await asyncio.gather(*(other.users.read(f"u-00{number}") for number in range(1, 7)))

    with monkeypatch.context() as patched:
        patched.setattr(person, "visit", cancel)
        for _ in range(2):
            with pytest.raises(SignInStopped, match="it was cancelled"):
                svc.users.read("u-003")
        assert person.visits == 1
        with pytest.raises(SignInStopped, match="it was cancelled"):
            asyncio.run(read_all())
        assert person.visits == 2
    svc.sign_in()
    assert svc.users.read("u-003").user_id == "u-003"


class Kernel:
    """A kernel that is handling a message."""

    def __init__(self, kind: str, *, takes_input: bool = True) -> None:
        self._kind = kind
        self._allow_stdin = takes_input

    def get_parent(self) -> dict[str, Any]:
        return {"header": {"msg_type": self._kind}}


def test_a_widgets_callback_does_not_ask(
    svc: Session, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = [Kernel("comm_msg")]
    monkeypatch.setattr(prompt, "_find_kernel", lambda: kernels[-1])
    with pytest.raises(SignInStopped, match="a widget's callback or a background thread cannot ask you"):
        svc.users.read("u-003")
    assert person.visits == 0
    kernels.append(Kernel("execute_request"))
    assert svc.users.read("u-003").user_id == "u-003"


def test_a_kernel_without_input_has_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for takes_input in (True, False):
        kernel = Kernel("execute_request", takes_input=takes_input)
        monkeypatch.setattr(prompt, "_find_kernel", lambda kernel=kernel: kernel)
        assert prompt.is_somebody_there() is takes_input


def test_a_sign_in_elsewhere_is_found(svc: Session, person: Person) -> None:
    """`svckit login` in a terminal, after `connect` in a notebook."""
    with svckit.connect("work", sign_in="paste"):
        assert person.visits == 1
    assert svc.users.read("u-003").user_id == "u-003"
    assert person.visits == 1


@pytest.mark.parametrize("connected", ["sync", "async"])
def test_a_webhook_is_all_that_a_notifier_needs(
    connected: str, served: Facts, fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("svckit.toml").write_text(
        f'[alarm]\nwebhook_url = "{served["webhook_url"]}"\nwebhooks = ["alerts"]\n'
    )
    monkeypatch.setenv("SVCKIT_ALARM_WEBHOOK_ALERTS", served["webhooks"][0])

    async def notify() -> AsyncSession:
        async with svckit.connect_async("alarm") as svc:
            await svc.notify("Build is green")
            return svc

    if connected == "async":
        asyncio.run(notify())
    else:
        with svckit.connect("alarm") as svc:
            svc.notify("Build is green")
            assert served["webhook_url"] in repr(svc)
            for call in (lambda: svc.users.read("u-003"), svc.sign_in):
                with pytest.raises(UnusableProfile, match="can post notifications only: base_url, "):
                    call()
            with pytest.raises(UnusableProfile, match="`svckit profiles alarm` says how to set them"):
                svc.request("GET", "/oauth2/v2.0/authorize", area="auth")
    assert [message.text for message in fake.webhooks.messages("channel-1")] == ["Build is green"]


def test_a_given_refresh_token_signs_in(
    person: Person, fake: FakeService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with svckit.connect("work", sign_in="paste") as svc:
        refresh = svc._driver.tokens.current.refresh.reveal()
    monkeypatch.setenv("SVCKIT_WORK_REFRESH_TOKEN", f"{refresh}\n")
    with svckit.connect("work") as svc:
        assert svc.users.read("u-003").user_id == "u-003"
        fake.clock.advance(hours=25)
        assert svc.users.read("u-003").user_id == "u-003"
    monkeypatch.setenv("SVCKIT_WORK_REFRESH_TOKEN", "canary")
    with svckit.connect("work") as svc:
        said = capsys.readouterr().err
        assert "The refresh token in SVCKIT_WORK_REFRESH_TOKEN was refused" in said
        assert "set it again to what `svckit login work --store print` prints" in said
        assert svc.users.read("u-003").user_id == "u-003"
    assert person.visits == 2


def test_nobody_to_ask_after_a_refusal_names_the_refusal(
    served: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", served["client_secret"])
    monkeypatch.setenv("SVCKIT_WORK_REFRESH_TOKEN", "canary")
    with svckit.connect("work") as svc:
        for _ in range(2):
            with pytest.raises(SignInStopped) as caught:
                svc.users.read("u-003")
            (note,) = caught.value.__notes__
            assert note.startswith("There was a refresh token, but it was refused: ")
            assert "canary" not in note


def test_a_wrong_client_secret_does_not_cost_the_tokens(
    person: Person, fake: FakeService, monkeypatch: pytest.MonkeyPatch, memory_keyring: MemoryKeyring
) -> None:
    svckit.connect("work", sign_in="paste").close()
    ((entry, kept),) = memory_keyring.entries.items()
    memory_keyring.entries[entry] = kept.replace('"ends": "20', '"ends": "19')
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", "canary")
    with pytest.raises(Unauthorized) as caught:
        svckit.connect("work")
    assert "environment variable SVCKIT_WORK_CLIENT_SECRET: correct it there" in caught.value.__notes__[0]
    assert entry in memory_keyring.entries
