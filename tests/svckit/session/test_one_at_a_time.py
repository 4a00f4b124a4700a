"""Updates of one user follow one another, whichever thread or task they come from; those of others do not wait."""

import asyncio
import gc
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import GeneratorType
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit.errors import ServiceError
from svckit.session.aio import AsyncSession
from svckit.session.connect import connect
from svckit.session.session import Session

from ...loopback import PATIENCE
from ..conftest import USER, Scripted
from .test_driver import USER_URL

SignedIn = Callable[..., Any]

CALLS: dict[str, Callable[[Any], Any]] = {
    "read": lambda svc: svc.users.read("u-001"),
    "update": lambda svc: svc.users.update("u-001", task="Sales"),
    "request": lambda svc: svc.request("PATCH", "/users/u%2D001?x=1", json={}),
}


def waiting(session: Any, path: str = "/users/u-001") -> int:
    """Return how many calls for a user are under way or wait for their turn."""
    lock = session._driver._turns.get(path)
    return sum(isinstance(found, GeneratorType) for found in gc.get_referrers(lock)) if lock else 0


def once(condition: Callable[[], bool]) -> Callable[[], bool]:
    """Return a condition that stays true when it has been true."""
    reached = threading.Event()

    def check() -> bool:
        if condition():
            reached.set()
        return reached.is_set()

    return check


class UnderWay:
    """A service that counts how many calls of one user are under way at a time."""

    def __init__(self) -> None:
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.waits_for: Callable[[], bool] = lambda: True

    def begin(self, request: httpx.Request) -> str:
        path = request.url.path
        self.now[path] += 1
        self.most[path] = max(self.most[path], self.now[path])
        return path

    def end(self, path: str) -> httpx.Response:
        self.now[path] -= 1
        return httpx.Response(200, json=USER)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, deadline = self.begin(request), time.monotonic() + PATIENCE
        while not self.waits_for() and time.monotonic() < deadline:
            time.sleep(0.01)  # others get their turn: each look goes through all objects
        return self.end(path)

    async def answer(self, request: httpx.Request) -> httpx.Response:
        path = self.begin(request)
        for _ in range(50):
            await asyncio.sleep(0)
        return self.end(path)


@pytest.fixture
def service() -> UnderWay:
    return UnderWay()


@pytest.fixture
def session(service: UnderWay, signed_in: SignedIn) -> Iterator[Session]:
    with signed_in(Session, service) as made:
        yield made


def test_of_24_threads_one_calls_for_the_same_user(service: UnderWay, session: Session) -> None:
    uses = list(CALLS.values()) * 8
    service.waits_for = once(
        lambda: waiting(session) == len(uses)
    )  # until all the others want to be under way
    with ThreadPoolExecutor(len(uses)) as threads:
        done = list(threads.map(lambda use: use(session), uses))
    assert len(done) == len(uses)
    assert service.most == {"/v1/users/u-001": 1}
    assert waiting(session) == 0


NAMES = ("u-001", "mina@example.com", "externalKey:emp-00001")


class OneUser(UnderWay):
    """The same, of one user, whatever the name in the URL."""

    def begin(self, request: httpx.Request) -> str:
        assert request.url.path.removeprefix("/v1/users/") in NAMES
        return super().begin(httpx.Request("PATCH", USER_URL))

    def end(self, path: str) -> httpx.Response:
        super().end(path)
        return httpx.Response(200, json=USER | {"userExternalKey": "emp-00001"})


@pytest.fixture
def one_user(signed_in: SignedIn) -> Iterator[tuple[OneUser, Session]]:
    service = OneUser()
    with signed_in(Session, service) as made:
        yield service, made


def test_a_user_the_session_has_seen_is_one_user_under_every_name(one_user: tuple[OneUser, Session]) -> None:
    service, session = one_user
    session.users.read("u-001")
    service.waits_for = once(lambda: waiting(session) == 12 or service.most.total() > 1)
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(session.users.read, NAMES * 4))
    assert service.most.total() == 1


