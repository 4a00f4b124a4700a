"""The columns of the statuses frame (the service's description, section "User profile status")."""

from typing import get_args

from svckit.frames.column import Column
from svckit.models.status import ProfileStatusId, ScheduleType

__all__ = ["STATUSES"]

REPLY = "autoReplyMail"

STATUSES = (
    Column("user_id", "string", "userId", "the user, as named in the request"),
    Column(
        "schedule_type", "category", "scheduleType", "current, or reserved for later", get_args(ScheduleType)
    ),
    Column("profile_status_id", "category", "profileStatusId", "kind of status", get_args(ProfileStatusId)),
    Column("profile_status_name", "string", "profileStatusName", "name of the status"),
    Column("status_message", "string", "statusMessage", "message shown beside it"),
    Column("start_time", "datetime64[us, UTC]", "startTime", "start; missing if immediate"),
    Column("end_time", "datetime64[us, UTC]", "endTime", "end; missing if open"),
    Column(
        "reply_internal",
        "string",
        f"{REPLY}.internal.content",
        "automatic reply to mail from inside the domain",
    ),
    Column(
        "reply_internal_to_me",
        "boolean",
        f"{REPLY}.internal.sentDirectlyToMe",
        "only to mail addressed directly to the user",
    ),
    Column("reply_external", "string", f"{REPLY}.external.content", "automatic reply to mail from outside"),
    Column(
        "reply_external_to_me",
        "boolean",
        f"{REPLY}.external.sentDirectlyToMe",
        "only to mail addressed directly to the user",
    ),
    Column("icon_url", "string", "iconUrl", "URL of the icon"),
    Column("user_profile_status_id", "string", "userProfileStatusId", "ID of this entry"),
)
