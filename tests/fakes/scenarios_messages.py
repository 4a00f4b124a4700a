"""For each assumption about notifications and callbacks, a call whose observable outcome depends on it."""

from base64 import b64decode
from threading import Event

from pydantic_core import from_json

from fakes.http.errors import Refusal

from .caller import Caller
from .scenario import scenario

JSON = {"Content-Type": "application/json"}


def fill_the_minute(me: Caller):
    limiter = me.fake.webhooks.limiter
    while limiter.peek().remaining:
        limiter.hit()


@scenario("notification.other-method")
def webhook_opened_in_a_browser(me: Caller):
    answer = me.http.get(me.facts["webhooks"][0])
    return answer.status_code, answer.json(), answer.headers.get("Allow")


@scenario("notification.error-order")
def several_errors_at_once(me: Caller):
    hook, unknown = me.facts["webhooks"][0], me.facts["webhook_url"] + "/message/none"
    told = [me.http.post(hook, json={"title": 5}), me.http.post(hook, content=b"{", headers=JSON)]
    fill_the_minute(me)
    told += [me.http.post(unknown, json={"body": {"text": "x"}}), me.http.post(hook, json={})]
    return [answer.json()["description"] for answer in told]


@scenario("callback.file-id")
def image_that_is_nowhere(me: Caller):
    try:
        return me.say({"type": "image", "fileId": "nowhere"})[0].outcome
    except Refusal as refusal:
        return refusal.kind


@scenario("notification.window")
def first_call_is_a_minute_old(me: Caller):
    me.notify()
    me.fake.clock.advance(seconds=40)
    me.notify()
    me.fake.clock.advance(seconds=20)
    return me.notify().headers["RateLimit-Used"]


@scenario("notification.refused-calls")
def call_after_a_refused_one(me: Caller):
    me.http.post(me.facts["webhooks"][0], json={})
    me.http.post(me.facts["webhook_url"] + "/message/none", json={"body": {"text": "x"}})
    return me.notify().headers["RateLimit-Used"]


@scenario("notification.refused-headers")
def headers_of_refused_calls(me: Caller):
    refused = [me.http.post(me.facts["webhooks"][0], json={})]
    me.fake.clock.advance(seconds=10)
    fill_the_minute(me)
    refused.append(me.notify())
    return [answer.headers.get("RateLimit-Reset") for answer in refused]


@scenario("notification.other-fields")
def image_in_a_notification(me: Caller):
    answer = me.notify(image="cat.png")
    return answer.status_code, [message.text for message in me.fake.webhooks.messages("channel-1")]


@scenario("notification.empty-title")
def empty_title(me: Caller):
    me.notify(title="")
    return me.fake.webhooks.messages("channel-1")[0].title


@scenario("notification.empty-text")
def empty_text(me: Caller):
    return me.notify("").status_code, len(me.fake.webhooks.messages("channel-1"))


@scenario("notification.empty-label")
def button_without_words(me: Caller):
    return me.notify(button={"label": "", "url": "https://example.com"}).status_code


@scenario("notification.mentions")
def mention_of_nobody(me: Caller):
    return me.notify('<m userId="nobody"> hello').status_code


@scenario("notification.mention-form")
def mention_in_other_quotes(me: Caller):
    me.notify("<m userId='u-003'> hello")
    return me.fake.webhooks.messages("channel-1")[0].mentions


@scenario("notification.button-url")
def button_that_is_no_link(me: Caller):
    return me.notify(button={"label": "Open", "url": "javascript:alert(1)"}).status_code


@scenario("callback.address")
def address_without_tls(me: Caller):
    try:
        me.fake.callbacks.connect("bot-1", "http://bot.example.com/callback")
    except Refusal as refusal:
        return refusal.kind
    return "connected"


@scenario("callback.signature")
def length_of_the_signature(me: Caller):
    (_, came) = me.say()
    return len(b64decode(came[0][0]["X-SERVICE-Signature"]))


@scenario("callback.bot-id-header")
def bot_id_header(me: Caller):
    (_, came) = me.say()
    return [name for name in came[0][0] if name.lower() == "x-service-botid"]


@scenario("callback.body")
def body_of_other_scripts(me: Caller):
    (_, came) = me.say({"type": "text", "text": "世界"})
    return came[0][1]


@scenario("callback.issued-time")
def issued_time(me: Caller):
    (delivery, _) = me.say()
    return delivery.event["issuedTime"]


@scenario("callback.other-content")
def message_of_another_type(me: Caller):
    try:
        return me.say({"type": "poll", "question": "Lunch?"})[0].delivered
    except Refusal as refusal:
        return refusal.kind


@scenario("callback.other-events")
def text_of_a_button(me: Caller):
    (_, came) = me.say({"type": "text", "text": "Start", "postback": "start"})
    return [from_json(body)["type"] for _, body in came]


@scenario("callback.old-clients")
def sticker_of_an_old_client(me: Caller):
    sticker = {"type": "sticker", "packageId": "1", "stickerId": "2"}
    return me.say(sticker, client_version="2.2")[0].outcome


@scenario("callback.delivered")
def receiver_answers_204(me: Caller):
    return me.say(answer=204)[0].delivered


@scenario("callback.timeout")
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
