"""The notification rate over time, as the headers of the answers tell it (section "Limits")."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from svckit.frames.exchanges import JOURNAL
from svckit.plots.axis import LinearAxis
from svckit.plots.figure import Figure
from svckit.plots.table import Drawable, instant, rows_of

__all__ = ["rate_window"]

OPERATION = ("notifications.post", "notify")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 230, 52, 704, 48, 184
COLUMNS = ("from", "until", "counted", "limit", "refused")


@dataclass(slots=True)
class Window:
    """Calls that are counted together; ``points`` are the instants of answers and the counts they gave."""

    ends: pd.Timestamp
    limit: int
    points: list[tuple[pd.Timestamp, int]] = field(default_factory=list)


def rate_window(source: Drawable) -> Figure:
    """How many notifications are counted, against the limit, and when calls were refused.

    Args:
        source: a journal: a ``FakeService``, a session with one, a trace (``svc.trace()``), or a frame of these.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> sent = [svc.notify("hello") for _ in range(3)]
        >>> rate_window(svc)
        Notifications counted against the limit
          from                 until                counted  limit  refused
          2026-06-01 00:00:00  2026-06-01 00:01:00  3        120    0
        3 counted, at most 3 of 120 in one window; 0 refused with 429.
    """
    windows: list[Window] = []
    refused: list[pd.Timestamp] = []
    for row in rows_of(source, "journal", JOURNAL):
        if row.operation in OPERATION and row.status == 429:
            refused.append(row.at)
        elif row.rate_used is not None:
            if not windows or row.at >= windows[-1].ends or row.rate_used < windows[-1].points[-1][1]:
                windows.append(Window(row.at + pd.Timedelta(seconds=row.rate_reset), row.rate_limit))
            windows[-1].points.append((row.at, row.rate_used))
    return _figure(windows, refused)


def _figure(windows: Sequence[Window], refused: Sequence[pd.Timestamp]) -> Figure:
    counts = [window.points[-1][1] for window in windows]
    limit = max((window.limit for window in windows), default=0)
    description = "No answer has told the notification rate."
    if windows:
        counted = f"{sum(counts)} counted, at most {max(counts)} of {limit} in one window"
        description = f"{counted}; {len(refused)} refused with 429."
    rows = [
        (
            instant(window.points[0][0]),
            instant(window.ends),
            str(count),
            str(window.limit),
            str(sum(window.points[0][0] <= at < window.ends for at in refused)),
        )
        for window, count in zip(windows, counts, strict=True)
    ]
    return Figure(
        "Notifications counted against the limit",
        description,
        template="rate.svg",
        facts=(COLUMNS, rows),
        width=WIDTH,
        height=HEIGHT,
        margin=12,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        **_drawing(windows, refused, limit),
    )


def _drawing(windows: Sequence[Window], refused: Sequence[pd.Timestamp], limit: int) -> dict[str, object]:
    if not windows:
        return dict.fromkeys(("ticks", "levels", "paths", "crosses"), ()) | {"caption": "", "limit": None}
    axis = LinearAxis([*(w.points[0][0] for w in windows), *(w.ends for w in windows), *refused])
    top = max(limit, *(count for window in windows for _, count in window.points)) * 1.1

    def x(at: pd.Timestamp) -> float:
        return round(LEFT + axis.at(at) * (RIGHT - LEFT), 1)

    def y(count: float) -> float:
        return round(BOTTOM - count / top * (BOTTOM - TOP), 1)

    paths = []
    for window in windows:
        steps = [f"M{x(window.points[0][0])},{y(0)}"]
        highest = {x(at): y(count) for at, count in window.points}  # of one place the last is the highest
        steps += [f"H{across}V{up}" for across, up in highest.items()]
        steps.append(f"H{x(window.ends)}V{y(0)}")
        last = window.points[-1][1]
        words = f"{last} of {window.limit} from {instant(window.points[0][0])} to {instant(window.ends)}"
        middle = (x(window.points[0][0]) + x(window.ends)) / 2
        label = {"x": round(middle, 1), "y": y(last) - 6, "text": str(last)}
        paths.append({"d": "".join(steps), "words": words, "label": label})
    return {
        "ticks": [(round(LEFT + tick.at * (RIGHT - LEFT), 1), tick.label) for tick in axis.ticks],
        "levels": [(y(count), str(round(count))) for count in (0, limit / 2)],
        "limit": (y(limit), str(limit)),
        "caption": axis.caption,
        "paths": paths,
        "crosses": [(x(at), y(limit), words) for at, words in _refusals(refused)],
    }


def _refusals(refused: Sequence[pd.Timestamp]) -> list[tuple[pd.Timestamp, str]]:
    """The instants of refusals, each once, with how many there were."""
    return [(at, f"{count} refused with 429 at {instant(at)}") for at, count in Counter(refused).items()]
