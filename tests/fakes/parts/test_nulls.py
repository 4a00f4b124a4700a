"""Nulls in fields that are not marked nullable: refused, or as good as absent."""

import pytest

from ..caller import calling, make

RULE = "api.null"


def assumed(answer):
    return RULE in answer.headers.get("X-Fake-Assumed", "").split(", ")


SENT = {
    "title": (lambda me: me.notify(title=None), 200),
    "button": (lambda me: me.notify(button=None), 200),
    "text": (lambda me: me.notify(None), 400),
    "body": (lambda me: me.http.post(me.facts["webhooks"][0], json={"title": "CI", "body": None}), 400),
    "label": (lambda me: me.notify(button={"label": None, "url": "x"}), 400),
    "overwrite": (lambda me: me.ask(overwrite=None), 200),
    "modifiedTime": (lambda me: me.ask(modifiedTime=None), 200),
    "fileName": (lambda me: me.ask(name=None), 400),
    "internal": (lambda me: me.set_status(autoReplyMail={"internal": None}), 200),
    "content": (lambda me: me.set_status(autoReplyMail={"external": {"content": None}}), 200),
    "profileStatusId": (lambda me: me.set_status(profileStatusId=None), 400),
}


@pytest.mark.parametrize("field", SENT)
@pytest.mark.parametrize("alternative", ["refused", "as-absent"])
def test_a_null_is_refused_or_as_good_as_absent(field, alternative):
    send, as_absent = SENT[field]
    with calling(make(assume={RULE: alternative})) as me:
        answer = send(me)
        assert answer.status_code == (400 if alternative == "refused" else as_absent)
        assert assumed(answer)


def test_a_required_field_that_is_null_is_missing_where_null_counts_as_absent():
    with calling(make(assume={RULE: "as-absent"})) as me:
        assert me.notify(None).json()["description"] == "missing parameter"
    with calling(make()) as me:
        assert me.notify(None).json()["description"] == "invalid parameter"


def test_the_title_of_the_webhook_list_takes_the_place_of_a_null():
    with calling(make(assume={RULE: "as-absent"})) as me:
        me.notify(title=None)
        assert [message.title for message in me.fake.webhooks.messages("channel-1")] == ["Notices"]


def test_what_is_wrong_beside_a_null_is_still_refused():
    with calling(make(assume={RULE: "as-absent"})) as me:
        answer = me.notify(5, title=None)
        assert (answer.status_code, answer.json()["description"]) == (400, "invalid parameter")
        assert "body.text" in answer.headers["X-Fake-Reason"]


def test_a_null_that_is_described_rests_on_no_such_assumption():
    with calling(make()) as me:
        assert not assumed(me.set_status(statusMessage=None, startTime=None, autoReplyMail=None))
        assert not assumed(me.patch(nickName=None))


def test_a_null_in_a_user_is_as_described_for_each_field():
    with calling(make(assume={RULE: "as-absent"})) as me:
        refused = me.patch(email=None)
        assert (refused.status_code, assumed(refused)) == (400, False)


def test_no_null_rests_on_no_such_assumption():
    with calling(make()) as me:
        assert not assumed(me.notify(title=5))
        assert not assumed(me.ask(size="5"))
