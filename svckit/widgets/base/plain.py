"""Tables as fixed-width text, for use without a browser."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

from svckit.display.terminal import on_one_line

__all__ = ["columns"]


def columns(rows: Sequence[Sequence[str]], *, widest: int = 32) -> list[str]:
    """Align the cells of each column in lines of text; cut cells that are too wide.

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
    """Cut a text of any length to a width."""
    width = kept = 0
    for end, mark in enumerate(text, start=1):
        width += _width(mark)
        if width > widest:
            return f"{text[:kept]}…"
        if width < widest:
            kept = end
    return text
