"""A figure: one picture in three renderings with the same content."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from svckit.display.card import render_table
from svckit.display.drawn_text import printable
from svckit.display.templates import TEMPLATES
from svckit.plots.table import text, with_zone

__all__ = ["SHAPES", "Facts", "Figure"]

SHAPES: Mapping[str, str] = {
    "dot": "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
    "square": "M-4.5,-4.5h9v9h-9z",
    "triangle": "M0,-5.5L5.5,4.5H-5.5z",
    "diamond": "M0,-6L6,0L0,6L-6,0z",
    "cross": "M-4.5,-4.5L4.5,4.5M-4.5,4.5L4.5,-4.5",
}
"""The marks; their shapes differ, so that they are distinguishable without color."""

ROWS = 20  # in the table
Facts = tuple[Sequence[str], Sequence[Sequence[object]]]


class Figure:
    """A picture as SVG (in an ``<img>`` or a file), as HTML with a table below it, and as text.

    The SVG takes the colors of the page, light or dark; on its own, those of the system. It has a title and a
    description for screen readers, and marks have tooltips.

    The table and the text have the first 20 rows; the frame that is drawn has all of them.

    Args:
        title: the title.
        description: what the picture shows, in a sentence or two.
        template: the template of the SVG.
        facts: the columns and the rows of the table, whose values `svckit.plots.table.text` formats.
        **context: what else the template shows.

    Attributes:
        title: the title.
        description: what the picture shows, in a sentence or two.
        svg: the picture, the same bytes for the same facts.

    Examples:
        >>> from datetime import date
        >>> import svckit
        >>> figure = svckit.plots.retirements(svckit.lifecycle.table(date(2026, 6, 1)))
        >>> figure.title, figure.svg[:4]
        ('Retirements', '<svg')
    """

    def __init__(
        self,
        title: str,
        description: str,
        *,
        template: str,
        facts: Facts,
        **context: Any,
    ) -> None:
        self.title: str = printable(title)
        self.description: str = printable(description)
        columns, rows = facts
        shown = [[printable(text(value)) for value in row] for row in rows[:ROWS]]
        if len(rows) > ROWS:
            shown.append([f"and {len(rows) - ROWS} more", *[""] * (len(columns) - 1)])
        cells = zip(*rows, strict=True) if rows else [()] * len(columns)
        headings = [*map(with_zone, columns, cells)]
        self._html, self._plain = render_table(self.title, headings, shown)
        self.svg: str = TEMPLATES.get_template(template).render(
            title=self.title, description=self.description, shapes=SHAPES, **context
        )

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        parts = {"picture": Markup(self.svg), "table": Markup(self._html)}  # noqa: S704 - both come from templates
        return TEMPLATES.get_template("plots/figure.html").render(**parts)

    def __repr__(self) -> str:
        return f"{self._plain}\n{self.description}"