def test_who_has_waited_under_another_name_waits_for_the_user(one_user: tuple[OneUser, Session]) -> None:
    """The session may meet the user in the meantime."""
    service, session = one_user
    lock = session._driver._turns.setdefault("/users/mina@example.com", threading.RLock())
    with ThreadPoolExecutor(2) as threads:
        lock.acquire()
        late = threads.submit(session.users.read, "mina@example.com")
        while not waiting(session, "/users/mina@example.com"):
            time.sleep(0)
        session.users.read("u-001")
        service.waits_for = once(lambda: waiting(session) == 2 or service.most.total() > 1)
        threads.submit(session.users.read, "u-001")
        while not service.now.total():
            time.sleep(0)
        lock.release()
        assert late.result(PATIENCE).user_id == "u-001"
    assert service.most.total() == 1


def test_threads_call_for_different_users_at_the_same_time(service: UnderWay, session: Session) -> None:
    service.waits_for = lambda: sum(service.most.values()) == 8
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(session.users.read, [f"u-{number}" for number in range(8)]))
    assert sum(service.most.values()) == 8


def test_statuses_do_not_wait(service: UnderWay, session: Session) -> None:
    """The description names updates and moves, not statuses."""
    service.waits_for = lambda: sum(service.most.values()) == 2
    uses = (CALLS["read"], lambda svc: svc.request("POST", "/users/u-001/user-profile-statuses", json={}))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda use: use(session), uses))
    assert len(service.most) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, LookupError, httpx.ReadError("gone")])
def test_a_call_that_fails_lets_the_next_one_in(error: Any, scripted: Scripted, signed_in: SignedIn) -> None:
    def failing(_: httpx.Request) -> httpx.Response:
        raise error

    with signed_in(Session) as svc:
        scripted.on("PATCH", USER_URL, failing)
        with pytest.raises((KeyboardInterrupt, LookupError, ServiceError)):
            svc.users.update("u-001", task="Sales")
        scripted.on("PATCH", USER_URL, httpx.Response(200, json=USER))
        with ThreadPoolExecutor(1) as threads:  # a thread may come in again, another may not
            assert threads.submit(svc.users.read, "u-001").result(PATIENCE).user_id == "u-001"


def test_a_call_within_a_call_does_not_wait_for_itself(scripted: Scripted, signed_in: SignedIn) -> None:
    found: list[Any] = []

    def nested(_: httpx.Request) -> httpx.Response:
        scripted.on("PATCH", USER_URL, httpx.Response(200, json=USER))
        found.append(svc.users.read("u-001"))
        return httpx.Response(200, json=USER)

    with signed_in(Session) as svc:
        scripted.on("PATCH", USER_URL, nested)
        assert [svc.users.read("u-001")] == found


@pytest.mark.usefixtures("no_threads")
def test_it_takes_no_threads(fake: FakeService) -> None:
    with connect(fake) as svc:
        assert svc.users.read("u-001") == svc.users.read("u-001")


def test_of_24_tasks_one_calls_for_the_same_user(service: UnderWay, signed_in: SignedIn) -> None:
    async def main() -> None:
        async with signed_in(AsyncSession, service.answer) as svc:
            done = await asyncio.gather(
                *(use(svc) for use in list(CALLS.values()) * 8),
                svc.users.read("u-002"),
                svc.users.read("u-003"),
            )
            assert len(done) == 26
            assert waiting(svc) == 0

    asyncio.run(main())
    assert set(service.most.values()) == {1}


def test_a_task_that_waits_may_be_cancelled(service: UnderWay, signed_in: SignedIn) -> None:
    async def main() -> None:
        going = asyncio.Event()

        async def held(request: httpx.Request) -> httpx.Response:
            path = service.begin(request)
            await going.wait()
            return service.end(path)

        async with signed_in(AsyncSession, held) as svc:
            first, second, third, fourth = (asyncio.create_task(svc.users.read("u-001")) for _ in range(4))
            while waiting(svc) < 4:
                await asyncio.sleep(0)
            second.cancel()  # which waits
            first.cancel()  # which is under way
            going.set()
            assert (await third).user_id == (await fourth).user_id == "u-001"
            assert await asyncio.gather(first, second, return_exceptions=True)
            assert (first.cancelled(), second.cancelled()) == (True, True)
            assert waiting(svc) == 0

    asyncio.run(main())
