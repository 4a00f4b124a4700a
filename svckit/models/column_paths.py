"""The wire paths of the columns in which a frame shows the fields of a user's objects and of the primary post.

Other columns have the Python names of the fields: ``nick_name`` is ``nickName``.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["DERIVED_COLUMNS", "USER_COLUMNS"]

_ORGANIZATION: Final = "organizations[primary]"
_ORG_UNIT: Final = "organizations[primary].orgUnits[primary]"

USER_COLUMNS: Final[Mapping[str, str]] = {
    "last_name": "userName.lastName",
    "first_name": "userName.firstName",
    "phonetic_last_name": "userName.phoneticLastName",
    "phonetic_first_name": "userName.phoneticFirstName",
    "is_leave_of_absence": "leaveOfAbsence.isLeaveOfAbsence",
    "leave_start_time": "leaveOfAbsence.startTime",
    "leave_end_time": "leaveOfAbsence.endTime",
    "organization_name": f"{_ORGANIZATION}.organizationName",
    "level_id": f"{_ORGANIZATION}.levelId",
    "level_external_key": f"{_ORGANIZATION}.levelExternalKey",
    "level_name": f"{_ORGANIZATION}.levelName",
    "executive": f"{_ORGANIZATION}.executive",
    "org_unit_id": f"{_ORG_UNIT}.orgUnitId",
    "org_unit_external_key": f"{_ORG_UNIT}.orgUnitExternalKey",
    "org_unit_name": f"{_ORG_UNIT}.orgUnitName",
    "org_unit_email": f"{_ORG_UNIT}.orgUnitEmail",
    "position_id": f"{_ORG_UNIT}.positionId",
    "position_external_key": f"{_ORG_UNIT}.positionExternalKey",
    "position_name": f"{_ORG_UNIT}.positionName",
    "is_manager": f"{_ORG_UNIT}.isManager",
    "messenger_protocol": "messenger.protocol",
    "messenger_custom_protocol": "messenger.customProtocol",
    "messenger_id": "messenger.messengerId",
}
"""The columns that do not have the name of a field, and their paths."""

DERIVED_COLUMNS: Final = frozenset(
    {
        "display_name",
        "state",
        "organization_count",
        "org_unit_count",
        "i18n_name_count",
        "alias_email_count",
        "custom_field_count",
        "custom_property_count",
        "relation_count",
    }
)
"""The columns that follow from others."""
