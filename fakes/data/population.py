"""The sample users: each is a pure function of seed and number, so a million of them cost nothing until used."""

import re
from random import Random
from typing import Any

__all__ = ["MOST_USERS", "Population", "list_native_names"]

DOMAIN_ID = 10000001
MOST_USERS = 1_000_000
MAIL_DOMAIN = "example.com"

# Family and given names: Latin letters, katakana reading, own script, and the language of that script.
LAST_NAMES = (
    ("Sato", "サトウ", "佐藤", "ja_JP"),
    ("Suzuki", "スズキ", "鈴木", "ja_JP"),
    ("Takahashi", "タカハシ", "高橋", "ja_JP"),
    ("Tanaka", "タナカ", "田中", "ja_JP"),
    ("Ito", "イトウ", "伊藤", "ja_JP"),
    ("Yamamoto", "ヤマモト", "山本", "ja_JP"),
    ("Nakamura", "ナカムラ", "中村", "ja_JP"),
    ("Kobayashi", "コバヤシ", "小林", "ja_JP"),
    ("Kato", "カトウ", "加藤", "ja_JP"),
    ("Yoshida", "ヨシダ", "吉田", "ja_JP"),
    ("Kim", "キム", "김", "ko_KR"),
    ("Park", "パク", "박", "ko_KR"),
    ("Lee", "イ", "이", "ko_KR"),
    ("Chen", "チェン", "陳", "zh_TW"),
    ("Wang", "ワン", "王", "zh_TW"),
    ("Lopez", "ロペス", "López", "en_US"),
    ("Novak", "ノヴァーク", "Nováková", "en_US"),
    ("O'Brien", "オブライエン", "Ó Briain", "en_US"),
)
FIRST_NAMES = (
    ("Mina", "ミナ", "美奈", "ja_JP"),
    ("Haruto", "ハルト", "陽翔", "ja_JP"),
    ("Yui", "ユイ", "結衣", "ja_JP"),
    ("Sota", "ソウタ", "颯太", "ja_JP"),
    ("Aoi", "アオイ", "葵", "ja_JP"),
    ("Ren", "レン", "蓮", "ja_JP"),
    ("Hana", "ハナ", "花", "ja_JP"),
    ("Jun", "ジュン", "준", "ko_KR"),
    ("Seo-yeon", "ソヨン", "서연", "ko_KR"),
    ("Wei", "ウェイ", "偉", "zh_TW"),
    ("Ana", "アナ", "Ana", "en_US"),
    ("Petra", "ペトラ", "Petra", "en_US"),
    ("Liam", "リアム", "Liam", "en_US"),
    ("Emi", "エミ", "恵美", "ja_JP"),
    ("Kenji", "ケンジ", "健二", "ja_JP"),
    ("Sakura", "サクラ", "桜", "ja_JP"),
)
ORG_UNITS = (
    ("ou-sales", "Sales", "sales"),
    ("ou-dev", "Development", "development"),
    ("ou-support", "Customer support", "support"),
    ("ou-people", "People and culture", "people"),
    ("ou-finance", "Finance", "finance"),
)
POSITIONS = (
    ("pos-lead", "Team lead"),
    ("pos-senior", "Senior"),
    ("pos-member", "Member"),
    ("pos-trainee", "Trainee"),
)
EMPLOYMENT_TYPES = (("et-1", "Employee"), ("et-2", "Part-time employee"))
USER_TYPES = (("ut-1", "Office worker", "OFFICE"), ("ut-2", "Field worker", "FIELD"))
LEVELS = (("lv-1", "Director"), ("lv-2", "Manager"), ("lv-3", "Staff"))
LOCALES = (
    ("ja_JP", "Asia/Tokyo"),
    ("ko_KR", "Asia/Seoul"),
    ("en_US", "America/New_York"),
    ("zh_TW", "Asia/Taipei"),
)
STATES = (("pending", 97), ("awaiting", 101), ("deleted", 103), ("locked", 107), ("leave", 53))
"""The states of sample users beyond the first, and how many users there are to each user in that state."""
ALL_IN_FEW_STATES = 300
"""The first sample users, all of whom are active or suspended, so that small samples stay simple."""
REASONS = {"suspended": "MASTER", "locked": "LOGIN_FAIL"}
"""The reasons of the states in which a user is suspended."""
LEAVE_STARTS = "2026-01-01T00:00:00+09:00"

WORKPLACES = ("Tokyo, 4th floor", "Osaka", "Seoul", "Home office", None)
TASKS = ("Accounts in the east", "Mobile client", "Night desk", "Hiring", "Month-end closing", None)

