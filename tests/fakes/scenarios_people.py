"""For each assumption about users, statuses and retired features, a call whose observable outcome depends on it."""

from .caller import Caller
from .scenario import scenario

MESSENGER = {"protocol": "MSGR_C_OLD", "messengerId": "mina"}


def to(me: Caller, instant):
    """Let time pass; the token is renewed."""
    me.fake.clock.to(instant)
    me.become()


@scenario("user.concurrent", {"409": 409, "last-wins": 200})
def two_updates_at_once(me: Caller):
    with me.begin_update():
        return me.patch()


@scenario(
    "user.usage-permission", {"settable": (200, "et-2"), "ignored": (200, "et-1"), "refused": (400, "et-1")}
)
def another_employment_type(me: Caller):
    answer = me.patch("u-002", employmentTypeId="et-2")
    return answer, me.patch("u-002").json()["employmentTypeId"]


@scenario(
    "user.not-settable", {"400": (400, True, False), "403": (403, True, False), "ignored": (200, True, True)}
)
def property_that_cannot_be_set(me: Caller):
    me.fake.settings.property_restrictions = {"nickName": {"settable": False}}
    before = me.patch("u-002").json()["nickName"]
    answer = me.patch("u-002", nickName="Other", task="Else")
    after = me.patch("u-002").json()
    return answer, after["nickName"] == before, after["task"] == "Else"


@scenario("user.not-readable", {"absent": ["absent", "absent"], "null": [None, "absent"]})
def property_that_cannot_be_read(me: Caller):
    me.fake.settings.property_restrictions = {
        "birthday": {"readable": False},
        "searchable": {"readable": False},
    }
    shown = me.patch("u-002").json()
    return [shown.get(name, "absent") for name in ("birthday", "searchable")]


@scenario("user.not-found", {"404": 404, "400": 400})
def update_of_nobody(me: Caller):
    return me.patch("nobody")


@scenario("user.inactive", {"updated": 200, "not-found": 404})
def update_of_a_suspended_user(me: Caller):
    return me.patch("u-017")


@scenario("user.conflict-condition", {"duplicate": 409, "never": 200})
def email_of_another(me: Caller):
    return me.patch(email=me.fake.directory["u-002"]["email"])


@scenario("user.alias-conflict", {"accepted": 200, "409": 409})
def sub_email_of_another(me: Caller):
    me.patch("u-002", aliasEmails=["shared@example.com"])
    return me.patch(email="shared@example.com")


@scenario("user.email-case", {"ignored": (409, 200), "distinct": (200, 200)})
def email_of_another_in_capitals(me: Caller):
    email = me.fake.directory["u-002"]["email"].upper()
    return me.patch(email=email), me.patch(email)


@scenario("user.external-key-case", {"distinct": (404, 200), "ignored": (200, 409)})
def external_key_of_another_in_capitals(me: Caller):
    key = "EMP-00002"
    return me.patch(f"externalKey:{key}"), me.patch(userExternalKey=key)


@scenario("user.link-id-kept", {"kept": "first", "follows": "plain@example.com"})
def link_id_after_two_forbidden_words(me: Caller):
    first = keeps_link_id(me)
    me.patch(email="plain@example.com")
    me.patch(email="casino.2@example.com")
    return me.fake.state.users.link_id("u-001").replace(first, "first")


@scenario("user.link-id-removed", {"kept": "first", "email": "casino.1@example.com"})
def link_id_that_was_an_address(me: Caller):
    first = keeps_link_id(me)
    me.patch(aliasEmails=[])
    return me.fake.state.users.link_id("u-001").replace(first, "first")


def keeps_link_id(me: Caller):
    """Change the e-mail to one with a forbidden word; the first one, which remains the link ID."""
    first = me.fake.state.users.link_id("u-001")
    me.fake.settings.forbidden_email_words = ["casino"]
    me.patch(email="casino.1@example.com")
    return first


@scenario("user.email-form", {"any-text": 200, "address": 400})
def email_without_an_at(me: Caller):
    return me.patch(email="mina")


@scenario(
    "user.alias-duplicate", {"kept": (200, ["mina@example.com", "Mina@example.com"]), "refused": (400, None)}
)
def the_same_sub_email_twice(me: Caller):
    answer = me.patch(aliasEmails=["mina@example.com", "Mina@example.com"])
    return answer, answer.json().get("aliasEmails")


