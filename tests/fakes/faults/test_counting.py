"""How often faults apply, and how many requests or callbacks they let through first."""

import httpx
import pytest

from fakes import FakeService
from tests.fakes.faults.test_faults import client, rename


def test_faults_apply_in_order_and_as_often_as_asked(fake: FakeService) -> None:
    fake.faults.status("users.update", 503, times=2)
    fake.faults.status("/users/*", 429)
    http = client(fake)
    assert [rename(http).status_code for _ in range(4)] == [503, 503, 429, 200]
    assert [entry.injected for entry in fake.journal] == ["status 503", "status 503", "status 429", None]
    assert not list(fake.faults)


def test_a_fault_without_end_applies_always_until_cleared(fake: FakeService) -> None:
    fault = fake.faults.status("*", 500, times=None)
    http = client(fake)
    assert {rename(http).status_code for _ in range(5)} == {500}
    assert (fault.used, fault.left) == (5, None)
    fake.faults.clear()
    assert rename(http).status_code == 200


@pytest.mark.parametrize("kind", ["status", "connect_error", "read_timeout", "reset"])
def test_a_fault_skips_the_first_requests_that_match(fake: FakeService, kind: str) -> None:
    fault = getattr(fake.faults, kind)("users.update", skip=2, times=2)
    assert str(fault).endswith("for users.update, 2 more times, after skipping 2")
    http = client(fake)
    http.get("https://auth.fake.test/oauth2/v2.0/authorize")  # does not match, so it does not count
    assert [attempt(http) for _ in range(5)] == [True, True, False, False, True]
    assert [entry.injected is None for entry in fake.journal] == [True, True, True, False, False, True]


def attempt(http: httpx.Client) -> bool:
    try:
        return rename(http).is_success
    except httpx.TransportError:
        return False


def test_a_request_counts_for_each_fault_that_skips_it(fake: FakeService) -> None:
    """Whatever else applies to it, such as an earlier fault or a delay."""
    fake.faults.status("users.update", 503)
    fake.faults.status("users.*", 429, skip=1)
    fake.faults.delay("*", seconds=60, skip=2)
    http, start = client(fake), fake.clock.now()
    assert [rename(http).status_code for _ in range(2)] == [503, 429]
    assert fake.clock.now() == start
    assert rename(http).status_code == 200
    assert (fake.clock.now() - start).total_seconds() == 60


def test_a_fault_skips_the_first_callbacks(fake: FakeService) -> None:
    received: list[bytes] = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append(body))
    fake.faults.drop_callback("bot-1", skip=1)
    message = {"type": "text", "text": "hello"}
    outcomes = [fake.callbacks.send("bot-1", "u-001", message).outcome for _ in range(3)]
    assert outcomes == ["delivered", "failed", "delivered"]
    assert len(received) == 2


def test_what_a_fault_still_skips_is_in_a_snapshot(fake: FakeService) -> None:
    fake.faults.status("users.update", 503, skip=2)
    http = client(fake)
    rename(http)
    fake.restore(fake.snapshot())
    assert [fault.skip for fault in fake.faults] == [1]
    assert [rename(http).status_code for _ in range(3)] == [200, 503, 200]
