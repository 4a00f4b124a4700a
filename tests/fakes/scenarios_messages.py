"""For each assumption about notifications and callbacks, a call whose observable outcome depends on it."""

from base64 import b64decode
from threading import Event

from pydantic_core import from_json

from fakes.http.errors import Refusal

from .caller import Caller
from .scenario import scenario

JSON = {"Content-Type": "application/json"}
MISSING, INVALID, TOO_MANY = "missing parameter", "invalid parameter", "too many request"
NO_WEBHOOK = "invalid webhook URL"
EVENT_HEAD = (
    b'{"type":"message","source":{"userId":"u-001","domainId":10000001},'
    b'"issuedTime":"2026-06-01T00:00:00.000Z"'
)


def fill_the_minute(me: Caller):
    limiter = me.fake.state.webhooks.limiter
    while limiter.peek().remaining:
        limiter.hit()


@scenario(
    "notification.other-method",
    {
        "400": (400, {"code": 400, "description": "invalid webhook URL"}, None),
        "405": (405, {"code": 405, "description": "method not allowed"}, "POST"),
        "404": (404, {"code": 404, "description": "not found"}, None),
    },
)
def webhook_opened_in_a_browser(me: Caller):
    answer = me.http.get(me.facts["webhooks"][0])
    return answer, answer.json(), answer.headers.get("Allow")


@scenario(
    "notification.error-order",
    {
        "url-rate-missing-invalid": [MISSING, INVALID, NO_WEBHOOK, TOO_MANY],
        "rate-first": [MISSING, INVALID, TOO_MANY, TOO_MANY],
        "body-before-rate": [MISSING, INVALID, NO_WEBHOOK, MISSING],
        "invalid-before-missing": [INVALID, INVALID, NO_WEBHOOK, TOO_MANY],
        "not-json-as-missing": [MISSING, MISSING, NO_WEBHOOK, TOO_MANY],
    },
)
def several_errors_at_once(me: Caller):
    hook, unknown = me.facts["webhooks"][0], me.facts["webhook_url"] + "/message/none"
    told = [me.http.post(hook, json={"title": 5}), me.http.post(hook, content=b"{", headers=JSON)]
    fill_the_minute(me)
    told += [me.http.post(unknown, json={"body": {"text": "x"}}), me.http.post(hook, json={})]
    return [answer.json()["description"] for answer in told]


@scenario("callback.file-id", {"not-checked": "delivered", "checked": "invalid"})
def image_that_is_nowhere(me: Caller):
    try:
        return me.say({"type": "image", "fileId": "nowhere"})[0].outcome
    except Refusal as refusal:
        return refusal.kind


@scenario("notification.window", {"fixed": "1", "sliding": "2"})
def first_call_is_a_minute_old(me: Caller):
    me.notify()
    me.fake.clock.advance(seconds=40)
    me.notify()
    me.fake.clock.advance(seconds=20)
    return me.notify().headers["RateLimit-Used"]


@scenario("notification.refused-calls", {"not-counted": "1", "counted": "3"})
def call_after_a_refused_one(me: Caller):
    me.http.post(me.facts["webhooks"][0], json={})
    me.http.post(me.facts["webhook_url"] + "/message/none", json={"body": {"text": "x"}})
    return me.notify().headers["RateLimit-Used"]


@scenario("notification.refused-headers", {"absent": [None, None], "sent": ["60", "60"]})
def headers_of_refused_calls(me: Caller):
    refused = [me.http.post(me.facts["webhooks"][0], json={})]
    me.fake.clock.advance(seconds=10)
    fill_the_minute(me)
    refused.append(me.notify())
    return [answer.headers.get("RateLimit-Reset") for answer in refused]


@scenario("notification.other-fields", {"refused": (400, []), "ignored": (200, ["hello"])})
def image_in_a_notification(me: Caller):
    answer = me.notify(image="cat.png")
    return answer, [message.text for message in me.fake.webhooks.messages("channel-1")]


@scenario("notification.empty-title", {"as-absent": "Notices", "kept": ""})
def empty_title(me: Caller):
    me.notify(title="")
    return me.fake.webhooks.messages("channel-1")[0].title


