"""Notifications that are refused: for which of several errors, at which cost, and with which rate headers."""

import tracemalloc

import pytest

from ..caller import calling, make, named
from ..edges_calls import ASTRAY
from ..scenarios_messages import JSON, fill_the_minute

# Which of several errors a notification gets, and what another method gets at a webhook's URL.

ORDER, METHOD = "notification.error-order", "notification.other-method"


def post(me, **request):
    return me.http.post(me.facts["webhooks"][0], **request)


def test_a_body_that_comes_before_the_rate_is_not_posted_beyond_it():
    with calling(make(assume={ORDER: "body-before-rate"})) as me:
        fill_the_minute(me)
        assert post(me, json={}).status_code == 400
        assert me.notify().status_code == 429
        assert me.fake.webhooks.messages("channel-1") == []


REFUSED = "invalid-before-missing"
TEXT = {"Content-Type": "text/plain"}
WRONG_TWICE = {
    "other field": ({}, {"json": {"image": "x"}}),
    "other field beside a null": ({"api.null": "as-absent"}, {"json": {"image": "x", "body": None}}),
    "repeated key": (
        {"api.duplicate-key": "refused"},
        {"content": b'{"title":"a","title":"b"}', "headers": JSON},
    ),
    "empty text": (
        {"notification.empty-text": "refused"},
        {"json": {"body": {"text": ""}, "button": {"label": "x"}}},
    ),
    "URL of a button": (
        {"notification.button-url": "http-only"},
        {"json": {"button": {"label": "x", "url": "ftp://x"}}},
    ),
    "unknown mention": (
        {"notification.mentions": "checked"},
        {"json": {"body": {"text": '<m userId="nobody">'}, "button": {}}},
    ),
    "media type": ({}, {"content": b"{}", "headers": TEXT}),
    "query": ({"api.query": "refused"}, {"json": {}, "params": {"a": "1"}}),
}


@pytest.mark.parametrize("name", WRONG_TWICE)
def test_missing_comes_before_invalid_by_default(name):
    assume, request_ = WRONG_TWICE[name]
    for order, told in (("url-rate-missing-invalid", "missing parameter"), (REFUSED, "invalid parameter")):
        with calling(make(assume=assume | {ORDER: order})) as me:
            response = post(me, **request_)
            assert response.json() == {"code": 400, "description": told}
            assert ORDER in named(response)


def test_what_is_missing_rests_on_nothing_that_is_refused_beside_it(me):
    assert named(post(me, json={"image": "x"})) == {ORDER}
    assert named(post(me, content=b"{}", headers=TEXT)) == {ORDER}


def test_a_body_of_another_type_that_is_not_json_may_be_missing():
    with calling(make()) as me:
        response = post(me, content=b"{", headers=TEXT)
        assert response.json()["description"] == "invalid parameter"
        assert named(response) == {ORDER}
    with calling(make(assume={ORDER: "not-json-as-missing"})) as me:
        assert post(me, content=b"{", headers=TEXT).json()["description"] == "missing parameter"


COUNTED = "notification.refused-calls"


@pytest.mark.parametrize("call", ASTRAY.values(), ids=ASTRAY)
def test_calls_refused_for_their_url_may_count(call):
    for alternative, used in (("not-counted", "1"), ("counted", "4")):
        with calling(make(assume={COUNTED: alternative})) as me:
            assert {call(me).status_code for _ in range(3)} == {400}
            response = me.notify()
            assert (response.headers["RateLimit-Used"], COUNTED in named(response)) == (used, True)


@pytest.mark.parametrize(("status", "used"), [("400", "2"), ("413", "1")])
def test_a_body_too_large_may_count_if_it_is_refused_with_400(status, used):
    with calling(make(assume={COUNTED: "counted", "api.body-limit": status})) as me:
        assert post(me, content=b" " * (17 << 20), headers=JSON).status_code == int(status)
        response = me.notify()
        assert (response.headers["RateLimit-Used"], COUNTED in named(response)) == (used, used == "2")


def test_another_method_that_is_not_refused_with_400_does_not_count():
    with calling(make(assume={COUNTED: "counted", METHOD: "405"})) as me:
        me.http.get(me.facts["webhooks"][0])
        assert me.notify().headers["RateLimit-Used"] == "1"


# A text of a notification that is refused for its length is searched for mentions only if they matter.

LONG = '<m userId="u-999"> ' * 50_000


