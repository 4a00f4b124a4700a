"""Normal forms of text: composed (NFC), as nearly all programs write it, or decomposed (NFD), as macOS names files."""

from unicodedata import is_normalized, normalize

__all__ = ["compose", "describe_form"]


def compose(text: str) -> str:
    r"""Return a text in its composed form (NFC), in which texts that look the same are equal.

    Examples:
        >>> compose("\u30ab\u3099") == "\u30ac"
        True
    """
    return normalize("NFC", text)


def describe_form(text: str) -> str:
    r"""Return what a reader cannot see of a text: that it is not composed; otherwise an empty text.

    Examples:
        >>> describe_form("\u30ab\u3099"), describe_form("\u30ac")
        (', which is decomposed (NFD)', '')
    """
    return "" if is_normalized("NFC", text) else ", which is decomposed (NFD)"
