"""The notification endpoint under its rate: several webhooks, refused calls, and the minute that ends.

That the rate is 120 calls is a case of the conformance suite; here it is 3, so that sequences get beyond it.
"""

from datetime import timedelta
from math import ceil

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from .lockstep import SEARCH, USERS, Lockstep

LIMIT, MINUTE = 3, timedelta(minutes=1)
SPANS = [timedelta(seconds=seconds) for seconds in (0.4, 1, 20, 59, 59.9, 60, 61)]
ROOMS = ("channel-1", "channel-2")

MENTIONS = st.lists(st.sampled_from(USERS), max_size=2)
LINK = {"label": "Open", "url": "https://example.com/1"}
WRONG_BODIES = [
    ({}, "missing parameter"),
    ({"title": "CI"}, "missing parameter"),
    ({"body": {}}, "missing parameter"),
    ({"body": {"text": "x"}, "button": {"label": "Open"}}, "missing parameter"),
    ({"body": {"text": 1}}, "invalid parameter"),
    ({"body": "x"}, "invalid parameter"),
    ({"body": {"text": "x"}, "title": 1}, "invalid parameter"),
]


class Limiter(Lockstep):
    def __init__(self):
        super().__init__()
        self.opened, self.used = None, 0
        self.webhooks = [(self.facts["webhooks"][0], "channel-1", "Notices")]
        self.messages = {room: [] for room in ROOMS}
        self.both(lambda fake: setattr(fake.state.notifications.limiter, "limit", LIMIT))
        self.both(lambda fake: fake.webhooks.invite_bot("channel-2"))

    @property
    def exhausted(self):
        if self.opened is not None and self.now - self.opened >= MINUTE:
            self.opened, self.used = None, 0
        return self.used >= LIMIT

    def post(self, number, body):
        url, room, title = self.webhooks[number % len(self.webhooks)]
        return self.call("POST", url, json=body), room, title

    @rule(span=st.sampled_from(SPANS))
    def wait(self, span):
        self.pass_time(span)

    @rule(room=st.sampled_from(ROOMS))
    @precondition(lambda self: len(self.webhooks) < 5)
    def add_webhook(self, room):
        """Entries are made in the room's menu, not by HTTP; the domain takes five."""
        title = f"Webhook {len(self.webhooks)}"
        webhook = self.both(lambda fake: fake.webhooks.add(title, room))
        self.webhooks.append((f"{self.facts['webhook_url']}/message/{webhook.webhook_id}", room, title))

    @rule(
        number=st.integers(0, 4),
        title=st.none() | st.text(st.characters(codec="utf-8"), min_size=1, max_size=5),
        mentions=MENTIONS,
        button=st.none() | st.just(LINK),
    )
    def notify(self, number, title, mentions, button):
        text = "Hello" + "".join(f' <m userId="{user_id}">' for user_id in mentions)
        body = {"body": {"text": text}}
        body |= {name: value for name, value in (("title", title), ("button", button)) if value is not None}
        answer, room, default = self.post(number, body)
        if self.exhausted:
            assert_error(answer, 429, {"too many request"})
            return
        self.opened, self.used = self.opened or self.now, self.used + 1
        assert answer.status_code == 200
        assert answer.json() == {"code": 200, "description": "success"}
        reset = ceil((self.opened + MINUTE - self.now).total_seconds())
        rate = [answer.headers[f"RateLimit-{name}"] for name in ("Used", "Limit", "Remaining", "Reset")]
        assert rate == [str(number) for number in (self.used, LIMIT, LIMIT - self.used, reset)]
        self.messages[room].append((title or default, text, button, tuple(mentions), self.now))

    @rule(number=st.integers(0, 4), wrong=st.sampled_from(WRONG_BODIES))
    def notify_wrongly(self, number, wrong):
        nowhere = self.facts["webhook_url"] + "/message/none"
        answer = self.call("POST", nowhere, json={"body": {"text": "x"}})
        assert_error(answer, 400, {"invalid webhook URL"})
        body, description = wrong
        answer, _, _ = self.post(number, body)
        if self.exhausted and answer.status_code == 429:  # which of two refusals comes first is not shown
            assert_error(answer, 429, {"too many request"})
        else:
            assert_error(answer, 400, {description})

    @rule()
    @precondition(lambda self: self.exhausted)
    def call_the_resource_api(self):
        """Its calls are not limited with those of the notification endpoint."""
        assert self.call("PATCH", "/users/u-001", json={}, headers=self.bearer()).status_code == 200

    @invariant()
    def rooms_hold_what_was_sent(self):
        for room, messages in self.messages.items():
            held = self.fake.webhooks.messages(room)
            assert [(m.title, m.text, m.button, m.mentions, m.sent_at) for m in held] == messages


def assert_error(answer, code, descriptions):
    assert answer.status_code == code
    assert answer.json()["code"] == code
    assert answer.json()["description"] in descriptions


def test_notification_limiter():
    run_state_machine_as_test(Limiter, settings=SEARCH)
