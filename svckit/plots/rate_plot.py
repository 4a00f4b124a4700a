"""The notification rate over time, from the response headers (section "Limits")."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import pandas as pd

from svckit.display.axis import LinearAxis
from svckit.http.rate_limit import RateGauge
from svckit.models import limits
from svckit.plots.figure import Figure
from svckit.plots.lanes import NEAREST, group_by_place
from svckit.plots.table import Drawable, rows_of, text

__all__ = ["rate_window"]

OPERATION = ("notifications.post", "notify")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 800, 256, 52, 784, 56, 192
COLUMNS = ("from", "until", "counted", "limit", "refused")
MOST_WINDOWS = 100  # drawn one by one; more are grouped
MANY_POINTS = 1000  # more are rounded to whole pixels
APART = 26  # pixels between the labels of two windows
EMPTY = 76  # pixels of height


@dataclass(slots=True)
class Window:
    """A rate window; ``points`` are the instants of responses with the counts they reported."""

    ends: pd.Timestamp
    limit: int
    points: list[tuple[pd.Timestamp, int]] = field(default_factory=list)

    @property
    def starts(self) -> pd.Timestamp:
        """The instant of its first response."""
        return self.points[0][0]

    @property
    def count(self) -> int:
        """The count that its last response reported."""
        return self.points[-1][1]


def rate_window(source: Drawable) -> Figure:
    """Plot the notification count against the limit, and the refused requests.

    Args:
        source: a journal: a ``FakeService``, a session with one, a trace (``svc.trace()``), or a frame of these. Of a
            session without one, only its last response is drawn.

    Returns:
        The figure; displayed as a picture with a table, and in a terminal as text.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> sent = [svc.notify("hello") for _ in range(3)]
        >>> rate_window(svc)
        Notifications counted against the limit
          from (+09:00)        until (+09:00)       counted  limit  refused
          2026-06-01 09:00:00  2026-06-01 09:01:00  3        120    0
        3 counted, at most 3 of 120 in one window; 0 refused with 429. Shared by 1 to 5 URLs, the limit is 120, 60, 40,
        30 or 24 a minute for each on average; only the total is limited.
    """
    windows: list[Window] = []
    refused: list[pd.Timestamp] = []
    for row in rows_of(source, "journal"):
        if row.operation in OPERATION and row.status == 429:
            refused.append(row.at)
        elif row.rate_used is not None:
            if not windows or row.at >= windows[-1].ends or row.rate_used < windows[-1].count:
                windows.append(Window(row.at + pd.Timedelta(seconds=row.rate_reset), row.rate_limit))
            windows[-1].points.append((row.at, row.rate_used))
    gauge = getattr(source, "rate", None)
    if not windows and not refused and isinstance(gauge, RateGauge):
        return _figure(*_read_gauge(gauge), " Only the last response is known.")
    return _figure(windows, sorted(refused))


def _read_gauge(gauge: RateGauge) -> tuple[list[Window], list[pd.Timestamp]]:
    """Return the window that the last response reported, and its time if it was a refusal."""
    if gauge.updated_at is None or gauge.used is None:
        return [], []
    at = pd.Timestamp(gauge.updated_at)
    refused = [at] if gauge.is_refused else []
    if gauge.resets_at is None:
        return [], refused
    return [Window(pd.Timestamp(gauge.resets_at), gauge.limit, [(at, gauge.used)])], refused


def _figure(windows: Sequence[Window], refused: Sequence[pd.Timestamp], how: str = "") -> Figure:
    limit = max((window.limit for window in windows), default=0)
    description = "No response has reported the notification rate."
    if windows:
        counts = [window.count for window in windows]
        description = (
            f"{sum(counts)} counted, at most {max(counts)} of {limit} in one window; {len(refused)} refused with 429."
            f"{how} {_describe_averages(limit)}; only the total is limited."
        )
    elif refused:
        description = f"{len(refused)} refused with 429; no response has reported the notification rate.{how}"
    rows = [
        (
            window.starts,
            window.ends,
            window.count,
            window.limit,
            bisect_left(refused, window.ends) - bisect_left(refused, window.starts),
        )
        for window in windows
    ]
    return Figure(
        "Notifications counted against the limit",
        description,
        template="plots/rate.svg",
        facts=(COLUMNS, rows),
        width=WIDTH,
        height=HEIGHT if windows else EMPTY,
        margin=12,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        **(_draw(windows, refused, limit) if windows else {}),
    )


def _draw(windows: Sequence[Window], refused: Sequence[pd.Timestamp], limit: int) -> dict[str, object]:
    axis = LinearAxis([*(w.starts for w in windows), *(w.ends for w in windows), *refused])
    top = max(limit, *(count for window in windows for _, count in window.points)) * 1.1
    digits = 1 if sum(len(window.points) for window in windows) <= MANY_POINTS else 0

    def x(at: pd.Timestamp) -> float:
        return round(LEFT + axis.at(at) * (RIGHT - LEFT), digits)

    def y(count: float) -> float:
        return round(BOTTOM - count / top * (BOTTOM - TOP), 1)

    groups = [[window] for window in windows]
    if len(windows) > MOST_WINDOWS:
        groups = group_by_place(windows, lambda window: round(axis.at(window.starts) * MOST_WINDOWS))
    paths: list[dict[str, object]] = []
    labelled = -inf  # where the last label is
    for group in groups:
        start, ends = group[0].starts, group[-1].ends
        highest = max(group, key=lambda window: window.count)
        count, right = highest.count, x(ends)
        points, counted = group[0].points, f"{count} of {highest.limit}"
        if len(group) > 1:  # the highest count stands for all
            points, counted = [(start, count)], f"{len(group)} windows, at most {count}"
        # Of responses at one place, only the last is drawn.
        rises = (f"H{across}V{up}" for across, up in {x(at): y(number) for at, number in points}.items())
        line = "".join([f"M{x(start)},{y(0)}", *rises, f"H{right}V{y(0)}"])
        label = {"x": right, "y": y(count) - 6, "text": str(count)} if right - labelled >= APART else None
        labelled = right if label else labelled
        paths.append({"d": line, "words": f"{counted} from {text(start)} to {text(ends)}", "label": label})
    return {
        "ticks": [(round(LEFT + tick.at * (RIGHT - LEFT), 1), tick.label) for tick in axis.ticks],
        "levels": [(y(count), str(round(count))) for count in (0, limit / 2)],
        "limit": (y(limit), str(limit)),
        "caption": axis.caption,
        "averages": _describe_averages(limit),
        "paths": paths,
        "crosses": [
            (x(group[0]), y(limit), _describe_refusals(group))
            for group in group_by_place(refused, lambda at: round(x(at) / NEAREST))
        ],
    }


def _describe_averages(limit: int) -> str:
    """Describe the average limit per URL (section "Limits"), by the number of URLs that share it."""
    most = limits.WEBHOOKS_PER_DOMAIN
    *others, last = (limits.average_per_url(urls, limit) for urls in range(1, most + 1))
    listed = f"{', '.join(map(str, others))} or {last}"
    return f"Shared by 1 to {most} URLs, the limit is {listed} a minute for each on average"


def _describe_refusals(group: Sequence[pd.Timestamp]) -> str:
    first, last = group[0], group[-1]
    until = "" if first == last else f" to {text(last)}"
    return f"{len(group)} refused with 429 at {text(first)}{until}"
