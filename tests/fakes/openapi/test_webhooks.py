"""The webhooks of the OpenAPI document: the events that the fake sends are what it says."""

import json

import pytest

from fakes import FakeService
from fakes.openapi.examples import MESSAGES

from ..caller import make
from .test_openapi import complaints


@pytest.fixture(scope="module")
def document():
    return make().openapi()


@pytest.fixture
def webhook(document):
    return document["webhooks"]["message"]["post"]


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
            assert step in at, reference
            at = at[step]


@pytest.mark.parametrize("kind", ["text", "location", "sticker", "image", "file"])
@pytest.mark.parametrize("channel", [None, "channel-1"])
def test_events_are_what_the_document_says(fake, document, webhook, kind, channel):
    received = []
    fake.callbacks.connect("bot-1", lambda headers, body: received.append((dict(headers), json.loads(body))))
    fake.callbacks.send("bot-1", "u-001", {"type": kind, **MESSAGES[kind]}, channel)
    ((headers, event),) = received
    (content_type,) = webhook["requestBody"]["content"]
    assert list(headers) == ["Content-Type", *(each["name"] for each in webhook["parameters"])]
    assert headers["Content-Type"] == content_type
    schemas = webhook["requestBody"]["content"][content_type]["schema"]["oneOf"]
    fitting = [schema["$ref"] for schema in schemas if complaints(document, schema, event) == []]
    assert fitting == [f"#/components/schemas/{kind.capitalize()}Event"]


def test_examples_are_what_their_schemas_say(document, webhook):
    (content,) = webhook["requestBody"]["content"].values()
    assert content["examples"].keys() == MESSAGES.keys()
    for example in content["examples"].values():
        assert complaints(document, content["schema"], example["value"]) == []
    examples = {each["name"]: each["example"] for each in webhook["parameters"]}
    assert examples == {"X-SERVICE-Signature": "<signature>", "X-SERVICE-BotId": "bot-1"}


def test_the_header_follows_the_alternative_that_is_chosen():
    webhooks = FakeService.sample(assume={"callback.bot-id-header": "BotID"}).openapi()["webhooks"]
    names = [each["name"] for each in webhooks["message"]["post"]["parameters"]]
    assert names == ["X-SERVICE-Signature", "X-SERVICE-BotID"]
