"""The AsyncAPI document: valid, its references lead somewhere, and the events that the fake sends are what it says.

``asyncapi/3.0.0.json.gz`` is the JSON Schema of AsyncAPI 3.0.0 as the npm package @asyncapi/specs 6.11.1 has it, under
the license beside it.
"""

import gzip
import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from fakes import FakeService
from fakes.openapi.examples import MESSAGES

from .test_openapi import complaints

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture(scope="module")
def document():
    return FakeService.sample(now=NOW).asyncapi()


@pytest.fixture(scope="module")
def official():
    schema = gzip.decompress((Path(__file__).parent / "asyncapi" / "3.0.0.json.gz").read_bytes())
    return Draft7Validator(json.loads(schema))


def test_it_is_valid(document, official):
    assert document["asyncapi"] == "3.0.0"
    assert [error.message for error in official.iter_errors(document)] == []


@pytest.mark.parametrize(
    ("part", "name", "wrong"),
    [
        ("info", "version", 2),
        ("operations", "receiveMessage", {"action": "receive"}),
        ("channels", "callback", {"messages": []}),
    ],
)
def test_what_is_not_valid_is_found(document, official, part, name, wrong):
    assert not official.is_valid(document | {part: document[part] | {name: wrong}})


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
