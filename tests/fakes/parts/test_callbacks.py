"""Callbacks: what is sent, to whom, and how it is signed."""

import csv
import io
import json
from typing import Any

import httpx
import pytest

from fakes import AssumptionRefused, FakeService
from fakes.http.errors import Refusal

from ..bots import TEXT, AttemptResult, keep
from ..caller import make

STICKER = {"type": "sticker", "packageId": "1", "stickerId": "2"}


# What is sent


def test_a_delivery_says_what_it_rests_on_and_the_rules_count_it(fake: FakeService) -> None:
    delivery = fake.callbacks.send("bot-1", "u-001", TEXT)
    assert "callback.signature" in delivery.assumed
    assert "callback.event" not in delivery.assumed
    assert fake.rules["callback.signature"].used == fake.rules["callback.event"].used == 1


def test_refused_assumptions_send_nothing() -> None:
    fake, came = make(assumptions="refuse"), []
    fake.callbacks.connect("bot-1", lambda headers, body: came.append(body))
    with pytest.raises(AssumptionRefused, match=r"callback\."):
        fake.callbacks.send("bot-1", "u-001", TEXT)
    assert (came, len(fake.callbacks.deliveries)) == ([], 0)


# What is refused


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"type": "text"}, ["content.text is required"]),
        ({"type": "location", "latitude": "35"}, ["address", "latitude must be a number", "longitude"]),
        ({"type": "location", "address": "x", "latitude": float("nan"), "longitude": 1}, ["latitude"]),
        (
            {"type": "image", "file_id": "f-1"},
            ["content.fileId is required", "file_id is not a field of a image"],
        ),
        ({"type": "text", "text": "x", "bold": True}, ["content.bold is not a field"]),
        ({"type": "poll"}, ["content.type must be one of text, location, sticker, image, file"]),
        ({"text": "x"}, ["content.type"]),
        ({"type": ["text"]}, ["content.type"]),
        ("hi", ['content must be an object, such as {"type": "text", "text": "hello"}; given \'hi\'']),
        (None, ["content must be an object"]),
        ({"type": "text", "text": "\ud800"}, ["JSON"]),
    ],
)
def test_what_is_no_message_is_refused_and_nothing_is_sent(
    fake: FakeService, content: Any, told: list[str]
) -> None:
    came: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(came))
    with pytest.raises(Refusal) as refused:
        fake.callbacks.send("bot-1", "u-001", content)
    assert all(words in refused.value.description for words in told), refused.value.description
    assert (came, len(fake.callbacks.deliveries)) == ([], 0)


def test_content_beyond_the_description_is_still_json() -> None:
    fake = make(assume={"callback.other-content": "sent"})
    with pytest.raises(Refusal, match="cannot be written as JSON"):
        fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": object()})


# Client versions


def test_the_client_version_of_a_member_stays_and_is_nobody_elses(fake: FakeService) -> None:
    came: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(came))
    fake.callbacks.client_versions["u-002"] = "v2.2.9"
    delivery = fake.callbacks.send("bot-1", "u-002", STICKER)
    assert (delivery.outcome, delivery.status, came) == ("not-sent", None, [])
    assert "version v2.2.9" in str(delivery.error)
    assert fake.callbacks.send("bot-1", "u-003", STICKER).delivered


def test_one_message_can_be_of_another_client(fake: FakeService) -> None:
    fake.callbacks.connect("bot-1", keep([]))
    assert not fake.callbacks.send("bot-1", "u-001", STICKER, client_version="2.2").delivered
    assert fake.callbacks.send("bot-1", "u-001", STICKER).delivered


@pytest.mark.parametrize(
    ("user", "version"), [("u-999", "2.2"), ("u-002", "new"), ("u-002", ""), ("u-002", 2.2)]
)
def test_client_versions_are_checked(fake: FakeService, user: str, version: Any) -> None:
    with pytest.raises(Refusal):
        fake.callbacks.client_versions[user] = version
    assert dict(fake.callbacks.client_versions) == {}


# Bots


def test_a_bot_can_be_added(fake: FakeService) -> None:
    came: AttemptResult = []
    bot = fake.callbacks.add_bot("bot-2", keep(came))
    assert fake.callbacks.send("bot-2", "u-001", TEXT).delivered
    assert came[0][0]["X-SERVICE-BotId"] == "bot-2"
    assert bot.secret not in f"{bot} {fake.callbacks} {fake.callbacks._repr_html_()}"
    assert bot.secret != fake.facts["bot_secret"]


@pytest.mark.parametrize("bot_id", ["bot-1", "", "a b", "a/b", "bot\r\nX: y", "ボット", "b" * 101])
def test_a_bot_id_is_new_and_fits_a_header(fake: FakeService, bot_id: str) -> None:
    with pytest.raises(Refusal):
        fake.callbacks.add_bot(bot_id)
    assert list(fake.callbacks.bots) == ["bot-1"]
    fake.callbacks.add_bot("b" * 100)


@pytest.mark.parametrize(
    ("target", "error", "told"),
    [
        (7, TypeError, "given 7"),
        (lambda headers: None, TypeError, r"must take \(headers, body\)"),
        ("ftp://x/", ValueError, "http"),
        ("/callback", ValueError, "absolute"),
    ],
)
def test_what_cannot_receive_is_not_connected(
    fake: FakeService, target: Any, error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        fake.callbacks.connect("bot-1", target)
    assert fake.callbacks.bot("bot-1").receiver is None


def test_plain_http_can_be_refused() -> None:
    fake = make(assume={"callback.address": "https-only"})
    fake.callbacks.connect("bot-1", "https://127.0.0.1:1/callback")
    with pytest.raises(Refusal, match="https"):
        fake.callbacks.connect("bot-1", "http://127.0.0.1:1/callback")
    make().callbacks.connect("bot-1", "http://127.0.0.1:1/callback")


# Events that are no messages


def test_postback_event_can_follow_a_button():
    fake = make(assume={"callback.other-events": "postback"})
    came = []
    fake.callbacks.connect("bot-1", lambda headers, body: came.append(json.loads(body)))
    sent = fake.callbacks.send(
        "bot-1", "u-001", {"type": "text", "text": "Go", "postback": "go"}, "channel-1"
    )
    message, postback = fake.callbacks.deliveries
    assert (sent, message.type, postback.type) == (message, "text", "postback")
    assert came[0]["source"] == came[1]["source"]
    assert (came[1]["type"], came[1]["data"]) == ("postback", "go")
    assert postback.record()["outcome"] == "delivered"
    assert repr(postback) == "<Delivery: postback of u-001 to bot-1, delivered>"
    fake.restore(fake.snapshot())


def test_the_log_of_messages_has_events_of_other_types() -> None:
    fake = make(assume={"callback.other-events": "postback", "callback.other-content": "sent"})
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "Start", "postback": "start"})
    fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": "Lunch?"})
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    with httpx.Client(transport=fake.transport(), headers=bearer, trust_env=False) as http:
        found = http.get(fake.facts["base_url"] + "/monitoring/message-contents/download")
        log = http.get(found.headers["Location"]).text
    assert [row["text"] for row in csv.DictReader(io.StringIO(log))] == ["Start", "(postback)", "(poll)"]
