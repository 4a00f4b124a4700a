"""A user's statuses at an instant: the current and the reserved one, and when each starts and ends."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from svckit.display.axis import LinearAxis
from svckit.widgets.base.instants import format_instant, format_span, shorten_instant

__all__ = ["StatusTransition", "build_slots", "build_timeline", "find_next_transition"]

SLOTS = (("PRESENT", "Current"), ("RESERVED", "Reserved"))
HORIZON = timedelta(days=730)  # times further away are drawn as open ends, to leave room for the others

Record = Mapping[str, Any]


class StatusTransition(NamedTuple):
    """The instant at which a status starts or ends."""

    at: datetime
    words: str


def build_slots(records: Sequence[Record], now: datetime) -> list[dict[str, Any]]:
    """Return the current and the reserved status, in this order, as labels and values; empty if there is no status.

    Args:
        records: the statuses of one user, camelCase as on the wire.
        now: the instant from which "in 3 h" counts.

    Examples:
        >>> record = {"scheduleType": "PRESENT", "profileStatusId": "BUSY", "endTime": "2026-06-01T12:00:00+09:00"}
        >>> current, reserved = build_slots([record], datetime.fromisoformat("2026-06-01T09:00:00+09:00"))
        >>> current["heading"], current["lines"]
        ('Current', [('Status', 'BUSY'), ('Ends', {'at': '2026-06-01T12:00:00+09:00', 'words': ', in 3 h'})])
        >>> reserved["lines"]
        []
    """
    by_schedule = {record.get("scheduleType"): record for record in records}
    return [
        {
            "heading": heading,
            "lines": _build_lines(by_schedule[schedule], now) if schedule in by_schedule else [],
        }
        for schedule, heading in SLOTS
    ]


def find_next_transition(records: Sequence[Record], now: datetime) -> StatusTransition | None:
    """Return the next start or end of a status, or None."""
    transitions = [
        StatusTransition(at, f"{_name(record) or 'the status'} {verb}")
        for record in records
        for at, verb in zip(_read_times(record), ("starts", "ends"), strict=True)
        if at is not None and at > now
    ]
    return min(transitions, key=lambda transition: transition.at, default=None)


def build_timeline(records: Sequence[Record], now: datetime) -> dict[str, Any] | None:
    """Return the statuses on a timeline from 0 (left) to 1 (right), or None if no status has a time.

    A status without a start, or with one more than two years away, begins at the left edge; the right edge likewise
    stands for missing and distant ends. Times have the clock's offset.
    """
    by_schedule = {record.get("scheduleType"): record for record in records}
    near = {schedule: _find_near(record, now) for schedule, record in by_schedule.items()}
    ends = [end for both in near.values() for end in both.values() if end is not None]
    if not ends:
        return None
    axis = LinearAxis([instant.astimezone(now.tzinfo) for instant in (now, *ends)])
    return {
        "bars": [
            _build_bar(heading, by_schedule[schedule], near[schedule], axis, now)
            for schedule, heading in SLOTS
            if schedule in by_schedule
        ],
        "now": _locate(axis, now),
        "ticks": [{"at": round(tick.at, 4), "label": tick.label} for tick in axis.ticks],
        "caption": f"times at {now.isoformat()[-6:]}",
    }


def _read_times(record: Record) -> tuple[datetime | None, datetime | None]:
    """Return the start and the end of a status, each None if it is missing."""
    texts = (record.get("startTime"), record.get("endTime"))
    start, end = (None if text is None else datetime.fromisoformat(text) for text in texts)
    return start, end


def _find_near(record: Record, now: datetime) -> dict[str, datetime | None]:
    """Return its start (``left``) and end (``right``), each None if it is missing or too far away to draw."""
    times = zip(("left", "right"), _read_times(record), strict=True)
    return {side: at if at is not None and abs(at - now) <= HORIZON else None for side, at in times}


def _build_bar(
    heading: str,
    record: Record,
    near: Mapping[str, datetime | None],
    axis: LinearAxis,
    now: datetime,
) -> dict[str, Any]:
    left = _locate(axis, near["left"]) if near["left"] else 0.0
    right = _locate(axis, near["right"]) if near["right"] else 1.0
    width = round(max(right - left, 0.004), 4)
    here = (_locate(axis, now) - left) / width
    start, end = (shorten_instant(format_instant(at, now)) for at in _read_times(record))
    return {
        "lane": heading,
        "label": str(record.get("profileStatusName") or record.get("profileStatusId") or ""),
        "left": left,
        "width": width,
        "indent": here if 0 <= here < 1 else 0,  # the label is next to the line for now
        "open": " ".join(side for side, instant in near.items() if instant is None),
        "words": f"{heading}: {start or 'now'} to {end or 'open end'}",
    }


def _locate(axis: LinearAxis, instant: datetime) -> float:
    return round(min(max(axis.at(instant), 0.0), 1.0), 4)


def _build_lines(record: Record, now: datetime) -> list[tuple[str, Any]]:
    start, end = _read_times(record)
    lines: list[tuple[str, Any]] = [
        ("Status", _name(record)),
        ("Message", record.get("statusMessage") or ""),
        ("Starts", _describe_when(start, now)),
        ("Ends", _describe_when(end, now)),
    ]
    for side, label in (("internal", "Internal auto-reply"), ("external", "External auto-reply")):
        reply = (record.get("autoReplyMail") or {}).get(side) or {}
        to_me = " (only to mail sent directly to the user)" if reply.get("sentDirectlyToMe") else ""
        lines.append((label, f"{reply['content']}{to_me}" if reply.get("content") else ""))
    return [(label, value) for label, value in lines if value]


def _name(record: Record) -> str:
    """Return the name of a status, with its ID where they differ."""
    name, status = record.get("profileStatusName"), record.get("profileStatusId") or ""
    return f"{name} ({status})" if name and name != status else str(name or status)


def _describe_when(at: datetime | None, now: datetime) -> dict[str, str] | None:
    """Return an instant, and in words how far away it is."""
    if at is None:
        return None
    words = (
        f"in {format_span(at - now)}" if at > now else f"{format_span(now - at)} ago" if at < now else "now"
    )
    return {"at": format_instant(at, now), "words": f", {words}"}
