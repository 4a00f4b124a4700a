"""Deliveries: what becomes of an event that is handed to a receiver, and the log of that."""

import json
import threading
from collections.abc import Mapping

import httpx
import pytest

from fakes import FakeService
from fakes.parts.deliveries import Deliveries

from ..bots import TEXT, AttemptResult, keep
from ..caller import make


@pytest.mark.parametrize(("answer", "outcome", "status"), [(None, "delivered", 200), (199, "rejected", 199)])
def test_the_response_decides_and_nothing_is_sent_twice(
    fake: FakeService, answer: int | None, outcome: str, status: int
) -> None:
    came: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(came, answer))
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (delivery.outcome, delivery.status, len(came)) == (outcome, status, 1)
    assert delivery.delivered == (delivery.error is None) == (outcome == "delivered")
    assert list(fake.callbacks.deliveries) == [delivery]
    assert fake.rules["callback.not-resent"].used == (0 if delivery.delivered else 1)


@pytest.mark.parametrize("status", [401, 403])
def test_refusing_receiver_is_told_the_signature_header(status: int) -> None:
    fake = make(header_word="ACME")
    fake.callbacks.connect("bot-1", keep([], status))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).error == (
        f"the receiver responded with {status}, not 200; if it refused the signature, that was sent as "
        "X-ACME-Signature (the setting header_word), by the rule callback.signature"
    )


@pytest.mark.parametrize(("status", "delivered"), [(200, True), (204, True), (299, True), (300, False)])
def test_all_of_2xx_counts_if_one_says_so(status: int, delivered: bool) -> None:
    fake = make(assume={"callback.delivered": "2xx"})
    fake.callbacks.connect("bot-1", keep([], status))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).delivered == delivered


def test_a_bot_without_a_receiver_gets_nothing(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    fake.callbacks.connect("bot-1", None)
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (delivery.outcome, delivery.status) == ("not-sent", None)
    assert "connect one" in str(delivery.error)


def test_a_receiver_that_hangs_is_given_up(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    assert "callback.timeout" not in fake.callbacks.send("bot-1", "u-001", TEXT).assumed
    release = threading.Event()
    fake.callbacks.timeout = 0.01
    fake.callbacks.connect("bot-1", lambda headers, body: release.wait() and None)
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    release.set()
    assert (delivery.outcome, delivery.status) == ("timed-out", None)
    assert delivery.error == "the receiver did not respond within 0.01 seconds"
    assert "callback.timeout" in delivery.assumed


def test_a_receiver_may_call_the_fake_back_from_any_thread(fake: FakeService) -> None:
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    statuses = []

    def call() -> None:
        with httpx.Client(transport=fake.transport(), base_url=fake.facts["base_url"]) as http:
            statuses.append(http.patch("/users/u-001", headers=headers, json={}).status_code)

    def receiver(_headers: Mapping[str, str], body: bytes) -> None:
        elsewhere = threading.Thread(target=call)
        elsewhere.start()
        elsewhere.join()
        call()
        if json.loads(body)["content"]["text"] == "hello":
            assert fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "again"}).delivered

    fake.callbacks.connect("bot-1", receiver)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).error is None
    assert statuses == [200] * 4
    assert [each.event["source"]["userId"] for each in fake.callbacks.deliveries] == ["u-002", "u-001"]


def test_response_and_callback_rules_stay_apart(fake: FakeService) -> None:
    with fake.rules.recording() as outer:
        fake.rules.apply(fake.rules["api.error-body"])
        fake.callbacks.send("bot-1", "u-001", TEXT)
    assert [rule.id for rule in outer] == ["api.error-body"]


def test_latency_is_the_clocks(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    assert fake.callbacks.send("bot-1", "u-001", TEXT).latency == 0
    fake.callbacks.connect("bot-1", lambda headers, body: fake.clock.advance(seconds=2) and None)
    assert fake.callbacks.send("bot-1", "u-001", TEXT).latency == 2
    running = FakeService.sample()
    running.callbacks.connect("bot-1", keep([]))
    assert 0 <= running.callbacks.send("bot-1", "u-001", TEXT).latency < 10


def test_the_log_shows_itself_and_gives_records(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([], 500))
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "<b>"}, channel_id="channel-1")
    assert repr(fake.callbacks.deliveries) == (
        "<Deliveries: 1 delivery>\n"
        "  <Delivery: text of u-001 to bot-1, rejected: the receiver responded with 500, not 200>"
    )
    assert "responded with 500" in fake.callbacks.deliveries._repr_html_()
    (record,) = fake.records("deliveries")
    assert "callback.signature" in record["assumed"]
    assert {name: record[name] for name in record if name != "assumed"} == {
        "at": "2026-06-01T00:00:00.000Z",
        "botId": "bot-1",
        "userId": "u-001",
        "channelId": "channel-1",
        "type": "text",
        "outcome": "rejected",
        "status": 500,
        "error": "the receiver responded with 500, not 200",
        "latency": 0.0,
        "injected": None,
    }


def test_the_log_is_a_ring(fake: FakeService) -> None:
    fake.callbacks.deliveries = Deliveries(capacity=2)
    sent = [fake.callbacks.send("bot-1", f"u-00{number}", TEXT) for number in (1, 2, 3)]
    assert list(fake.callbacks.deliveries) == sent[1:]
    assert fake.callbacks.deliveries[-1] is sent[-1]
