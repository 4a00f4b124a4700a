"""A figure: one picture with three faces, which say the same."""

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import east_asian_width

from markupsafe import Markup

from svckit.display.card import TEMPLATES, render_table

__all__ = ["SHAPES", "Figure", "cut", "cut_hint", "printable", "width"]

SHAPES: Mapping[str, str] = {
    "dot": "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
    "square": "M-4.5,-4.5h9v9h-9z",
    "triangle": "M0,-5.5L5.5,4.5H-5.5z",
    "diamond": "M0,-6L6,0L0,6L-6,0z",
    "cross": "M-4.5,-4.5L4.5,4.5M-4.5,4.5L4.5,-4.5",
}
"""The marks, each another shape, so that they can be told apart without colour."""

ROWS = 20  # of the table
LONGEST = 160  # characters that a mark says when pointed at

# Pixels of characters at a size of 12, in the widest of the usual fonts, so that a text fits in the others too.
NARROW, SMALL, CAPITAL, BROAD = 4.2, 7.4, 8.6, 12.2
WIDTHS = {**dict.fromkeys("ijltfr.,:;'|!()[] -", NARROW), **dict.fromkeys("mwMW@%", BROAD)}


class Figure:
    """A picture as SVG (in an ``<img>`` or a file), as HTML with a table below it, and as text.

    The SVG takes the colours of the page it is in, light or dark; alone, those of the system. It has a title and a
    description for those who do not see it, and marks say what they are when pointed at.

    The table has the first 20 rows, as the text has; all are in the frame that it is drawn from.

    Attributes:
        title: what it shows.
        description: what there is to see in it, in a sentence or two.
        svg: the picture, the same bytes for the same facts.
    """

    def __init__(
        self,
        title: str,
        description: str,
        *,
        template: str,
        facts: tuple[Sequence[str], Sequence[Sequence[str]]],
        **drawn: Any,
    ) -> None:
        self.title, self.description = printable(title), printable(description)
        columns, rows = facts
        shown = [[*map(printable, row)] for row in rows[:ROWS]]
        if len(rows) > ROWS:
            shown.append([f"and {len(rows) - ROWS} more", *[""] * (len(columns) - 1)])
        self._html, self._plain = render_table(self.title, columns, shown)
        self.svg = TEMPLATES.get_template(template).render(
            title=self.title, description=self.description, shapes=SHAPES, **drawn
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        parts = {"picture": Markup(self.svg), "table": Markup(self._html)}  # noqa: S704 - both were made by templates
        return TEMPLATES.get_template("plots/figure.html").render(**parts)

    def __repr__(self) -> str:
        return f"{self._plain}\n{self.description}"


def printable(text: str) -> str:
    """Text without characters that XML does not have, or that a terminal would obey."""
    return "".join(mark if mark.isprintable() else " " for mark in text)


def width(text: str) -> float:
    """About how many pixels a text takes."""
    return sum(map(_char_width, text))


def _char_width(mark: str) -> float:
    if mark in WIDTHS:
        return WIDTHS[mark]
    if east_asian_width(mark) in "WF":
        return BROAD
    return CAPITAL if mark.isupper() else SMALL


def cut(text: str, most: float) -> str:
    """A text that is too wide, cut.

    Examples:
        >>> cut("a long name", 60)
        'a long…'
    """
    text = printable(text)
    if width(text) <= most:
        return text
    room, kept = most - BROAD, 0
    for kept, mark in enumerate(text):  # noqa: B007 - where it stopped is what is asked for
        room -= _char_width(mark)
        if room < 0:
            break
    return f"{text[:kept].rstrip()}…"


def cut_hint(words: str) -> str:
    """What something says when pointed at, cut where it is very long.

    Examples:
        >>> len(cut_hint("x" * 1000))
        160
    """
    words = printable(words)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
