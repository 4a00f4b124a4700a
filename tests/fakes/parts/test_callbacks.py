"""Callbacks: what is sent, to whom, and how it is signed."""

import base64
import csv
import hashlib
import hmac
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import AssumptionRefused, FakeService
from fakes.http.errors import Refusal

from ..bots import TEXT, AttemptResult, keep, make

CONTENTS: dict[str, dict[str, Any]] = {
    "text": {"text": "héllo, 世界", "postback": "start"},
    "location": {"address": "Tokyo", "latitude": 35.6, "longitude": 139},
    "sticker": {"packageId": "1", "stickerId": "2"},
    "image": {"fileId": "f-1"},
    "file": {"fileId": "f-2"},
}


@pytest.fixture
def fake() -> FakeService:
    return make()


# What is sent


@pytest.mark.parametrize("kind", CONTENTS)
def test_every_type_arrives_as_it_was_written(fake: FakeService, kind: str) -> None:
    came: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(came))
    content = {"type": kind, **CONTENTS[kind]}
    delivery = fake.callbacks.send("bot-1", "u-002", content, channel_id="channel-1")
    ((headers, body),) = came
    assert json.loads(body) == {
        "type": "message",
        "source": {"userId": "u-002", "channelId": "channel-1", "domainId": 10000001},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": content,
    }
    assert list(headers) == ["Content-Type", "X-SERVICE-Signature", "X-SERVICE-BotId"]
    assert headers["Content-Type"] == "application/json; charset=UTF-8"
    assert headers["X-SERVICE-BotId"] == "bot-1"
    expected = hmac.new(fake.facts["bot_secret"].encode(), body, hashlib.sha256).digest()
    assert base64.b64decode(headers["X-SERVICE-Signature"]) == expected
    assert (delivery.headers, delivery.body, delivery.event) == (headers, body, json.loads(body))


def test_a_one_to_one_room_has_no_channel(fake: FakeService) -> None:
    assert fake.callbacks.send("bot-1", "u-001", TEXT).event["source"] == {
        "userId": "u-001",
        "domainId": 10000001,
    }


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_body_is_compact_json_in_utf_8(text: str) -> None:
    body = make().callbacks.send("bot-1", "u-001", {"type": "text", "text": text}).body
    assert body == json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":")).encode()
    assert json.loads(body)["content"]["text"] == text


@pytest.mark.parametrize(
    ("rule", "alternative", "seen"),
    [
        (
            "callback.signature",
            "hmac-sha1",
            lambda d: len(base64.b64decode(d.headers["X-SERVICE-Signature"])) == 20,
        ),
        ("callback.bot-id-header", "BotID", lambda d: "X-SERVICE-BotID" in d.headers),
        ("callback.body", "ascii", lambda d: d.body.isascii() and d.event["content"]["text"] == "世界"),
        ("callback.issued-time", "offset", lambda d: d.event["issuedTime"] == "2026-06-01T09:00:00.000+0900"),
    ],
)
def test_what_is_assumed_can_be_chosen(rule: str, alternative: str, seen: Callable[[Any], bool]) -> None:
    message = {"type": "text", "text": "世界"}
    assert not seen(make().callbacks.send("bot-1", "u-001", message))
    assert seen(make(assume={rule: alternative}).callbacks.send("bot-1", "u-001", message))


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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("bot-9", "u-001", TEXT), "'bot-9'"),
        (("bot-1", "u-999", TEXT), "'u-999'"),
        (("bot-1", "u-001", TEXT, ""), "channelId"),
    ],
)
def test_unknown_names_are_refused(fake: FakeService, arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(Refusal, match=told):
        fake.callbacks.send(*arguments)
    assert len(fake.callbacks.deliveries) == 0


def test_content_beyond_the_description_is_sent_if_one_says_so() -> None:
    fake = make(assume={"callback.other-content": "sent"})
    poll = {"type": "poll", "question": "Lunch?"}
    assert fake.callbacks.send("bot-1", "u-001", poll).event["content"] == poll
    with pytest.raises(Refusal, match="cannot be written as JSON"):
        fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": object()})


# Client versions


@pytest.mark.parametrize(
    ("kind", "version", "sent"),
    [
        ("text", "1.0", True),
        ("location", "1", True),
        ("sticker", "2.2", False),
        ("sticker", "2.3", True),
        ("sticker", "2.10", True),
        ("sticker", "v2.2.9", False),
        ("sticker", "3", True),
        ("image", "2", False),
        ("image", "2.3.0", True),
        ("file", "2.8", False),
        ("file", "2.9", True),
        ("file", "10.0", True),
        ("file", None, True),
    ],
)
def test_old_clients_do_not_send_what_they_do_not_support(
    fake: FakeService, kind: str, version: str | None, sent: bool
) -> None:
    came: AttemptResult = []
    fake.callbacks.connect("bot-1", keep(came))
    if version is not None:
        fake.callbacks.client_versions["u-002"] = version
    delivery = fake.callbacks.send("bot-1", "u-002", {"type": kind, **CONTENTS[kind]})
    assert (delivery.delivered, len(came)) == (sent, int(sent))
    if not sent:
        assert (delivery.outcome, delivery.status) == ("not-sent", None)
        assert delivery.error is not None
        assert f"version {version}" in delivery.error
    assert fake.callbacks.send("bot-1", "u-003", {"type": kind, **CONTENTS[kind]}).delivered


def test_one_message_can_be_of_another_client(fake: FakeService) -> None:
    sticker = {"type": "sticker", **CONTENTS["sticker"]}
    fake.callbacks.connect("bot-1", keep([]))
    assert not fake.callbacks.send("bot-1", "u-001", sticker, client_version="2.2").delivered
    assert fake.callbacks.send("bot-1", "u-001", sticker).delivered


def test_old_clients_send_everything_if_one_says_so() -> None:
    fake = make(assume={"callback.old-clients": "sent"})
    fake.callbacks.connect("bot-1", keep([]))
    assert fake.callbacks.send(
        "bot-1", "u-001", {"type": "file", "fileId": "f"}, client_version="1"
    ).delivered


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


def test_a_postback_event_follows_the_text_of_a_button_where_that_is_assumed():
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


@pytest.mark.parametrize("postback", [{}, {"postback": "go"}])
def test_whether_a_postback_event_follows_is_an_assumption_only_where_there_is_a_postback(postback):
    fake = make()
    delivery = fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "Go"} | postback)
    assert ("callback.other-events" in delivery.assumed) == bool(postback)
    assert len(fake.callbacks.deliveries) == 1


def test_the_log_of_messages_has_events_of_other_types() -> None:
    fake = make(assume={"callback.other-events": "postback", "callback.other-content": "sent"})
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "Start", "postback": "start"})
    fake.callbacks.send("bot-1", "u-001", {"type": "poll", "question": "Lunch?"})
    bearer = {"Authorization": f"Bearer {fake.access_token()}"}
    with httpx.Client(transport=fake.transport(), headers=bearer, trust_env=False) as http:
        found = http.get(fake.facts["base_url"] + "/monitoring/message-contents/download")
        log = http.get(found.headers["Location"]).text
    assert [row["text"] for row in csv.DictReader(io.StringIO(log))] == ["Start", "(postback)", "(poll)"]
