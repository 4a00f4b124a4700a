"""Values for the fields of requests, within and just beyond their limits."""

from random import Random
from typing import Any

DOMAIN_ID = 10000001
EMAILS = [f"{name}@example.com" for name in ("new", "NEW", "ada", "casino", "the.Casino", "spam.x", "x" * 78)]
ALIASES = [*EMAILS, *(f"alias{number}@example.com" for number in range(12))]
KEYS = ["key", "Key", "emp-00002", "k" * 100, "東"]
WORDS = [[], ["casino"], ["spam", "NEW"]]
PROPERTIES = [
    [],
    [
        {"name": "team", "propertyType": "STRING", "multiValued": False, "options": ["red", "blue"]},
        {"name": "level", "propertyType": "INTEGER", "multiValued": False},
        {"name": "days", "propertyType": "DATE", "multiValued": True},
        {"name": "home", "propertyType": "LINK", "multiValued": False},
        {"name": "tags", "propertyType": "STRING", "multiValued": True},
    ],
]
NAMES = [*["a.txt"] * 5, "b.pdf", '数 "q".txt', "", "no extension"]
SIZES = [0, 1, 2, 3, 10, 100, 1000]
TEXTS = [
    "hello",
    "",
    "é 東京 🙂",
    '<m userId="u-002"> and <m userId="u-009">',
    '<m userId = "u-001">',
    "line\nline",
]


def draw_text(rng: Random, *around: int) -> str:
    """A text whose length is about one of some limits, or short."""
    length = rng.choice((0, 1, 5, *(limit + off for limit in around for off in (-1, 0, 0, 1))))
    return rng.choice("xé東🙂") * max(0, length)


def odd(rng: Random) -> Any:
    """A value of a wrong type, more often than not."""
    return rng.choice((7, True, None, [], {}, "", "x", 1.5, ["x"]))


def text_of(most: int):
    return lambda rng: rng.choice((None, draw_text(rng, most)))


def draw_day(rng: Random) -> Any:
    return rng.choice(
        (
            None,
            "2000-02-29",
            "2001-02-29",
            "1999-12-31",
            "1990-02-30",
            "1990-02-31",
            "2000-2-29",
            "20000229",
            "0001-01-01",
            "",
        )
    )


def draw_time(rng: Random) -> Any:
    day = f"2026-{rng.randint(5, 12):02d}-{rng.randint(1, 31):02d}"
    return rng.choice(
        (
            f"{day}T09:00:00+09:00",
            f"{day}T00:00:00Z",
            f"{day}T12:30:59+00:00",
            f"{day}T09:00:00",
            day,
            None,
            f"{day}T23:60:00Z",
            f"{day}T09:00:00.5Z",
        )
    )


def draw_telephone(rng: Random) -> Any:
    return rng.choice(
        (None, "+81-3-5555-0001", "0" * 100, "0" * 101, "+", "", "1 2", "(03)*#PTpt\u3000", "1\n", "٣")
    )


def draw_name(rng: Random) -> Any:
    parts = {
        "lastName": draw_text(rng, 80),
        "firstName": None,
        "phoneticLastName": rng.choice(("サトウ", "ｻﾄｳ ー", "Sato", None)),
        "phoneticFirstName": "ミ" * rng.choice((1, 100, 101)),
    }
    return some(rng, parts)


def some(rng: Random, parts: dict[str, Any]) -> dict[str, Any]:
    """Some of the fields of an object."""
    return {name: value for name, value in parts.items() if rng.random() < 0.6}


def draw_messenger(rng: Random) -> Any:
    protocol = rng.choice(("MSGR_A", "MSGR_B", *("MSGR_C_OLD", "MSGR_C") * 3, "CUSTOM", "MSGR_X"))
    messenger = {"protocol": protocol, "messengerId": draw_text(rng, 100) or "m"}
    if rng.random() < 0.3:
        messenger["customProtocol"] = draw_text(rng, 100)
    if rng.random() < 0.1:
        messenger.pop(rng.choice(("protocol", "messengerId")))
    return rng.choice((None, messenger, messenger))


