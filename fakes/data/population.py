"""The sample users: each is a pure function of seed and number, so a million of them cost nothing until used.

They are the same on every machine and in every version of Python. A hash of seed and number has the words that choose
the fields. `describe_user` says how; it is written once, for one user and, with arrays instead of numbers, for the
columns of thousands (`fakes.data.sample_columns`).
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from operator import getitem
from struct import Struct
from typing import Any

from fakes.data import sample_values as values

__all__ = ["MOST_USERS", "One", "Population", "describe_user", "draw_bytes"]

MOST_USERS = 1_000_000
WORDS = Struct("<16H")

# Of the ways to write a number with zeros before it, an ID has only one.
USER_ID = re.compile(r"u-([0-9]{3}|[1-9][0-9]{3,14})")
EMAIL = re.compile(r"[a-z.'-]+\.(\d{3,15})@example\.com")
ALIAS = re.compile(r"[a-z.'-]+(\d{1,15})@example\.com")
EXTERNAL_KEY = re.compile(r"emp-([0-9]{5}|[1-9][0-9]{5,14})")
EMAILS = tuple(f"{first[0]}.{last[0]}.".lower() for first in values.FIRST_NAMES for last in values.LAST_NAMES)
NATIVE_NAMES = tuple(
    [{"language": first[3], "firstName": first[2], "lastName": last[2]}] if first[3] == last[3] else []
    for first in values.FIRST_NAMES
    for last in values.LAST_NAMES
)
"""The names in their own script, if both parts have the same one."""
LAST_NAMES, PHONETIC_LAST_NAMES, *_ = zip(*values.LAST_NAMES, strict=True)
FIRST_NAMES, PHONETIC_FIRST_NAMES, *_ = zip(*values.FIRST_NAMES, strict=True)
ALIASES = tuple(name.lower() for name in FIRST_NAMES)
LOCALES, TIME_ZONES = zip(*values.LOCALES, strict=True)
UNIT_IDS, UNIT_NAMES, UNIT_EMAILS = zip(*values.ORG_UNITS, strict=True)
POSITION_IDS, POSITION_NAMES = zip(*values.POSITIONS, strict=True)
LEVEL_IDS, LEVEL_NAMES = zip(*values.LEVELS, strict=True)
MANAGER: dict[str, str | None] = {"relationUserId": "u-001", "relationName": "Manager", "externalKey": None}
AT = f"@{values.MAIL_DOMAIN}"

SAMPLE = 86_229_839
"""A number in each hash: the one of many with which the first three of seed 0 are those whom the pages name."""
CHOICES = (
    *(LAST_NAMES, FIRST_NAMES, LOCALES, UNIT_IDS, values.TASKS, range(10), POSITION_IDS, LEVEL_IDS),
    *(values.HIRED, values.DAYS, values.BORN, values.DAYS, range(10), values.WORKPLACES, range(10)),
)
LIMITS = tuple(map(len, CHOICES))
"""How many there are of what each word chooses, in the order in which `describe_user` names them."""


def draw_bytes(seed: int, number: int) -> bytes:
    """Return the 32 bytes that choose the fields of a user: 16 words of 16 bits."""
    return blake2b(b"%d:%d:%d" % (SAMPLE, seed, number), digest_size=32).digest()


class One:
    """The values of one user; `fakes.data.sample_columns.Many` has the same functions for columns."""

    pick = staticmethod(getitem)
    """Return the value that was chosen, by its index."""

    @staticmethod
    def pick_list(these: Sequence[Any], which: int) -> list[dict[str, Any]]:
        """Return the list that was chosen, for the caller to keep."""
        return [item.copy() for item in these[which]]

    @staticmethod
    def list_if(condition: bool, text: str) -> list[str]:
        """Return a list of a text, or an empty one."""
        return [text] if condition else []

    @staticmethod
    def only_if(condition: bool, text: str) -> str | None:
        """Return a text or None."""
        return text if condition else None

    write = staticmethod(format)
    """Return a number in a format."""

    @staticmethod
    def find_state(number: int) -> int:
        """Return the state of the user with a number, as its place in `sample_values.STATES`."""
        for place, (_, share, first) in enumerate(values.STATES):
            if number % share == 0 and number >= first:
                return place
        return len(values.STATES)


def describe_user(number: Any, words: Iterable[Any], to: Any) -> dict[str, Any]:
    """Return a user as the service returns it: with every field, null if it has no value.

    Args:
        number: the user's number; or an array of numbers, for many users.
        words: the words that `draw_bytes` returns for the user; for many users, arrays of words.
        to: how values are picked and joined: `One` for one user, `fakes.data.sample_columns.Many` for many.
    """
    pick = to.pick
    # A word is a number below 65,536; scaled, it is one below the limit.
    chosen = [word * limit >> 16 for word, limit in zip(words, LIMITS, strict=False)]
    last, first, locale, unit, task, nick_name, position, level, *more = chosen
    hiring_year, hiring_day, birth_year, birthday, cell_phone, workplace, alias = more
    is_first, others, state = number == 1, number != 1, to.find_state(number)
    position, level = position * others, level * others
    hired = pick(values.HIRED, hiring_year) + pick(values.DAYS, hiring_day)
    three_digits, five_digits = to.write(number, "03d"), to.write(number, "05d")
    last_four = to.write(number % 10000, "04d")
    name = first * len(LAST_NAMES) + last
    email = pick(EMAILS, name) + three_digits + AT
    external_key = "emp-" + five_digits
    return {
        "domainId": values.DOMAIN_ID,
        "userId": "u-" + three_digits,
        "userExternalKey": external_key,
        "isAdministrator": is_first,
        "isPending": state == PENDING,
        "isSuspended": (state == LOCKED) | (state == SUSPENDED),
        "isDeleted": state == DELETED,
        "isAwaiting": state == AWAITING,
        "leaveOfAbsence": {
            "startTime": to.only_if(state == LEAVE, values.LEAVE_STARTS),
            "endTime": None,
            "isLeaveOfAbsence": state == LEAVE,
        },
        "suspendedReason": pick(values.REASONS, state),
        "email": email,
        "userName": {
            "lastName": pick(LAST_NAMES, last),
            "firstName": pick(FIRST_NAMES, first),
            "phoneticLastName": pick(PHONETIC_LAST_NAMES, last),
            "phoneticFirstName": pick(PHONETIC_FIRST_NAMES, first),
        },
        "i18nNames": to.pick_list(NATIVE_NAMES, name),
        "nickName": to.only_if(nick_name < 5, pick(FIRST_NAMES, first)),
        "privateEmail": None,
        "aliasEmails": to.list_if(alias < 3, pick(ALIASES, first) + three_digits + AT),
        "employmentTypeId": "et-1",
        "employmentTypeExternalKey": None,
        "employmentTypeName": "Employee",
        "userTypeId": None,
        "userTypeExternalKey": None,
        "userTypeName": None,
        "userTypeCode": None,
        "searchable": True,
        "organizations": [
            {
                "domainId": values.DOMAIN_ID,
                "primary": True,
                "userExternalKey": external_key,
                "email": email,
                "levelId": pick(LEVEL_IDS, level),
                "levelExternalKey": None,
                "levelName": pick(LEVEL_NAMES, level),
                "executive": is_first,
                "organizationName": "Example Works",
                "orgUnits": [
                    {
                        "orgUnitId": pick(UNIT_IDS, unit),
                        "primary": True,
                        "positionId": pick(POSITION_IDS, position),
                        "isManager": position == 0,
                        "visible": True,
                        "useTeamFeature": True,
                        "orgUnitExternalKey": None,
                        "orgUnitName": pick(UNIT_NAMES, unit),
                        "orgUnitEmail": pick(UNIT_EMAILS, unit) + AT,
                        "positionExternalKey": None,
                        "positionName": pick(POSITION_NAMES, position),
                    }
                ],
            }
        ],
        "telephone": "+81-3-5555-" + last_four,
        "cellPhone": to.only_if(cell_phone < 6, "+81-90-5555-" + last_four),
        "location": pick(values.WORKPLACES, workplace),
        "task": pick(values.TASKS, task),
        "messenger": None,
        "birthdayCalendarType": "SOLAR",
        "birthday": pick(values.BORN, birth_year) + pick(values.DAYS, birthday),
        "locale": pick(LOCALES, locale),
        "hiredDate": hired,
        "timeZone": pick(TIME_ZONES, locale),
        "customFields": [],
        "customProperties": {},
        "relations": to.pick_list(([], [MANAGER]), others),
        "activationDate": hired + "T09:00:00+09:00",
        "employeeNumber": "E" + five_digits,
    }


SUSPENDED, PENDING, AWAITING, DELETED, LOCKED, LEAVE = range(len(values.STATES))


class Population:
    """The sample users of one seed, numbered from 1.

    Examples:
        >>> people = Population(size=20, seed=0)
        >>> people.user_id(3), people.number("u-003"), people.number("u-021")
        ('u-003', 3, None)
        >>> people.number_by_email(people.record(3)["email"])
        3
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        if not 0 <= size <= MOST_USERS:
            raise ValueError(f"a domain must have 1 to {MOST_USERS} users; given {size}")
        self.size = size
        self.seed = seed

    def user_id(self, number: int) -> str:
        """Return the ID of the user with a number."""
        return f"u-{number:03d}"

    def number(self, text: str, form: re.Pattern[str] = USER_ID) -> int | None:
        """Return the number of the user with an ID, or another text that holds it, or None."""
        match = form.fullmatch(text)
        number = int(match[1]) if match else 0
        return number if 0 < number <= self.size else None

    def lacks(self, user_id: str) -> bool:
        """Return whether an ID is empty, or has the form of a sample user's whom this sample does not have."""
        return not user_id or (USER_ID.fullmatch(user_id) is not None and self.number(user_id) is None)

    def number_by_email(self, email: str) -> int | None:
        """Return the number of the user with this original e-mail, in any case."""
        number = self.number(email.lower(), EMAIL)
        return number if number and self.record(number)["email"] == email.lower() else None

    def number_by_alias(self, email: str) -> int | None:
        """Return the number of the user with this original sub e-mail address, in any case."""
        number = self.number(email.lower(), ALIAS)
        return number if number and email.lower() in self.record(number)["aliasEmails"] else None

    def number_by_external_key(self, key: str) -> int | None:
        """Return the number of the user with this original external key."""
        return self.number(key, EXTERNAL_KEY)

    def record(self, number: int) -> dict[str, Any]:
        """Return a user as the service returns it: with every field, null if it has no value."""
        return describe_user(number, WORDS.unpack(draw_bytes(self.seed, number)), One)
