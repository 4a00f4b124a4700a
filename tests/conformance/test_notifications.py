"""The incoming notification endpoint: its answers, its rate, and what arrives in the room."""

import pytest

from .cases import assumed, case, safe, section
from .target import SetUpRefused, bearer

ENDPOINT = section("Endpoints › Incoming notification endpoint")
ERRORS = section("Errors › Notification endpoint")
LIMITS = section("Limits")
SERVICE = section("What the service does")
MESSAGES = section("Resources and their fields › Message events and notification messages")

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


@ENDPOINT
def test_success_is_answered_exactly(target):
    answer = post(target, HELLO)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json() == SUCCESS


@ENDPOINT
@SERVICE
@MESSAGES
def test_message_arrives_in_the_room(target):
    button = {"label": "Open", "url": "https://example.com/1"}
    post(target, {"title": "CI", "body": {"text": "Build is green"}, "button": button})
    assert room(target) == [{"title": "CI", "text": "Build is green", "button": button, "mentions": []}]


@ENDPOINT
def test_title_of_the_webhook_list_is_the_default(target):
    target.invite_bot("channel-2")
    hook = target.add_webhook("From the list", "channel-2")
    post(target, HELLO, hook)
    post(target, HELLO | {"title": "Own"}, hook)
    assert [message["title"] for message in target.room("channel-2")] == ["From the list", "Own"]


@ENDPOINT
def test_without_button_none_is_shown(target):
    post(target, HELLO)
    assert room(target)[0]["button"] is None


@ENDPOINT
@pytest.mark.parametrize(
    "text", ["名前 🙂 ñ", "two\nlines", "<b>&amp;</b>", '"quotes" \\ ', "x" * 5000], ids=lambda t: t[:6]
)
def test_text_is_kept_exactly(target, text):
    post(target, {"title": text, "body": {"text": text}})
    assert (room(target)[0]["title"], room(target)[0]["text"]) == (text, text)


@ENDPOINT
@assumed("empty title")
def test_empty_title_is_as_good_as_none(target):
    for body in (HELLO, HELLO | {"title": ""}):
        post(target, body)
    first, second = room(target)
    assert first["title"] == second["title"]


@ENDPOINT
@assumed("empty text")
def test_text_may_be_empty(target):
    post(target, {"body": {"text": ""}})
    assert room(target)[0]["text"] == ""


@ENDPOINT
@assumed("button address")
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
    case('<m userId="u-999">', ["u-999"], id="unknown user", marks=assumed("references")),
    case("<m userId=u-002> <m user='u-002'> &lt;m userId=\"u-002\">", [], id="not of that form"),
)


@ENDPOINT
@MESSAGES
@pytest.mark.parametrize(("text", "mentioned"), MENTIONS)
def test_mention_markup(target, text, mentioned):
    post(target, {"body": {"text": text}})
    assert (room(target)[0]["text"], room(target)[0]["mentions"]) == (text, mentioned)


@ENDPOINT
@section("Authentication")
@SERVICE
@pytest.mark.parametrize(
    "headers", [case({}, id="none"), case(bearer("no such token"), id="a bearer of no use")]
)
def test_no_access_token_is_needed(target, headers):
    answer = target.http.post(target.facts["webhooks"][0], json=HELLO, headers=headers)
    assert answer.json() == SUCCESS


@SERVICE
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
    case([], id="array"),
    case("hello", id="string"),
)


@ERRORS
@ENDPOINT
@pytest.mark.parametrize("body", LACKING)
def test_missing_parameter(target, body):
    refuses(target, MISSING, body)


@ERRORS
@pytest.mark.parametrize("body", WRONG)
def test_invalid_parameter(target, body):
    refuses(target, INVALID, body)


@ERRORS
@pytest.mark.parametrize(
    "body", [{"body": None}, {"body": {"text": None}}, HELLO | {"button": {"label": None, "url": "x"}}]
)
def test_null_where_a_value_is_required(target, body):
    answer = target.refuses("POST", target.facts["webhooks"][0], 400, json=body)
    assert answer.json() in (INVALID, MISSING)


@ERRORS
@pytest.mark.parametrize("content", [b"{", b"text=hello", b"\xff", b'{"body": {"text": "hello"}'])
def test_body_that_is_no_json(target, content):
    headers = {"Content-Type": "application/json"}
    answer = target.refuses("POST", target.facts["webhooks"][0], 400, content=content, headers=headers)
    assert answer.json() == INVALID


WEBHOOKS = (
    case(lambda hook: hook[:-1], id="too short"),
    case(lambda hook: hook + "x", id="too long", marks=safe),
    case(lambda hook: hook.rpartition("/")[0] + "/", id="no id"),
    case(lambda hook: hook.rpartition("/")[0] + "/none", id="unknown id", marks=safe),
    case(lambda hook: hook.rpartition("/")[0] + "/" + hook.rpartition("/")[2].upper(), id="other case"),
    case(lambda hook: hook + "/more", id="a further segment"),
)


@ERRORS
@section("Authentication")
@pytest.mark.parametrize("change", WEBHOOKS)
def test_invalid_webhook_url(target, change):
    refuses(target, NO_WEBHOOK, HELLO, change(target.facts["webhooks"][0]))


@SERVICE
def test_app_cannot_receive(target):
    post(target, HELLO)
    answer = target.refuses("GET", target.facts["webhooks"][0])
    assert "hello" not in answer.text


@SERVICE
@ERRORS
@pytest.mark.parametrize("name", ["Filedata", "image"])
def test_app_cannot_send_files(target, name):
    hook = target.facts["webhooks"][0]
    target.refuses("POST", hook, 400, files={name: ("a.png", b"png", "image/png")}, data={"title": "x"})


