"""Rate limits of all areas are kept: a request that was one too many is sent again when the service says so."""

from datetime import datetime, timedelta

import httpx

from ..conftest import START, USER, Face, Scripted

URL = "https://api.work.test/v1/users/u-001"
IDS = ("u-001", "u-002", "u-003")


def limit(scripted: Scripted, accepted: int, headers: dict[str, str]) -> list[str]:
    """Let the service accept so many updates until its clock is moved; the times of all."""
    times: list[str] = []

    def respond(_: httpx.Request) -> httpx.Response:
        times.append(str(scripted.clock.now() - START))
        if sum(each == times[-1] for each in times) > accepted:
            return httpx.Response(429, json={"code": "TOO_MANY", "description": "too many"}, headers=headers)
        return httpx.Response(200, json=USER)

    for user_id in IDS:
        scripted.on("PATCH", URL.replace("u-001", user_id), respond)
    return times


def test_an_update_that_was_one_too_many_is_sent_again(on_script: Face, scripted: Scripted) -> None:
    times = limit(scripted, 1, {"Retry-After": "2"})
    for user_id in IDS:
        on_script(lambda svc, user_id=user_id: svc.users.update(user_id, task="x"))
    assert times == ["0:00:00", "0:00:00", "0:00:02", "0:00:02", "0:00:04"]


def test_where_none_are_left_the_next_request_waits(on_script: Face, scripted: Scripted) -> None:
    times: list[timedelta] = []

    def respond(_: httpx.Request) -> httpx.Response:
        times.append(scripted.clock.now() - START)
        return httpx.Response(200, json=USER, headers={"RateLimit-Remaining": "0", "RateLimit-Reset": "3"})

    scripted.on("PATCH", URL, respond)
    for _ in range(2):
        on_script(lambda svc: svc.users.update("u-001", task="x"))
    assert times == [timedelta(), timedelta(seconds=3)]


def test_more_than_a_minute_is_not_waited_for(on_script: Face, scripted: Scripted) -> None:
    scripted.on(
        "PATCH",
        URL,
        httpx.Response(200, json=USER, headers={"RateLimit-Remaining": "0", "RateLimit-Reset": "61"}),
    )
    for _ in range(2):
        on_script(lambda svc: svc.users.update("u-001", task="x"))
    assert scripted.clock.now() == START


class ForgottenMeanwhile(dict[str, datetime]):
    """Pauses that another thread, which has waited, forgets after each look at them."""

    def __contains__(self, area: object) -> bool:
        found = super().__contains__(area)
        self.clear()
        return found


def test_a_pause_may_be_forgotten_by_another_thread_meanwhile(on_script: Face) -> None:
    on_script.session._driver._paused = ForgottenMeanwhile(api=START + timedelta(seconds=3))
    assert on_script(lambda svc: svc.users.update("u-001", task="x")).user_id == "u-001"
