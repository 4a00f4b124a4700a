"""Upcoming events by a fake's clock: starts, ends and expiry."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from svckit.models.lifecycle import SWITCHES

__all__ = ["TimeEvent", "list_events"]

VALUES = frozenset(switch.key for switch in SWITCHES)
MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class TimeEvent:
    """Something that starts, ends or expires by the clock.

    Attributes:
        at: the instant, as in the frames.
        kind: the kind of thing.
        words: which thing, and what happens to it.
        done: the first instant after the event; later than `at` if the thing is still valid at `at`.
    """

    at: datetime
    kind: str
    words: str
    done: datetime


def list_events(fake: Any) -> list[TimeEvent]:
    """Return the upcoming events by an in-process fake's clock, the nearest first, without changing anything.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-11-14T23:00:00+09:00")
        >>> token = fake.access_token("u-001")
        >>> [f"{event.at:%m-%d %H:%M} {event.kind}" for event in list_events(fake)]
        ['11-15 00:00 change of values', '11-15 23:00 access token', '12-05 00:00 retirement',
         '02-12 23:00 refresh token']
    """
    now = fake.clock.now()
    events = [*_list_credentials(fake), *_list_rate(fake), *_list_statuses(fake), *_list_lifecycle(fake, now)]
    return sorted((event for event in events if event.done > now), key=lambda event: event.done)


def _list_credentials(fake: Any) -> Iterator[TimeEvent]:
    for record in fake.records("credentials"):
        if record["state"] != "valid":
            continue
        kind, expires = str(record["credential"]), _parse_instant(fake, record["endTime"])
        # Codes and refresh tokens are still valid when they expire; records of a running clock are cut to seconds.
        is_over = kind == "access token" and fake.clock.standing
        yield TimeEvent(
            expires, kind, f"of {record['userId']} expires", expires if is_over else expires + SECOND
        )


def _list_rate(fake: Any) -> Iterator[TimeEvent]:
    calls = fake.state.webhooks.limiter.dump()
    counted = calls.window if fake.rules["notification.window"].chosen == "fixed" else calls.last_minute
    for first in counted[:1]:
        reset = first + MINUTE
        yield TimeEvent(reset, "notification rate", f"resets to {calls.limit} a minute", reset)


def _list_statuses(fake: Any) -> Iterator[TimeEvent]:
    if fake.rules["status.transition"].chosen != "by-the-clock":
        return
    for record in fake.records("statuses"):
        whose = f"{record['profileStatusId']} of {record['userId']}"
        starts = record["startTime"] if record["scheduleType"] == "RESERVED" else None
        for instant, verb in ((starts, "starts"), (record["endTime"], "ends")):
            if instant:
                at = _parse_instant(fake, instant)
                yield TimeEvent(at, "status", f"{whose} {verb}", at)


def _list_lifecycle(fake: Any, now: datetime) -> Iterator[TimeEvent]:
    for record in fake.records("lifecycle"):
        if record["date"]:
            day = datetime.combine(date.fromisoformat(str(record["date"])), time.min, now.tzinfo)
            switch = record["key"] in VALUES
            words = (
                f"{record['item']}: {record['replacement']} from this date" if switch else str(record["item"])
            )
            yield TimeEvent(day, "change of values" if switch else "retirement", words, day)


def _parse_instant(fake: Any, text: str) -> datetime:
    """Parse a record's instant in the clock's offset; at the ends of the calendar it keeps its own."""
    instant = datetime.fromisoformat(text)
    with suppress(OverflowError):
        instant = instant.astimezone(fake.clock.now().tzinfo)
    return instant
