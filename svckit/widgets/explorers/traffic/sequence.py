"""The layout of a sequence diagram of requests and responses, for the template ``sequence.html``."""

from collections.abc import Sequence
from typing import Any

from svckit.display.drawn_text import cut
from svckit.http.trace import AREAS
from svckit.widgets.explorers.traffic.messages import TrafficMessage

__all__ = ["lay_out"]

LANE = 230  # pixels between two lanes
STEP = 46  # pixels between two requests
BACK = 20  # pixels between a request and its response
TOP = 50


def lay_out(messages: Sequence[TrafficMessage]) -> dict[str, Any]:
    """Return the positions of everything in the diagram.

    Args:
        messages: the requests, with their responses.

    Examples:
        >>> read = TrafficMessage(1, "", "custom", "api", "GET", "https://api.fake.test", 200, "200 OK", None)
        >>> drawing = lay_out([read])
        >>> drawing["width"], [lane["name"] for lane in drawing["lanes"]]
        (460, ['client', 'resource API'])
        >>> [arrow["text"] for arrow in drawing["arrows"]]
        ['GET /', '200 OK']
    """
    names = list(dict.fromkeys(["client", *(AREAS[message.area] for message in messages)]))
    at = {name: LANE // 2 + index * LANE for index, name in enumerate(names)}
    arrows = []
    for index, message in enumerate(messages):
        y, area = TOP + index * STEP, at[AREAS[message.area]]
        arrows += [
            _make_arrow(at["client"], area, y, f"{message.method} {message.path}", "asked"),
            _make_arrow(area, at["client"], y + BACK, message.marked_outcome, "answered"),
        ]
    return {
        "width": max(len(names), 2) * LANE,
        "height": TOP + len(messages) * STEP,
        "lanes": [{"name": name, "x": x} for name, x in at.items()],
        "arrows": arrows,
    }


def _make_arrow(start: int, end: int, y: int, text: str, kind: str) -> dict[str, Any]:
    way = 1 if end > start else -1
    return {
        "from": start,
        "to": end - 2 * way,
        "middle": (start + end) // 2,
        "y": y,
        "kind": kind,
        "tip": f"M{end},{y}l{-8 * way},-4v8z",
        "text": cut(text, abs(end - start) - 10),
        "whole": text,
    }
