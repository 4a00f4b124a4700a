"""Timelines of any frame with times."""

from typing import NamedTuple

import pandas as pd

from svckit.display.card import quantity
from svckit.display.drawn_text import printable
from svckit.frames.source import check_frame
from svckit.plots.figure import Figure
from svckit.plots.lanes import MOST_LANES, Lane, Mark, Span, lanes_figure
from svckit.plots.table import text

__all__ = ["timeline"]


class TimelineColumns(NamedTuple):
    """The columns of a timeline: the start, the end if any, the lane, and the label of a mark."""

    title: str
    start: str
    end: str | None
    lane: str
    label: str


TIMELINES = (
    TimelineColumns("Profile statuses", "start_time", "end_time", "user_id", "profile_status_id"),
    TimelineColumns("Leaves", "leave_start_time", "leave_end_time", "user_id", "display_name"),
    TimelineColumns("Credentials", "issued_time", "end_time", "credential", "state"),
    TimelineColumns("Deliveries", "at", None, "outcome", "type"),
    TimelineColumns("Requests", "at", None, "operation", "status"),
    TimelineColumns("Notifications", "sent_at", None, "channel_id", "title"),
    TimelineColumns("Events", "issued_time", None, "content_type", "user_id"),
    TimelineColumns("Revisions", "stored_time", None, "place", "file_name"),
    TimelineColumns("Files", "created_time", None, "place", "file_name"),
    TimelineColumns("Retirements", "date", None, "stage", "item"),
)
"""The timelines, each recognized by the columns of its start and its lane; a frame gets the first that fits."""


def timeline(frame: pd.DataFrame) -> Figure:
    """Plot the rows of a frame of `svckit.frames` over time, with a lane per user, outcome, operation, place and so on.

    Rows without a time are left out; a row with only an end starts at the left edge. At most 30 lanes are drawn.

    Args:
        frame: a frame of `svckit.frames` with times, such as ``frames.journal(svc)``.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the argument is not a frame.
        ValueError: the frame has no times; the message lists the frames that do.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> status = svc.users.set_status("u-002", "BUSY", start="2026-06-02T09:00:00Z", end="2026-06-02T12:00:00Z")
        >>> timeline(svckit.frames.statuses(svc))
        Profile statuses
          start_time (UTC)     end_time (UTC)       user_id  profile_status_id
          2026-06-02 09:00:00  2026-06-02 12:00:00  u-002    BUSY
        1 row in 1 lane.
    """
    columns = _find_columns(check_frame(frame, "a timeline"))
    names = [name for name in (columns.start, columns.end, columns.lane, columns.label) if name]
    is_timed = frame[[name for name in (columns.start, columns.end) if name in frame]].notna().any(axis=1)
    wanted = frame.loc[is_timed, [name for name in names if name in frame]].astype(object)
    rows = [dict(zip(wanted.columns, row, strict=True)) for row in wanted.where(wanted.notna(), None).values]
    lanes: dict[str, Lane] = {}
    for row in rows:
        start, end = row[columns.start], row.get(columns.end) if columns.end else None
        name, label = text(row[columns.lane]) or "none", text(row.get(columns.label))
        lane = lanes.setdefault(name, Lane(name))
        words = f"{label}, {text(start) or 'open'}{f' to {text(end)}' if end else ''}"
        if columns.end:
            lane.spans.append(Span(start, end, words, printable(label)))
        else:
            lane.marks.append(Mark(start, "dot", words))
    for lane in lanes.values():
        lane.note = str(len(lane.spans) + len(lane.marks))
    return lanes_figure(
        columns.title,
        _describe(len(rows), len(lanes)),
        list(lanes.values()),
        headings=(columns.lane.replace("_", " ").capitalize(), "Rows"),
        facts=(list(wanted.columns), [list(row.values()) for row in rows]),
    )


def _describe(rows: int, lanes: int) -> str:
    if not rows:
        return "No row has a time."
    where = "" if lanes > MOST_LANES else f" in {quantity(lanes, 'lane')}"
    return f"{quantity(rows, 'row')}{where}."


def _find_columns(frame: pd.DataFrame) -> TimelineColumns:
    for columns in TIMELINES:
        if {columns.start, columns.lane} <= set(frame.columns):
            return columns
    raise ValueError(
        "there are no times to draw: a timeline needs a frame of statuses, users, credentials, deliveries, journal, "
        "messages, events, revisions, files or lifecycle with its time columns and the columns that identify its rows"
    )
