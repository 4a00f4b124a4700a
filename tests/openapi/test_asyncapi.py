"""The AsyncAPI document: its references lead somewhere, and the events that the fake sends are what it says."""

import json

import pytest

from fakes import FakeService
from fakes.openapi.examples import MESSAGES

from .test_openapi import complaints

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture(scope="module")
def document():
    return FakeService.sample(now=NOW).asyncapi()


def references(value):
    if isinstance(value, dict):
        for name, part in value.items():
            if name == "$ref":
                yield part
            else:
                yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def test_every_reference_leads_somewhere(document):
    for reference in set(references(document)):
        at = document
        for step in reference.removeprefix("#/").split("/"):
            at = at[step]
        assert at


def test_there_is_a_message_for_each_of_the_five_types(document):
    assert set(document["components"]["messages"]) == {"text", "location", "sticker", "image", "file"}
    assert set(document["channels"]["callback"]["messages"]) == set(document["components"]["messages"])


@pytest.mark.parametrize("kind", MESSAGES)
@pytest.mark.parametrize("channel", [None, "channel-1"])
def test_events_are_what_the_document_says(document, kind, channel):
    fake = FakeService.sample(now=NOW)
    received = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append((dict(headers), json.loads(body))))
    fake.callbacks.send("bot-1", "u-001", {"type": kind, **MESSAGES[kind]}, channel)
    ((headers, event),) = received
    message = document["components"]["messages"][kind]
    assert complaints(document, message["payload"], event) == []
    assert complaints(document, message["headers"], headers) == []
    others = (each for name, each in document["components"]["messages"].items() if name != kind)
    assert all(complaints(document, other["payload"], event) for other in others)


@pytest.mark.parametrize("kind", MESSAGES)
def test_examples_are_what_their_schemas_say(document, kind):
    message = document["components"]["messages"][kind]
    for example in message["examples"]:
        assert complaints(document, message["payload"], example["payload"]) == []
        assert complaints(document, message["headers"], example["headers"]) == []


def test_the_header_follows_the_alternative_that_is_chosen():
    document = FakeService.sample(assume={"callback.bot-id-header": "BotID"}).asyncapi()
    assert "X-SERVICE-BotID" in document["components"]["messages"]["text"]["headers"]["properties"]
