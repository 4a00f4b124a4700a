r"""The patterns of text fields, each with its meaning in words, for error messages and forms.

Readings where the service's description is silent:

- The telephone pattern has no end anchor; it is read as matching the whole text.
- "Katakana only" is read as the katakana of Unicode in full and half width, with the long-vowel mark, the
  middle dot and the space in either width.
- "Region/city form" is read as two or three names joined by slashes, each beginning with a capital letter.
"""

from typing import Final

__all__ = ["DAY", "KATAKANA", "MEANINGS", "TELEPHONE", "TIME_ZONE"]

# A "$" would let a final line feed pass, and other pattern languages have no "\Z": hence the look-ahead.
_END = r"(?![\s\S])"

DAY: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TELEPHONE: Final = rf"^(?=.*[0-9])[0-9+\-*#PTpt()\u3000]{{0,100}}{_END}"
KATAKANA: Final = rf"^[\u30A0-\u30FF\u31F0-\u31FF\uFF65-\uFF9F \u3000]*{_END}"
TIME_ZONE: Final = rf"^[A-Z][A-Za-z]*(/[A-Z][A-Za-z0-9_+\-]*){{1,2}}{_END}"

MEANINGS: Final = {
    DAY: "a day written YYYY-MM-DD",
    TELEPHONE: "digits (at least one), + - * # P T p t, parentheses and the ideographic space (U+3000)",
    KATAKANA: "katakana only, with the long-vowel mark, the middle dot and spaces",
    TIME_ZONE: "the name of a time zone in the form Region/City, such as Asia/Tokyo",
}
"""The meaning of each pattern, in words."""
