"""A sequence diagram measured out: who was asked what, and what came back, for the browser and for static pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from svckit.display.card import TEMPLATES
from svckit.plots.figure import cut

__all__ = ["lay_out", "to_html"]

LANE = 230  # pixels from one to the next
STEP = 46  # from one exchange to the next
BACK = 20  # from a request to its answer
TOP = 50


def lay_out(arrows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Where everything in the diagram is.

    Args:
        arrows: of each exchange its ``area``, what was ``asked`` and ``answered``, and whether it ``failed``.

    Examples:
        >>> drawn = lay_out([{"area": "resource API", "asked": "GET /", "answered": "200 OK", "failed": False}])
        >>> drawn["width"], [lane["name"] for lane in drawn["lanes"]], [arrow["text"] for arrow in drawn["arrows"]]
        (460, ['client', 'resource API'], ['GET /', '200 OK'])
    """
    names = list(dict.fromkeys(["client", *(each["area"] for each in arrows)]))
    at = {name: LANE // 2 + index * LANE for index, name in enumerate(names)}
    drawn = []
    for index, each in enumerate(arrows):
        y, area = TOP + index * STEP, each["area"]
        answered = f"✗ {each['answered']}" if each["failed"] else each["answered"]
        drawn += [
            _arrow(at["client"], at[area], y, each["asked"], "asked"),
            _arrow(at[area], at["client"], y + BACK, answered, "answered"),
        ]
    return {
        "width": max(len(names), 2) * LANE,
        "height": TOP + len(arrows) * STEP,
        "lanes": [{"name": name, "x": x} for name, x in at.items()],
        "arrows": drawn,
    }


def to_html(drawing: Mapping[str, Any], label: str) -> str:
    """The diagram as SVG without scripts, in the colour of the text around it, folded up."""
    return TEMPLATES.get_template("widgets/explorers/sequence.html").render(drawing, label=label)


def _arrow(start: int, end: int, y: int, text: str, kind: str) -> dict[str, Any]:
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
