"""Which of several errors a notification gets, and what another method gets at a webhook's URL."""

import pytest

from ..caller import calling, make, named
from ..edges_calls import ASTRAY
from ..scenarios_messages import JSON, fill_the_minute

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
def test_what_is_missing_comes_before_whatever_is_invalid_unless_assumed(name):
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
