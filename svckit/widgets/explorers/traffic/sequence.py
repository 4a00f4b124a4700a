"""The layout of a sequence diagram of requests and responses, for the template ``sequence.html``."""

from collections.abc import Mapping, Sequence
from typing import Any

from svckit.display.drawn_text import cut

__all__ = ["lay_out"]

LANE = 230  # pixels between two lanes
STEP = 46  # pixels between two requests
BACK = 20  # pixels between a request and its response
TOP = 50


def lay_out(requests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the positions of everything in the diagram.

    Args:
        requests: the ``area``, ``request``, ``response`` and ``failed`` of each request.

    Examples:
        >>> drawing = lay_out([{"area": "resource API", "request": "GET /", "response": "200 OK", "failed": False}])
        >>> drawing["width"], [lane["name"] for lane in drawing["lanes"]], [each["text"] for each in drawing["arrows"]]
        (460, ['client', 'resource API'], ['GET /', '200 OK'])
    """
    names = list(dict.fromkeys(["client", *(request["area"] for request in requests)]))
    at = {name: LANE // 2 + index * LANE for index, name in enumerate(names)}
    arrows = []
    for index, request in enumerate(requests):
        y, area = TOP + index * STEP, request["area"]
        response = f"✗ {request['response']}" if request["failed"] else request["response"]
        arrows += [
            _make_arrow(at["client"], at[area], y, request["request"], "asked"),
            _make_arrow(at[area], at["client"], y + BACK, response, "answered"),
        ]
    return {
        "width": max(len(names), 2) * LANE,
        "height": TOP + len(requests) * STEP,
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
