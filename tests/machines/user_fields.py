"""Right and wrong values of each field of a user that a partial update may send."""

DOMAIN_ID = 10000001
EMAILS = ["new@example.com", "NEW@example.com", "casino@example.com", "the.Casino@example.com", ""]
FIRST_EMAILS = [0, 1, 2]
"""Stand for the e-mails that the sample users have at first."""
KEYS = ["", "emp-00001", "emp-00002", "key", "Key", "k" * 100]

TEXT_100 = [None, "", "東京", "x" * 100], ["x" * 101, 7]
DATE = [None, "2000-02-29"], ["2001-02-29", "2000-2-29", "20000229", 20000229]
TELEPHONE = [None, "+81-3-5555-0001", "0" * 100], ["", "+", "1 2", "tel", "1\n", "0" * 101, 7]
IDENTIFIER = [None, "id-2"], [7]
ORGANIZATION = {"domainId": DOMAIN_ID, "primary": True}
UNIT = {"orgUnitId": "ou-dev", "primary": True}

FIELDS = {
    "domainId": ([DOMAIN_ID], [None, "1", 2**31, DOMAIN_ID + 1]),
    "userExternalKey": ([None, *KEYS], ["k" * 101, 7]),
    "email": ([*EMAILS, *FIRST_EMAILS], [None, "e" * 79 + "@example.com", ["new@example.com"]]),
    "userName": (
        [{}, {"lastName": "y" * 80, "firstName": None}, {"phoneticLastName": "サトウ"}],
        [None, "Sato", {"lastName": "y" * 81}, {"phoneticFirstName": "Mina"}],
    ),
    "i18nNames": (
        [[], [{"language": "ko_KR", "firstName": "미나", "lastName": None}]],
        [None, [{"language": "ko"}], [{"language": "ko_KR", "firstName": "x" * 101}]],
    ),
    "nickName": TEXT_100,
    "privateEmail": ([None, "p" * 256], ["p" * 257]),
    "aliasEmails": (
        [[], EMAILS[:1], EMAILS[1:], [f"a{n}@example.com" for n in range(10)]],
        [None, ["a"] * 11, [7]],
    ),
    "employmentTypeId": IDENTIFIER,
    "userTypeId": IDENTIFIER,
    "searchable": ([True, False], [None, "true", 1]),
    "organizations": (
        [
            [],
            [ORGANIZATION | {"orgUnits": [UNIT] * 30}],
            [ORGANIZATION | {"levelId": None, "userExternalKey": "o"}],
        ],
        [
            None,
            [{"domainId": 1}],
            [ORGANIZATION | {"orgUnits": [UNIT] * 31}],
            [ORGANIZATION | {"orgUnits": [{}]}],
        ],
    ),
    "telephone": TELEPHONE,
    "cellPhone": TELEPHONE,
    "location": TEXT_100,
    "task": TEXT_100,
    "messenger": (
        [
            None,
            {"protocol": "MSGR_A", "messengerId": "m"},
            {"protocol": "MSGR_C", "messengerId": "m" * 100},
            {"protocol": "CUSTOM", "customProtocol": "own", "messengerId": "m"},
        ],
        [
            {"protocol": "MSGR_A"},
            {"protocol": "MSGR_X", "messengerId": "m"},
            {"protocol": "MSGR_A", "messengerId": ""},
        ],
    ),
    "birthdayCalendarType": ([None, "SOLAR", "LUNAR"], ["solar", 1]),
    "birthday": DATE,
    "locale": (["ja_JP", "ko_KR", "en_US", "zh_CN", "zh_TW"], [None, "fr_FR"]),
    "hiredDate": DATE,
    "timeZone": (["Asia/Seoul", "America/New_York"], [None, "JST", "+09:00"]),
    "customFields": (
        [[], [{"customFieldId": "cf-1", "value": "v" * 100, "link": None}] * 50],
        [None, [{}], [{"customFieldId": "cf-1"}] * 51, [{"customFieldId": "cf-1", "link": "l" * 301}]],
    ),
    "customProperties": (
        [
            {},
            {"team": "red", "level": 0},
            {"days": ["2026-06-01"] * 10, "home": {"text": None, "link": "https://h"}},
        ],
        [
            None,
            {"shoeSize": 38},
            {"team": "green"},
            {"level": -1},
            {"days": ["2026-06-01"] * 11},
            {"home": "https://h"},
        ],
    ),
    "relations": (
        [[], [{"relationUserId": "u-002", "relationName": "r" * 50}] * 10],
        [None, [{"relationUserId": "u-002"}] * 11, [{"relationName": "r" * 51}]],
    ),
    "activationDate": ([None, "2026-07-01T09:00:00+09:00"], ["2026-07-01", "2026-07-01T09:00:00", 1]),
    "employeeNumber": ([None, "E", "E" * 20], ["", "E" * 21, 7]),
}
RIGHT = [(name, value) for name, (right, _) in FIELDS.items() for value in right]
WRONG = [(name, value) for name, (_, wrong) in FIELDS.items() for value in wrong]
IGNORED = [("userId", "u-009"), ("isAdministrator", True), ("userTypeCode", 7), ("shoeSize", 38)]
"""Read-only or unknown."""

PROPERTIES = [
    {"name": "team", "propertyType": "STRING", "multiValued": False, "options": ["red", "blue"]},
    {"name": "level", "propertyType": "INTEGER", "multiValued": False},
    {"name": "days", "propertyType": "DATE", "multiValued": True},
    {"name": "home", "propertyType": "LINK", "multiValued": False},
]
