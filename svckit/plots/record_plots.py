"""Plots of records over time: credentials, deliveries, retirements, and any frame with times."""

from collections import Counter
from typing import Any, NamedTuple

import pandas as pd

from svckit.display.axis import zone_of
from svckit.display.card import quantity
from svckit.display.drawn_text import printable
from svckit.frames.record_columns import OUTCOMES
from svckit.frames.source import check_frame
from svckit.plots.figure import Figure
from svckit.plots.lanes import MOST_LANES, Lane, Mark, Span, lanes_figure
from svckit.plots.table import Drawable, rows_of, text
from svckit.retirements import Table, table

__all__ = ["credentials", "deliveries", "retirements", "timeline"]

CREDENTIALS = ("credential", "user", "state", "issued", "expires", "left")


def credentials(source: Drawable) -> Figure:
    """Plot the lifetimes of codes and tokens, and say how long each is left.

    Args:
        source: a session, a ``FakeService``, or a frame of `svckit.frames.credentials`.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> import svckit
        >>> credentials(svckit.connect(now="2026-06-01T09:00:00+09:00"))
        Credentials
          credential     user   state  issued (+09:00)      expires (+09:00)     left
          access token   u-001  valid  2026-06-01 09:00:00  2026-06-02 09:00:00  24 h
          refresh token  u-001  valid  2026-06-01 09:00:00  2026-08-30 09:00:00  90 days
        2 of 2 credentials are valid on 2026-06-01 09:00:00 +09:00.
    """
    rows = list(rows_of(source, "credentials"))
    if len(rows) > MOST_LANES:
        rows.sort(key=lambda row: row.state != "valid")  # not all are drawn
    lanes, facts = [], []
    for row in rows:
        left = _format_left(row)
        note = row.state if row.state != "valid" else f"valid, {left} left" if left else "valid"
        words = f"{row.credential}: {note}; {text(row.issued_time)} to {text(row.end_time)}"
        name = f"{row.credential}, {row.user_id}" if row.user_id else row.credential
        span = Span(row.issued_time, row.end_time, words, faded=row.state != "valid")
        lanes.append(Lane(name, note, spans=[span]))
        facts.append((row.credential, row.user_id, row.state, row.issued_time, row.end_time, left))
    if not rows:
        return lanes_figure("Credentials", "There are no credentials.", [], facts=(CREDENTIALS, []))
    now = rows[0].as_of
    valid = sum(row.state == "valid" for row in rows)
    return lanes_figure(
        "Credentials",
        f"{valid} of {len(rows)} credentials are valid on {text(now)} {zone_of(now)}.",
        lanes,
        facts=(CREDENTIALS, facts),
        headings=("Credential", "State"),
        now=now,
        now_label=f"now, {text(now)}",
    )


def _format_left(row: Any) -> str:
    """Format the time until a credential expires, in its largest unit."""
    if row.end_time is None:
        return ""
    left = row.end_time - row.as_of
    if left <= pd.Timedelta(0):
        return "none"
    for unit, span in (("days", "1D"), ("h", "1h"), ("min", "1min")):
        if left >= 2 * pd.Timedelta(span):
            return f"{left // pd.Timedelta(span)} {unit}"
    return f"{int(left.total_seconds())} s"


SHAPES = dict(zip(OUTCOMES, ("dot", "square", "triangle", "triangle", "cross"), strict=True))
NO_DELIVERIES = "There are no deliveries to show; only a fake in this process lists them."
DELIVERIES = ("at", "user", "type", "outcome", "status", "why")


def deliveries(source: Drawable) -> Figure:
    """Plot deliveries over time, with a lane for each outcome.

    Args:
        source: a ``FakeService``, a session with one in this process, or a frame of `svckit.frames.deliveries`.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> fake.callbacks.connect("bot-1", lambda headers, body: 200)
        >>> sent = fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "hello"})
        >>> deliveries(fake)
        Deliveries to bots
          at (+09:00)          user   type  outcome    status  why
          2026-06-01 09:00:00  u-002  text  delivered  200
        1 delivery: 1 delivered.
    """
    rows = list(rows_of(source, "deliveries"))
    counts = Counter(row.outcome for row in rows)
    known = [outcome for outcome in (*OUTCOMES, *sorted(counts.keys() - set(OUTCOMES))) if outcome in counts]
    lanes = {outcome: Lane(outcome, str(counts[outcome])) for outcome in known}
    for row in rows:
        why = "" if row.error is None else f", {row.error}"
        words = f"{text(row.type)} of {text(row.user_id)}, {text(row.at)}: {row.outcome}{why}"
        shape = SHAPES.get(row.outcome, "diamond")
        lanes[row.outcome].marks.append(Mark(row.at, shape, words, row.outcome == "timed-out"))
    facts = [(row.at, row.user_id, row.type, row.outcome, row.status, row.error) for row in rows]
    counted = ", ".join(f"{counts[outcome]} {outcome}" for outcome in known)
    return lanes_figure(
        "Deliveries to bots",
        f"{quantity(len(rows), 'delivery', 'deliveries')}: {counted}." if rows else NO_DELIVERIES,
        list(lanes.values()),
        headings=("Outcome", "Events"),
        facts=(DELIVERIES, facts),
    )


RETIREMENTS = ("what", "status", "date", "replacement")


def retirements(source: Drawable | Table | None = None) -> Figure:
    """Plot the retirement calendar: retired (filled), planned (hollow) and undecided (open) features.

    Args:
        source: a session or a ``FakeService``, whose clock gives the day, ``svckit.lifecycle.table(day)``, or a frame
            of `svckit.frames.lifecycle`; by default, today's table.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> from datetime import date
        >>> figure = retirements(table(date(2026, 6, 1)))
        >>> print(figure.description)
        On 2026-06-01, 7 are retired, 3 have a planned date, and 2 are undecided.
    """
    rows = list(rows_of(table() if source is None else source, "lifecycle"))
    dated = sorted((row for row in rows if row.date is not None), key=lambda row: row.date)
    undecided = [row for row in rows if row.date is None]
    facts = [(row.item, row.status, row.date_wording, row.replacement) for row in (*dated, *undecided)]
    if not dated:
        return lanes_figure("Retirements", "No retirement has a date.", [], facts=(RETIREMENTS, facts))
    today = dated[0].date - pd.Timedelta(days=dated[0].days_left)
    retired = sum(row.stage == "retired" for row in rows)
    lanes = [
        Lane(
            row.item,
            row.status if row.stage != "retired" else f"retired {row.date:%Y-%m-%d}",
            marks=[Mark(row.date, "diamond", f"{row.item}: {row.date_wording}", row.stage != "retired")],
            spans=[] if row.stage == "retired" else [Span(today, row.date, row.status, faded=True)],
        )
        for row in dated
    ]
    open_end = Span(today, None, "day undecided", faded=True)
    lanes += [Lane(row.item, "undecided", spans=[open_end]) for row in undecided]
    return lanes_figure(
        "Retirements",
        f"On {today:%Y-%m-%d}, {retired} are retired, {len(dated) - retired} have a planned date, "
        f"and {len(undecided)} are undecided.",
        lanes,
        facts=(RETIREMENTS, facts),
        headings=("Feature", "Status"),
        now=today,
        now_label=f"{today:%Y-%m-%d}",
    )


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
    is_timed = frame[[name for name in (columns.start, columns.end) if name in frame]].notna().any(axis=1)
    wanted = frame.loc[is_timed, [name for name in columns[1:] if name in frame]].astype(object)  # no title
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