@SERVICE
@assumed("other content")
@pytest.mark.parametrize("more", [{"image": "https://example.com/a.png"}, {"files": ["f"]}, {"type": "flex"}])
def test_app_sends_no_other_content(target, more):
    refuses(target, INVALID, HELLO | more)


# -- set-up -----------------------------------------------------------------------------------------------------


@SERVICE
@assumed("sample tenant")
def test_sample_tenant_has_one_webhook_and_an_empty_room(target):
    assert len(target.facts["webhooks"]) == 1
    assert room(target) == []


@SERVICE
def test_bot_is_invited_before_a_webhook_is_added(target):
    before = target.digest()
    with pytest.raises(SetUpRefused):
        target.add_webhook("x", "channel-2")
    assert target.digest() == before
    target.invite_bot("channel-2")
    assert post(target, HELLO, target.add_webhook("x", "channel-2")).json() == SUCCESS


@SERVICE
def test_webhook_entry_has_a_title(target):
    before = target.digest()
    with pytest.raises(SetUpRefused):
        target.add_webhook("", target.facts["channel_id"])
    assert target.digest() == before


@LIMITS
def test_five_webhook_urls_per_domain(target):
    hooks = [
        *target.facts["webhooks"],
        *(target.add_webhook(f"{n}", target.facts["channel_id"]) for n in range(4)),
    ]
    assert len(set(hooks)) == 5
    before = target.digest()
    with pytest.raises(SetUpRefused):
        target.add_webhook("sixth", target.facts["channel_id"])
    assert target.digest() == before
    assert [post(target, HELLO, hook).json() for hook in hooks] == [SUCCESS] * 5


@SERVICE
@ENDPOINT
def test_each_url_posts_into_its_own_room(target):
    target.invite_bot("channel-2")
    post(target, HELLO, target.add_webhook("Two", "channel-2"))
    assert room(target) == []
    assert [message["text"] for message in target.room("channel-2")] == ["hello"]


# -- the rate ---------------------------------------------------------------------------------------------------


@LIMITS
@ENDPOINT
def test_success_carries_the_rate(target):
    used, limit, remaining, reset = rate(post(target, HELLO))
    assert (used, limit, remaining) == (1, 120, 119)
    assert 0 < reset <= 60


@LIMITS
@ERRORS
def test_120_requests_a_minute_and_no_more(target):
    answers = [post(target, HELLO) for _ in range(120)]
    assert [rate(answer)[:3] for answer in answers] == [(n, 120, 120 - n) for n in range(1, 121)]
    refuses(target, TOO_MANY, HELLO, status=429)
    assert len(room(target)) == 120


SHARES = (
    case(1, 120, id="1 URL"),
    case(2, 60, id="2"),
    case(3, 40, id="3"),
    case(4, 30, id="4"),
    case(5, 24, id="5"),
)


@LIMITS
@pytest.mark.parametrize(("urls", "each"), SHARES)
def test_all_urls_of_the_domain_share_the_rate(target, urls, each):
    channel = target.facts["channel_id"]
    hooks = [*target.facts["webhooks"], *(target.add_webhook(f"{n}", channel) for n in range(urls - 1))]
    for _ in range(each):
        for hook in hooks:
            post(target, HELLO, hook)
    for hook in hooks:
        refuses(target, TOO_MANY, HELLO, hook, status=429)


@LIMITS
@assumed("rate window")
def test_window_opens_with_the_first_call_and_is_fixed(target):
    target.advance(1000)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)
    target.advance(20)
    assert rate(post(target, HELLO)) == (2, 120, 118, 40)
    target.advance(39)
    assert rate(post(target, HELLO)) == (3, 120, 117, 1)
    target.advance(1)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)


@LIMITS
@assumed("rate window")
def test_rate_resets_after_60_seconds_and_not_before(target):
    for _ in range(120):
        post(target, HELLO)
    target.advance(59)
    refuses(target, TOO_MANY, HELLO, status=429)
    target.advance(1)
    assert rate(post(target, HELLO)) == (1, 120, 119, 60)


@LIMITS
@assumed("refused calls")
@pytest.mark.parametrize("body", [{}, {"body": "x"}])
def test_refused_calls_do_not_count(target, body):
    post(target, HELLO)
    for _ in range(3):
        target.refuses("POST", target.facts["webhooks"][0], 400, json=body)
    target.refuses("POST", target.facts["webhooks"][0] + "x", 400, json=HELLO)
    assert rate(post(target, HELLO))[0] == 2


@LIMITS
@assumed("refused calls", "rate window")
def test_calls_above_the_rate_do_not_prolong_it(target):
    for _ in range(120):
        post(target, HELLO)
    target.advance(30)
    for _ in range(3):
        refuses(target, TOO_MANY, HELLO, status=429)
    target.advance(30)
    assert rate(post(target, HELLO))[0] == 1


@LIMITS
@SERVICE
def test_resource_api_is_not_limited_by_it(target, me):
    for _ in range(120):
        post(target, HELLO)
    refuses(target, TOO_MANY, HELLO, status=429)
    for number in range(10):
        answer = target.http.patch(target.api("/users/u-002"), json={"task": str(number)}, headers=me)
        assert answer.status_code == 200


@LIMITS
@SERVICE
def test_resource_api_does_not_use_it_up(target, me):
    for _ in range(130):
        target.http.patch(target.api("/users/u-002"), json={}, headers=me)
    assert rate(post(target, HELLO))[0] == 1
