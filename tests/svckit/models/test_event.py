"""Message events and their contents."""

import json
from datetime import timedelta

import pytest
from pydantic import ValidationError

from svckit.models import MessageEvent, UnknownContent
from svckit.models.problems import list_problems

CONTENTS = {
    "text": {"text": "hello"},
    "location": {"address": "Tokyo", "latitude": 35.6, "longitude": 139},
    "sticker": {"packageId": "1", "stickerId": "2"},
    "image": {"fileId": "f-1"},
    "file": {"fileId": "f-2"},
}


def _event(content, **fields):
    return {
        "type": "message",
        "source": {"userId": "u-001", "channelId": "c-1", "domainId": 10000001},
        "issuedTime": "2026-06-01T00:00:00.000Z",
        "content": content,
        **fields,
    }


def _paths(body):
    with pytest.raises(ValidationError) as caught:
        MessageEvent.from_wire(body)
    return [problem.path for problem in list_problems(caught.value)]


@pytest.mark.parametrize("kind", CONTENTS)
def test_every_content_comes_back_as_it_was_sent(kind):
    body = _event({"type": kind, **CONTENTS[kind]})
    event = MessageEvent.from_wire(body)
    assert event.to_wire() == body
    assert type(event.content).__name__ == f"{kind.title()}Content"


@pytest.mark.parametrize("field", ["type", "source", "issuedTime", "content"])
def test_every_field_of_an_event_is_required(field):
    body = _event({"type": "text", "text": "x"})
    del body[field]
    assert _paths(body) == [field]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ({}, "content.type"),
        ({"type": 7}, "content.type"),
        ({"type": None, "text": "x"}, "content.type"),
        ("text", "content"),
        (None, "content"),
        ({"type": "location", "address": "x", "latitude": "35", "longitude": 1}, "content.latitude"),
        ({"type": "location", "address": "x", "latitude": True, "longitude": 1}, "content.latitude"),
        ({"type": "text", "text": "x", "postback": None}, "content.postback"),
    ],
)
def test_contents_that_do_not_fit(content, path):
    assert _paths(_event(content)) == [path]


def test_content_of_an_unknown_type_is_kept():
    body = _event({"type": "poll", "question": "Lunch?", "options": [{"maxVotes": 1}]})
    event = MessageEvent.from_wire(body)
    assert isinstance(event.content, UnknownContent)
    assert event.to_wire() == body


@pytest.mark.parametrize("number", [0, 2**31, -(2**40), 2**70 + 1, 10**400, 0.5])
def test_a_domain_id_is_any_number(number):
    body = _event({"type": "text", "text": "x"}, source={"userId": "u-001", "domainId": number})
    for written in (body, json.dumps(body)):
        assert MessageEvent.from_wire(written).to_wire() == body


def test_a_whole_domain_id_is_an_integer_however_it_is_written():
    body = json.dumps(_event({"type": "text", "text": "x"})).replace("10000001", "1.0000001e7")
    domain_id = MessageEvent.from_wire(body).source.domain_id
    assert (domain_id, type(domain_id)) == (10000001, int)


@pytest.mark.parametrize("wrong", ["1", True, None, [], "NaN"])
def test_a_domain_id_is_a_number(wrong):
    assert _paths(_event({"type": "text", "text": "x"}, source={"userId": "u", "domainId": wrong})) == [
        "source.domainId"
    ]


@pytest.mark.parametrize(
    "text",
    ["2026-06-01T00:00:00.250Z", "2026-06-01T09:00:00.250+0900", "2026-06-01T09:00:00.250+09:00"],
)
def test_the_time_of_an_event_may_have_any_offset(text):
    event = MessageEvent.from_wire(_event({"type": "text", "text": "x"}, issuedTime=text))
    assert event.to_wire()["issuedTime"] == "2026-06-01T00:00:00.250Z"
    assert event.issued_time.utcoffset() == timedelta(0)
