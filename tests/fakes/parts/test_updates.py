"""What an update may have: nulls, fields that nobody knows, objects within objects, and times."""

import pytest

from ..caller import calling, make, named
from ..edges_calls import list_optional

# Nulls in fields that are not marked nullable: refused, or as good as absent.

NULL = "api.null"


def test_required_null_can_count_as_missing():
    with calling(make(assume={NULL: "as-absent"})) as me:
        assert me.notify(None).json()["description"] == "missing parameter"
    with calling(make()) as me:
        assert me.notify(None).json()["description"] == "invalid parameter"


def test_the_title_of_the_webhook_list_takes_the_place_of_a_null():
    with calling(make(assume={NULL: "as-absent"})) as me:
        me.notify(title=None)
        assert [message.title for message in me.fake.webhooks.messages("channel-1")] == ["Notices"]


def test_what_is_wrong_beside_a_null_is_still_refused():
    with calling(make(assume={NULL: "as-absent"})) as me:
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
    with calling(make(assume={NULL: "as-absent", OPTIONAL: "as-absent"})) as me:
        assert me.ask(overwrite=None).status_code == 200
        assert "fileName" in me.ask(name=None, overwrite=None).json()["description"]


def test_problems_beside_absent_nulls_are_reported():
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


# Fields that a request does not have are ignored and named, or refused, however deep they are.

LINK = {"name": "l", "propertyType": "LINK", "multiValued": False}
LINKS = {"name": "ls", "propertyType": "LINK", "multiValued": True}
SENT = {"l": {"link": "a", "zz": 1}, "ls": [{"link": "b"}, {"text": None, "yy": {"zz": 2}}]}


def defined(**assume):
    fake = make(assume={rule.replace("_", "-").replace("--", "."): each for rule, each in assume.items()})
    fake.settings.custom_properties = [LINK, LINKS]
    return fake


def test_unknown_fields_of_links_are_named():
    with calling(defined()) as me:
        response = me.patch(customProperties=SENT, shoeSize=38)
    kept = {"l": {"link": "a"}, "ls": [{"link": "b"}, {"text": None}]}
    assert response.json()["customProperties"] == kept
    assert me.fake.directory["u-001"]["customProperties"] == kept
    assert response.headers["X-Fake-Ignored"] == "shoeSize, customProperties.l.zz, customProperties.ls[1].yy"
    assert "api.extra-fields" in response.headers["X-Fake-Assumed"]


def test_the_alternative_refuses_them():
    with calling(defined(api__extra_fields="refused")) as me:
        response = me.patch(customProperties=SENT)
    assert response.status_code == 400
    assert "customProperties.l.zz, customProperties.ls[1].yy" in response.json()["description"]
    assert me.fake.directory["u-001"]["customProperties"] == {}


def test_links_without_such_fields_rest_on_nothing_more():
    with calling(defined()) as me:
        response = me.patch(customProperties={"l": {"link": "a", "text": "A"}})
    assert response.json()["customProperties"] == {"l": {"link": "a", "text": "A"}}
    assert "X-Fake-Assumed" not in response.headers


@pytest.mark.parametrize("value", [5, {"link": 5, "zz": 1}, [{"link": "a"}]])
def test_what_is_no_link_is_told_as_such(value):
    with calling(defined()) as me:
        response = me.patch(customProperties={"l": value})
    assert response.status_code == 400
    assert "customProperties.l" in response.json()["description"]


def test_unchecked_properties_are_kept_as_sent():
    with calling(defined(user__custom_properties="accepted")) as me:
        assert me.patch(customProperties=SENT).json()["customProperties"] == SENT


# An object in an update replaces the stored one, or is merged into it at every level; an array always replaces.

MERGE = "user.merge"
DEFINITIONS = [
    {"name": "rank", "propertyType": "INTEGER", "multiValued": False},
    {"name": "site", "propertyType": "LINK", "multiValued": False},
    {"name": "sites", "propertyType": "LINK", "multiValued": True},
]
WHOLE, PART = {"text": "Team", "link": "https://old.test"}, {"link": "https://new.test"}
MERGED = WHOLE | PART


def merging(alternative):
    fake = make(assume={MERGE: alternative})
    fake.settings.custom_properties = DEFINITIONS
    return calling(fake)


