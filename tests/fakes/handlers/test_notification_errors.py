"""Which of several errors a notification gets, and what another method gets at a webhook's URL."""

import pytest

from ..caller import calling, make
from ..scenarios_messages import JSON, fill_the_minute

ORDER, METHOD = "notification.error-order", "notification.other-method"


def assumed(answer):
    return answer.headers.get("X-Fake-Assumed", "").split(", ")


def post(me, **request):
    return me.http.post(me.facts["webhooks"][0], **request)


@pytest.mark.parametrize(
    "request_",
    [
        {"json": {}},
        {"json": {"title": "CI"}},
        {"json": {"body": {"text": 5}}},
        {"content": b'{"body":{"text":"x"}}', "headers": {"Content-Type": "text/plain"}},
    ],
    ids=["missing", "missing beside a title", "invalid", "of another type"],
)
def test_a_single_error_rests_on_no_order(me, request_):
    answer = post(me, **request_)
    assert answer.status_code == 400
    assert ORDER not in assumed(answer)


def test_a_rate_that_is_exceeded_alone_rests_on_no_order(me):
    fill_the_minute(me)
    answer = me.notify("")
    assert (answer.status_code, ORDER in assumed(answer)) == (429, False)


def test_a_webhook_that_is_unknown_rests_on_no_order_within_the_rate(me):
    answer = me.http.post(me.facts["webhook_url"] + "/message/none", json={})
    assert answer.json()["description"] == "invalid webhook URL"
    assert assumed(answer) == [""]


def test_two_errors_rest_on_their_order(me):
    assert ORDER in assumed(post(me, json={"title": 5}))
    assert ORDER in assumed(post(me, content=b"{", headers=JSON))
    fill_the_minute(me)
    refused = post(me, json={"title": 5})
    assert (refused.status_code, ORDER in assumed(refused)) == (429, True)
    assert "api.null" not in assumed(post(me, json={"body": {"text": None}}))
    unknown = me.http.post(me.facts["webhook_url"] + "/message/none", json={})
    assert (unknown.status_code, ORDER in assumed(unknown)) == (400, True)


def test_a_body_that_comes_before_the_rate_is_not_posted_beyond_it():
    with calling(make(assume={ORDER: "body-before-rate"})) as me:
        fill_the_minute(me)
        assert post(me, json={}).status_code == 400
        assert me.notify().status_code == 429
        assert me.fake.webhooks.messages("channel-1") == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_another_method_at_a_valid_webhook(method):
    with calling(make(assume={METHOD: "405"})) as me:
        answer = me.http.request(method, me.facts["webhooks"][0])
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert answer.json() == {"code": 405, "description": "method not allowed"}
        assert METHOD in assumed(answer)


def test_another_method_at_what_is_no_webhook_is_described():
    for alternative in ("400", "405", "404"):
        with calling(make(assume={METHOD: alternative})) as me:
            for path in ("/message/none", "/message", "/"):
                answer = me.http.get(me.facts["webhook_url"] + path)
                assert (answer.status_code, answer.json()["description"]) == (400, "invalid webhook URL")
                assert assumed(answer) == [""]


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
            assert ORDER in assumed(response)


def test_what_is_missing_rests_on_nothing_that_is_refused_beside_it(me):
    assert assumed(post(me, json={"image": "x"})) == [ORDER]
    assert assumed(post(me, content=b"{}", headers=TEXT)) == [ORDER]


def test_a_body_of_another_type_that_is_not_json_may_be_missing():
    with calling(make()) as me:
        response = post(me, content=b"{", headers=TEXT)
        assert response.json()["description"] == "invalid parameter"
        assert assumed(response) == [ORDER]
    with calling(make(assume={ORDER: "not-json-as-missing"})) as me:
        assert post(me, content=b"{", headers=TEXT).json()["description"] == "missing parameter"


ASTRAY = {
    "unknown": ("POST", "/message/none"),
    "longer": ("POST", "/message/a/b"),
    "empty": ("POST", "/message/"),
    "other": ("POST", "/other"),
    "method": ("GET", None),
}


@pytest.mark.parametrize(("method", "path"), ASTRAY.values(), ids=ASTRAY)
def test_the_rate_may_come_before_any_url(method, path):
    for order, status in (("url-rate-missing-invalid", 400), ("rate-first", 429)):
        with calling(make(assume={ORDER: order})) as me:
            url = me.facts["webhook_url"] + path if path else me.facts["webhooks"][0]
            assert ORDER not in assumed(me.http.request(method, url))
            fill_the_minute(me)
            response = me.http.request(method, url)
            assert (response.status_code, ORDER in assumed(response)) == (status, True)


COUNTED = "notification.refused-calls"


@pytest.mark.parametrize(("method", "path"), ASTRAY.values(), ids=ASTRAY)
def test_calls_refused_for_their_url_may_count(method, path):
    for alternative, used in (("not-counted", "1"), ("counted", "4")):
        with calling(make(assume={COUNTED: alternative})) as me:
            url = me.facts["webhook_url"] + path if path else me.facts["webhooks"][0]
            assert {me.http.request(method, url).status_code for _ in range(3)} == {400}
            response = me.notify()
            assert (response.headers["RateLimit-Used"], COUNTED in assumed(response)) == (used, True)


@pytest.mark.parametrize(("status", "used"), [("400", "2"), ("413", "1")])
def test_a_body_too_large_may_count_if_it_is_refused_with_400(status, used):
    with calling(make(assume={COUNTED: "counted", "api.body-limit": status})) as me:
        assert post(me, content=b" " * (17 << 20), headers=JSON).status_code == int(status)
        response = me.notify()
        assert (response.headers["RateLimit-Used"], COUNTED in assumed(response)) == (used, used == "2")


def test_another_method_that_is_not_refused_with_400_does_not_count():
    with calling(make(assume={COUNTED: "counted", METHOD: "405"})) as me:
        me.http.get(me.facts["webhooks"][0])
        assert me.notify().headers["RateLimit-Used"] == "1"