def draw_organizations(rng: Random) -> Any:
    units = [
        some(
            rng, {"isManager": True, "visible": False, "positionId": rng.choice(("pos-lead", "pos-x", None))}
        )
        | {"orgUnitId": rng.choice(("ou-dev", "ou-x")), "primary": rng.random() < 0.5}
        for _ in range(rng.choice((0, 1, 2, 30, 31)))
    ]
    organization = {"domainId": rng.choice((DOMAIN_ID, DOMAIN_ID, 5)), "primary": True} | some(
        rng,
        {
            "email": draw_text(rng, 90),
            "levelId": rng.choice(("lv-1", "lv-9", None)),
            "userExternalKey": draw_text(rng, 100),
            "orgUnits": units,
        },
    )
    if rng.random() < 0.1:
        organization.pop(rng.choice(("domainId", "primary")))
    return [organization] * rng.choice((0, 1, 1, 2))


def draw_properties(rng: Random) -> Any:
    values = {
        "team": ("red", "green", 7),
        "level": (0, 5, -1, "5", True),
        "days": (["2026-06-01"] * 10, ["2026-06-01"] * 11, ["2026-06-31"], []),
        "home": ({"text": None, "link": "https://h"}, {"link": "l" * 301}, "https://h", {}),
        "tags": (["x" * 100], ["x" * 101], "x", [None]),
        "shoeSize": (38,),
    }
    names = rng.sample(list(values), rng.choice((0, 1, 1, 2)))
    return {name: rng.choice(values[name]) for name in names}


def draw_custom_field(rng: Random) -> Any:
    return {
        "customFieldId": "cf-1",
        "value": draw_text(rng, 100),
        "link": rng.choice((None, "l" * 300, "l" * 301)),
    }


FIELDS = {
    "domainId": lambda rng: rng.choice((DOMAIN_ID, DOMAIN_ID, DOMAIN_ID + 1, 2**31)),
    "userExternalKey": lambda rng: rng.choice((None, *KEYS, "k" * 101)),
    "email": lambda rng: rng.choice((*EMAILS, "x" * 79 + "@example.com")),
    "userName": draw_name,
    "i18nNames": lambda rng: (
        [
            some(
                rng,
                {
                    "language": rng.choice(("ko_KR", "en_US", "ko")),
                    "firstName": draw_text(rng, 100),
                    "lastName": None,
                },
            )
        ]
        * rng.choice((0, 1, 3))
    ),
    "nickName": text_of(100),
    "privateEmail": text_of(256),
    "aliasEmails": lambda rng: rng.sample(ALIASES, rng.choice((0, 1, 2, 9, 10, 11))),
    "employmentTypeId": lambda rng: rng.choice(("et-1", "et-2", "et-9", None)),
    "userTypeId": lambda rng: rng.choice(("ut-1", "ut-2", "ut-9", None)),
    "searchable": lambda rng: rng.random() < 0.5,
    "organizations": draw_organizations,
    "telephone": draw_telephone,
    "cellPhone": draw_telephone,
    "location": text_of(100),
    "task": text_of(100),
    "messenger": draw_messenger,
    "birthdayCalendarType": lambda rng: rng.choice(("SOLAR", "LUNAR", None, "solar")),
    "birthday": draw_day,
    "locale": lambda rng: rng.choice(("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW", "fr_FR")),
    "hiredDate": draw_day,
    "timeZone": lambda rng: rng.choice(
        (
            "Asia/Seoul",
            "America/New_York",
            "America/Argentina/Buenos_Aires",
            "JST",
            "Mars/Base",
            "asia/seoul",
            "",
        )
    ),
    "customFields": lambda rng: rng.choice(
        ([draw_custom_field(rng)], [{"customFieldId": "cf-1"}] * rng.choice((0, 50, 51)))
    ),
    "customProperties": draw_properties,
    "relations": lambda rng: (
        [some(rng, {"relationUserId": "u-002", "relationName": draw_text(rng, 50)})]
        * rng.choice((0, 1, 10, 11))
    ),
    "activationDate": draw_time,
    "employeeNumber": lambda rng: rng.choice((None, draw_text(rng, 20), "E")),
}
IGNORED = {"userId": "u-009", "isAdministrator": True, "shoeSize": 38, "userTypeCode": 7}


