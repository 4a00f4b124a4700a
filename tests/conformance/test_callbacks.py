"""The events that a bot's server receives."""

import base64
import hashlib
import hmac
import json

import pytest

from .cases import assumed, case, documented, every_door
from .remote import set_up_refused
from .transfer import download, upload

TEXT = {"type": "text", "text": "hello"}
LOCATION = {"type": "location", "address": "Tokyo", "latitude": 35.68, "longitude": 139.76}
STICKER = {"type": "sticker", "packageId": "1", "stickerId": "2"}
IMAGE = {"type": "image", "fileId": "file-1"}
FILE = {"type": "file", "fileId": "file-1"}
CONTENTS = [case(content, id=content["type"]) for content in (TEXT, LOCATION, STICKER, IMAGE, FILE)]


def say(target, content=TEXT, channel=None, **more):
    return target.say(target.facts["bot_id"], target.facts["user_id"], content, channel, **more)


def received(target, content=TEXT, channel=None):
    """What the receiving server gets for one message: headers and body."""
    requests = target.receive(target.facts["bot_id"])
    assert say(target, content, channel)["delivered"] is True
    (request,) = requests
    return request


# -- the request ------------------------------------------------------------------------------------------------


@documented("callback.fields")
@assumed("callback.file-id")
@pytest.mark.parametrize("content", CONTENTS)
def test_each_type_of_message_is_sent(target, content):
    _, body = received(target, content)
    assert json.loads(body)["content"] == content


@every_door
@documented("callback.event")
def test_event_in_a_room(target):
    event = json.loads(received(target, channel="channel-1")[1])
    assert set(event) == {"type", "source", "issuedTime", "content"}
    assert event["type"] == "message"
    assert event["source"] == {
        "userId": target.facts["user_id"],
        "channelId": "channel-1",
        "domainId": int(target.facts["domain_id"]),
    }


@documented("callback.one-to-one")
def test_channel_is_not_sent_for_a_one_to_one_room(target):
    source = json.loads(received(target)[1])["source"]
    assert set(source) == {"userId", "domainId"}


@documented("callback.fields")
@assumed("callback.issued-time")
def test_issued_time_is_the_instant_in_utc(target):
    target.to("2026-06-02T08:15:30.250+09:00")
    assert json.loads(received(target)[1])["issuedTime"] == "2026-06-01T23:15:30.250Z"


@assumed("callback.issued-time")
def test_issued_time_has_always_three_decimals(target):
    assert json.loads(received(target)[1])["issuedTime"] == "2026-06-01T00:00:00.000Z"


@documented("callback.content")
@pytest.mark.parametrize("content", [TEXT, TEXT | {"postback": "start"}, TEXT | {"text": ""}])
def test_postback_of_a_text_is_optional(target, content):
    assert json.loads(received(target, content)[1])["content"] == content


@every_door
@documented("callback.headers")
def test_content_type(target):
    assert received(target)[0]["Content-Type"] == "application/json; charset=UTF-8"


@documented("callback.headers")
def test_header_names_the_bot(target):
    assert received(target)[0]["X-SERVICE-BotId"] == target.facts["bot_id"]


@every_door
@assumed("callback.signature")
@pytest.mark.parametrize("content", [TEXT, {"type": "text", "text": '名前 🙂 \\ " \n'}])
def test_signature_covers_the_exact_body(target, content):
    headers, body = received(target, content)
    digest = hmac.new(target.facts["bot_secret"].encode(), body, hashlib.sha256).digest()
    assert base64.b64decode(headers["X-SERVICE-Signature"], validate=True) == digest


@assumed("callback.body")
@assumed("callback.file-id")
@pytest.mark.parametrize(
    "content", [*CONTENTS, case({"type": "text", "text": "名前 🙂 \x7f"}, id="Unicode", marks=every_door)]
)
def test_body_is_compact_json_in_raw_utf_8(target, content):
    _, body = received(target, content)
    assert body == json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":")).encode()


@documented("callback.event")
def test_answer_to_who_said_it_shows_the_same_event(target):
    requests = target.receive(target.facts["bot_id"])
    event = say(target)["event"]
    assert json.loads(requests[0][1]) == event


@documented("callback.event")
def test_one_event_for_each_message(target):
    requests = target.receive(target.facts["bot_id"])
    for number in range(5):
        say(target, {"type": "text", "text": str(number)})
    assert [json.loads(body)["content"]["text"] for _, body in requests] == list("01234")


@documented("file.content")
@pytest.mark.parametrize("kind", ["image", "file"])
def test_content_is_downloaded_by_the_id_in_the_event(target, me, kind):
    file_id = upload(target, me, "/bots/{botId}/attachments", b"content")["fileId"]
    event = json.loads(received(target, {"type": kind, "fileId": file_id})[1])
    path = "/bots/{botId}/attachments/{fileId}"
    assert download(target, me, event["content"]["fileId"], path).content == b"content"


# -- what is no message -----------------------------------------------------------------------------------------

