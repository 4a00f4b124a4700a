"""Retired features, planned retirements, and the days on which the messenger's values change.

From the service's description, sections "Versioning" and "Messenger". Where it names a part of a month, the date
is our reading: early is the 5th, mid the 15th, late the last day. The description's own wording is kept beside it.

Examples:
    >>> from datetime import date
    >>> [feature.key for feature in list_lifecycle_statuses(date(2024, 6, 1)) if feature.status == "retired"]
    ['board-comment-attachment', 'vip-mail-folders', 'first-generation', 'mail-bulk-delete', 'ip-telephony']
"""

import datetime
from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = [
    "MESSENGER_OLD_VALUE_END",
    "MESSENGER_RESPONSE_SWITCH",
    "NEW_MESSENGER",
    "OLD_MESSENGER",
    "RETIREMENTS",
    "SWITCHES",
    "LifecycleStatus",
    "Retirement",
    "list_lifecycle_statuses",
]


class Retirement(NamedTuple):
    """A feature that is retired or will retire, or a value that changes.

    Attributes:
        key: short stable name.
        item: the feature, or the value before its day.
        date_wording: the date as the description gives it.
        operations: its operations as pairs of a method and a path template, if they are named.
        date: the day on which it retires; ``None`` while undecided.
        replacement: what to use instead; ``None`` if the description names nothing.
    """

    key: str
    item: str
    date_wording: str
    operations: tuple[tuple[str, str], ...] = ()
    date: datetime.date | None = None
    replacement: str | None = None


OLD_MESSENGER: Final = "MSGR_C_OLD"
NEW_MESSENGER: Final = "MSGR_C"
"""The protocol values of the third messenger network, before and after its switch."""

_FIELDS = "/directory/custom-fields"
_FIELD = _FIELDS + "/{customFieldId}"
_TYPES = "/directory/employment-types"
_TYPE = _TYPES + "/{employmentTypeId}"
_ACCESS = _TYPE + "/orgunit-access-restrict"
_KEYS = _TYPES + "/external-keys"
_PERMISSIONS = "/sharedrives/{sharedriveId}/permissions"
_COMMENT_ATTACHMENT = "/boards/{boardId}/posts/{postId}/comments/{commentId}/attachment"


def _retired(
    key: str,
    item: str,
    wording: str,
    *,
    operations: tuple[tuple[str, str], ...] = (),
    replacement: str | None = None,
) -> Retirement:
    """Return a feature that is retired since a day that the description writes with slashes."""
    day = datetime.date.fromisoformat(wording.replace("/", "-"))
    return Retirement(key, item, wording, operations=operations, date=day, replacement=replacement)


RETIREMENTS: Final = (
    Retirement(
        key="custom-fields",
        item="custom field operations",
        operations=(
            ("POST", _FIELDS),
            ("GET", _FIELDS),
            ("GET", _FIELD),
            ("PATCH", _FIELD),
            ("DELETE", _FIELD),
        ),
        date=datetime.date(2026, 12, 5),
        date_wording="early December 2026",
        replacement="user custom property operations (register, list, get, update, delete)",
    ),
    Retirement(
        key="shared-drive-permissions",
        item="collaborative drive permission operations",
        operations=(("POST", _PERMISSIONS + "/enable"), ("POST", _PERMISSIONS + "/disable")),
        date_wording="undecided",
        replacement="partial update of the collaborative drive",
    ),
    Retirement(
        key="employment-types",
        item="usage permission type operations",
        # Only the updates and the external keys are named with their methods. Register, list, get and delete are read
        # as POST, GET, GET and DELETE, the update of the access restriction as PUT. Enable and disable are left out:
        # neither their methods nor their paths are named.
        operations=(
            ("POST", _TYPES),
            ("GET", _TYPES),
            ("GET", _TYPE),
            ("PUT", _TYPE),
            ("PATCH", _TYPE),
            ("DELETE", _TYPE),
            ("POST", _ACCESS),
            ("GET", _ACCESS),
            ("PUT", _ACCESS),
            ("DELETE", _ACCESS),
            ("GET", _KEYS),
            ("POST", _KEYS),
        ),
        date_wording="undecided",
        replacement="the current operations of the same names",
    ),
    _retired(
        "board-comment-attachment",
        "board comment attachment operations under the singular path",
        "2024/05/31",
        # The beginning of the path is read as that of today's comment attachments.
        operations=tuple((method, _COMMENT_ATTACHMENT) for method in ("POST", "GET", "DELETE")),
        replacement="comment attachment list, register, get and delete operations",
    ),
    _retired(
        "vip-mail-folders",
        "list of favorite mail folders",
        "2023/11/21",
        operations=(("GET", "/users/{userId}/mail/vipmailfolders"),),
        replacement="the favourite-items list operation",
    ),
    _retired("first-generation", "first API generation", "2023/04/30", replacement="current API"),
    _retired(
        "mail-bulk-delete",
        "bulk deletion of mail",
        "2023/02/16",
        operations=(("DELETE", "/users/{userId}/mail"),),
    ),
    _retired("console-screen-restriction", "console setting: restriction of screen operations", "2026/03/13"),
    _retired("console-custom-url", "console setting: custom URL", "2025/07/24"),
    _retired("ip-telephony", "IP telephony feature", "2024/05/31"),
)
"""Everything the description lists, in its order."""