@pytest.mark.parametrize(
    ("mentions", "rests_on"),
    [("not-checked", "api.text-limit"), ("checked", "api.text-limit, notification.mentions")],
)
def test_a_long_text_is_refused_for_its_length(mentions, rests_on):
    """If mentions are checked, those of unknown users are a second reason, which is named too."""
    with calling(make(assume={"notification.mentions": mentions})) as me:
        response = me.http.post(me.facts["webhooks"][0], json={"body": {"text": LONG}})
        assert (response.status_code, response.headers["X-Fake-Assumed"]) == (400, rests_on)


@pytest.mark.parametrize("mentions", ["not-checked", "checked"])
def test_a_long_text_is_searched_no_further_than_to_an_unknown_user(mentions):
    with calling(make(assume={"notification.mentions": mentions})) as me:
        content = b'{"body":{"text":"%s"}}' % LONG.replace('"', r"\"").encode()
        post = {"content": content, "headers": {"Content-Type": "application/json"}}
        me.http.post(me.facts["webhooks"][0], **post)
        tracemalloc.start()
        me.http.post(me.facts["webhooks"][0], **post)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 4 * len(content)  # measured: 1.9; with all mentions, 6.9


def test_a_long_text_that_may_be_long_is_searched():
    with calling(make(assume={"api.text-limit": "unlimited"})) as me:
        response = me.http.post(me.facts["webhooks"][0], json={"body": {"text": LONG}})
        assert response.status_code == 200
        assert "notification.mentions" in response.headers["X-Fake-Assumed"]
        assert len(me.fake.webhooks.messages("channel-1")[0].mentions) == 50_000


# The rate headers of refused notifications, which are described for success only.

HEADERS = "notification.refused-headers"
NAMES = ("RateLimit-Used", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
SENT = {"assume": {HEADERS: "sent"}}
REFUSALS = {
    "missing": lambda me: me.http.post(me.facts["webhooks"][0], json={}),
    "invalid": lambda me: me.notify(5),
    "no webhook": lambda me: me.http.post(me.facts["webhook_url"] + "/message/none", json={}),
    "no operation": lambda me: me.http.post(me.facts["webhook_url"] + "/x", json={}),
    "other method": lambda me: me.http.get(me.facts["webhooks"][0]),
}


def read(response):
    return [response.headers.get(name) for name in NAMES]


@pytest.mark.parametrize("call", REFUSALS.values(), ids=REFUSALS)
def test_a_refused_call_has_the_headers_only_if_that_is_assumed(call):
    with calling(make()) as me:
        refused = call(me)
        assert (read(refused), HEADERS in named(refused)) == ([None] * 4, False)
    with calling(make(**SENT)) as me:
        me.notify()
        me.fake.clock.advance(seconds=20)
        refused = call(me)
        assert (refused.status_code, read(refused), HEADERS in named(refused)) == (
            400,
            ["1", "120", "119", "40"],
            True,
        )


def test_waiting_until_the_reset_succeeds():
    with calling(make(**SENT)) as me:
        fill_the_minute(me)
        me.fake.clock.advance(seconds=13)
        refused = me.notify()
        assert (refused.status_code, read(refused)) == (429, ["120", "120", "0", "47"])
        assert me.fake.journal[-1].record()["rateLimit"]["reset"] == 47
        me.fake.clock.advance(seconds=int(refused.headers["RateLimit-Reset"]))
        assert me.notify().status_code == 200


def test_a_refused_call_that_counts_is_counted_in_its_own_headers():
    with calling(make(assume={HEADERS: "sent", COUNTED: "counted"})) as me:
        refused = REFUSALS["missing"](me)
        assert (read(refused)[0], COUNTED in named(refused)) == ("1", True)


def test_success_rests_on_no_such_assumption():
    with calling(make(**SENT)) as me:
        accepted = me.notify()
        assert (read(accepted), named(accepted)) == (["1", "120", "119", "60"], set())


def test_other_areas_have_no_such_headers():
    with calling(make(**SENT)) as me:
        refused = me.patch("nobody")
        assert (read(refused), HEADERS in named(refused)) == ([None] * 4, False)


def test_openapi_has_the_headers_of_refusals():
    for options, there in (({}, False), (SENT, True)):
        responses = make(**options).openapi()["paths"]["/message/{webhookId}"]["post"]["responses"]
        assert [("RateLimit-Reset" in responses[code]["headers"]) for code in ("400", "429")] == [there] * 2
