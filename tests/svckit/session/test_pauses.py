"""Rate limits of all areas are kept: a request that was one too many is sent again when the service says so."""

from datetime import datetime, timedelta

import httpx
import pytest

from ..conftest import START, USER, Face, Scripted

URL = "https://api.work.test/v1/users/u-001"


def test_an_update_that_was_one_too_many_is_sent_again(on_script: Face, scripted: Scripted) -> None:
    times: list[float] = []

    def respond(_: httpx.Request) -> httpx.Response:
        """Accept one request until the clock moves."""
        times.append((scripted.clock.now() - START).total_seconds())
        is_accepted = times.count(times[-1]) == 1
        return httpx.Response(200 if is_accepted else 429, json=USER, headers={"Retry-After": "2"})

    for user_id in ("u-001", "u-002", "u-003"):
        scripted.on("PATCH", URL.replace("u-001", user_id), respond)
        on_script(lambda svc, user_id=user_id: svc.users.update(user_id, task="x"))
    assert times == [0, 0, 2, 2, 4]


@pytest.mark.parametrize(("reset", "waited"), [(3, 3), (61, 0)])
def test_request_without_remaining_calls_waits(
    reset: int, waited: int, on_script: Face, scripted: Scripted
) -> None:
    headers = {"RateLimit-Remaining": "0", "RateLimit-Reset": str(reset)}
    scripted.on("PATCH", URL, httpx.Response(200, json=USER, headers=headers))
    for _ in range(2):
        on_script(lambda svc: svc.users.update("u-001", task="x"))
    assert scripted.clock.now() - START == timedelta(seconds=waited)


class ForgottenMeanwhile(dict[str, datetime]):
    """Pauses that another thread, which has waited, forgets after each look at them."""

    def __contains__(self, area: object) -> bool:
        found = super().__contains__(area)
        self.clear()
        return found


def test_a_pause_may_be_forgotten_by_another_thread_meanwhile(on_script: Face) -> None:
    on_script.session._driver._paused = ForgottenMeanwhile(api=START + timedelta(seconds=3))
    assert on_script(lambda svc: svc.users.update("u-001", task="x")).user_id == "u-001"
