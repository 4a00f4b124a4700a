"""Nulls in fields that are not marked nullable: refused, or as good as absent."""

import pytest
from pydantic import ValidationError

from svckit.models.user import UserChange

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


def test_a_null_that_is_described_rests_on_no_such_assumption(me):
    assert not assumed(me.set_status(statusMessage=None, startTime=None, autoReplyMail=None))
    assert not assumed(me.patch(nickName=None))


def test_a_null_in_a_user_is_as_described_for_each_field():
    with calling(make(assume={RULE: "as-absent"})) as me:
        refused = me.patch(email=None)
        assert (refused.status_code, assumed(refused)) == (400, False)


def test_no_null_rests_on_no_such_assumption(me):
    assert not assumed(me.notify(title=5))
    assert not assumed(me.ask(size="5"))


def test_a_null_beside_a_status_that_is_not_used_changes_nothing(me):
    answer = me.set_status(profileStatusId="LUNCH", autoReplyMail={"internal": None})
    assert answer.json()["description"] == "Not used status."
    assert "null" not in answer.headers["X-Fake-Assumed"]


OPTIONAL = "api.null-optional"
ORGANIZATION = {"domainId": 10000001, "primary": True}
UNIT = {"orgUnitId": "ou-1", "primary": True}


def names(answer, rule_id):
    return rule_id in answer.headers.get("X-Fake-Assumed", "").split(", ")


def list_optional():
    """The optional fields of a user that do not allow null, and fields within them, by name."""
    top = sorted(name for name in UserChange.wire_names() if refuses_null(name))
    nested = {
        "organizations.email": {"organizations": [ORGANIZATION | {"email": None}]},
        "orgUnits.visible": {"organizations": [ORGANIZATION | {"orgUnits": [UNIT | {"visible": None}]}]},
        "messenger.customProtocol": {
            "messenger": {"protocol": "MSGR_A", "messengerId": "mina", "customProtocol": None}
        },
        "relations.relationName": {"relations": [{"relationUserId": "u-002", "relationName": None}]},
    }
    return {name: {name: None} for name in top} | nested


def refuses_null(name):
    try:
        UserChange.from_wire({name: None}, from_json=True)
    except ValidationError:
        return True
    return False


@pytest.mark.parametrize("fields", list_optional().values(), ids=list_optional())
def test_a_null_in_an_optional_field_of_a_user_may_count_as_absent(fields):
    with calling(make()) as me:
        refused = me.patch(**fields)
        assert (refused.status_code, names(refused, OPTIONAL)) == (400, True)
    with calling(make(assume={OPTIONAL: "as-absent"})) as me:
        before = me.fake.directory["u-001"]
        answer = me.patch(**fields)
        assert (answer.status_code, names(answer, OPTIONAL)) == (200, True)
        if None in fields.values():
            assert me.fake.directory["u-001"] == before


@pytest.mark.parametrize(
    "fields",
    [
        {"messenger": {"protocol": None, "messengerId": "mina"}},
        {"organizations": [ORGANIZATION | {"domainId": None}]},
        {"aliasEmails": [None]},
        {"customFields": [{"customFieldId": None}]},
    ],
    ids=["protocol", "domainId", "item", "customFieldId"],
)
def test_a_null_that_is_required_is_refused_in_any_case(fields):
    for alternative in ("refused", "as-absent"):
        with calling(make(assume={OPTIONAL: alternative})) as me:
            refused = me.patch(**fields)
            assert (refused.status_code, names(refused, OPTIONAL)) == (400, False)


@pytest.mark.parametrize("field", SENT)
def test_in_other_bodies_it_does_what_api_null_does_for_optional_fields_only(field):
    send, as_absent = SENT[field]
    with calling(make(assume={OPTIONAL: "as-absent"})) as me:
        answer = send(me)
        of_the_resource_api = field not in ("title", "button", "text", "body", "label")
        passes = of_the_resource_api and as_absent == 200
        assert (answer.status_code, names(answer, OPTIONAL)) == (200 if passes else 400, passes)
        assert assumed(answer) is not passes


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
        assert (answer.status_code, names(answer, OPTIONAL)) == (200, True)