@scenario("notification.empty-text", {"accepted": (200, 1), "refused": (400, 0)})
def empty_text(me: Caller):
    return me.notify(""), len(me.fake.webhooks.messages("channel-1"))


@scenario("notification.empty-label", {"accepted": 200, "refused": 400})
def button_without_words(me: Caller):
    return me.notify(button={"label": "", "url": "https://example.com"})


@scenario("notification.mentions", {"not-checked": 200, "checked": 400})
def mention_of_nobody(me: Caller):
    return me.notify('<m userId="nobody"> hello')


@scenario("notification.mention-form", {"exact": (), "lenient": ("u-003",)})
def mention_in_other_quotes(me: Caller):
    me.notify("<m userId='u-003'> hello")
    return me.fake.webhooks.messages("channel-1")[0].mentions


@scenario("notification.button-url", {"not-checked": 200, "http-only": 400})
def button_that_is_no_link(me: Caller):
    return me.notify(button={"label": "Open", "url": "javascript:alert(1)"})


@scenario("callback.address", {"http-or-https": "connected", "https-only": "invalid"})
def address_without_tls(me: Caller):
    try:
        me.fake.callbacks.connect("bot-1", "http://bot.example.com/callback")
    except Refusal as refusal:
        return refusal.kind
    return "connected"


@scenario("callback.signature", {"hmac-sha256": 32, "hmac-sha1": 20})
def length_of_the_signature(me: Caller):
    (_, came) = me.say()
    return len(b64decode(came[0][0]["X-SERVICE-Signature"]))


@scenario("callback.bot-id-header", {"BotId": ["X-SERVICE-BotId"], "BotID": ["X-SERVICE-BotID"]})
def bot_id_header(me: Caller):
    (_, came) = me.say()
    return [name for name in came[0][0] if name.lower() == "x-service-botid"]


@scenario(
    "callback.body",
    {
        "utf-8": EVENT_HEAD + ',"content":{"type":"text","text":"世界"}}'.encode(),
        "ascii": EVENT_HEAD + b',"content":{"type":"text","text":"\\u4e16\\u754c"}}',
    },
)
def body_of_other_scripts(me: Caller):
    (_, came) = me.say({"type": "text", "text": "世界"})
    return came[0][1]


@scenario(
    "callback.issued-time", {"utc": "2026-06-01T00:00:00.000Z", "offset": "2026-06-01T09:00:00.000+0900"}
)
def issued_time(me: Caller):
    (delivery, _) = me.say()
    return delivery.event["issuedTime"]


@scenario("callback.other-content", {"refused": "invalid", "sent": True})
def message_of_another_type(me: Caller):
    try:
        return me.say({"type": "poll", "question": "Lunch?"})[0].delivered
    except Refusal as refusal:
        return refusal.kind


@scenario("callback.other-events", {"none": ["message"], "postback": ["message", "postback"]})
def text_of_a_button(me: Caller):
    (_, came) = me.say({"type": "text", "text": "Start", "postback": "start"})
    return [from_json(body)["type"] for _, body in came]


@scenario("callback.old-clients", {"not-sent": "not-sent", "sent": "delivered"})
def sticker_of_an_old_client(me: Caller):
    sticker = {"type": "sticker", "packageId": "1", "stickerId": "2"}
    return me.say(sticker, client_version="2.2")[0].outcome


@scenario("callback.delivered", {"200": False, "2xx": True})
def receiver_answers_204(me: Caller):
    return me.say(answer=204)[0].delivered


@scenario("callback.timeout", {"limited": "timed-out", "unlimited": "delivered"})
def slow_receiver(me: Caller):
    """The receiver answers once it has been given up; at once where it is not going to be."""
    given_up = Event()

    class Slow:
        def receive(self, headers, body, seconds):
            if seconds is not None:
                given_up.wait()
            return 200

    me.fake.callbacks.timeout = 1e-9  # every response is later
    me.fake.callbacks.connect("bot-1", Slow())
    outcome = me.fake.callbacks.send("bot-1", "u-001", {"type": "text", "text": "hello"}).outcome
    given_up.set()
    return outcome
