"""What is sent again, after how long, and what never is."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import svckit
from fakes import FakeService
from svckit.errors import Conflict, RateLimited, ServiceError, Unreachable
from svckit.http.retry import choose_delay
from svckit.session.steps import SystemClock

from ..conftest import EVERYWHERE, IN_PROCESS, Face

Use = Callable[[Any], Any]

READ: Use = lambda svc: svc.users.read("u-001")  # noqa: E731
UPDATE: Use = lambda svc: svc.users.update("u-001", task="Sales")  # noqa: E731
STATUS: Use = lambda svc: svc.users.set_status("u-001", "BUSY")  # noqa: E731
NOTIFY: Use = lambda svc: svc.notify("Hi")  # noqa: E731


def statuses(fake: FakeService, operation: str) -> list[int | None]:
    return [entry.status for entry in fake.journal if entry.operation == operation]


@pytest.mark.parametrize("status", [409, 429, 502, 503, 504])
def test_what_only_reads_is_sent_again(status: int, on_fake: Face, fake: FakeService) -> None:
    start = fake.clock.now()
    fake.faults.status("users.update", status, times=2)
    assert on_fake(READ).user_id == "u-001"
    assert statuses(fake, "users.update") == [status, status, 200]
    assert fake.clock.now() - start == timedelta(seconds=0.5 + 1)


@pytest.mark.parametrize(
    ("where", "broken"),
    [("in-process", "connect_error"), ("in-process", "read_timeout"), *((w, "reset") for w in EVERYWHERE)],
    indirect=["where"],
)
def test_what_only_reads_survives_a_broken_connection(broken: str, on_fake: Face, fake: FakeService) -> None:
    getattr(fake.faults, broken)("users.update", times=2)
    assert on_fake(READ).user_id == "u-001"
    assert statuses(fake, "users.update") == [None, None, 200]


@pytest.mark.parametrize("use", [UPDATE, STATUS])
def test_a_change_that_conflicts_is_sent_once(use: Use, on_fake: Face, fake: FakeService) -> None:
    fake.faults.status("users.*", 409)
    with pytest.raises(Conflict):
        on_fake(use)
    assert [entry.status for entry in fake.journal if entry.operation.startswith("users.")] == [409]


@pytest.mark.parametrize(
    ("operation", "use"),
    [("users.update", UPDATE), ("users.set_status", STATUS), ("notifications.post", NOTIFY)],
)
@pytest.mark.parametrize(
    ("where", "fault"),
    [("in-process", "read_timeout"), *((w, f) for w in EVERYWHERE for f in ("status", "reset"))],
    indirect=["where"],
)
def test_what_changes_something_is_sent_once(
    operation: str, use: Use, fault: str, on_fake: Face, fake: FakeService
) -> None:
    getattr(fake.faults, fault)(operation)
    with pytest.raises(ServiceError):
        on_fake(use)
    assert len(statuses(fake, operation)) == 1


@IN_PROCESS
@pytest.mark.parametrize("use", [UPDATE, STATUS, NOTIFY])
def test_what_was_not_sent_is_sent_again(use: Use, on_fake: Face, fake: FakeService) -> None:
    fake.faults.connect_error(times=2)
    on_fake(use)
    assert [entry.status for entry in fake.journal][-3:] == [None, None, 200]


@IN_PROCESS
def test_a_code_is_exchanged_once(on_fake: Face, fake: FakeService) -> None:
    fake.faults.read_timeout("auth.token", applied=True)
    with pytest.raises(Unreachable):
        on_fake(lambda svc: svc.sign_in())
    assert [entry.status for entry in fake.journal if entry.operation == "auth.token"] == [200, 200]


@IN_PROCESS
def test_a_renewal_is_sent_again(on_fake: Face, fake: FakeService) -> None:
    fake.clock.advance(hours=25)
    fake.faults.read_timeout("auth.token", applied=True)
    fake.faults.status("auth.token", 503)
    assert on_fake(READ).user_id == "u-001"
    assert statuses(fake, "auth.token") == [200, 200, 503, 200]


def test_the_service_says_how_long_to_wait(on_fake: Face, fake: FakeService) -> None:
    start = fake.clock.now()
    fake.faults.status("users.update", 503, retry_after=30)
    on_fake(READ)
    assert fake.clock.now() - start == timedelta(seconds=30)


def test_more_than_a_minute_is_told_rather_than_waited(on_fake: Face, fake: FakeService) -> None:
    start = fake.clock.now()
    fake.faults.status("users.update", 429, retry_after=61)
    with pytest.raises(RateLimited, match="Wait 61 seconds"):
        on_fake(READ)
    assert fake.clock.now() == start


@pytest.mark.parametrize(("retries", "attempts"), [(0, 1), (1, 2), (4, 5)])
def test_how_often_is_a_setting(retries: int, attempts: int, on_fake: Face, fake: FakeService) -> None:
    on_fake.session.retries = retries
    fake.faults.status("users.update", 503, times=None)
    with pytest.raises(ServiceError):
        on_fake(READ)
    assert len(statuses(fake, "users.update")) == attempts


@pytest.mark.parametrize("given", [-1, 1.5, "2", True, None])
def test_a_number_of_retries_is_a_whole_number(given: Any, on_fake: Face) -> None:
    with pytest.raises(ValueError, match="retries"):
        on_fake.session.retries = given


@IN_PROCESS
def test_who_was_not_reached_has_sent_nothing(on_fake: Face, fake: FakeService) -> None:
    fake.faults.connect_error(times=None)
    with pytest.raises(Unreachable, match="nothing was sent") as caught:
        on_fake(NOTIFY)
    assert not caught.value.connected
    fake.faults.clear()
    fake.faults.reset(times=None)
    with pytest.raises(Unreachable, match="may or may not have taken effect") as caught:
        on_fake(NOTIFY)
    assert caught.value.connected


@IN_PROCESS
def test_what_only_reads_may_have_done_nothing(on_fake: Face, fake: FakeService) -> None:
    fake.faults.reset(times=None)
    form = "/forms/form-1/responses/response-1/attachments/attachment-1"
    with pytest.raises(Unreachable, match=r"GET .*the network, and try again\.$"):
        on_fake(lambda svc: svc.request("GET", form))
    with pytest.raises(Unreachable, match=r"PATCH .*the network, and try again\.$"):  # it changes nothing
        on_fake(lambda svc: svc.users.read("u-001"))


def test_real_waits_are_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    fake = FakeService.sample(users=1)
    with svckit.connect(fake) as svc:
        assert not fake.clock.standing
        fake.faults.status("users.update", 503, times=2)
        svc.users.read("u-001")
    first, second = slept
    assert 0.25 <= first <= 0.5 <= second <= 1
    assert not SystemClock().standing
    assert {round(choose_delay(1, None, spread=True) or 0, 6) for _ in range(20)} != {0.5}


def test_a_change_of_the_offset_does_not_change_how_long_a_time_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On 1 November 2026, wall clocks of New York show 1:30 twice."""
    instants = iter([datetime(2026, 11, 1, 5, 30, tzinfo=UTC), datetime(2026, 11, 1, 6, 30, tzinfo=UTC)])

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return next(instants).astimezone(tz)

    monkeypatch.setattr("svckit.session.steps.datetime", Stopped)
    clock = SystemClock(ZoneInfo("America/New_York"))
    first, second = clock.now(), clock.now()
    assert (first.isoformat(), second - first) == ("2026-11-01T01:30:00-04:00", timedelta(hours=1))