MESSENGER_RESPONSE_SWITCH: Final = Retirement(
    key="messenger-response",
    item=f"the protocol value that responses give for the third messenger network ({OLD_MESSENGER})",
    date=datetime.date(2026, 7, 31),
    date_wording="late July 2026",
    replacement=NEW_MESSENGER,
)
"""The day from which responses say ``MSGR_C``."""

MESSENGER_OLD_VALUE_END: Final = Retirement(
    key="messenger-old-value",
    item=f"the older protocol value that requests may give for the third messenger network ({OLD_MESSENGER})",
    date=datetime.date(2026, 11, 15),
    date_wording="mid November 2026",
    replacement=NEW_MESSENGER,
)
"""The day from which requests may no longer say ``MSGR_C_OLD``."""

SWITCHES: Final = (MESSENGER_RESPONSE_SWITCH, MESSENGER_OLD_VALUE_END)
"""All values that change, ordered by day."""


class LifecycleStatus(NamedTuple):
    """The status of a feature, or of a changing value, on a day.

    Attributes:
        key: short stable name.
        item: what retires.
        date: the day on which it retires; ``None`` while undecided.
        date_wording: the date as the description gives it.
        days_left: days until then; negative afterwards, ``None`` while undecided.
        replacement: what to use instead; ``None`` if the description names nothing.

    Examples:
        >>> status = list_lifecycle_statuses(datetime.date(2026, 12, 4))[0]
        >>> status.key, status.status, status.record()["daysLeft"]
        ('custom-fields', 'retires in 1 day', 1)
    """

    key: str
    item: str
    date: datetime.date | None
    date_wording: str
    days_left: int | None
    replacement: str | None

    @property
    def status(self) -> str:
        """The status in words: ``planned`` without a date, ``retires in N days``, or ``retired``."""
        if self.days_left is None:
            return "planned"
        if self.days_left <= 0:
            return "retired"
        return "retires in 1 day" if self.days_left == 1 else f"retires in {self.days_left} days"

    def record(self) -> dict[str, object]:
        """Return the status as plain data for JSON; its keys are the fields in camelCase."""
        return {
            "key": self.key,
            "item": self.item,
            "status": self.status,
            "date": None if self.date is None else self.date.isoformat(),
            "dateWording": self.date_wording,
            "daysLeft": self.days_left,
            "replacement": self.replacement,
        }


def list_lifecycle_statuses(
    today: datetime.date, days: Mapping[str, datetime.date] | None = None
) -> list[LifecycleStatus]:
    """Return the status of everything on a day: the retirements, then the switches (section "Versioning").

    Args:
        today: the day.
        days: dates that replace the description's, by key.

    Examples:
        >>> list_lifecycle_statuses(datetime.date(2026, 12, 4))[0].status
        'retires in 1 day'
    """
    days = days or {}
    found: list[LifecycleStatus] = []
    for item in (*RETIREMENTS, *SWITCHES):
        day = days.get(item.key, item.date)
        found.append(
            LifecycleStatus(
                key=item.key,
                item=item.item,
                date=day,
                date_wording=item.date_wording,
                days_left=None if day is None else (day - today).days,
                replacement=item.replacement,
            )
        )
    return found
