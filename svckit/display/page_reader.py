"""The title, the text and the form of an HTML page, read from its source."""

from contextlib import suppress
from html.parser import HTMLParser
from typing import Self

__all__ = ["PageReader"]

HIDDEN = frozenset({"title", "style", "script", "noscript"})
"""Elements whose text a page does not show."""
INLINE = frozenset({"a", "b", "code", "em", "i", "small", "span", "strong"})
"""Elements that do not begin a line."""


class PageReader(HTMLParser):
    """The title, the visible text and the form of an HTML page.

    Examples:
        >>> reader = PageReader.of(
        ...     "<title>Hi</title><style>p {}</style><p>How <b>are</b> you?</p><form><input name=a></form>")
        >>> reader.title, reader.lines, reader.fields
        ('Hi', ['How are you?'], {'a': ''})
    """

    def __init__(self) -> None:
        super().__init__()
        self.title: str = ""
        self.lines: list[str] = []
        self.form: dict[str, str | None] | None = None
        self.fields: dict[str, str] = {}
        self._hidden = ""  # the element whose text is not shown, while it is open
        self._line = ""  # the text since the last line ended

    @classmethod
    def of(cls, page: str) -> Self:
        """Return what a page shows; of one that was cut off, without what its last tag begins."""
        reader = cls()
        with suppress(AssertionError):  # some versions of Python raise it for a mark such as `<![`
            reader.feed(page)  # and never close: that takes the cut-off tag for text, in quadratic time
        reader._end_line()
        reader.title = " ".join(reader.title.split())
        return reader

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form or a field, and end the line of text before a block."""
        given = dict(attrs)
        if tag in HIDDEN:
            self._hidden = self._hidden or tag  # one in another does not end it
        elif tag == "form":
            self.form = given
        elif tag == "input" and given.get("name"):
            self.fields[given["name"] or ""] = given.get("value") or ""
        if tag not in INLINE:
            self._end_line()

    def handle_endtag(self, tag: str) -> None:
        """End the line of text after a block."""
        if tag == self._hidden:
            self._hidden = ""
        elif tag not in INLINE:
            self._end_line()

    def handle_data(self, data: str) -> None:
        """Add text to the title or the line."""
        if self._hidden == "title":
            self.title += data
        elif not self._hidden:
            self._line += data

    def _end_line(self) -> None:
        """End the line of text, and keep it if there is any."""
        words = " ".join(self._line.split())
        if words:
            self.lines.append(words)
        self._line = ""
