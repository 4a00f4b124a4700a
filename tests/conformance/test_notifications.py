"""The incoming notification endpoint: its responses, its rate, and what arrives in the room."""

import pytest

from .cases import NULLS, assumed, case, documented, every_door, safe, writes
from .remote import set_up_refused
from .target import Unshown, bearer

SUCCESS = {"code": 200, "description": "success"}
INVALID = {"code": 400, "description": "invalid parameter"}
MISSING = {"code": 400, "description": "missing parameter"}
NO_WEBHOOK = {"code": 400, "description": "invalid webhook URL"}
TOO_MANY = {"code": 429, "description": "too many request"}
HELLO = {"body": {"text": "hello"}}


def post(target, body, hook=None):
    return target.http.post(hook or target.facts["webhooks"][0], json=body)


def room(target):
    return target.room(target.facts["channel_id"])


def rate(answer):
    names = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    return tuple(int(answer.headers[name]) for name in names)


def refuses(target, answer, body, hook=None, status=400):
    refused = target.refuses("POST", hook or target.facts["webhooks"][0], status, json=body)
    assert refused.json() == answer


# -- success ----------------------------------------------------------------------------------------------------


@every_door
@writes("webhook")
@documented("notification.success")
def test_success_response_is_exact(target):
    answer = post(target, HELLO)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json() == SUCCESS


@every_door
@documented("notification.success")
def test_message_arrives_in_the_room(target):
    button = {"label": "Open", "url": "https://example.com/1"}
    post(target, {"title": "CI", "body": {"text": "Build is green"}, "button": button})
    assert room(target) == [{"title": "CI", "text": "Build is green", "button": button, "mentions": []}]


@documented("notification.title-default")
def test_title_of_the_webhook_list_is_the_default(target):
    target.invite_bot("channel-2")
    hook = target.add_webhook("From the list", "channel-2")
    post(target, HELLO, hook)
    post(target, HELLO | {"title": "Own"}, hook)
    assert [message["title"] for message in target.room("channel-2")] == ["From the list", "Own"]


@documented("notification.success")
def test_without_button_none_is_shown(target):
    post(target, HELLO)
    assert room(target)[0]["button"] is None


@every_door
@documented("notification.success")
@pytest.mark.parametrize(
    "text", ["名前 🙂 ñ", "two\nlines", "<b>&amp;</b>", '"quotes" \\ ', "x" * 5000], ids=lambda t: t[:6]
)
def test_text_is_kept_exactly(target, text):
    post(target, {"title": text, "body": {"text": text}})
    assert (room(target)[0]["title"], room(target)[0]["text"]) == (text, text)


@assumed("notification.empty-title")
def test_empty_title_is_as_good_as_none(target):
    for body in (HELLO, HELLO | {"title": ""}):
        post(target, body)
    first, second = room(target)
    assert first["title"] == second["title"]


ANSWERED = (
    case({"body": {"text": ""}}, id="empty text", marks=assumed("notification.empty-text")),
    case(
        HELLO | {"button": {"label": "", "url": "https://example.com"}},
        id="button without a label",
        marks=assumed("notification.empty-label"),
    ),
    case(
        HELLO | {"button": {"label": "Open", "url": "no address"}},
        id="button to no address",
        marks=assumed("notification.button-url"),
    ),
    case(
        {"body": {"text": 'Hello <m userId="svckit-no-such-user">'}},
        id="mention of nobody",
        marks=assumed("notification.mentions"),
    ),
    case(HELLO | {"title": "svckit"}, id="title"),
    case(HELLO | {"button": {"label": "Open", "url": "https://example.com"}}, id="button"),
)


@writes("webhook")
@documented("notification.success")
@pytest.mark.parametrize("body", ANSWERED)
def test_message_succeeds(target, body):
    assert post(target, body).json() == SUCCESS


@assumed("notification.empty-text")
def test_text_may_be_empty(target):
    post(target, {"body": {"text": ""}})
    assert room(target)[0]["text"] == ""


