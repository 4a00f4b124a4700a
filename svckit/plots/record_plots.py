"""Plots of one kind of record over time: credentials, deliveries, retirements."""

from collections import Counter

import pandas as pd

from svckit.display.axis import zone_of
from svckit.display.card import quantity
from svckit.frames.record_columns import OUTCOMES
from svckit.plots.figure import Figure
from svckit.plots.lanes import MOST_LANES, Lane, Mark, Span, lanes_figure
from svckit.plots.table import Drawable, rows_of, text
from svckit.retirements import Table, table

__all__ = ["credentials", "deliveries", "retirements"]

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


def _format_left(row: object) -> str:
    """Format the time until a credential expires, in its largest unit."""
    end: pd.Timestamp | None = getattr(row, "end_time", None)
    if end is None:
        return ""
    left = end - getattr(row, "as_of")  # noqa: B009 - only pandas knows the names of the row
    if left <= pd.Timedelta(0):
        return "none"
    for unit, span in (("days", "1D"), ("h", "1h"), ("min", "1min")):
        if left >= 2 * pd.Timedelta(span):
            return f"{left // pd.Timedelta(span)} {unit}"
    return f"{int(left.total_seconds())} s"


SHAPES = dict(zip(OUTCOMES, ("dot", "square", "triangle", "triangle", "cross"), strict=True))
HOLLOW = ("timed-out",)
DELIVERIES = ("at", "user", "type", "outcome", "status", "why")


def deliveries(source: Drawable) -> Figure:
    """Plot deliveries over time, with a lane for each outcome.

    Args:
        source: a ``FakeService``, a session with one, or a frame of `svckit.frames.deliveries`.

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
        lanes[row.outcome].marks.append(Mark(row.at, shape, words, row.outcome in HOLLOW))
    counted = ", ".join(f"{counts[outcome]} {outcome}" for outcome in known)
    return lanes_figure(
        "Deliveries to bots",
        f"{quantity(len(rows), 'delivery', 'deliveries')}: {counted}." if rows else "No event was sent.",
        list(lanes.values()),
        headings=("Outcome", "Events"),
        facts=(
            DELIVERIES,
            [(row.at, row.user_id, row.type, row.outcome, row.status, row.error) for row in rows],
        ),
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
    lanes += [
        Lane(row.item, "undecided", spans=[Span(today, None, "day undecided", faded=True)])
        for row in undecided
    ]
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
