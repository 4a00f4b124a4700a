"""Nulls in fields that are not marked nullable: refused, or as good as absent."""

from ..caller import calling, make, named
from ..edges_calls import list_optional

RULE = "api.null"


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


def test_a_null_beside_a_status_that_is_not_used_changes_nothing(me):
    answer = me.set_status(profileStatusId="LUNCH", autoReplyMail={"internal": None})
    assert answer.json()["description"] == "Not used status."
    assert "null" not in answer.headers["X-Fake-Assumed"]


OPTIONAL = "api.null-optional"
ORGANIZATION = {"domainId": 10000001, "primary": True}


def test_a_null_that_counts_as_absent_changes_nothing():
    change = {name: None for name, fields in list_optional().items() if None in fields.values()}
    with calling(make(assume={OPTIONAL: "as-absent"})) as me:
        before = me.fake.directory["u-001"]
        assert me.patch(**change).status_code == 200
        assert me.fake.directory["u-001"] == before


def test_where_both_are_absent_neither_is_refused():
    with calling(make(assume={RULE: "as-absent", OPTIONAL: "as-absent"})) as me:
        assert me.ask(overwrite=None).status_code == 200
        assert "fileName" in me.ask(name=None, overwrite=None).json()["description"]


def test_what_is_wrong_beside_an_absent_null_is_reported_with_the_problems_of_the_domain():
    with calling(make(assume={OPTIONAL: "as-absent"})) as me:
        answer = me.patch(
            locale=None, nickName="x" * 101, domainId=7, organizations=[ORGANIZATION | {"email": None}]
        )
        assert answer.status_code == 400
        assert all(name in answer.json()["description"] for name in ("nickName", "domainId"))
        assert "locale" not in answer.json()["description"]


def test_a_null_beside_a_loose_telephone_number():
    with calling(make(assume={OPTIONAL: "as-absent", "user.telephone": "prefix"})) as me:
        answer = me.patch(locale=None, telephone="+81 ext")
        assert (answer.status_code, OPTIONAL in named(answer)) == (200, True)
