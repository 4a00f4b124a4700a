"""The number of times that faults apply, and of requests or callbacks that they let through first."""

import httpx
import pytest

from fakes import FakeService

from ..bots import TEXT, AttemptResult, keep
from ..caller import Caller


def test_faults_apply_in_order_and_as_often_as_asked(fake: FakeService, me: Caller) -> None:
    fake.faults.status("users.update", 503, times=2)
    fake.faults.status("/users/*", 429)
    assert [me.patch().status_code for _ in range(4)] == [503, 503, 429, 200]
    assert [entry.injected for entry in fake.journal] == ["status 503", "status 503", "status 429", None]
    assert not list(fake.faults)


def test_a_fault_without_end_applies_always_until_cleared(fake: FakeService, me: Caller) -> None:
    fault = fake.faults.status("*", 500, times=None)
    assert {me.patch().status_code for _ in range(5)} == {500}
    assert (fault.used, fault.left) == (5, None)
    fake.faults.clear()
    assert me.patch().status_code == 200


@pytest.mark.parametrize("kind", ["status", "connect_error", "read_timeout", "reset"])
def test_a_fault_skips_the_first_requests_that_match(fake: FakeService, me: Caller, kind: str) -> None:
    fault = getattr(fake.faults, kind)("users.update", skip=2, times=2)
    assert str(fault).endswith("for users.update, 2 more times, after skipping 2")
    me.authorize()  # does not match, so it does not count
    assert [attempt(me) for _ in range(5)] == [True, True, False, False, True]
    assert [entry.injected is None for entry in fake.journal] == [True, True, True, False, False, True]


def attempt(me: Caller) -> bool:
    try:
        return me.patch().is_success
    except httpx.TransportError:
        return False


def test_a_request_counts_for_each_fault_that_skips_it(fake: FakeService, me: Caller) -> None:
    """Whatever else applies to it, such as an earlier fault or a delay."""
    fake.faults.status("users.update", 503)
    fake.faults.status("users.*", 429, skip=1)
    fake.faults.delay("*", seconds=60, skip=2)
    start = fake.clock.now()
    assert [me.patch().status_code for _ in range(2)] == [503, 429]
    assert fake.clock.now() == start
    assert me.patch().status_code == 200
    assert (fake.clock.now() - start).total_seconds() == 60


def test_a_fault_skips_the_first_callbacks(fake: FakeService) -> None:
    received: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(received))
    fake.faults.drop_callback("bot-1", skip=1)
    outcomes = [fake.callbacks.send("bot-1", "u-001", TEXT).outcome for _ in range(3)]
    assert outcomes == ["delivered", "failed", "delivered"]
    assert len(received) == 2