@pytest.mark.parametrize(
    ("alternative", "expected"), [("top-level", {"site": PART}), ("deep", {"rank": 3, "site": MERGED})]
)
def test_object_below_the_first_level(alternative, expected):
    with merging(alternative) as me:
        me.patch(customProperties={"rank": 3, "site": WHOLE})
        response = me.patch(customProperties={"site": PART})
        assert response.json()["customProperties"] == expected
        assert MERGE in response.headers["X-Fake-Assumed"]


@pytest.mark.parametrize("alternative", ["top-level", "deep"])
def test_array_replaces_the_whole_one_and_rests_on_nothing(alternative):
    with merging(alternative) as me:
        me.patch(customProperties={"sites": [WHOLE, WHOLE]})
        response = me.patch(customProperties={"sites": [PART]})
        assert response.json()["customProperties"] == {"sites": [PART]}
        assert MERGE not in response.headers.get("X-Fake-Assumed", "")


def test_only_the_nested_object_lacks_something():
    with merging("top-level") as me:
        me.patch(customProperties={"site": WHOLE})
        assert MERGE in me.patch(customProperties={"site": PART}).headers["X-Fake-Assumed"]
        assert MERGE not in me.patch(customProperties={"site": WHOLE}).headers.get("X-Fake-Assumed", "")


# The offset of a time is returned as sent, but that of UTC in one form.

OFFSET = "api.utc-offset"
LETTER, NUMERIC = "2026-06-02T00:00:00Z", "2026-06-02T00:00:00+00:00"
JAPAN = "2026-06-02T09:00:00+09:00"


@pytest.mark.parametrize(("alternative", "expected"), [("letter", LETTER), ("numeric", NUMERIC)])
@pytest.mark.parametrize("sent", [LETTER, NUMERIC, "2026-06-02T00:00:00-00:00"])
def test_utc_has_one_form(alternative, expected, sent):
    with calling(make(assume={OFFSET: alternative})) as me:
        response = me.patch(activationDate=sent)
        assert (response.json()["activationDate"], OFFSET in named(response)) == (expected, True)
        assert me.patch().json()["activationDate"] == expected
        response = me.set_status(startTime=sent, endTime="2026-06-03T00:00:00Z")
        assert (response.json()["startTime"], OFFSET in named(response)) == (expected, True)


@pytest.mark.parametrize("alternative", ["letter", "numeric"])
def test_other_offsets_and_nulls_rest_on_nothing(alternative):
    with calling(make(assume={OFFSET: alternative})) as me:
        for sent in (JAPAN, None):
            response = me.patch(activationDate=sent)
            assert (response.json()["activationDate"], OFFSET in named(response)) == (sent, False)
            response = me.set_status(endTime=sent)
            assert (response.json()["endTime"], OFFSET in named(response)) == (sent, False)


# A status ends after it starts; what is said of one that does not is true.

START = "2026-06-01T11:00:00+09:00"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (START, f"endTime must be later than startTime {START}; given {START}"),
        (
            "2026-06-01T02:00:00Z",
            f"endTime must be later than startTime {START}; given 2026-06-01T02:00:00+00:00",
        ),
        (
            "2026-06-01T10:00:00+09:00",
            f"endTime must be later than startTime {START}; given 2026-06-01T10:00:00+09:00",
        ),
    ],
)
def test_status_must_end_after_its_start(end, told, me):
    answer = me.set_status(startTime=START, endTime=end)
    assert (answer.status_code, answer.json()["description"]) == (400, told)
    assert me.set_status(startTime=START, endTime="2026-06-01T11:00:01+09:00").status_code == 200


@pytest.mark.parametrize(("alternative", "schedule"), [("reserved", "RESERVED"), ("current", "PRESENT")])
def test_future_status_without_an_end(alternative, schedule):
    with calling(make(assume={"status.open-end": alternative})) as me:
        status = me.set_status(startTime=START).json()
        assert (status["scheduleType"], status["endTime"]) == (schedule, None)
        me.fake.clock.advance(days=30)
        assert [record["scheduleType"] for record in me.fake.statuses.of("u-001")] == ["PRESENT"]
