"""Edges of assumptions about users and their statuses."""

from .edges import after, edges, patching

DOMAIN = {"domainId": 10000001, "primary": True}
BESIDE = {"domainId": 10000001, "primary": False}
UNIT = {"orgUnitId": "ou-dev", "primary": True}
NAMES = [{"language": "ja_JP"}, {"language": "en_US"}]
edges(
    "user.contradictions",
    domains=(
        patching(organizations=[DOMAIN, BESIDE, DOMAIN]),
        (200, "organizations has more than one primary domain"),
    ),
    units=(
        patching(organizations=[DOMAIN, BESIDE | {"orgUnits": [UNIT, UNIT]}]),
        (200, "organizations[1].orgUnits has more than one primary organization"),
    ),
    languages=(patching(i18nNames=[*NAMES, NAMES[1]]), (200, "i18nNames has en_US more than once")),
    oneself=(
        patching("u-002", relations=[{"relationUserId": "u-003"}, {"relationUserId": "u-002"}]),
        (200, "relations[1].relationUserId is the user's own ID"),
    ),
    two_together=(
        patching(i18nNames=[NAMES[0]] * 3, relations=[{"relationUserId": "u-001"}]),
        (200, "i18nNames has ja_JP more than once; relations[0].relationUserId is the user's own ID"),
    ),
    none=(patching(organizations=[], i18nNames=[], relations=[]), 200),
    no_primary_domain=(patching(organizations=[BESIDE]), 200),
    a_primary_unit_in_each_domain=(
        patching(organizations=[DOMAIN | {"orgUnits": [UNIT]}, BESIDE | {"orgUnits": [UNIT]}]),
        200,
    ),
    two_languages=(patching(i18nNames=NAMES), 200),
    the_same_relation_twice=(patching("u-002", relations=[{"relationUserId": "u-003"}] * 2), 200),
)
edges(
    "user.references",
    employment_type=(
        patching(employmentTypeId="et-9"),
        (200, "employmentTypeId is not the ID of a usage permission type of this domain"),
    ),
    user_type=(
        patching(userTypeId="ut-9"),
        (200, "userTypeId is not the ID of a usage permission type of this domain"),
    ),
    domain_of_a_post=(
        patching(organizations=[DOMAIN | {"domainId": 7}]),
        (200, "organizations[0].domainId is not the ID of a domain"),
    ),
    known_employment_type=(patching("u-002", employmentTypeId="et-2"), 200),
    known_user_type=(patching("u-002", userTypeId="ut-1"), 200),
    no_user_type=(patching("u-002", userTypeId=None), 200),
    custom_field=(patching(customFields=[{"customFieldId": "cf-9", "value": "x"}]), 200),
)
edges(
    "user.email-form",
    empty=(patching(email=""), (200, "email")),
    private=(patching(privateEmail="foo"), (200, "privateEmail")),
    sub_address=(patching(aliasEmails=["mina@example.com", ""]), (200, "aliasEmails[1]")),
    of_a_post=(
        patching(organizations=[DOMAIN | {"email": "foo bar@example.com"}]),
        (200, "organizations[0].email"),
    ),
    usual=(
        patching(email="mina@example.com", privateEmail=None, aliasEmails=["m.sato+1@mail.example.com"]),
        200,
    ),
)
edges(
    "user.alias-conflict",
    login_of_another=(
        lambda me: me.patch(aliasEmails=[me.fake.directory["u-002"]["email"]]),
        (200, (409, "u-002")),
    ),
)
edges(
    "user.addressing",
    oneself=(patching("me"), (404, 404, 200)),
    capital=(patching("Me"), 404),
    another_word=(patching("myself"), 404),
    email=(lambda me: me.patch(me.fake.directory["u-002"]["email"]), (200, 404, 200)),
    ID=(patching("u-002"), 200),
)


# -- keys ----------------------------------------------------------------------------------------------------
def keyed(key, call):
    """A call after another user was given a key."""

    def send(me):
        me.patch("u-002", userExternalKey=key)
        return call(me)

    return send


CASES = (("Key-A", "key-a"), ("key-a", "KEY-A"), ("Key-A", "KEY-a"))
for stored, given in CASES:
    address = f"externalKey:{given}"
    edges(
        "user.external-key-case",
        **{
            f"{stored} found by {given}": (keyed(stored, patching(address)), (404, 200)),
            f"status of {stored} by {given}": (
                keyed(stored, lambda me, address=address: me.set_status(address)),
                (404, 200),
            ),
            f"{given} beside {stored}": (keyed(stored, patching("u-003", userExternalKey=given)), (200, 409)),
        },
    )
edges(
    "user.external-key-case",
    exact=(keyed("Key-A", patching("externalKey:Key-A")), 200),
    unknown=(keyed("Key-A", patching("externalKey:key-b")), 404),
    own_in_capitals=(patching("u-002", userExternalKey="EMP-00002"), 200),
    own=(keyed("Emp-00002", patching("u-002", userExternalKey="emp-00002")), 200),
    given_up=(keyed(None, patching("u-003", userExternalKey="EMP-00002")), 200),
    of_nobody=(keyed(None, patching("externalKey:EMP-00002")), 404),
)


# -- capitals ------------------------------------------------------------------------------------------------
def email_of(me, user="u-002"):
    return me.fake.directory[user]["email"]


