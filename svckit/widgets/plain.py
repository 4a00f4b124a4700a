"""Tables as text of fixed width, for where there is no browser."""

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

__all__ = ["columns"]

WIDEST = 32


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines in which the cells of each column stand below one another; a cell of over 32 places is cut.

    Examples:
        >>> columns([("ID", "Name"), ("u-1", "佐藤"), ("u-20", "Mina")])
        ['ID    Name', 'u-1   佐藤', 'u-20  Mina']
    """
    cut = [[_cut(" ".join(cell.split())) for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*cut, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in cut]


def _width(text: str) -> int:
    return sum(2 if east_asian_width(mark) in "WF" else 1 for mark in text if not combining(mark))


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _cut(text: str) -> str:
    if _width(text) <= WIDEST:
        return text
    while _width(text) >= WIDEST:
        text = text[:-1]
    return f"{text}…"
