"""The limits of a user's fields, as the description's table has them."""

import re
from calendar import monthrange
from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

Check = Callable[[Any], bool]

LANGUAGES = ("ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW")
PROTOCOLS = ("MSGR_A", "MSGR_B", "MSGR_C_OLD", "MSGR_C", "CUSTOM")
TELEPHONE = r"(?=.*[0-9])[0-9+\-*#PTpt()\u3000]{0,100}"
KATAKANA = r"[\u30a0-\u30ff\u31f0-\u31ff\uff65-\uff9f \u3000]*"
DATE_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(Z|[+-]([01]\d|2[0-3]):[0-5]\d)", re.ASCII
)


def text(most: int | None = None, least: int = 0, pattern: str = r"(?s).*") -> Check:
    whole = re.compile(pattern)
    return lambda v: type(v) is str and least <= len(v) <= (most or 10**9) and whole.fullmatch(v) is not None


def one_of(*values: str) -> Check:
    return lambda v: type(v) is str and v in values


def integer(least: int = -(2**31), most: int = 2**31 - 1) -> Check:
    return lambda v: type(v) is int and least <= v <= most


def nullable(check: Check) -> Check:
    return lambda v: v is None or check(v)


def array(check: Check, most: int) -> Check:
    return lambda v: type(v) is list and len(v) <= most and all(map(check, v))


def record(fields: dict[str, Check], required: tuple[str, ...] = ()) -> Check:
    return lambda v: (
        type(v) is dict
        and all(name in v for name in required)
        and all(check(v[name]) for name, check in fields.items() if name in v)
    )


def flag(v: Any) -> bool:
    return type(v) is bool


def is_day(v: Any) -> bool:
    """Whether a value is a day of the solar calendar, ``YYYY-MM-DD``."""
    if type(v) is not str or re.fullmatch(r"\d{4}-\d\d-\d\d", v, re.ASCII) is None:
        return False
    year, month, day = map(int, v.split("-"))
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def is_birthday(v: Any) -> bool:
    """Whether a value is a day of the solar calendar or of a lunar one, whose months have up to 30 days."""
    lunar = r"(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|30)"
    return is_day(v) or (type(v) is str and re.fullmatch(lunar, v, re.ASCII) is not None)


def is_date_time(v: Any) -> bool:
    match = DATE_TIME.fullmatch(v) if type(v) is str else None
    return match is not None and is_day(match[1])


def is_time_zone(v: Any) -> bool:
    return type(v) is str and "/" in v and v in available_zones()


def available_zones(known: set[str] = set()) -> set[str]:  # noqa: B006 - the cache
    return known or known.update(available_timezones()) or known


TEXT_100 = nullable(text(100))
ORG_UNIT = record(
    {
        "orgUnitId": text(), "primary": flag, "positionId": nullable(text()), "isManager": flag, "visible": flag,
        "useTeamFeature": flag,
    },
    ("orgUnitId", "primary"),
)  # fmt: skip
ORGANIZATION = record(
    {
        "domainId": integer(), "primary": flag, "userExternalKey": TEXT_100, "email": text(90),
        "levelId": nullable(text()), "orgUnits": array(ORG_UNIT, 30),
    },
    ("domainId", "primary"),
)  # fmt: skip
USER: dict[str, Check] = {
    "domainId": integer(),
    "userExternalKey": TEXT_100,
    "email": text(90),
    "userName": record(
        {
            "lastName": nullable(text(80)),
            "firstName": nullable(text(80)),
            "phoneticLastName": nullable(text(100, pattern=KATAKANA)),
            "phoneticFirstName": nullable(text(100, pattern=KATAKANA)),
        }
    ),
    "i18nNames": array(record({"language": one_of(*LANGUAGES), "firstName": TEXT_100, "lastName": TEXT_100}), 1000),
    "nickName": TEXT_100,
    "privateEmail": nullable(text(256)),
    "aliasEmails": array(text(), 10),
    "employmentTypeId": nullable(text()),
    "userTypeId": nullable(text()),
    "searchable": flag,
    "organizations": array(ORGANIZATION, 1000),
    "telephone": nullable(text(100, pattern=TELEPHONE)),
    "cellPhone": nullable(text(100, pattern=TELEPHONE)),
    "location": TEXT_100,
    "task": TEXT_100,
    "messenger": nullable(
        record(
            {"protocol": one_of(*PROTOCOLS), "customProtocol": text(100), "messengerId": text(100, 1)},
            ("protocol", "messengerId"),
        )
    ),
    "birthdayCalendarType": nullable(one_of("SOLAR", "LUNAR")),
    "birthday": nullable(is_birthday),
    "locale": one_of(*LANGUAGES),
    "hiredDate": nullable(is_day),
    "timeZone": is_time_zone,
    "customFields": array(
        record({"customFieldId": text(), "value": TEXT_100, "link": nullable(text(300))}, ("customFieldId",)), 50
    ),
    "customProperties": lambda v: type(v) is dict,
    "relations": array(record({"relationUserId": text(), "relationName": text(50)}), 10),
    "activationDate": nullable(is_date_time),
    "employeeNumber": nullable(text(20, 1)),
}  # fmt: skip
"""The fields that an update may send, each with its limits."""

LINK = record({"text": TEXT_100, "link": text(300)})
PROPERTY: dict[str, Check] = {"STRING": text(100), "DATE": is_day, "INTEGER": integer(0, 2**63), "LINK": LINK}


def fits_property(value: Any, definition: dict[str, Any]) -> bool:
    """Whether the value of a custom property fits its definition."""
    single, options = PROPERTY[definition["propertyType"]], definition.get("options")
    fits = (lambda v: single(v) and v in options) if options is not None else single
    return array(fits, 10)(value) if definition["multiValued"] else fits(value)


STATUS: dict[str, Check] = {
    "statusMessage": nullable(text(50)),
    "startTime": nullable(is_date_time),
    "endTime": nullable(is_date_time),
    "autoReplyMail": nullable(
        record(
            dict.fromkeys(("internal", "external"), record({"content": text(300), "sentDirectlyToMe": flag}))
        )
    ),
}
STATUS_IDS = ("BUSY", "AWAY", "LEAVE_OFFICE", "ABSENCE", *(f"CUSTOM{number:02d}" for number in range(1, 13)))
ANNOUNCED: dict[str, Check] = {
    "fileName": text(),
    "fileSize": integer(0, 2**63 - 1),
    "modifiedTime": text(),
    "overwrite": flag,
}


def wrong_fields(body: dict[str, Any], checks: dict[str, Check], required: tuple[str, ...] = ()) -> set[str]:
    """The fields of a body that are missing or beyond their limits."""
    wrong = {name for name, check in checks.items() if name in body and not check(body[name])}
    return wrong | {name for name in required if name not in body}
