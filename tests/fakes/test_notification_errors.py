"""Which of several errors a notification gets, and what another method gets at a webhook's URL."""

import pytest

from .caller import calling, make
from .scenarios_messages import JSON, fill_the_minute

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
        {"content": b"{}", "headers": {"Content-Type": "text/plain"}},
    ],
    ids=["missing", "missing beside a title", "invalid", "of another type"],
)
def test_a_single_error_rests_on_no_order(request_):
    with calling(make()) as me:
        answer = post(me, **request_)
        assert answer.status_code == 400
        assert ORDER not in assumed(answer)


def test_a_rate_that_is_exceeded_alone_rests_on_no_order():
    with calling(make()) as me:
        fill_the_minute(me)
        answer = me.notify("")
        assert (answer.status_code, ORDER in assumed(answer)) == (429, False)


def test_a_webhook_that_is_unknown_rests_on_no_order_within_the_rate():
    with calling(make()) as me:
        answer = me.http.post(me.facts["webhook_url"] + "/message/none", json={})
        assert answer.json()["description"] == "invalid webhook URL"
        assert assumed(answer) == [""]


def test_two_errors_rest_on_their_order():
    with calling(make()) as me:
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