USER_ID = re.compile(r"u-(\d{3,15})")
EMAIL = re.compile(r"[a-z.'-]+\.(\d{3,15})@example\.com")
ALIAS = re.compile(r"[a-z.'-]+(\d{1,15})@example\.com")
EXTERNAL_KEY = re.compile(r"emp-(\d{5,15})")


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

    def number(self, user_id: str) -> int | None:
        """Return the number of the user with an ID, or None."""
        match = USER_ID.fullmatch(user_id)
        number = int(match[1]) if match else 0
        return number if 0 < number <= self.size and f"u-{number:03d}" == user_id else None

    def lacks(self, user_id: str) -> bool:
        """Return whether an ID is empty, or has the form of a sample user's whom this sample does not have."""
        return not user_id or (USER_ID.fullmatch(user_id) is not None and self.number(user_id) is None)

    def number_by_email(self, email: str) -> int | None:
        """Return the number of the user with this original e-mail, in any case."""
        number = self._number(EMAIL, email.lower())
        return number if number and self.record(number)["email"] == email.lower() else None

    def number_by_alias(self, email: str) -> int | None:
        """Return the number of the user with this original sub e-mail address, in any case."""
        number = self._number(ALIAS, email.lower())
        return number if number and email.lower() in self.record(number)["aliasEmails"] else None

    def number_by_external_key(self, key: str) -> int | None:
        """Return the number of the user with this original external key."""
        number = self._number(EXTERNAL_KEY, key)
        return number if number and f"emp-{number:05d}" == key else None

    def _number(self, pattern: re.Pattern[str], text: str) -> int | None:
        match = pattern.fullmatch(text)
        number = int(match[1]) if match else 0
        return number if 0 < number <= self.size else None

    def record(self, number: int) -> dict[str, Any]:
        """Return a user as the service returns it: with every field, null if it has no value."""
        chance = Random(f"{self.seed}:{number}")  # noqa: S311 - sample data, not a secret
        last, first = chance.choice(LAST_NAMES), chance.choice(FIRST_NAMES)
        locale, time_zone = chance.choice(LOCALES)
        email = f"{first[0]}.{last[0]}.{number:03d}@{MAIL_DOMAIN}".lower()
        state = find_state(number)
        on_leave = state == "leave"
        hired = f"{chance.randint(2008, 2025)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"
        return {
            "domainId": DOMAIN_ID,
            "userId": self.user_id(number),
            "userExternalKey": f"emp-{number:05d}",
            "isAdministrator": number == 1,
            "isPending": state == "pending",
            "isSuspended": state in REASONS,
            "isDeleted": state == "deleted",
            "isAwaiting": state == "awaiting",
            "leaveOfAbsence": {
                "startTime": LEAVE_STARTS if on_leave else None,
                "endTime": None,
                "isLeaveOfAbsence": on_leave,
            },
            "suspendedReason": REASONS.get(state),
            "email": email,
            "userName": {
                "lastName": last[0],
                "firstName": first[0],
                "phoneticLastName": last[1],
                "phoneticFirstName": first[1],
            },
            "i18nNames": list_native_names(first, last),
            "nickName": first[0] if chance.random() < 0.5 else None,
            "privateEmail": None,
            "aliasEmails": [f"{first[0].lower()}{number}@{MAIL_DOMAIN}"] if chance.random() < 0.3 else [],
            "employmentTypeId": "et-1",
            "employmentTypeExternalKey": None,
            "employmentTypeName": "Employee",
            "userTypeId": None,
            "userTypeExternalKey": None,
            "userTypeName": None,
            "userTypeCode": None,
            "searchable": True,
            "organizations": [self._organization(chance, number, email)],
            "telephone": f"+81-3-5555-{number % 10000:04d}",
            "cellPhone": f"+81-90-5555-{number % 10000:04d}" if chance.random() < 0.6 else None,
            "location": chance.choice(WORKPLACES),
            "task": chance.choice(TASKS),
            "messenger": None,
            "birthdayCalendarType": "SOLAR",
            "birthday": f"{chance.randint(1965, 2003)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
            "locale": locale,
            "hiredDate": hired,
            "timeZone": time_zone,
            "customFields": [],
            "customProperties": {},
            "relations": [] if number == 1 else [self._manager()],
            "activationDate": f"{hired}T09:00:00+09:00",
            "employeeNumber": f"E{number:05d}",
        }

    def _organization(self, chance: Random, number: int, email: str) -> dict[str, Any]:
        unit, position = chance.choice(ORG_UNITS), POSITIONS[0] if number == 1 else chance.choice(POSITIONS)
        level = LEVELS[0] if number == 1 else chance.choice(LEVELS)
        return {
            "domainId": DOMAIN_ID,
            "primary": True,
            "userExternalKey": f"emp-{number:05d}",
            "email": email,
            "levelId": level[0],
            "levelExternalKey": None,
            "levelName": level[1],
            "executive": number == 1,
            "organizationName": "Example Works",
            "orgUnits": [
                {
                    "orgUnitId": unit[0],
                    "primary": True,
                    "positionId": position[0],
                    "isManager": position[0] == "pos-lead",
                    "visible": True,
                    "useTeamFeature": True,
                    "orgUnitExternalKey": None,
                    "orgUnitName": unit[1],
                    "orgUnitEmail": f"{unit[2]}@{MAIL_DOMAIN}",
                    "positionExternalKey": None,
                    "positionName": position[1],
                }
            ],
        }

    def _manager(self) -> dict[str, Any]:
        return {"relationUserId": self.user_id(1), "relationName": "Manager", "externalKey": None}


def find_state(number: int) -> str:
    """Return the state of the sample user with a number.

    Examples:
        >>> [find_state(number) for number in (1, 17, 303, 318, 321, 388, 309)]
        ['active', 'suspended', 'awaiting', 'leave', 'locked', 'pending', 'deleted']
    """
    if number % 17 == 0:
        return "suspended"
    if number <= ALL_IN_FEW_STATES:
        return "active"
    return next((state for state, share in STATES if number % share == 0), "active")


def list_native_names(first: tuple[str, ...], last: tuple[str, ...]) -> list[dict[str, str]]:
    """Return a name in its own script, if both parts have the same one.

    Examples:
        >>> list_native_names(FIRST_NAMES[0], ("", "", "", ""))
        []
    """
    if first[3] != last[3]:
        return []
    return [{"language": first[3], "firstName": first[2], "lastName": last[2]}]
