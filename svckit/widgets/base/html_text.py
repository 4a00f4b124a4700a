"""Static HTML of a view as text, for use without a browser."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Final

from wcwidth import clip, ljust, wcswidth

from svckit.display.terminal import on_one_line

__all__ = ["columns", "to_text"]

BLOCKS: Final = frozenset(
    {"caption", "div", "footer", "h2", "h3", "h4", "header", "li", "ol", "p", "pre", "section", "ul"}
)
UNSEEN: Final = frozenset({"details", "svg"})
WIDEST: Final = 48


def to_text(html: str) -> str:
    """Return static HTML as lines of text: tables aligned, details left out.

    Args:
        html: well-formed HTML, as the templates render it.

    Examples:
        >>> print(to_text("<p><strong>Inbox</strong> [FAKE]</p><ul><li>a &lt; b</li></ul>"))
        Inbox [FAKE]
        - a < b
        >>> to_text("<details><table><tr><td>1</td></tr></table><pre>a</pre></details><p>b</p>")
        'b'
        >>> rows = "<tr aria-selected='true'><td>1</td><td>sent</td></tr><tr><td>20</td><td>lost</td></tr>"
        >>> print(to_text(f"<table><caption>Log</caption>{rows}</table>"))
        Log
          > 1   sent
            20  lost
        >>> rows = "<tr><th colspan=2>Work</th></tr><tr><th data-depth=1>Task</th><td>Sales</td></tr>"
        >>> print(to_text(f"<table>{rows}</table>"))
          Work
            Task  Sales
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_line()
    return "\n".join(reader.lines)


class _Reader(HTMLParser):
    """Collects the lines of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line: list[str] = []
        self._rows: list[list[str]] = []
        self._selected: set[int] = set()
        self._unseen = 0  # how many elements that are left out are open
        self._is_exact = False
        self._depth = self._span = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in UNSEEN
        if self._unseen:
            return
        self._is_exact = self._is_exact or tag == "pre"
        if tag == "tr":
            self._selected |= {len(self._rows)} if ("aria-selected", "true") in attrs else set()
            self._rows.append([])
        elif tag in ("td", "th"):
            given = dict(attrs)
            self._depth, self._span = int(given.get("data-depth") or 0), int(given.get("colspan") or 1)
        elif tag == "br" or tag in BLOCKS:
            self.end_line()
            self._line += ["- "] if tag == "li" else []

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in UNSEEN
        if self._unseen:
            return
        self._is_exact = self._is_exact and tag != "pre"
        if tag in ("td", "th"):
            cell = "  " * self._depth + " ".join("".join(self._line).split())
            self._rows[-1] += [cell, *[""] * (self._span - 1)]
            self._line = []
        elif tag == "table":
            self._end_table()
        elif tag in BLOCKS:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if self._is_exact and not self._unseen:
            self.lines += data.strip("\n").split("\n")
        elif not self._unseen:
            self._line.append(data)

    def end_line(self) -> None:
        """Add the line so far, unless it is blank."""
        words = " ".join("".join(self._line).split())
        self.lines += [words] if words not in ("", "-") else []
        self._line = []

    def _end_table(self) -> None:
        rows, selected = [row for row in self._rows if row], self._selected
        if selected:
            rows = [[">" if index in selected else "", *row] for index, row in enumerate(self._rows)]
        self.lines += [f"  {line}" for line in columns(rows, widest=WIDEST)] if rows else []
        self._rows, self._selected, self._line = [], set(), []


def columns(rows: Sequence[Sequence[str]], *, widest: int = 32) -> list[str]:
    """Align the cells of each column in lines of text; cut cells that are too wide.

    Examples:
        >>> columns([("ID", "Name"), ("u-1", "佐藤"), ("u-20", "Mina")])
        ['ID    Name', 'u-1   佐藤', 'u-20  Mina']
    """
    cut = [[_cut(on_one_line(cell), widest) for cell in row] for row in rows]
    widths = [max(map(wcswidth, column)) for column in zip(*cut, strict=True)]
    return ["  ".join(map(ljust, row, widths)).rstrip() for row in cut]


def _cut(text: str, widest: int) -> str:
    return text if clip(text, 0, widest) == text else f"{clip(text, 0, widest - 1).rstrip()}…"
