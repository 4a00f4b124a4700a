"""Profile statuses such as busy and away, current or reserved for later."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from svckit.models.base import Flag, OrAbsent, WireModel, absent
from svckit.models.record_card import ServiceRecord
from svckit.models.text_lengths import AtMost
from svckit.models.times import WireDateTime

__all__ = [
    "STATUS_ARGUMENTS",
    "AutoReply",
    "AutoReplyMail",
    "ProfileStatusId",
    "ScheduleType",
    "StatusRegistration",
    "UserProfileStatus",
]

STATUS_ARGUMENTS = {
    "status_message": "message",
    "start_time": "start",
    "end_time": "end",
    "auto_reply_mail": "auto_reply",
}
"""The arguments of ``svc.users.set_status`` whose names differ from the fields of `StatusRegistration`."""

ProfileStatusId = Literal[
    "BUSY",
    "AWAY",
    "LEAVE_OFFICE",
    "ABSENCE",
    "CUSTOM01",
    "CUSTOM02",
    "CUSTOM03",
    "CUSTOM04",
    "CUSTOM05",
    "CUSTOM06",
    "CUSTOM07",
    "CUSTOM08",
    "CUSTOM09",
    "CUSTOM10",
    "CUSTOM11",
    "CUSTOM12",
]
"""The kinds of status a user can set."""

ScheduleType = Literal["PRESENT", "RESERVED"]
"""The schedules of a status: current, or reserved for later."""


class AutoReply(WireModel):
    """The automatic reply to mail from inside or from outside the domain."""

    content: OrAbsent[Annotated[str, AtMost(300)]] = absent("Text of the automatic reply.")
    sent_directly_to_me: Flag = Field(
        default=False, description="Reply only to mail that names the user in its To field."
    )


class AutoReplyMail(WireModel):
    """The automatic replies to mail while a status lasts."""

    internal: OrAbsent[AutoReply] = absent("Reply to mail from inside the domain.")
    external: OrAbsent[AutoReply] = absent("Reply to mail from outside.")


class StatusRegistration(WireModel):
    """A registration of a profile status (the service's description, section "Directory").

    Examples:
        >>> from datetime import UTC, datetime
        >>> nine = datetime(2026, 6, 1, 9, tzinfo=UTC)
        >>> StatusRegistration(profile_status_id="BUSY", end_time=nine).to_wire()
        {'profileStatusId': 'BUSY', 'endTime': '2026-06-01T09:00:00Z'}
    """

    profile_status_id: ProfileStatusId = Field(description="Kind of status.")
    status_message: Annotated[str, AtMost(50)] | None = absent("Text shown beside the status.")
    start_time: WireDateTime | None = absent("When the status begins; in the future for a reserved one.")
    end_time: WireDateTime | None = absent("When the status ends.")
    auto_reply_mail: AutoReplyMail | None = absent("Automatic replies to mail while the status lasts.")


class UserProfileStatus(StatusRegistration, ServiceRecord):
    """A registered profile status (the service's description, section "User profile status")."""

    id_field: ClassVar[str] = "user_profile_status_id"

    user_profile_status_id: OrAbsent[str] = absent("ID of this entry.")
    profile_status_name: OrAbsent[str] = absent("Name of the status as shown.")
    icon_url: OrAbsent[str] = absent("URL of the icon of the status.")
    schedule_type: OrAbsent[ScheduleType] = absent("Whether the status is current or reserved.")
