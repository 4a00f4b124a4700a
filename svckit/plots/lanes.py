"""Figures of stacked lanes along a time axis, with marks and spans."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pandas as pd

from svckit.display.axis import LinearAxis
from svckit.display.drawn_text import cut, cut_hint, two_lines, width
from svckit.plots.figure import Facts, Figure

__all__ = ["MOST_LANES", "NEAREST", "Lane", "Mark", "Span", "group_by_place", "lanes_figure"]

T = TypeVar("T")

MOST_LANES = 30
MOST_SPANS = 100  # in a lane

WIDTH, MARGIN, ROW, TOP, BOTTOM = 800, 12, 26, 46, 46
TALL_ROW = 34  # where a label has two lines
NOW_LABEL = 14  # pixels for the label of a line across all lanes
WIDEST_LABEL, WIDEST_NOTE = 300, 190
NEAREST = 8  # pixels; spans whose ends are closer are merged
MARK_ROOM = 24  # pixels for a mark and its count; closer ones are merged


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at an instant."""

    at: pd.Timestamp
    shape: str
    words: str
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, possibly open at an end; its label is drawn inside if it fits."""

    start: pd.Timestamp | None
    end: pd.Timestamp | None
    words: str
    label: str = ""
    faded: bool = False


@dataclass(slots=True)
class Lane:
    """A lane with a name at its left and a note at its right."""

    label: str
    note: str = ""
    marks: list[Mark] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def instants(self) -> Iterator[pd.Timestamp]:
        """Yield what the time axis has to have room for."""
        yield from (mark.at for mark in self.marks)
        yield from (at for span in self.spans for at in (span.start, span.end) if at is not None)


def lanes_figure(
    title: str,
    description: str,
    lanes: Sequence[Lane],
    *,
    facts: Facts,
    headings: tuple[str, str] = ("", ""),
    now: pd.Timestamp | None = None,
    now_label: str = "",
) -> Figure:
    """Draw lanes, at most the first 30; without any instant, the figure only has the description.

    Args:
        title: the title.
        description: what the figure shows.
        lanes: from top to bottom.
        facts: the same content as a table: its columns and rows.
        headings: what the names and the notes of the lanes are.
        now: an instant marked by a line across all lanes.
        now_label: the label above that line.
    """
    instants = [at for lane in lanes for at in lane.instants()] + ([] if now is None else [now])
    axis = LinearAxis(instants) if instants else None
    if len(lanes) > MOST_LANES:
        description = (
            f"{description.removesuffix('.')}; of {len(lanes)} lanes the first {MOST_LANES} are drawn."
        )
        lanes = lanes[:MOST_LANES]
    names = [two_lines(lane.label, WIDEST_LABEL) for lane in lanes]
    labels = max((width(line) for lines in names for line in lines), default=0)
    notes = min(max((width(lane.note) for lane in lanes), default=0), WIDEST_NOTE)
    if lanes:
        labels, notes = max(labels, width(headings[0])), max(notes, width(headings[1]))
    row = ROW if all(len(lines) == 1 for lines in names) else TALL_ROW
    left, right = MARGIN + labels + 12, WIDTH - MARGIN - (notes + 12 if notes else 0)
    layout, top = _LaneLayout(left, right, axis), TOP + (NOW_LABEL if now_label else 0)
    return Figure(
        title,
        description,
        template="plots/lanes.svg",
        facts=facts,
        width=WIDTH,
        height=top + row * max(len(lanes), 1) + BOTTOM,
        left=left,
        right=right,
        top=top,
        bottom=top + row * max(len(lanes), 1),
        margin=MARGIN,
        lanes=[
            {"lines": lines, **layout.lane(lane, top + row * (number + 0.5))}
            for number, (lane, lines) in enumerate(zip(lanes, names, strict=True))
        ],
        headings=headings,
        head=TOP - 9,
        ticks=[(layout.between(tick.at), tick.label) for tick in axis.ticks] if axis else [],
        caption=axis.caption if axis else "",
        now=None if now is None or axis is None else layout.at(now),
        now_label=now_label,
        row=row,
    )


class _LaneLayout:
    """The layout of lanes in pixels."""

    def __init__(self, left: float, right: float, axis: LinearAxis | None) -> None:
        self._left, self._right, self._axis = left, right, axis

    def between(self, place: float) -> float:
        return round(self._left + place * (self._right - self._left), 1)

    def at(self, instant: pd.Timestamp) -> float:
        assert self._axis is not None, "lanes with instants have an axis"  # noqa: S101
        return self.between(min(max(self._axis.at(instant), 0), 1))

    def lane(self, lane: Lane, y: float) -> dict[str, Any]:
        return {
            "y": y,
            "name": cut_hint(lane.label),
            "note": cut(lane.note, WIDEST_NOTE),
            "marks": list(self._marks(lane.marks)),
            "spans": list(self._spans(lane.spans)),
        }

    def _spans(self, spans: Iterable[Span]) -> Iterable[dict[str, Any]]:
        """Yield the spans, merged by place, with a last one that counts those not drawn."""
        groups = group_by_place(spans, self._place_span)
        for group in groups[:MOST_SPANS]:
            first, count = group[0], len(group)
            words = first.words if count == 1 else f"{count} here; the first: {first.words}"
            yield self._span(replace(first, words=words))
        rest = sum(map(len, groups[MOST_SPANS:]))
        if rest:
            yield self._span(Span(None, None, f"{rest} more, not drawn", faded=True))

    def _place_span(self, span: Span) -> Hashable:
        drawn = self._span(span)
        return round(drawn["x"] / NEAREST), round(drawn["width"] / NEAREST), span.faded

    def _span(self, span: Span) -> dict[str, Any]:
        start = self._left if span.start is None else self.at(span.start)
        end = self._right if span.end is None else self.at(span.end)
        across = max(round(end - start, 1), 2)
        return {
            "x": start,
            "width": across,
            "label": span.label if width(span.label) < across else "",
            "words": cut_hint(span.words),
            "faded": span.faded,
            "open": span.start is None or span.end is None,
        }

    def _marks(self, marks: Iterable[Mark]) -> Iterable[dict[str, Any]]:
        """Yield the marks, merged by place with their count."""
        for group in self._group(marks):
            first, count = group[0], len(group)
            words = first.words if count == 1 else f"{count} from here on; the first: {first.words}"
            yield {
                "x": self.at(first.at),
                "shape": first.shape,
                "hollow": first.hollow,
                "words": cut_hint(words),
                "count": count if count > 1 else "",
            }

    def _group(self, marks: Iterable[Mark]) -> list[list[Mark]]:
        """Group the marks of one look that are nearer to the first of their group than its count is wide."""
        groups: list[list[Mark]] = []
        for mark in sorted(marks, key=lambda mark: (mark.shape, mark.hollow, mark.at)):
            first = groups[-1][0] if groups else mark
            is_alike = (first.shape, first.hollow) == (mark.shape, mark.hollow)
            if groups and is_alike and self.at(mark.at) - self.at(first.at) < MARK_ROOM:
                groups[-1].append(mark)
            else:
                groups.append([mark])
        return groups


def group_by_place(items: Iterable[T], place_of: Callable[[T], Hashable]) -> list[list[T]]:
    """Group what would be drawn in one place, in the order of the first of each group."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(place_of(item), []).append(item)
    return list(groups.values())