def draw_update(rng: Random) -> Any:
    """The body of an update: mostly a few fields, sometimes not an object at all."""
    if rng.random() < 0.01:
        return rng.choice(("{", "[]", "", "null", '"x"'))
    names = rng.sample(list(FIELDS), rng.choice((0, 1, 1, 1, 2, 3, 6)))
    if rng.random() < 0.2:
        names = rng.sample(("email", "email", "userExternalKey", "aliasEmails"), rng.choice((1, 2)))
    body = {name: FIELDS[name](rng) for name in names}
    if rng.random() < 0.05:
        body[rng.choice(list(FIELDS))] = odd(rng)
    if rng.random() < 0.05:
        name = rng.choice(list(IGNORED))
        body[name] = IGNORED[name]
    return body


def draw_status(rng: Random, now: str, later: str, earlier: str) -> dict[str, Any]:
    body: dict[str, Any] = {
        "profileStatusId": rng.choice(
            (
                "BUSY",
                "AWAY",
                "LEAVE_OFFICE",
                "ABSENCE",
                "CUSTOM01",
                "CUSTOM12",
                *rng.choice((("CUSTOM13", "busy"), ())),
            )
        )
    }
    if rng.random() < 0.4:
        body["statusMessage"] = rng.choice((None, draw_text(rng, 50)))
    for name, share in (("startTime", 0.4), ("endTime", 0.5)):
        if rng.random() < share:
            body[name] = rng.choice((now, later, later, earlier, None, draw_time(rng)))
    if rng.random() < 0.2:
        reply = some(rng, {"content": draw_text(rng, 300), "sentDirectlyToMe": rng.random() < 0.5})
        body["autoReplyMail"] = rng.choice(
            (None, {}, {"internal": reply}, {"external": reply, "internal": {}})
        )
    if rng.random() < 0.03:
        body[rng.choice(list(body))] = odd(rng)
    if rng.random() < 0.02:
        body.pop(rng.choice(list(body)))
    return body


def draw_message(rng: Random) -> Any:
    if rng.random() < 0.02:
        return rng.choice(("{", "[]", "", "null"))
    body: dict[str, Any] = {"body": {"text": rng.choice(TEXTS)}}
    if rng.random() < 0.4:
        body["title"] = rng.choice(("CI", "", "東京"))
    if rng.random() < 0.3:
        body["button"] = {
            "label": rng.choice(("Open", "x")),
            "url": rng.choice(("https://example.com", "any")),
        }
    if rng.random() < 0.08:
        target = rng.choice([part for part in (body, *body.values()) if isinstance(part, dict)])
        if rng.random() < 0.5:
            target.pop(rng.choice(list(target)))
        else:
            target[rng.choice((*target, "more"))] = odd(rng)
    return body


def draw_announcement(rng: Random, size: int) -> dict[str, Any]:
    body: dict[str, Any] = {"fileName": rng.choice(NAMES), "fileSize": size}
    if rng.random() < 0.6:
        body["overwrite"] = rng.random() < 0.7
    if rng.random() < 0.2:
        body["modifiedTime"] = rng.choice(("2026-05-01T00:00:00Z", "yesterday"))
    if rng.random() < 0.03:
        body[rng.choice(list(body))] = rng.choice((None, "5", -1, 2**63, [], True))
    if rng.random() < 0.02:
        body.pop(rng.choice(list(body)))
    return body
