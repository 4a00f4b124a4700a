"""The rate headers of refused notifications, which are described for success only."""

import pytest

from ..caller import calling, make, named
from ..scenarios_messages import fill_the_minute

RULE, COUNTED = "notification.refused-headers", "notification.refused-calls"
NAMES = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
SENT = {"assume": {RULE: "sent"}}
REFUSED = {
    "missing": lambda me: me.http.post(me.facts["webhooks"][0], json={}),
    "invalid": lambda me: me.notify(5),
    "no webhook": lambda me: me.http.post(me.facts["webhook_url"] + "/message/none", json={}),
    "no operation": lambda me: me.http.post(me.facts["webhook_url"] + "/x", json={}),
    "other method": lambda me: me.http.get(me.facts["webhooks"][0]),
}


def read(response):
    return [response.headers.get(name) for name in NAMES]


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_a_refused_call_has_the_headers_only_if_that_is_assumed(call):
    with calling(make()) as me:
        refused = call(me)
        assert (read(refused), RULE in named(refused)) == ([None] * 4, False)
    with calling(make(**SENT)) as me:
        me.notify()
        me.fake.clock.advance(seconds=20)
        refused = call(me)
        assert (refused.status_code, read(refused), RULE in named(refused)) == (
            400,
            ["1", "120", "119", "40"],
            True,
        )


def test_a_client_that_waits_until_the_reset_gets_through_the_second_time():
    with calling(make(**SENT)) as me:
        fill_the_minute(me)
        me.fake.clock.advance(seconds=13)
        refused = me.notify()
        assert (refused.status_code, read(refused)) == (429, ["120", "120", "0", "47"])
        assert me.fake.journal[-1].record()["rateLimit"]["reset"] == 47
        me.fake.clock.advance(seconds=int(refused.headers["RateLimit-Reset"]))
        assert me.notify().status_code == 200


def test_a_refused_call_that_counts_is_counted_in_its_own_headers():
    with calling(make(assume={RULE: "sent", COUNTED: "counted"})) as me:
        refused = REFUSED["missing"](me)
        assert (read(refused)[0], COUNTED in named(refused)) == ("1", True)


def test_success_rests_on_no_such_assumption():
    with calling(make(**SENT)) as me:
        accepted = me.notify()
        assert (read(accepted), named(accepted)) == (["1", "120", "119", "60"], set())


def test_other_areas_have_no_such_headers():
    with calling(make(**SENT)) as me:
        refused = me.patch("nobody")
        assert (read(refused), RULE in named(refused)) == ([None] * 4, False)


def test_the_openapi_document_has_the_headers_of_refusals_where_they_are_sent():
    for options, there in (({}, False), (SENT, True)):
        responses = make(**options).openapi()["paths"]["/message/{webhookId}"]["post"]["responses"]
        assert [("RateLimit-Reset" in responses[each]["headers"]) for each in ("400", "429")] == [there] * 2
