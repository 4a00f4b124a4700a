"""What the clock of a fake will bring: what ends or begins, and when."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from svckit.models.lifecycle import SWITCHES

__all__ = ["TimeEvent", "coming"]

VALUES = frozenset(switch.key for switch in SWITCHES)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TimeEvent:
    """Something that ends or begins by the clock.

    Attributes:
        at: when, as the frames have it.
        kind: what sort of thing it is.
        words: which one, and what becomes of it.
        done: the first instant at which it has, which is later where its last instant counts too.
    """

    at: datetime
    kind: str
    words: str
    done: datetime


def coming(fake: Any) -> list[TimeEvent]:
    """What is to come, by a fake in process, the nearest first; to look changes nothing.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-11-14T23:00:00+09:00")
        >>> token = fake.access_token("u-001")
        >>> [f"{event.at:%m-%d %H:%M} {event.kind}" for event in coming(fake)]
        ['11-15 00:00 change of values', '11-15 23:00 access token', '12-05 00:00 retirement',
         '02-12 23:00 refresh token']
    """
    now = fake.clock.now()
    events = [*_credentials(fake), *_rate(fake), *_statuses(fake), *_lifecycle(fake, now)]
    return sorted((event for event in events if event.done > now), key=lambda event: event.done)


def _credentials(fake: Any) -> Iterator[TimeEvent]:
    for record in fake.records("credentials"):
        if record["state"] != "valid":
            continue
        kind, ends = str(record["credential"]), _instant(fake, record["endTime"])
        # Codes and refresh tokens are good for their last instant too; records of a running clock are cut to seconds.
        is_over = kind == "access token" and fake.clock.standing
        yield TimeEvent(ends, kind, f"of {record['userId']} ends", ends if is_over else ends + SECOND)


def _rate(fake: Any) -> Iterator[TimeEvent]:
    calls = fake.webhooks.limiter.dump()
    counted = calls.window if fake.rules["notification.window"].chosen == "fixed" else calls.last_minute
    for first in counted[:1]:
        reset = first + MINUTE
        yield TimeEvent(reset, "notification rate", f"is reset; up to {calls.limit} a minute again", reset)


def _statuses(fake: Any) -> Iterator[TimeEvent]:
    if fake.rules["status.transition"].chosen != "by-the-clock":
        return
    for record in fake.records("statuses"):
        whose = f"{record['profileStatusId']} of {record['userId']}"
        starts = record["startTime"] if record["scheduleType"] == "RESERVED" else None
        for instant, becomes in ((starts, "begins"), (record["endTime"], "ends")):
            if instant:
                at = _instant(fake, instant)
                yield TimeEvent(at, "status", f"{whose} {becomes}", at)


def _lifecycle(fake: Any, now: datetime) -> Iterator[TimeEvent]:
    for record in fake.records("lifecycle"):
        if record["date"]:
            day = datetime.combine(date.fromisoformat(str(record["date"])), time.min, now.tzinfo)
            switch = record["key"] in VALUES
            words = (
                f"{record['item']}: {record['replacement']} from then on" if switch else str(record["item"])
            )
            yield TimeEvent(day, "change of values" if switch else "retirement", words, day)


def _instant(fake: Any, text: str) -> datetime:
    """An instant as a record has it, in the offset of the clock; at the ends of the calendar in its own."""
    instant = datetime.fromisoformat(text)
    with suppress(OverflowError):
        instant = instant.astimezone(fake.clock.now().tzinfo)
    return instant
