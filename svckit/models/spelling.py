"""Hints at the text that was meant, for one in a form that its field does not take, as input methods offer it."""

import re
from typing import Final
from unicodedata import normalize

__all__ = ["to_katakana", "with_meant"]

_TO_KATAKANA: Final = {code: code + 0x60 for code in (*range(0x3041, 0x3097), 0x309D, 0x309E)}
_TO_HYPHENS: Final = dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0x30FC, 0x2500], "-")


def to_katakana(text: str) -> str:
    """Return a text with its hiragana as katakana.

    Examples:
        >>> to_katakana("さとう ミナ")
        'サトウ ミナ'
    """
    return text.translate(_TO_KATAKANA)


def with_meant(given: str, pattern: str) -> str:
    """Return a hint at the text in the form that a pattern takes; empty if it does not take that either.

    Examples:
        >>> from svckit.models.patterns import KATAKANA, TELEPHONE
        >>> with_meant("さとう", KATAKANA), with_meant("０３ー５５５５", TELEPHONE), with_meant("Sato", KATAKANA)
        ('; did you mean サトウ?', '; did you mean 03-5555?', '')
    """
    half = normalize("NFKC", given).strip()
    for meant in (to_katakana(half), "".join(half.split()).translate(_TO_HYPHENS)):
        if meant and re.match(pattern, meant):
            return f"; did you mean {meant}?"
    return ""
