"""The inbox explorer from Python: writing as a member, deliveries, signatures, receivers, and real services."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import svckit
from svckit.errors import InvalidInput
from svckit.events import Receiver, signature
from svckit.models.secret import Secret
from svckit.session.session import Session
from svckit.widgets import InboxExplorer
from svckit.widgets.explorers.delivery_views import NO_RECEIVER
from svckit.widgets.explorers.signature_check import Callback, check_signature

from ..work_profile import PROFILE
from .conftest import ask


@pytest.fixture
def explorer(svc: Session) -> InboxExplorer:
    return InboxExplorer(svc)


def asked(explorer: InboxExplorer, **request: Any) -> None:
    ask(explorer, **request)
    explorer.wait()


def write_to_bot(explorer: InboxExplorer, **fields: str) -> None:
    explorer.write(**fields)
    explorer.send()
    explorer.wait()


def outcomes(explorer: InboxExplorer) -> list[tuple[str, str]]:
    return [tuple(row["cells"][1:3]) for row in explorer.view["rows"]]


def test_what_a_member_writes_is_delivered_and_shown_whole(svc: Session, explorer: InboxExplorer) -> None:
    asked(explorer, do="receive_here")
    asked(explorer, do="write", field="user", text="u-002")
    asked(explorer, do="write", field="room", text="channel-1")
    asked(explorer, do="write", field="text", text="hello")
    asked(explorer, do="write", field="postback", text="start")
    asked(explorer, do="send")
    assert outcomes(explorer) == [("delivered (200)", "")]
    detail = explorer.view["detail"]
    assert '"channelId": "channel-1"' in detail["check"]["event"]
    assert detail["headers"].splitlines()[0] == "Content-Type: application/json; charset=UTF-8"
    (delivery,) = svc.fake.callbacks.deliveries
    assert f"X-SERVICE-Signature: {delivery.headers['X-SERVICE-Signature']}" in detail["headers"]
    assert detail["check"]["matches"]
    assert "callback.signature" in [rule["id"] for rule in detail["rules"]]
    assert explorer.view["receivers"][0]["events"][0]["message"] == "text: hello, start"


def test_the_code_does_what_the_button_does(svc: Session, explorer: InboxExplorer) -> None:
    write_to_bot(explorer, user="u-002", text='it\'s "hello"', room="channel-1")
    exec(explorer.code, {"svc": svc})
    first, second = svc.fake.callbacks.deliveries
    assert first.event["content"] == second.event["content"]
    assert first.event["source"] == second.event["source"]
    explorer.write(text="")
    assert not explorer.code
    assert "Python" not in explorer.html


@pytest.mark.parametrize(
    ("kind", "typed", "content"),
    [
        (
            "location",
            {"address": "Tower", "latitude": "35.5", "longitude": "-139"},
            {"address": "Tower", "latitude": 35.5, "longitude": -139.0},
        ),
        ("sticker", {"package_id": "1", "sticker_id": "2"}, {"packageId": "1", "stickerId": "2"}),
        ("image", {"file_id": "f-1"}, {"fileId": "f-1"}),
        ("file", {"file_id": "f-1"}, {"fileId": "f-1"}),
    ],
)
def test_every_message_can_be_written(
    svc: Session, explorer: InboxExplorer, kind: str, typed: dict[str, str], content: dict[str, Any]
) -> None:
    write_to_bot(explorer, kind=kind, **typed)
    assert [field["name"] for field in explorer.view["fields"]] == list(typed)
    assert svc.fake.callbacks.deliveries[0].event["content"] == {"type": kind, **content}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({}, "Text is required"),
        ({"kind": "sticker", "package_id": "1"}, "Sticker ID is required"),
        ({"kind": "location", "address": "a", "latitude": "north", "longitude": "1"}, "Latitude"),
        ({"kind": "location", "address": "a", "latitude": "inf", "longitude": "1"}, "Latitude"),
    ],
)
def test_what_is_no_message_is_not_sent(
    svc: Session, explorer: InboxExplorer, fields: dict[str, str], problem: str
) -> None:
    explorer.write(**fields)
    with pytest.raises(InvalidInput, match=problem):
        explorer.send()
    assert (len(svc.fake.callbacks.deliveries), explorer.view["running"]) == (0, False)


def test_the_log_says_why_nothing_was_delivered(svc: Session, explorer: InboxExplorer) -> None:
    write_to_bot(explorer, text="hello")
    svc.fake.callbacks.connect("bot-1", lambda headers, body: 500)
    write_to_bot(explorer)
    assert outcomes(explorer) == [
        ("✗ rejected (500)", "the receiver responded with 500, not 200"),
        ("✗ not-sent", NO_RECEIVER),
    ]
    asked(explorer, do="select", number=1)
    assert explorer.view["detail"]["title"] == "Delivery 1 to bot-1: not-sent"
    assert "press “Receive them here”" in explorer.view["detail"]["reason"]
    assert "callbacks.connect" not in explorer.to_html()
    with pytest.raises(KeyError, match="no delivery 7"):
        explorer.select(7)


def test_where_callbacks_go_is_shown_and_changed(svc: Session, explorer: InboxExplorer) -> None:
    assert explorer.view["target"].startswith("nowhere")
    explorer.write(callback="http://127.0.0.1:9000/callback?key=canary")
    asked(explorer, do="send_to_url")
    assert explorer.view["target"] == "HttpReceiver: http://127.0.0.1:9000/callback"
    explorer.write(callback="ftp://127.0.0.1")
    with pytest.raises(ValueError, match="begins with 'ftp:'"):
        explorer.send_to_url()
    asked(explorer, do="receive_here")
    assert explorer.view["target"] == "a receiver here"
    (receiver,) = Receiver.of(svc)
    asked(explorer, do="disconnect")
    assert explorer.view["target"].startswith("nowhere")
    explorer.receive_here()
    assert [each is receiver for each in Receiver.of(svc)] == [True]


@given(st.binary(min_size=1, max_size=60))
def test_any_change_of_any_body_is_told(body: bytes) -> None:
    came = Callback({"X-SERVICE-Signature": signature(body, "canary")}, body)
    assert check_signature(came, Secret("canary"), PROFILE)["matches"]
    told = check_signature(came, Secret("canary"), PROFILE, change=True)
    assert not told["matches"]
    assert len(told["body"][1]) == 1
    assert "does not match the body" in told["words"]


@pytest.mark.usefixtures("as_in_a_notebook")
def test_a_failure_on_the_way_is_shown(svc: Session) -> None:
    explorer = InboxExplorer(svc)
    write_to_bot(explorer, user="u-999", text="hello")
    assert "u-999" in explorer.error
    assert not explorer.view["running"]


def test_of_a_real_service_receivers_are_shown_and_nobody_can_write(real: Session) -> None:
    receiver = Receiver(Secret("canary"), on=real)
    body = (
        b'{"type":"message","source":{"userId":"u-9","domainId":1},'
        b'"issuedTime":"2026-06-01T00:00:00.000Z","content":{"type":"text","text":"hello"}}'
    )
    headers = {"X-SERVICE-Signature": signature(body, "canary"), "X-SERVICE-BotId": "bot-9"}
    receiver.receive(headers, body)
    receiver.receive({}, body)
    explorer = InboxExplorer(real)
    assert "you cannot write as one" in repr(explorer)
    assert "you cannot write as one" in explorer.to_html()
    (view,) = explorer.view["receivers"]
    assert view["events"] == [{"number": 1, "bot": "bot-9", "user": "u-9", "message": "text: hello"}]
    assert (view["count"], view["refused"][0]["status"]) == ("1 received, 1 refused", 401)
    for do in ("send", "receive_here", "disconnect"):
        with pytest.raises(InvalidInput, match="you cannot write as one"):
            asked(explorer, do=do)
    receiver.receive(headers, body)
    asked(explorer, do="refresh")
    assert explorer.view["receivers"][0]["count"] == "2 received, 1 refused"


def test_the_signature_is_checked_as_the_profile_says() -> None:
    with svckit.connect(now="2026-06-01T09:00:00+09:00", assume={"callback.signature": "hmac-sha1"}) as svc:
        explorer = InboxExplorer(svc)
        explorer.receive_here()
        write_to_bot(explorer, text="hello")
        check = explorer.view["detail"]["check"]
        assert (check["matches"], explorer.view["receivers"][0]["count"]) == (True, "1 received, 0 refused")
        assert "base64 of HMAC-SHA1 over the" in check["words"]


def test_a_callback_that_is_pasted_is_checked_and_read(real: Session) -> None:
    explorer = InboxExplorer(real)
    with pytest.raises(InvalidInput, match="paste the headers of a callback and its body"):
        explorer.check()
    secret = real.bot_secret
    assert secret is not None
    body = '{"type":"poll","question":"ランチ?"}'
    asked(
        explorer, do="write", field="headers", text=f"x-service-signature: {signature(body.encode(), secret)}"
    )
    asked(explorer, do="write", field="body", text=body)
    asked(explorer, do="check")
    detail = explorer.view["detail"]
    assert (detail["check"]["matches"], '"question": "ランチ?"' in detail["check"]["event"]) == (True, True)
    explorer.write(headers="no header at all")
    with pytest.raises(InvalidInput, match="a line has no name or no colon"):
        explorer.check()
    explorer.write(headers="")
    explorer.check()
    assert "has no header X-SERVICE-Signature" in explorer.view["detail"]["check"]["words"]


def test_without_the_secret_of_the_bot_it_says_where_to_put_it(real: Session) -> None:
    real._driver.credentials = replace(real._driver.credentials, bot_secret=None)
    explorer = InboxExplorer(real)
    explorer.write(body="{}")
    with pytest.raises(InvalidInput, match="SVCKIT_WORK_BOT_SECRET"):
        explorer.check()


def test_a_message_there_is_not_is_refused(explorer: InboxExplorer) -> None:
    with pytest.raises(InvalidInput, match="no such message: poll"):
        explorer.write(kind="poll")


def test_the_secret_of_the_bot_is_masked_wherever_it_was_typed(svc: Session, explorer: InboxExplorer) -> None:
    explorer.receive_here()
    write_to_bot(explorer, text=f"the secret is {svc.fake.facts['bot_secret']}")
    explorer.write(text="hello")
    seen = f"{explorer.get_state()} {explorer!r} {explorer.to_html()}"
    assert svc.fake.facts["bot_secret"] not in seen
