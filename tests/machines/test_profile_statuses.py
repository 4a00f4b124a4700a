"""Profile statuses: current, reserved, replaced, and moved by the clock."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from .lockstep import SEARCH, USERS, Lockstep

IDS = ["BUSY", "AWAY", "LEAVE_OFFICE", "ABSENCE", "CUSTOM01", "CUSTOM12"]
WRONG_IDS = ["CUSTOM00", "CUSTOM13", "busy"]
MESSAGES = [None, "", "At lunch", "休" * 50]
REPLIES = [
    None,
    {},
    {"internal": {"content": "Back soon", "sentDirectlyToMe": True}},
    {"internal": {"content": ""}, "external": {"content": "n" * 300}},
]
WRONG_FIELDS = [
    {"statusMessage": "休" * 51},
    {"startTime": "2026-06-01"},
    {"endTime": "2026-06-01T09:00:00"},
    {"autoReplyMail": {"internal": {"content": "n" * 301}}},
    {"autoReplyMail": {"external": {"content": "n", "sentDirectlyToMe": "yes"}}},
]
ZONES = [UTC, timezone(timedelta(hours=9)), timezone(-timedelta(hours=3, minutes=30))]


class ProfileStatuses(Lockstep):
    def __init__(self):
        super().__init__()
        self.enabled = True
        self.current, self.reserved = {}, {}
        self.ids = set()

    def settle(self):
        """What has begun is current, and what has ended is gone."""
        for user_id, status in list(self.reserved.items()):
            if instant(status["startTime"]) <= self.now:
                self.current[user_id] = self.reserved.pop(user_id) | {"scheduleType": "PRESENT"}
        for user_id, status in list(self.current.items()):
            if status["endTime"] is not None and instant(status["endTime"]) <= self.now:
                del self.current[user_id]

    def time(self, minutes, zone):
        """A time so many minutes from now, as it is written."""
        then = self.now + timedelta(minutes=minutes)
        return then.astimezone(zone).isoformat().replace("+00:00", "Z")

    @rule(minutes=st.integers(1, 8))
    @precondition(lambda self: self.current or self.reserved)
    def wait(self, minutes):
        self.pass_time(timedelta(minutes=minutes))
        self.settle()

    @rule(seconds=st.integers(-1, 1))
    @precondition(lambda self: self.current or self.reserved)
    def wait_about_a_change(self, seconds):
        """Until just before, at or just after the next start or end of a status."""
        statuses = [*self.current.values(), *self.reserved.values()]
        times = [instant(status[name]) for status in statuses for name in ("startTime", "endTime")]
        times = [time + timedelta(seconds=seconds) for time in times if time]
        self.pass_time(min([time for time in times if time > self.now], default=self.now) - self.now)
        self.settle()

    @rule(on=st.sampled_from([True, True, False]))
    def switch_statuses(self, on):
        self.enabled = on
        self.both(lambda fake: setattr(fake.settings, "profile_status_enabled", on))

    @rule(
        user_id=st.sampled_from(USERS[:2]),
        status_id=st.sampled_from(IDS * 5 + WRONG_IDS),
        message=st.sampled_from(MESSAGES),
        start=st.none() | st.integers(-2, 3),
        end=st.none() | st.integers(0, 6),
        reply=st.sampled_from(REPLIES),
        zone=st.sampled_from(ZONES),
        nulls=st.booleans(),
        wrong=st.sampled_from([{}] * 30 + WRONG_FIELDS),
    )
    def register(self, user_id, status_id, message, start, end, reply, zone, nulls, wrong):
        values = {
            "profileStatusId": status_id,
            "statusMessage": message,
            "startTime": None if start is None else self.time(start, zone),
            "endTime": None if end is None else self.time(end, zone),
            "autoReplyMail": reply,
        }
        body = {name: value for name, value in values.items() if nulls or value is not None} | wrong
        answer = self.call(
            "POST", f"/users/{user_id}/user-profile-statuses", json=body, headers=self.bearer()
        )
        reserved = start is not None and start > 0
        reasons = {
            "disabled": not self.enabled,
            "not used": status_id in WRONG_IDS,
            "ends before it starts": start is not None and end is not None and end <= start,
            "reserved without an end": reserved and end is None,
            "has ended": end is not None and end <= 0,
            "a wrong field": wrong,
        }
        if any(reasons.values()):
            assert answer.status_code == 400
            assert_described(answer, {name for name, applies in reasons.items() if applies})
            return
        assert answer.status_code == 200
        status = answer.json()
        assert status["userProfileStatusId"] not in self.ids
        self.ids.add(status["userProfileStatusId"])
        assert status["scheduleType"] == ("RESERVED" if reserved else "PRESENT")
        assert {name: status[name] for name in ("profileStatusId", "statusMessage")} == {
            "profileStatusId": status_id,
            "statusMessage": message,
        }
        assert all(instant(status[name]) == instant(values[name]) for name in ("startTime", "endTime"))
        for side, sent in (reply or {}).items():
            assert status["autoReplyMail"][side] == {"sentDirectlyToMe": False} | sent
        (self.reserved if reserved else self.current)[user_id] = status

    @invariant()
    def users_have_the_statuses_of_the_model(self):
        for user_id in USERS:
            statuses = (slot.get(user_id) for slot in (self.current, self.reserved))
            assert self.fake.statuses.of(user_id) == [status for status in statuses if status]


def assert_described(answer, reasons):
    """The description has messages for two of the reasons; with one reason alone, it is told by its message."""
    messages = {"disabled": "The status must be enable.", "not used": "Not used status."}
    description = answer.json()["description"]
    if reasons <= messages.keys():
        assert description in {messages[reason] for reason in reasons}
    if reasons.isdisjoint(messages):
        assert description not in messages.values()


def instant(text):
    return text and datetime.fromisoformat(text)


def test_profile_statuses():
    run_state_machine_as_test(ProfileStatuses, settings=SEARCH)
