"""A figure: one picture in three renderings with the same content."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
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
    """A picture as SVG, in a notebook with a table below it, and as text.

    A notebook shows it as an image as wide as the cell, also one that is not trusted, and on a ground of its own, so
    that it is legible on light and dark pages. It has a title and a description for screen readers; opened as a file,
    its marks have tooltips.

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

    def save(self, path: str | Path) -> None:
        """Save the picture as an SVG file, over an earlier one.

        Args:
            path: such as ``plot.svg``.

        Raises:
            ValueError: its name does not end in ``.svg``.
            OSError: it cannot be written there.
        """
        file = Path(path)
        if file.suffix.lower() != ".svg":
            raise ValueError(f"a plot is saved as SVG, so the name must end in .svg; given {str(path)!r}")
        file.write_text(self.svg, encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        return TEMPLATES.get_template("plots/figure.html").render(
            picture=b64encode(self.svg.encode()).decode(),
            title=self.title,
            description=self.description,
            table=Markup(self._html),  # noqa: S704 - it comes from a template
        )

    def __repr__(self) -> str:
        return f"{self._plain}\n{self.description}"