@scenario(
    "user.merge",
    {
        "top-level": {"lastName": "Mori"},
        "deep": {
            "lastName": "Mori",
            "firstName": "Hana",
            "phoneticLastName": "ナカムラ",
            "phoneticFirstName": "ハナ",
        },
    },
)
def part_of_a_name(me: Caller):
    return me.patch(userName={"lastName": "Mori"}).json()["userName"]


@scenario("user.addressing", {"id-email-key": [200, 404], "id-only": [404, 404], "me": [200, 200]})
def by_external_key_and_as_the_caller(me: Caller):
    return [me.patch(each) for each in ("externalKey:emp-00002", "me")]


@scenario("user.domain-change", {"refused": (400, 10000001), "stored": (200, 7)})
def another_domain(me: Caller):
    return me.patch(domainId=7), me.patch().json()["domainId"]


@scenario("user.custom-properties", {"checked": (400, None), "accepted": (200, 38)})
def undefined_property(me: Caller):
    answer = me.patch(customProperties={"shoeSize": 38})
    return answer, (me.patch().json().get("customProperties") or {}).get("shoeSize")


@scenario("user.old-messenger", {"refused": 400, "accepted": 200})
def old_name_after_its_end(me: Caller):
    to(me, "2026-12-01T00:00:00+09:00")
    return me.patch(messenger=MESSENGER)


@scenario("user.references", {"not-checked": (200, ["nobody"]), "checked": (400, [])})
def relation_to_nobody(me: Caller):
    answer = me.patch(relations=[{"relationUserId": "nobody", "relationName": "Mentor"}])
    return answer, [each["relationUserId"] for each in me.patch().json()["relations"]]


@scenario("user.contradictions", {"accepted": [200, 200, 200, 200], "refused": [400, 400, 400, 400]})
def several_of_what_there_is_one(me: Caller):
    domain = {"domainId": me.facts["domain_id"], "primary": True}
    unit = {"orgUnitId": "ou-dev", "primary": True}
    changes = (
        {"organizations": [domain, domain]},
        {"organizations": [domain | {"orgUnits": [unit, unit]}]},
        {"i18nNames": [{"language": "ja_JP"}, {"language": "ja_JP"}]},
        {"relations": [{"relationUserId": "u-001", "relationName": "Self"}]},
    )
    return [me.patch(**change) for change in changes]


@scenario(
    "api.utc-offset",
    {
        "letter": ("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"),
        "numeric": ("2026-06-01T00:00:00+00:00", "2026-06-02T00:00:00+00:00"),
    },
)
def times_in_utc(me: Caller):
    response = me.patch(activationDate="2026-06-01T00:00:00+00:00")
    return response.json()["activationDate"], me.set_status(endTime="2026-06-02T00:00:00Z").json()["endTime"]


@scenario("user.telephone", {"whole-text": 400, "prefix": 200})
def telephone_with_words_behind(me: Caller):
    return me.patch(telephone="+81-3-5555-0001 ext. 7")


@scenario("user.time-zone", {"known": 400, "form-only": 200})
def time_zone_on_mars(me: Caller):
    return me.patch(timeZone="Mars/Phobos")


@scenario(
    "user.katakana",
    {"both": [200, 200], "spaces": [200, 400], "half-width": [400, 200], "neither": [400, 400]},
)
def readings_with_a_space_and_in_half_width(me: Caller):
    names = ({"phoneticLastName": "サトウ ミナ"}, {"phoneticFirstName": "ﾐﾅ"})
    return [me.patch(userName=name) for name in names]


@scenario("user.birthday", {"by-calendar": 200, "always-solar": 400})
def thirtieth_of_a_lunar_february(me: Caller):
    return me.patch(birthdayCalendarType="LUNAR", birthday="1990-02-30")


@scenario("user.suspended-reason", {"shown": "MASTER", "further": "FURTHER_REASON"})
def reason_of_a_suspension(me: Caller):
    return me.patch("u-017").json()["suspendedReason"]


@scenario("status.name", {"words": "Busy", "id": "BUSY", "absent": None})
def name_of_a_status(me: Caller):
    return me.set_status().json().get("profileStatusName")


@scenario("status.icon", {"address": "https://icons.fake.test/busy.png", "absent": None})
def icon_of_a_status(me: Caller):
    return me.set_status().json().get("iconUrl")