def keep_link_id(write):
    """An update of the sub-addresses after a forbidden word, with the link ID written in some way."""

    def call(me):
        link_id = email_of(me)
        me.patch("u-002", email="casino@example.com")
        return me.patch("u-002", aliasEmails=[write(link_id)])

    return after(call, forbidden_email_words=["casino"], advanced_plan=True)


DISTINCT, SAME = ["mina@example.com", "Mina@example.com"], ["mina@example.com"] * 2
SHARE = patching("u-002", aliasEmails=["shared@example.com"])
IN_CAPITALS = "SHARED@example.com"
edges(
    "user.email-case",
    user_in_capitals=(lambda me: me.patch(email_of(me).upper()), (200, 404)),
    user=(lambda me: me.patch(email_of(me)), 200),
    nobody=(patching("nobody@example.com"), 404),
    own_in_capitals=(lambda me: me.patch("u-002", email=email_of(me).upper()), 200),
    link_ID_in_capitals=(keep_link_id(str.upper), (200, 400)),
    link_ID=(keep_link_id(str), 200),
    two_kept=(patching(aliasEmails=DISTINCT), 200),
    the_same_twice=(after(patching(aliasEmails=SAME), assume={"user.alias-duplicate": "refused"}), 400),
    shared=(after(SHARE, patching("u-003", email=IN_CAPITALS)), 200),
    **{
        f"{name} of another": (
            after(SHARE, patching("u-003", **{name: value}), assume={"user.alias-conflict": "409"}),
            (409, 200),
        )
        for name, value in (("email", IN_CAPITALS), ("aliasEmails", [IN_CAPITALS]))
    },
)
FORBIDDEN = {"forbidden_email_words": ["Casino"]}
edges(
    "user.email-case",
    forbidden_word_in_capitals=(after(patching(email="casino@example.com"), **FORBIDDEN), (200, 200)),
    forbidden_word=(after(patching(email="the.Casino@example.com"), **FORBIDDEN), 200),
)

# -- readings ------------------------------------------------------------------------------------------------
edges(
    "user.telephone",
    no_number=(patching(telephone="none"), 400),
    too_long=(patching(telephone="0" * 101), 400),
    another_field=(patching(locale="fr_FR"), 400),
)
edges("user.time-zone", no_zone=(patching(timeZone="JST"), 400), known=(patching(timeZone="Asia/Seoul"), 200))
READING = {"lastName": "S", "firstName": "M", "phoneticLastName": "サトー", "phoneticFirstName": ""}
edges("user.katakana", plain=(patching(userName=READING), 200))


def defined(values):
    """An update of properties, two of which are defined."""

    def call(me):
        me.fake.settings.custom_properties = [
            {"name": "rank", "propertyType": "INTEGER", "multiValued": False},
            {"name": "site", "propertyType": "LINK", "multiValued": False},
        ]
        return me.patch(customProperties=values)

    return call


edges(
    "user.custom-properties",
    none=(defined({}), 200),
    number=(defined({"rank": 3}), 200),
    both=(defined({"rank": 3, "site": {"link": "https://example.com"}}), 200),
    no_number=(defined({"rank": "high"}), (400, 200)),
    undefined=(defined({"shoeSize": 38}), (400, 200)),
    more_than_a_link=(defined({"site": {"link": "x", "colour": "red"}}), (200, 200)),
)

# -- statuses ------------------------------------------------------------------------------------------------
EIGHT, NINE, ELEVEN = (f"2026-06-01T{hour:02}:00:00+09:00" for hour in (8, 9, 11))
edges(
    "status.open-end",
    future=(lambda me: me.set_status(startTime=ELEVEN), ("needs startTime and endTime", 200, 200)),
    now=(lambda me: me.set_status(startTime=NINE), 200),
    past=(lambda me: me.set_status(startTime=EIGHT), 200),
)
WRONG_TIMES = {
    "before it starts": ({"startTime": ELEVEN, "endTime": NINE}, "endTime must be later"),
    "without an end": ({"startTime": ELEVEN}, "needs startTime and endTime"),
    "in the past": ({"endTime": EIGHT}, "endTime"),
}
edges(
    "status.precedence",
    times=(after(lambda me: me.set_status(), profile_status_enabled=False), "switched off"),
    **{
        name: (
            after(lambda me, times=times: me.set_status(**times), profile_status_enabled=False),
            (told, "switched off"),
        )
        for name, (times, told) in WRONG_TIMES.items()
    },
)
MESSENGER = patching(messenger={"protocol": "MSGR_C", "messengerId": "mina"})


def on_day(moment, call):
    """A call at another time."""

    def send(me):
        me.fake.clock.to(moment)
        me.become()
        return call(me)

    return send


edges(
    "lifecycle.dates",
    **{
        f"messenger on {moment}": (on_day(f"{moment}T00:00:00Z", MESSENGER), outcomes)
        for moment, outcomes in {
            "2026-07-20": 200,
            "2026-07-21": (200, 200),
            "2026-07-30": (200, 200),
            "2026-07-31": 200,
        }.items()
    },
)
edges(
    "user.usage-permission",
    **{
        f"{name} {kind}": (patching("u-002", **{name: value}), outcomes)
        for name in ("employmentTypeId", "userTypeId")
        for kind, value, outcomes in (("changed", "x-2", (200, 200, "usage permission")),)
    },
)