LACKING = [
    case(
        {key: value for key, value in content.items() if key != name}, id=f"{content['type']} without {name}"
    )
    for content in (TEXT, LOCATION, STICKER, IMAGE, FILE)
    for name in content
]
WRONG = (
    case({}, id="empty"),
    case({"type": None}, id="type null"),
    case({"type": "video", "fileId": "file-1"}, id="unknown type", marks=assumed("callback.other-content")),
    case({"type": "TEXT", "text": "hello"}, id="type in capitals", marks=assumed("callback.other-content")),
    case(TEXT | {"text": 5}, id="text a number"),
    case(TEXT | {"text": None}, id="text null"),
    case(TEXT | {"postback": 5}, id="postback a number"),
    case(LOCATION | {"latitude": "35.68"}, id="latitude a string"),
    case(LOCATION | {"longitude": None}, id="longitude null"),
    case(LOCATION | {"address": 5}, id="address a number"),
    case(STICKER | {"packageId": 1}, id="packageId a number"),
    case(STICKER | {"stickerId": 2}, id="stickerId a number"),
    case(IMAGE | {"fileId": 1}, id="image fileId a number"),
    case(FILE | {"fileId": None}, id="file fileId null"),
)


def cannot_be_said(target, bot, user, content):
    requests = target.receive(target.facts["bot_id"])
    with set_up_refused(target):
        target.say(bot, user, content)
    assert requests == []


@documented("callback.content")
@pytest.mark.parametrize("content", [*LACKING, *WRONG])
def test_what_is_no_message_cannot_be_said(target, content):
    cannot_be_said(target, target.facts["bot_id"], target.facts["user_id"], content)


@documented("callback.event")
@pytest.mark.parametrize(("bot", "user"), [("bot-999", "u-001"), ("bot-1", "u-999"), ("bot-1", "")])
def test_only_members_say_something_and_only_to_bots(target, bot, user):
    cannot_be_said(target, bot, user, TEXT)


# -- client versions --------------------------------------------------------------------------------------------

SUPPORTED = (
    case(TEXT, "1.0", id="text"),
    case(LOCATION, "1.0", id="location"),
    case(STICKER, "2.3", id="sticker at 2.3"),
    case(IMAGE, "2.3", id="image at 2.3", marks=assumed("callback.file-id")),
    case(IMAGE, "2.8.9", id="image above 2.3", marks=assumed("callback.file-id")),
    case(FILE, "2.9", id="file at 2.9", marks=assumed("callback.file-id")),
    case(FILE, "2.10", id="file above 2.9", marks=assumed("callback.file-id")),
    case(FILE, "10.0", id="file far above 2.9", marks=assumed("callback.file-id")),
)
UNSUPPORTED = (
    case(STICKER, "2.2", id="sticker below 2.3"),
    case(IMAGE, "2.2.9", id="image below 2.3", marks=assumed("callback.file-id")),
    case(IMAGE, "1.99", id="image far below 2.3", marks=assumed("callback.file-id")),
    case(FILE, "2.8", id="file below 2.9", marks=assumed("callback.file-id")),
    case(FILE, "2.3", id="file at 2.3", marks=assumed("callback.file-id")),
)


@documented("callback.client-version")
@pytest.mark.parametrize(("content", "version"), SUPPORTED)
def test_message_that_the_client_supports_is_sent(target, content, version):
    requests = target.receive(target.facts["bot_id"])
    assert say(target, content, client_version=version)["delivered"] is True
    assert len(requests) == 1


@documented("callback.client-version")
@assumed("callback.old-clients")
@pytest.mark.parametrize(("content", "version"), UNSUPPORTED)
def test_message_that_the_client_does_not_support_is_not_sent(target, content, version):
    requests = target.receive(target.facts["bot_id"])
    assert say(target, content, client_version=version)["delivered"] is False
    assert requests == []


# -- delivery ---------------------------------------------------------------------------------------------------


@every_door
@documented("callback.event")
def test_200_is_success(target):
    target.receive(target.facts["bot_id"], 200)
    response = say(target)
    assert (response["delivered"], response["status"], response["error"]) == (True, 200, None)


@documented("callback.not-resent")
@assumed("callback.delivered")
@pytest.mark.parametrize(
    "status", [201, 202, 204, 299, case(302, id="302", marks=every_door), 400, 401, 404, 500, 503]
)
def test_any_other_status_is_a_failure_and_not_sent_again(target, status):
    requests = target.receive(target.facts["bot_id"], status)
    response = say(target)
    assert (response["delivered"], response["status"]) == (False, status)
    assert str(status) in response["error"]
    target.advance(86400)
    assert len(requests) == 1


@every_door
@documented("callback.not-resent")
def test_broken_connection_is_a_failure_and_not_sent_again(target):
    requests = target.receive(target.facts["bot_id"], ConnectionResetError("gone"))
    response = say(target)
    assert (response["delivered"], response["status"]) == (False, None)
    assert response["error"]
    target.advance(86400)
    assert len(requests) == 1


@every_door
@documented("callback.event")
def test_next_message_is_sent_although_the_last_failed(target):
    target.receive(target.facts["bot_id"], 500)
    say(target)
    requests = target.receive(target.facts["bot_id"], 200)
    assert say(target, {"type": "text", "text": "again"})["delivered"] is True
    assert [json.loads(body)["content"]["text"] for _, body in requests] == ["again"]


@every_door
@documented("callback.not-resent")
def test_without_a_receiving_server_nothing_is_delivered(target):
    response = say(target)
    assert (response["delivered"], response["status"]) == (False, None)
    assert response["error"]


@documented("callback.event")
def test_calls_to_the_service_cause_no_event(target, me):
    requests = target.receive(target.facts["bot_id"])
    target.http.post(target.facts["webhooks"][0], json={"body": {"text": "hello"}})
    upload(target, me, "/bots/{botId}/attachments")
    target.http.patch(target.api("/users/u-002"), json={"task": "x"}, headers=me)
    assert requests == []
