"""The deliveries of events to bots."""

from collections import Counter

from svckit.display.card import quantity
from svckit.frames.record_columns import OUTCOMES
from svckit.plots.figure import Figure
from svckit.plots.lanes import Lane, Mark, lanes_figure
from svckit.plots.table import Drawable, rows_of, text

__all__ = ["deliveries"]

SHAPES = dict(zip(OUTCOMES, ("dot", "square", "triangle", "triangle", "cross"), strict=True))
HOLLOW = ("timed-out",)
COLUMNS = ("at", "user", "type", "outcome", "status", "why")


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
            COLUMNS,
            [(row.at, row.user_id, row.type, row.outcome, row.status, row.error) for row in rows],
        ),
    )
