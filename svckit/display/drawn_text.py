"""The text in drawings: its width, and what is cut where space is short."""

from unicodedata import east_asian_width

__all__ = ["cut", "cut_hint", "printable", "two_lines", "width"]

LONGEST = 160  # characters in a mark's tooltip

# Widths of characters in pixels at font size 12, in the widest common font, so that text fits in the others too.
NARROW, SMALL, CAPITAL, BROAD = 4.2, 7.4, 8.6, 12.2
WIDTHS = {**dict.fromkeys("ijltfr.,:;'|!()[] -", NARROW), **dict.fromkeys("mwMW@%", BROAD)}


def printable(text: str) -> str:
    """Replace characters that XML does not allow or that control a terminal."""
    return "".join(mark if mark.isprintable() else " " for mark in text)


def width(text: str) -> float:
    """Estimate the width of a text in pixels."""
    return round(sum(map(_char_width, text)), 1)  # Python 3.12 sums more exactly than 3.11


def _char_width(mark: str) -> float:
    if mark in WIDTHS:
        return WIDTHS[mark]
    if east_asian_width(mark) in "WF":
        return BROAD
    return CAPITAL if mark.isupper() else SMALL


def cut(text: str, most: float) -> str:
    """Cut a text that is too wide.

    Examples:
        >>> cut("a long name", 60)
        'a long…'
    """
    text = printable(text)
    if width(text) <= most:
        return text
    room, kept = most - BROAD, 0
    for kept, mark in enumerate(text):  # noqa: B007 - the index is needed after the loop
        room -= _char_width(mark)
        if room < 0:
            break
    return f"{text[:kept].rstrip()}…"


def two_lines(text: str, most: float) -> list[str]:
    """Break a text that is too wide between words, into two lines of which the second may be cut.

    Examples:
        >>> two_lines("a name that is long", 80)
        ['a name that', 'is long']
    """
    words = printable(text).split(" ")
    fitting = (count for count in range(len(words), 0, -1) if width(" ".join(words[:count])) <= most)
    count = next(fitting, len(words))
    first, rest = " ".join(words[:count]), " ".join(words[count:])
    return [cut(first, most), *([cut(rest, most)] if rest else [])]


def cut_hint(words: str) -> str:
    """Cut a very long tooltip.

    Examples:
        >>> len(cut_hint("x" * 1000))
        160
    """
    words = printable(words)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