@scenario(
    "status.open-end", {"refused": (400, None), "reserved": (200, "RESERVED"), "current": (200, "PRESENT")}
)
def starts_in_the_future_without_an_end(me: Caller):
    answer = me.set_status(startTime="2026-06-01T10:00:00+09:00")
    return answer, answer.json().get("scheduleType")


@scenario("status.replaced", {"replaced": (200, 200), "refused": (200, 409)})
def second_status(me: Caller):
    return me.set_status(), me.set_status(profileStatusId="AWAY")


@scenario("status.transition", {"by-the-clock": ["PRESENT", "RESERVED"], "never": ["RESERVED"]})
def reserved_status_at_its_start(me: Caller):
    """Whether it has moved shows where a second reserved one is registered."""
    me.set_status(startTime="2026-06-01T10:00:00+09:00", endTime="2026-06-01T12:00:00+09:00")
    me.fake.clock.advance(minutes=90)
    me.set_status(startTime="2026-06-01T13:00:00+09:00", endTime="2026-06-01T14:00:00+09:00")
    return [status["scheduleType"] for status in me.fake.statuses.of("u-001")]


@scenario("status.order", {"refused": 400, "accepted": 200})
def ends_before_it_starts(me: Caller):
    times = {"startTime": "2026-06-01T11:00:00+09:00", "endTime": "2026-06-01T10:00:00+09:00"}
    return me.set_status(**times)


@scenario(
    "status.precedence",
    {
        "body-first": "statusMessage must have at most 50 characters",
        "setting-first": "The status must be enable.",
    },
)
def wrong_body_while_switched_off(me: Caller):
    me.fake.settings.profile_status_enabled = False
    return me.set_status(statusMessage="x" * 51).json()["description"].partition(";")[0]


@scenario("status.past", {"refused": 400, "accepted": 200})
def ended_already(me: Caller):
    return me.set_status(endTime="2026-06-01T08:00:00+09:00")


@scenario("api.text-limit", {"refused": (400, 400), "unlimited": (200, 200)})
def long_text(me: Caller):
    text = "x" * 100_001
    return me.notify(text), me.patch(employmentTypeId=text)


@scenario("lifecycle.dates", {"usual-day": 501, "first-day": 404})
def early_december(me: Caller):
    to(me, "2026-12-03T00:00:00+09:00")
    return me.api("GET", "/directory/custom-fields")


@scenario("lifecycle.ended", {"404": 404, "410": 410})
def ended_operation(me: Caller):
    return me.api("GET", "/users/u-001/mail/vipmailfolders")


@scenario("lifecycle.not-described", {"501": 501, "404": 404})
def planned_to_end(me: Caller):
    return me.api("GET", "/directory/custom-fields")


@scenario("lifecycle.headers", {"sent": "Mon, 20 Nov 2023 15:00:00 GMT", "not-sent": None})
def headers_of_an_ended_operation(me: Caller):
    return me.api("GET", "/users/u-001/mail/vipmailfolders").headers.get("Sunset")


@scenario("user.array-limit", {"1000": (200, 400), "unlimited": (200, 200)})
def many_names(me: Caller):
    return tuple(me.patch(i18nNames=[{"language": "ja_JP"}] * count) for count in (1000, 1001))


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
"""One character as readers see it: 7 code points, 11 UTF-16 code units, 25 bytes."""


@scenario(
    "text.length",
    {
        "code-points": [200, 400, 200, 200],
        "utf-16": [400, 400, 200, 200],
        "graphemes": [200, 200, 200, 200],
        "utf-8": [400, 400, 400, 400],
    },
)
def texts_of_several_lengths(me: Caller):
    link = {"language": "ja_JP", "lastName": "漢" * 34}
    texts = (
        {"nickName": "𠮷" * 51},
        {"nickName": FAMILY * 100},
        {"nickName": "漢" * 34},
        {"i18nNames": [link]},
    )
    return [me.patch(**each) for each in texts]


@scenario("text.normalization", {"as-sent": (404, 200, False), "composed": (200, 409, True)})
def keys_that_look_the_same(me: Caller):
    me.patch("u-002", userExternalKey="\u30ac")
    key = "\u30ab\u3099"
    found = me.patch(f"externalKey:{key}")
    conflict = me.patch("u-003", userExternalKey=key)
    return found, conflict, me.upload(name=f"{key}.txt")["fileName"] == "\u30ac.txt"
