"""The vocabulary of the service: every object, field, limit and place that its description names.

This package only collects the names; each is documented in its own module.
"""

from svckit.display.masking import mask
from svckit.models import event, lifecycle, limits
from svckit.models.base import WireModel
from svckit.models.custom_properties import PropertyDefinition, PropertyType
from svckit.models.event import *  # noqa: F403 - all of its names
from svckit.models.files import UploadRequest, UploadResult, UploadTicket
from svckit.models.lifecycle import *  # noqa: F403 - all of its names
from svckit.models.limits import *  # noqa: F403 - all of its names
from svckit.models.notification import (
    Button,
    Notification,
    NotificationBody,
    NotificationReply,
    RateLimit,
    mention,
    mentions,
)
from svckit.models.paths import DOWNLOAD_PLACES, UPLOAD_PLACES, TransferPath
from svckit.models.problems import Problem, list_problems
from svckit.models.secret import Secret
from svckit.models.status import (
    AutoReply,
    AutoReplyMail,
    ProfileStatusId,
    ScheduleType,
    StatusRegistration,
    UserProfileStatus,
)
from svckit.models.times import (
    EventTime,
    WireDate,
    WireDateTime,
    format_date,
    format_date_time,
    format_event_time,
    parse_date,
    parse_date_time,
    parse_event_time,
)
from svckit.models.token import TokenSet
from svckit.models.user import User, UserChange
from svckit.models.user_parts import (
    BirthdayCalendarType,
    CustomPropertyLink,
    Language,
    LeaveOfAbsence,
    Messenger,
    MessengerProtocol,
    OrgUnit,
    OrgUnitChange,
    UserCustomField,
    UserCustomFieldChange,
    UserI18nName,
    UserName,
    UserOrganization,
    UserOrganizationChange,
    UserRelation,
    UserRelationChange,
)

__all__ = [
    "DOWNLOAD_PLACES",
    "UPLOAD_PLACES",
    "AutoReply",
    "AutoReplyMail",
    "BirthdayCalendarType",
    "Button",
    "CustomPropertyLink",
    "EventTime",
    "Language",
    "LeaveOfAbsence",
    "Messenger",
    "MessengerProtocol",
    "Notification",
    "NotificationBody",
    "NotificationReply",
    "OrgUnit",
    "OrgUnitChange",
    "Problem",
    "ProfileStatusId",
    "PropertyDefinition",
    "PropertyType",
    "RateLimit",
    "ScheduleType",
    "Secret",
    "StatusRegistration",
    "TokenSet",
    "TransferPath",
    "UploadRequest",
    "UploadResult",
    "UploadTicket",
    "User",
    "UserChange",
    "UserCustomField",
    "UserCustomFieldChange",
    "UserI18nName",
    "UserName",
    "UserOrganization",
    "UserOrganizationChange",
    "UserProfileStatus",
    "UserRelation",
    "UserRelationChange",
    "WireDate",
    "WireDateTime",
    "WireModel",
    "format_date",
    "format_date_time",
    "format_event_time",
    "list_problems",
    "mask",
    "mention",
    "mentions",
    "parse_date",
    "parse_date_time",
    "parse_event_time",
]
__all__ += event.__all__
__all__ += lifecycle.__all__
__all__ += limits.__all__
