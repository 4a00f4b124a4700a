"""Callback requests: the signature first, then the event."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import svckit
from fakes import FakeService
from svckit import events
from svckit.errors import InvalidInput
from svckit.events import BadSignature
from svckit.models import TextContent, UnknownContent
from svckit.models.secret import Secret

SECRET = "canary-bot-secret"


def body(**content: Any) -> bytes:
    event = {
        "type": "message",
        "source": {"userId": "u-001", "domainId": 1},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": content,
    }
    return json.dumps(event, ensure_ascii=False).encode()


TEXT = body(type="text", text="héllo")


def signed(given: bytes, name: str = "X-SERVICE-Signature") -> dict[str, str]:
    return {name: events.signature(given, SECRET)}


@pytest.mark.parametrize("name", ["X-SERVICE-Signature", "x-service-signature", "X-Service-SIGNATURE"])
@pytest.mark.parametrize("secret", [SECRET, Secret(SECRET)])
def test_a_signed_event_is_read(name: str, secret: str | Secret) -> None:
    event = events.parse(signed(TEXT, name), TEXT, secret=secret)
    assert event.content == TextContent(type="text", text="héllo")


def test_the_header_word_is_the_services() -> None:
    assert events.parse(signed(TEXT, "X-WORK-Signature"), TEXT, secret=SECRET, header_word="WORK")
    with pytest.raises(BadSignature, match="X-SERVICE-Signature"):
        events.parse(signed(TEXT, "X-WORK-Signature"), TEXT, secret=SECRET)


def test_the_header_word_is_that_of_a_profile_or_a_session() -> None:
    with svckit.connect() as svc:
        work = replace(svc.profile, header_word="WORK")
        headers = signed(TEXT, "X-WORK-Signature") | {"X-WORK-BotId": "bot-1"}
        assert events.parse(headers, TEXT, secret=SECRET, on=work)
        for receiver in (events.Receiver(SECRET, on=work), events.receive(SECRET, on=work)):
            assert receiver.receive(headers, TEXT) == 200
            assert [received.bot_id for received in receiver] == ["bot-1"]
        assert events.parse(signed(TEXT), TEXT, secret=SECRET, on=svc)


@pytest.mark.parametrize("word", ["", "MY SERVICE", "É", "A:"])
def test_a_header_word_that_no_header_can_hold_is_refused(word: str) -> None:
    with pytest.raises(InvalidInput, match="header_word is the product word in header names"):
        events.Receiver(SECRET, header_word=word)
    with (
        svckit.connect() as svc,
        pytest.raises(ValueError, match="header_word of profile 'fake' is the product"),
    ):
        replace(svc.profile, header_word=word)


@given(st.binary(max_size=200), st.text(max_size=60))
def test_no_other_signature_fits(given_body: bytes, signature: str) -> None:
    with pytest.raises(BadSignature) as caught:
        events.parse({"X-SERVICE-Signature": signature}, given_body, secret=SECRET)
    assert SECRET not in str(caught.value)


def test_a_changed_body_does_not_fit() -> None:
    with pytest.raises(BadSignature, match="bytes that came"):
        events.parse(signed(TEXT), TEXT + b" ", secret=SECRET)


@pytest.mark.parametrize("secret", ["", Secret(""), None, b"canary-bot-secret"])
def test_without_a_secret_nothing_is_checked_and_nothing_read(secret: Any) -> None:
    with pytest.raises(InvalidInput, match="secret is the bot's secret") as caught:
        events.parse(signed(TEXT), TEXT, secret=secret)
    assert "canary" not in str(caught.value)
    with pytest.raises(InvalidInput, match="secret is the bot's secret"):
        events.Receiver(secret)


def test_a_body_that_was_decoded_is_told() -> None:
    with pytest.raises(InvalidInput, match="the bytes as they came, which are what is signed; given a str"):
        events.parse(signed(TEXT), TEXT.decode(), secret=SECRET)  # type: ignore[arg-type] # what a novice passes


def test_unknown_content_is_kept() -> None:
    poll = body(type="poll", question="Lunch?")
    content = events.parse(signed(poll), poll, secret=SECRET).content
    assert isinstance(content, UnknownContent)
    assert content.to_wire() == {"type": "poll", "question": "Lunch?"}


def test_signed_nonsense_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"source is required") as caught:
        events.parse(signed(b'{"type": "message"}'), b'{"type": "message"}', secret=SECRET)
    assert {problem.path for problem in caught.value.problems} == {"source", "issuedTime", "content"}


def test_the_events_of_the_fake_fit(fake: FakeService) -> None:
    came = []
    fake.callbacks.connect("bot-1", lambda headers, body: came.append((headers, body)) or 200)
    fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"})
    ((headers, body),) = came
    event = events.parse(headers, body, secret=fake.facts["bot_secret"])
    assert (event.source.user_id, event.content) == ("u-001", TextContent(type="text", text="hello"))
