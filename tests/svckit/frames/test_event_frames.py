"""A frame of the events that an inbox received is that of the fake that sent them."""

import json

import pandas as pd
import pytest

import svckit
from fakes import FakeService
from svckit import events, frames

from ..events.test_events import SECRET, TEXT, signed
from ..events.test_receiver import CONTENTS


def test_the_contents_of_messages_have_columns(fake: FakeService) -> None:
    inbox = events.Receiver(fake.facts["bot_secret"])
    fake.callbacks.connect("bot-1", inbox)
    for content in CONTENTS:
        assert fake.callbacks.send("bot-1", "u-001", content, "channel-1").delivered
    frame = inbox.frame()
    assert frame["content_type"].tolist() == [content["type"] for content in CONTENTS]
    assert frame["latitude"].tolist()[1] == 37.5
    assert frame["file_id"].dropna().tolist() == ["f-1", "f-2"]
    pd.testing.assert_frame_equal(frame, frames.events(fake))


def test_another_kind_of_records_is_refused() -> None:
    with pytest.raises(ValueError, match="holds records of the kind 'events' only"):
        frames.users(events.Receiver(SECRET))
    assert svckit.events is events


@pytest.mark.parametrize("domain_id", [2**40, -1, 2**70, 0.5])
def test_a_frame_holds_an_event_whatever_its_domain_id(domain_id: float) -> None:
    came = json.dumps(json.loads(TEXT) | {"source": {"userId": "u-001", "domainId": domain_id}}).encode()
    app = events.Receiver(SECRET)
    assert app.receive(signed(came), came) == 200
    frame = app.frame()
    assert frame["user_id"].tolist() == ["u-001"]
    assert frame["domain_id"].dropna().tolist() == ([domain_id] if domain_id in (2**40, -1) else [])


def test_a_frame_holds_types_that_are_not_described_and_no_secret() -> None:
    app = events.Receiver(SECRET)
    poll = json.dumps(json.loads(TEXT) | {"content": {"type": "poll", "question": "Lunch?"}}).encode()
    postback = json.dumps({"type": "postback", "data": "start", "source": 5}).encode()
    for came in (poll, postback):
        assert app.receive(signed(came), came) == 200
    frame = app.frame()
    assert frame["type"].tolist() == ["message", "postback"]
    assert frame["content_type"].tolist()[0] == "poll"
    assert json.loads(frame["json"][1]) == {"type": "postback", "data": "start", "source": 5}
    shown = frame.to_string()
    assert SECRET not in shown
    assert signed(poll)["X-SERVICE-Signature"] not in shown
