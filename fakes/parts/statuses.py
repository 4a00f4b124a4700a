"""The profile statuses of users: at most one current and one reserved each."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ValidationError

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.times import write_offset
from fakes.persistence import Saved, describe_errors
from svckit.display.tab import PublicNames
from svckit.models.status import StatusRegistration, UserProfileStatus
from svckit.models.times import format_date_time

__all__ = ["Statuses", "StatusesData"]

NAMES = {"BUSY": "Busy", "AWAY": "Away", "LEAVE_OFFICE": "Left the office", "ABSENCE": "Absent"}


SCHEDULES = ("PRESENT", "RESERVED")
BY_THE_CLOCK = "by-the-clock"
REPLACED = rulebook.statuses.REPLACED
RECORDED = frozenset({"scheduleType", "startTime", "endTime"})


def _check_complete(record: dict[str, Any]) -> dict[str, Any]:
    try:
        UserProfileStatus.from_wire(record)
    except ValidationError as invalid:
        raise ValueError(describe_errors(invalid)) from None
    missing = RECORDED - record.keys()
    if missing:
        raise ValueError(f"lacks {', '.join(sorted(missing))}")
    return record


Slots = dict[str, dict[str, Any]]
"""The statuses of a user by schedule."""


class StatusesData(Saved):
    """The statuses in a snapshot, by user and schedule."""

    by_user: dict[
        str, dict[Literal["PRESENT", "RESERVED"], Annotated[dict[str, Any], AfterValidator(_check_complete)]]
    ]


class Statuses(Part, PublicNames, internal="check_times dump forget_user load register require_setting"):
    """The registered statuses, moved by the clock; each is a record as the service returns it.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> status = svc.users.set_status("u-001", "BUSY")
        >>> statuses = svc.fake.statuses
        >>> statuses.is_enabled, statuses.of("u-001")[0]["profileStatusId"], len(list(statuses.records()))
        (True, 'BUSY', 1)
    """

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._by_user: Stored[str, Mapping[Any, dict[str, Any]]] = Stored(shared.changes, "statuses.by_user")

    def register(self, user_id: str, registration: StatusRegistration) -> dict[str, Any]:
        """Register a status: reserved if it starts in the future, else current.

        Raises:
            Refusal: the times contradict each other, or the domain's status setting is off.
        """
        rules = self._rules
        reserved = self.check_times(registration)
        self.require_setting()
        schedule = "RESERVED" if reserved else "PRESENT"
        slots, other = self._settle(user_id)
        # The alternatives of the rule show where they differ in what stays beside the new status or, if a second one is
        # refused, in whether there is a first.
        matters = (schedule in slots) != (schedule in other) and rules.look_up(REPLACED) == "refused"
        if matters or slots | {schedule: None} != other | {schedule: None}:
            rules.apply(rulebook.statuses.TRANSITION)
        if schedule in slots:
            rules.follow(rulebook.statuses.ONE_EACH)
            if rules.apply(REPLACED) == "refused":
                raise Refusal("conflict", f"{user_id} already has a status with scheduleType {schedule}")
        rules.follow(rulebook.statuses.REGISTERED)
        slots[schedule] = self._record(registration, schedule)
        self._by_user[user_id] = slots
        return slots[schedule]

    @property
    def is_enabled(self) -> bool:
        """True if the domain's status setting is on."""
        return self._settings.profile_status_enabled

    def check_times(self, registration: StatusRegistration) -> bool:
        """Check the times of a registration, and return whether the status is reserved.

        Raises:
            Refusal: the times contradict each other, or are in the past.
        """
        rules, now = self._rules, self._clock.now()
        start, end = registration.start_time, registration.end_time
        if start and end and end <= start and rules.apply(rulebook.statuses.ORDER) == "refused":
            raise Refusal(
                "invalid",
                f"endTime must be later than startTime {start.isoformat()}; given {end.isoformat()}",
            )
        reserved = start is not None and start > now
        if reserved:
            rules.follow(rulebook.statuses.RESERVED)
            if end is None:
                chosen = rules.apply(rulebook.statuses.OPEN_END)
                if chosen == "refused":
                    raise Refusal("missing", "a status that starts in the future needs startTime and endTime")
                reserved = chosen == "reserved"
        elif end is not None and end <= now and rules.apply(rulebook.statuses.PAST) == "refused":
            raise Refusal("invalid", f"endTime {end.isoformat()} has passed; the time is {now.isoformat()}")
        return reserved

    def require_setting(self) -> None:
        """Check that the domain's status setting is on.

        Raises:
            Refusal: it is off.
        """
        if not self.is_enabled:
            self._rules.follow(rulebook.statuses.MUST_BE_ENABLED)
            raise Refusal(
                "invalid",
                "profile statuses are switched off in this domain's settings",
                verbatim="The status must be enable.",
            )

    def of(self, user_id: str) -> list[dict[str, Any]]:
        """Return the statuses of a user now: the current one, then the reserved one.

        Args:
            user_id: the ID of the user.
        """
        slots, other = self._settle(user_id)
        if slots != other:
            self._rules.apply(rulebook.statuses.TRANSITION)
        return [slots[schedule] for schedule in SCHEDULES if schedule in slots]

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all statuses now as data, by user in the order of their first; this does not count as use of a rule."""
        for user_id in tuple(self._by_user):
            slots, _ = self._settle(user_id)
            for schedule in SCHEDULES:
                if schedule in slots:
                    yield {"userId": user_id, **slots[schedule]}

    def forget_user(self, user_id: str) -> None:
        """Forget the statuses of a removed user."""
        self._by_user.pop(user_id, None)

    def dump(self) -> StatusesData:
        """Return the statuses for a snapshot, shared."""
        return StatusesData.model_construct(by_user=self._by_user)  # each was checked when it was added

    def load(self, data: StatusesData) -> None:
        """Replace the statuses with saved ones."""
        self._by_user.replace(data.by_user)

    def _record(self, registration: StatusRegistration, schedule: str) -> dict[str, Any]:
        status_id = registration.profile_status_id
        reply = registration.auto_reply_mail
        return {
            "userProfileStatusId": self._ids.next("status"),
            "profileStatusId": status_id,
            **self._invent_labels(status_id),
            "scheduleType": schedule,
            "statusMessage": registration.status_message,
            "startTime": self._write_time(registration.start_time),
            "endTime": self._write_time(registration.end_time),
            "autoReplyMail": reply and reply.model_dump(mode="json", by_alias=True, exclude_none=True),
        }

    def _write_time(self, time: datetime | None) -> str | None:
        """Write a time as responses have it."""
        return None if time is None else write_offset(format_date_time(time), self._rules)

    def _invent_labels(self, status_id: str) -> dict[str, str]:
        """Return a name and an icon URL for a status; the description shows no values."""
        labels = {}
        name = self._rules.apply(rulebook.statuses.NAME)
        if name == "words":
            labels["profileStatusName"] = NAMES.get(status_id, f"Custom status {status_id[-2:]}")
        elif name == "id":
            labels["profileStatusName"] = status_id
        if self._rules.apply(rulebook.statuses.ICON) == "address":
            labels["iconUrl"] = f"https://icons.fake.test/{status_id.lower()}.png"
        return labels

    def _settle(self, user_id: str) -> tuple[Slots, Slots]:
        """Return the user's statuses now, and those under the other alternative of the rule ``status.transition``.

        By the clock, a status that has started becomes current, and one that has ended is removed.
        """
        stored = dict(self._by_user.get(user_id, {}))
        slots, now = stored.copy(), self._clock.now()
        reserved = slots.get("RESERVED")
        if reserved and _has_passed(reserved["startTime"], now):
            slots["PRESENT"] = slots.pop("RESERVED") | {"scheduleType": "PRESENT"}
        current = slots.get("PRESENT")
        if current and _has_passed(current["endTime"], now):
            del slots["PRESENT"]
        moves = self._rules.look_up(rulebook.statuses.TRANSITION) == BY_THE_CLOCK
        return (slots, stored) if moves else (stored, slots)


def _has_passed(time: str | None, now: datetime) -> bool:
    return time is not None and datetime.fromisoformat(time) <= now
