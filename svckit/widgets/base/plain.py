"""Tables as text of fixed width, for where there is no browser."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from svckit.display.terminal import on_one_line

__all__ = ["columns"]


def columns(rows: Sequence[Sequence[str]], *, widest: int = 32) -> list[str]:
    """Lines in which the cells of each column stand below one another; a cell that is too wide is cut.

    Examples:
        >>> columns([("ID", "Name"), ("u-1", "佐藤"), ("u-20", "Mina")])
        ['ID    Name', 'u-1   佐藤', 'u-20  Mina']
    """
    cut = [[_cut(on_one_line(cell), widest) for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*cut, strict=True)]
    return ["  ".join(map(_pad, row, widths)).rstrip() for row in cut]


def _width(text: str) -> int:
    return sum(2 if east_asian_width(mark) in "WF" else 1 for mark in text if not combining(mark))


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _cut(text: str, widest: int) -> str:
    """As much of a text as there is room for, however long it is."""
    width = kept = 0
    for end, mark in enumerate(text, start=1):
        width += _width(mark)
        if width > widest:
            return f"{text[:kept]}…"
        if width < widest:
            kept = end
    return text
