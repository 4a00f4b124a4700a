"""The fields of a sample user, by seed and number. They are the same on every machine and in every version of Python.

A hash of seed and number has the words that choose the fields. `describe_user` says how; it is written once, for one
user and, with arrays instead of numbers, for the columns of thousands (`fakes.data.sample_columns`).
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from fakes.data import sample_values as values

__all__ = ["One", "describe_user", "draw_bytes"]

EMAILS = tuple(f"{first[0]}.{last[0]}.".lower() for first in values.FIRST_NAMES for last in values.LAST_NAMES)
NATIVE_NAMES = tuple(
    [{"language": first[3], "firstName": first[2], "lastName": last[2]}] if first[3] == last[3] else []
    for first in values.FIRST_NAMES
    for last in values.LAST_NAMES
)
"""The names in their own script, if both parts have the same one."""
LAST_NAMES, PHONETIC_LAST_NAMES, *_ = zip(*values.LAST_NAMES, strict=True)
FIRST_NAMES, PHONETIC_FIRST_NAMES, *_ = zip(*values.FIRST_NAMES, strict=True)
ALIASES = (None, *(name.lower() for name in FIRST_NAMES))
NICK_NAMES = (None, *FIRST_NAMES)
LOCALES, TIME_ZONES = zip(*values.LOCALES, strict=True)
UNIT_IDS, UNIT_NAMES, UNIT_EMAILS = zip(*values.ORG_UNITS, strict=True)
POSITION_IDS, POSITION_NAMES = zip(*values.POSITIONS, strict=True)
LEVEL_IDS, LEVEL_NAMES = zip(*values.LEVELS, strict=True)
MANAGER = {"relationUserId": "u-001", "relationName": "Manager", "externalKey": None}
NO_OR_YES = (False, True)
AT = f"@{values.MAIL_DOMAIN}"


def draw_bytes(seed: int, number: int) -> bytes:
    """Return the 64 bytes that choose the fields of a user: 16 words of 32 bits."""
    return blake2b(b"%d:%d" % (seed, number)).digest()


class One:
    """Values of one user; `fakes.data.sample_columns.Many` has the same functions for columns."""

    @staticmethod
    def pick(these: Sequence[Any], which: int) -> Any:
        """Return the value that was chosen."""
        return these[which]

    @staticmethod
    def pick_list(these: Sequence[Any], which: int) -> list[dict[str, Any]]:
        """Return the list that was chosen, for the caller to keep."""
        return [dict(item) for item in these[which]]

    @staticmethod
    def join(*parts: Any) -> str | None:
        """Return parts as one text; None if the first is None."""
        return None if parts[0] is None else "".join(parts)

    @staticmethod
    def list_one(text: str | None) -> list[str]:
        """Return a list of a text; an empty one for None."""
        return [] if text is None else [text]

    @staticmethod
    def write(number: int, width: int) -> str:
        """Return a number with at least so many digits."""
        return f"{number:0{width}d}"


def describe_user(number: Any, words: Iterable[Any], to: Any) -> dict[str, Any]:
    """Return a user as the service returns it: with every field, null if it has no value.

    Args:
        number: the user's number; or an array of numbers, for many users.
        words: the words that `draw_bytes` returns for the user; for many users, arrays of words.
        to: how values are picked and joined: `One` for one user, `fakes.data.sample_columns.Many` for many.
    """
    left = iter(words)

    def below(limit: int) -> Any:
        return next(left) * limit >> 32

    pick, join = to.pick, to.join
    last, first, locale = below(len(LAST_NAMES)), below(len(FIRST_NAMES)), below(len(LOCALES))
    has_nick_name, has_alias, has_cell_phone = below(10) < 5, below(10) < 3, below(10) < 6
    unit, workplace, task = below(len(UNIT_IDS)), below(len(values.WORKPLACES)), below(len(values.TASKS))
    is_first, others, state = number == 1, number != 1, find_state(number)
    position, level = below(len(POSITION_IDS)) * others, below(len(LEVEL_IDS)) * others
    hired = join(pick(values.HIRED, below(len(values.HIRED))), pick(values.DAYS, below(len(values.DAYS))))
    born = join(pick(values.BORN, below(len(values.BORN))), pick(values.DAYS, below(len(values.DAYS))))
    three_digits, five_digits, last_four = (
        to.write(number, 3),
        to.write(number, 5),
        to.write(number % 10000, 4),
    )
    name, given_name = first * len(LAST_NAMES) + last, first + 1
    email = join(pick(EMAILS, name), three_digits, AT)
    external_key = join("emp-", five_digits)
    return {
        "domainId": values.DOMAIN_ID,
        "userId": join("u-", three_digits),
        "userExternalKey": external_key,
        "isAdministrator": pick(NO_OR_YES, is_first),
        "isPending": pick(NO_OR_YES, state == PENDING),
        "isSuspended": pick(NO_OR_YES, (state == LOCKED) | (state == SUSPENDED)),
        "isDeleted": pick(NO_OR_YES, state == DELETED),
        "isAwaiting": pick(NO_OR_YES, state == AWAITING),
        "leaveOfAbsence": {
            "startTime": pick((None, values.LEAVE_STARTS), state == LEAVE),
            "endTime": None,
            "isLeaveOfAbsence": pick(NO_OR_YES, state == LEAVE),
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
        "nickName": pick(NICK_NAMES, given_name * has_nick_name),
        "privateEmail": None,
        "aliasEmails": to.list_one(join(pick(ALIASES, given_name * has_alias), three_digits, AT)),
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
                "executive": pick(NO_OR_YES, is_first),
                "organizationName": "Example Works",
                "orgUnits": [
                    {
                        "orgUnitId": pick(UNIT_IDS, unit),
                        "primary": True,
                        "positionId": pick(POSITION_IDS, position),
                        "isManager": pick(NO_OR_YES, position == 0),
                        "visible": True,
                        "useTeamFeature": True,
                        "orgUnitExternalKey": None,
                        "orgUnitName": pick(UNIT_NAMES, unit),
                        "orgUnitEmail": join(pick(UNIT_EMAILS, unit), AT),
                        "positionExternalKey": None,
                        "positionName": pick(POSITION_NAMES, position),
                    }
                ],
            }
        ],
        "telephone": join("+81-3-5555-", last_four),
        "cellPhone": join(pick((None, "+81-90-5555-"), has_cell_phone), last_four),
        "location": pick(values.WORKPLACES, workplace),
        "task": pick(values.TASKS, task),
        "messenger": None,
        "birthdayCalendarType": "SOLAR",
        "birthday": born,
        "locale": pick(LOCALES, locale),
        "hiredDate": hired,
        "timeZone": pick(TIME_ZONES, locale),
        "customFields": [],
        "customProperties": {},
        "relations": to.pick_list(([], [MANAGER]), others),
        "activationDate": join(hired, "T09:00:00+09:00"),
        "employeeNumber": join("E", five_digits),
    }


def find_state(number: Any) -> Any:
    """Return the state of the sample user with a number, as its place in `sample_values.STATES`.

    Examples:
        >>> [values.STATES[find_state(number)][0] for number in (1, 17, 303, 318, 321, 388, 309)]
        ['active', 'suspended', 'awaiting', 'leave', 'locked', 'pending', 'deleted']
    """
    state = number - number  # 0, or as many as there are numbers
    for place, (_, share, first) in enumerate(values.STATES):
        fits = (number % share == 0) & (number >= first)
        state += fits * (place - state)
    return state


_ACTIVE, LEAVE, LOCKED, DELETED, AWAITING, PENDING, SUSPENDED = range(len(values.STATES))
