"""Timelines of any frame with times."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from svckit.frames.source import check_frame
from svckit.plots.axis import LinearAxis
from svckit.plots.figure import Figure, printable
from svckit.plots.lanes import MOST_LANES, Lane, Mark, Span, lanes_figure
from svckit.plots.table import instant, text

__all__ = ["timeline"]


@dataclass(frozen=True, slots=True)
class Reading:
    """The columns of a timeline: the start, the end if any, the lane, and the label of a mark."""

    title: str
    start: str
    end: str | None
    lane: str
    words: str


READINGS: Mapping[frozenset[str], Reading] = {
    frozenset({"profile_status_id", "start_time"}): Reading(
        "Profile statuses", "start_time", "end_time", "user_id", "profile_status_id"
    ),
    frozenset({"leave_start_time", "user_id"}): Reading(
        "Leaves", "leave_start_time", "leave_end_time", "user_id", "display_name"
    ),
    frozenset({"credential", "issued_time"}): Reading(
        "Credentials", "issued_time", "end_time", "credential", "state"
    ),
    frozenset({"outcome", "at"}): Reading("Deliveries", "at", None, "outcome", "type"),
    frozenset({"operation", "at"}): Reading("Requests", "at", None, "operation", "status"),
    frozenset({"channel_id", "sent_at"}): Reading("Notifications", "sent_at", None, "channel_id", "title"),
    frozenset({"content_type", "issued_time"}): Reading(
        "Events", "issued_time", None, "content_type", "user_id"
    ),
    frozenset({"stored_time", "place"}): Reading("Revisions", "stored_time", None, "place", "file_name"),
    frozenset({"created_time", "place"}): Reading("Files", "created_time", None, "place", "file_name"),
    frozenset({"stage", "date"}): Reading("Retirements", "date", None, "stage", "item"),
}
"""The timeline columns of a frame, by the columns that identify it."""


def timeline(frame: pd.DataFrame) -> Figure:
    """Plot the rows of a frame of `svckit.frames` over time, with a lane per user, outcome, operation, place and so on.

    Rows without a time are left out; a row with only an end starts at the left edge. At most 30 lanes are drawn.

    Raises:
        TypeError: the argument is not a frame.
        ValueError: the frame has no times; the message lists the frames that do.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> status = svc.users.set_status("u-002", "BUSY", start="2026-06-02T09:00:00Z", end="2026-06-02T12:00:00Z")
        >>> timeline(svckit.frames.statuses(svc))
        Profile statuses
          start_time           end_time             user_id  profile_status_id
          2026-06-02 09:00:00  2026-06-02 12:00:00  u-002    BUSY
        1 row in 1 lane.
    """
    reading = _find_reading(check_frame(frame, "a timeline"))
    names = [name for name in (reading.start, reading.end, reading.lane, reading.words) if name]
    is_timed = frame[[name for name in (reading.start, reading.end) if name in frame]].notna().any(axis=1)
    wanted = frame.loc[is_timed, [name for name in names if name in frame]].astype(object)
    rows = [dict(zip(wanted.columns, row, strict=True)) for row in wanted.where(wanted.notna(), None).values]
    lanes: dict[str, Lane] = {}
    instants = []
    for row in rows:
        start, end = row[reading.start], row.get(reading.end) if reading.end else None
        lane = lanes.setdefault(_name(row, reading), Lane(_name(row, reading)))
        words = f"{text(row.get(reading.words))}, {instant(start) or 'open'}{f' to {instant(end)}' if end else ''}"
        if reading.end:
            lane.spans.append(Span(start, end, words, printable(text(row.get(reading.words)))))
        else:
            lane.marks.append(Mark(start, "dot", words))
        instants += [each for each in (start, end) if each is not None]
    for lane in lanes.values():
        lane.note = str(len(lane.spans) + len(lane.marks))
    facts = [[instant(v) if isinstance(v, pd.Timestamp) else text(v) for v in row.values()] for row in rows]
    return lanes_figure(
        reading.title,
        _describe(len(rows), len(lanes)),
        list(lanes.values()),
        LinearAxis(instants) if instants else None,
        facts=(list(wanted.columns), facts),
    )


def _describe(rows: int, lanes: int) -> str:
    if not rows:
        return "No row has a time."
    counted = f"{rows} {'row' if rows == 1 else 'rows'}"
    return (
        f"{counted}." if lanes > MOST_LANES else f"{counted} in {lanes} {'lane' if lanes == 1 else 'lanes'}."
    )


def _name(row: Mapping[str, object], reading: Reading) -> str:
    return text(row.get(reading.lane)) or "none"


def _find_reading(frame: pd.DataFrame) -> Reading:
    for names, reading in READINGS.items():
        if names <= set(frame.columns):
            return reading
    raise ValueError(
        "there are no times to draw: a timeline needs a frame of statuses, users, credentials, deliveries, journal, "
        "messages, events, revisions, files or lifecycle with its time columns and the columns that identify its rows"
    )