@assumed("notification.button-url")
@pytest.mark.parametrize(
    "address", ["https://example.com/a?b#c", "mailto:mina@example.com", "not an address"]
)
def test_button_may_lead_anywhere(target, address):
    post(target, HELLO | {"button": {"label": "Open", "url": address}})
    assert room(target)[0]["button"] == {"label": "Open", "url": address}


MENTIONS = (
    case("no one", [], id="none"),
    case('<m userId="u-002">', ["u-002"], id="one"),
    case('Hello <m userId="u-002"> and <m userId="u-003">!', ["u-002", "u-003"], id="two"),
    case('<m userId="u-999">', ["u-999"], id="unknown user", marks=assumed("notification.mentions")),
    case("<m userId=u-002> <m user='u-002'> &lt;m userId=\"u-002\">", [], id="not of that form"),
)


@documented("notification.success")
@pytest.mark.parametrize(("text", "mentioned"), MENTIONS)
def test_mention_markup(target, text, mentioned):
    post(target, {"body": {"text": text}})
    assert (room(target)[0]["text"], room(target)[0]["mentions"]) == (text, mentioned)


@writes("webhook")
@documented("notification.no-token")
@pytest.mark.parametrize(
    "headers", [case({}, id="none"), case(bearer("no such token"), id="a bearer of no use")]
)
def test_no_access_token_is_needed(target, headers):
    answer = target.http.post(target.facts["webhooks"][0], json=HELLO, headers=headers)
    assert answer.json() == SUCCESS


@documented("notification.success")
def test_messages_stand_in_the_order_they_were_sent(target):
    for number in range(5):
        post(target, {"body": {"text": str(number)}})
    assert [message["text"] for message in room(target)] == list("01234")


# -- refusals ---------------------------------------------------------------------------------------------------

LACKING = (
    case({}, id="no body"),
    case({"title": "x"}, id="only a title"),
    case({"body": {}}, id="no text"),
    case(HELLO | {"button": {}}, id="empty button"),
    case(HELLO | {"button": {"url": "https://example.com"}}, id="no label"),
    case(HELLO | {"button": {"label": "Open"}}, id="no url"),
)
WRONG = (
    case(HELLO | {"title": 5}, id="title a number"),
    case(HELLO | {"title": ["x"]}, id="title an array"),
    case({"body": "hello"}, id="body a string"),
    case({"body": ["hello"]}, id="body an array"),
    case({"body": {"text": 5}}, id="text a number"),
    case({"body": {"text": {"a": "b"}}}, id="text an object"),
    case(HELLO | {"button": "Open"}, id="button a string"),
    case(HELLO | {"button": [{"label": "Open", "url": "https://example.com"}]}, id="button an array"),
    case(HELLO | {"button": {"label": 5, "url": "https://example.com"}}, id="label a number"),
    case(HELLO | {"button": {"label": "Open", "url": 5}}, id="url a number"),
    case([], id="array", marks=assumed("notification.error-order")),
    case("hello", id="string", marks=assumed("notification.error-order")),
)


@writes("webhook")
@documented("notification.parameters")
@pytest.mark.parametrize("body", LACKING)
def test_missing_parameter(target, body):
    refuses(target, MISSING, body)


@writes("webhook")
@documented("notification.parameters")
@pytest.mark.parametrize("body", WRONG)
def test_invalid_parameter(target, body):
    refuses(target, INVALID, body)


@writes("webhook")
@documented("notification.parameters")
@pytest.mark.parametrize(
    "body", [{"body": None}, {"body": {"text": None}}, HELLO | {"button": {"label": None, "url": "x"}}]
)
def test_null_where_a_value_is_required(target, body):
    answer = target.refuses("POST", target.facts["webhooks"][0], 400, json=body)
    assert answer.json() in (INVALID, MISSING)


@writes("webhook")
@documented("notification.parameters")
@assumed("notification.error-order")
@pytest.mark.parametrize("content", [b"{", b"text=hello", b"\xff", b'{"body": {"text": "hello"}'])
def test_body_that_is_no_json(target, content):
    headers = {"Content-Type": "application/json"}
    answer = target.refuses("POST", target.facts["webhooks"][0], 400, content=content, headers=headers)
    assert answer.json() == INVALID


