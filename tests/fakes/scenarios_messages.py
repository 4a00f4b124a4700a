"""For assumptions about notifications and messages to bots, a call whose observable outcome depends on each."""

from fakes.http.errors import Refusal

from .caller import Caller
from .scenarios import scenario

JSON = {"Content-Type": "application/json"}


def fill_the_minute(me: Caller):
    limiter = me.fake.webhooks.limiter
    while not limiter.is_exhausted():
        limiter.count()


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
