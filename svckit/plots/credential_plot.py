"""The lifetimes of codes and tokens."""

import pandas as pd

from svckit.display.axis import zone_of
from svckit.plots.figure import Figure
from svckit.plots.lanes import MOST_LANES, Lane, Span, lanes_figure
from svckit.plots.table import Drawable, rows_of, text

__all__ = ["credentials"]

COLUMNS = ("credential", "user", "state", "issued", "expires", "left")


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
        return lanes_figure("Credentials", "There are no credentials.", [], facts=(COLUMNS, []))
    now = rows[0].as_of
    valid = sum(row.state == "valid" for row in rows)
    return lanes_figure(
        "Credentials",
        f"{valid} of {len(rows)} credentials are valid on {text(now)} {zone_of(now)}.",
        lanes,
        facts=(COLUMNS, facts),
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