@writes("webhook")
@assumed("notification.error-order")
@pytest.mark.parametrize("body", [{"title": 5}, HELLO | {"title": ["x"], "button": {"label": "Open"}}])
def test_missing_parameter_is_told_before_an_invalid_one(target, body):
    refuses(target, MISSING, body)


@writes("webhook")
@assumed(*NULLS)
@pytest.mark.parametrize("name", ["title", "button"])
def test_null_where_a_value_is_optional(target, name):
    refuses(target, INVALID, HELLO | {name: None})


WEBHOOKS = (
    case(lambda hook: hook[:-1], id="too short"),
    case(lambda hook: hook + "x", id="too long", marks=safe),
    case(lambda hook: hook.rpartition("/")[0] + "/", id="no id"),
    case(lambda hook: hook.rpartition("/")[0] + "/none", id="unknown id", marks=safe),
    case(lambda hook: hook.rpartition("/")[0] + "/" + hook.rpartition("/")[2].upper(), id="other case"),
    case(lambda hook: hook + "/more", id="a further segment", marks=every_door),
)


@documented("notification.webhook-url")
@pytest.mark.parametrize("change", WEBHOOKS)
def test_invalid_webhook_url(target, change):
    refuses(target, NO_WEBHOOK, HELLO, change(target.facts["webhooks"][0]))


@documented("notification.setup")
def test_app_cannot_receive(target):
    post(target, HELLO)
    answer = target.refuses("GET", target.facts["webhooks"][0], Unshown(400))
    assert "hello" not in answer.text


@safe
@assumed("notification.other-method")
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_another_method_at_a_webhook(target, method):
    answer = target.refuses(method, target.facts["webhooks"][0], 400)
    assert answer.json() == NO_WEBHOOK


@writes("webhook")
@documented("notification.parameters")
@pytest.mark.parametrize("name", ["Filedata", "image"])
def test_app_cannot_send_files(target, name):
    hook = target.facts["webhooks"][0]
    target.refuses("POST", hook, 400, files={name: ("a.png", b"png", "image/png")}, data={"title": "x"})


@writes("webhook")
@assumed("notification.other-fields")
@pytest.mark.parametrize("more", [{"image": "https://example.com/a.png"}, {"files": ["f"]}, {"type": "flex"}])
def test_app_sends_no_other_content(target, more):
    refuses(target, INVALID, HELLO | more)


# -- set-up -----------------------------------------------------------------------------------------------------


@assumed("sample tenant")
def test_sample_tenant_has_one_webhook_and_an_empty_room(target):
    assert len(target.facts["webhooks"]) == 1
    assert room(target) == []


@documented("notification.setup")
def test_bot_is_invited_before_a_webhook_is_added(target):
    with set_up_refused(target):
        target.add_webhook("x", "channel-2")
    target.invite_bot("channel-2")
    assert post(target, HELLO, target.add_webhook("x", "channel-2")).json() == SUCCESS


@documented("notification.setup")
def test_webhook_entry_has_a_title(target):
    with set_up_refused(target):
        target.add_webhook("", target.facts["channel_id"])


@documented("notification.webhooks")
def test_five_webhook_urls_per_domain(target):
    hooks = [
        *target.facts["webhooks"],
        *(target.add_webhook(f"{n}", target.facts["channel_id"]) for n in range(4)),
    ]
    assert len(set(hooks)) == 5
    with set_up_refused(target):
        target.add_webhook("sixth", target.facts["channel_id"])
    assert [post(target, HELLO, hook).json() for hook in hooks] == [SUCCESS] * 5


@documented("notification.setup")
def test_each_url_posts_into_its_own_room(target):
    target.invite_bot("channel-2")
    post(target, HELLO, target.add_webhook("Two", "channel-2"))
    assert room(target) == []
    assert [message["text"] for message in target.room("channel-2")] == ["hello"]
