"""Notifications and their rate: 120 a minute, and what a session does when that is used up."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from fakes import FakeService
from svckit.errors import RateLimited, ServiceError
from svckit.http.rate_limit import RateGauge
from svckit.models import RateLimit
from svckit.session.connect import connect
from svckit.session.session import Session

from ..conftest import Face, Scripted, connect_over_tcp

HOOK = "https://hooks.work.test/message/canary-webhook"
REFUSAL = {"code": 429, "description": "too many request"}
ACCEPTED = {"code": 200, "description": "success"}


def posted(fake: FakeService) -> list[str]:
    return [message.text for message in fake.webhooks.messages("channel-1")]


def use_up(fake: FakeService, calls: int = 120) -> None:
    with connect(fake) as other:
        for number in range(calls):
            other.notify(f"{number}")


def test_the_refused_one_is_sent_after_the_reset(on_fake: Face, fake: FakeService) -> None:
    start = fake.clock.now()
    on_fake(lambda svc: svc.notify("first"))
    fake.clock.advance(seconds=20)
    use_up(fake, 119)
    assert on_fake(lambda svc: svc.notify("late", wait=True)).rate_limit.remaining == 119
    assert fake.clock.now() - start == timedelta(seconds=60)
    assert posted(fake).count("late") == 1


def test_the_reset_is_told_where_it_is_known(on_fake: Face, fake: FakeService) -> None:
    on_fake(lambda svc: svc.notify("first"))
    fake.clock.advance(seconds=45)
    use_up(fake, 119)
    with pytest.raises(
        RateLimited, match=r"Move the clock, svc\.fake\.clock\.advance\(seconds=15\), and call again\."
    ) as caught:
        on_fake(lambda svc: svc.notify("late"))
    assert (caught.value.reset, caught.value.clock_stands) == (15, False)  # waiting moves this clock
    assert caught.value.__notes__ == ["With wait=True, notify waits for the reset."]


def test_where_nothing_is_known_it_is_tried_again(on_fake: Face, fake: FakeService) -> None:
    use_up(fake)
    start = fake.clock.now()
    on_fake(lambda svc: svc.notify("late", wait=True))
    assert fake.clock.now() - start == timedelta(seconds=60)
    refused = [entry for entry in fake.journal if entry.status == 429]
    assert len(refused) == 6
    assert posted(fake)[-1] == "late"


def answering(scripted: Scripted, *responses: httpx.Response) -> None:
    left = list(responses)
    scripted.on("POST", HOOK, lambda _: left.pop(0) if len(left) > 1 else left[0])


def test_the_service_may_say_when_to_come_back(on_script: Face, scripted: Scripted) -> None:
    answering(
        scripted,
        httpx.Response(429, json=REFUSAL, headers={"Retry-After": "7"}),
        httpx.Response(200, json=ACCEPTED),
    )
    start = scripted.clock.now()
    on_script(lambda svc: svc.notify("x", wait=True))
    assert scripted.clock.now() - start == timedelta(seconds=7)


@pytest.mark.parametrize(("headers", "waited"), [({}, 120), ({"Retry-After": "3600"}, 0)])
def test_waiting_has_an_end(
    headers: dict[str, str], waited: int, on_script: Face, scripted: Scripted
) -> None:
    answering(scripted, httpx.Response(429, json=REFUSAL, headers=headers))
    start = scripted.clock.now()
    with pytest.raises(RateLimited):
        on_script(lambda svc: svc.notify("x", wait=True))
    assert scripted.clock.now() - start == timedelta(seconds=waited)


@pytest.mark.parametrize(
    "headers", [{}, {"RateLimit-Reset": "soon"}, {"RateLimit-Used": "1", "RateLimit-Reset": "-1"}]
)
def test_headers_that_say_nothing_are_no_rate_limit(
    headers: Any, on_script: Face, scripted: Scripted
) -> None:
    answering(scripted, httpx.Response(200, json=ACCEPTED, headers=headers))
    assert on_script(lambda svc: svc.notify("x")).rate_limit is None
    answering(scripted, httpx.Response(200, json=ACCEPTED, headers=RateLimit(120, 120, 0, 30).to_headers()))
    assert on_script(lambda svc: svc.notify("x")).rate_limit.reset == 30
    scripted.clock.advance(seconds=31)
    answering(scripted, httpx.Response(429, json=REFUSAL))
    with pytest.raises(RateLimited) as caught:
        on_script(lambda svc: svc.notify("x"))
    assert caught.value.reset is None


def test_waiting_for_a_served_fake_whose_clock_stands_fails_at_once(fake: FakeService) -> None:
    with connect_over_tcp(fake) as svc:
        use_up(fake)
        with pytest.raises(RateLimited, match="Move the clock") as caught:
            svc.notify("late")
        assert not hasattr(caught.value, "__notes__")  # wait=True would not help
        assert caught.value.clock_stands
        with pytest.raises(RateLimited, match="clock of this fake stands") as caught:
            svc.notify("late", wait=True)
        assert "fake.clock.advance(minutes=1)" in caught.value.__notes__[0]
        assert len(caught.value.__notes__) == 1
        fake.clock.advance(minutes=1)
        assert svc.notify("late", wait=True).rate_limit is not None


@pytest.mark.parametrize(
    ("code", "described", "said"),
    [
        *((code, {"description": "internal error"}, "internal error") for code in (500, 400, 429, 0, -1)),
        *(
            (500, described, "no description")
            for described in ({}, {"description": None}, {"description": ""})
        ),
    ],
)
def test_a_success_whose_body_says_otherwise_is_an_error(
    code: int, described: dict[str, Any], said: str, on_script: Face, scripted: Scripted
) -> None:
    answering(scripted, httpx.Response(200, json={"code": code, **described}))
    with pytest.raises(
        ServiceError, match=f"code {code}: {said}.*It is unknown whether it took effect"
    ) as caught:
        on_script(lambda svc: svc.notify("x", wait=True))
    assert (caught.value.status, caught.value.code) == (200, str(code))
    assert len(scripted.asked) == 1  # as it may have been posted


@pytest.mark.parametrize(("urls", "each"), [(2, 60), (3, 40), (4, 30), (5, 24)])
def test_the_gauge_tells_the_average_of_each_url(urls: int, each: int, fake: FakeService) -> None:
    for number in range(2, urls + 1):
        fake.webhooks.add(f"Webhook {number}", "channel-1")
    with connect(fake) as svc:
        average = svc.rate.average
        assert average.startswith(f"{each} a minute on average for each of {urls} URLs")
        assert "only the total is limited" in average
        assert svc.rate.view(fake.clock.now(), standing=True)["average"] == average


def test_the_gauge_tells_no_average_where_no_other_url_is_known(svc: Session) -> None:
    assert svc.rate.average == ""
    assert RateGauge(urls=6).average == ""  # of more than one domain


UNREADABLE = [
    b'\xef\xbb\xbf{"code": 200, "description": "success"}',
    b'"ok"',
]


@pytest.mark.parametrize("body", UNREADABLE)
def test_a_200_that_cannot_be_read_says_that_the_message_is_posted(
    body: bytes, on_script: Face, scripted: Scripted
) -> None:
    answering(scripted, httpx.Response(200, content=body))
    with pytest.raises(ServiceError, match="is not as the service's description shows it") as caught:
        on_script(lambda svc: svc.notify("Hi"))
    assert caught.value.__notes__ == [
        "By its status, 200, the message was posted: check the chat room before you post it again."
    ]
