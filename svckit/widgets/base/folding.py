"""Text normalized for searching and sorting, as people of Japan, Korea and China type it and expect it sorted."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import filterfalse
from typing import Final
from unicodedata import combining, normalize

from svckit.models.spelling import to_katakana

__all__ = ["fold", "fold_all", "fold_words", "sort_key"]

BETWEEN = "\0"  # never combines with a neighboring character

_VARIANTS: Final = dict(
    zip(
        "髙﨑嵜德濵濱邊邉齋齊斎澤櫻嶋嶌廣眞冨栁惠榮國瀨舘淸靑黑黃曾彥𠮷圓藏壽龍條桒萬與實豐增寬槇",
        "高崎崎徳浜浜辺辺斉斉斉沢桜島島広真富柳恵栄国瀬館清青黒黄曽彦吉円蔵寿竜条桑万与実豊増寛槙",
        strict=True,
    )
)
"""Kanji of names, and the one that most people type instead."""
_UNSEEN: Final = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""Characters that are not seen: variation selectors, joiners, marks of direction."""
_REPLACED: Final = re.compile(f"[{_UNSEEN}\u3041-\u3096\u309d\u309e{''.join(_VARIANTS)}]")
_IS_UNSEEN: Final = re.compile(f"[{_UNSEEN}]")
_LETTER: Final = (
    "[\u3005-\u3007\u30a1-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
_BLANK_BETWEEN: Final = re.compile(f" (?<={_LETTER} )(?={_LETTER})")  # a blank first: few characters are one
_MARKED: Final = re.compile("[a-z][\u0300-\u036f]+|[\u00df-\u024f\u1e00-\u1eff][\u0300-\u036f]*")
_SMALL_KANA: Final = {ord(small): ord(small) + 1 for small in "ァィゥェォッャュョヮ"}


def fold(words: str) -> str:
    """Normalize text for comparison: ignore what people type differently, or not at all, for the same.

    That is case, marks of Latin letters, full and half width, hiragana and katakana, characters that are not seen,
    such as the selector of a variant, common variants of kanji, and a blank between two characters of Chinese,
    Japanese or Korean, as in a name.

    Examples:
        >>> fold("Mina"), fold("Straße"), fold("ｶﾅ") == fold("かな")
        ('mina', 'strasse', True)
        >>> fold("髙﨑 太郎") == fold("高崎太郎"), fold("İstanbul Émile")
        (True, 'istanbul emile')
    """
    if words.isascii():
        return words.lower()
    return _MARKED.sub(_strip_marks, _BLANK_BETWEEN.sub("", _unify(words)))


def fold_all(texts: Sequence[str]) -> list[str]:
    """Normalize texts for comparison, all at once, in a fifth of the time.

    Examples:
        >>> fold_all(["Mina", "ｶﾅ"])
        ['mina', 'カナ']
    """
    together = fold(BETWEEN.join(texts)).split(BETWEEN)
    return together if len(together) == len(texts) else [fold(text) for text in texts]


def fold_words(query: str) -> list[str]:
    """Return the words of a search, each normalized for comparison; a full-width blank separates words too.

    Examples:
        >>> fold_words("佐藤\u3000Mina")
        ['佐藤', 'mina']
    """
    return [word for part in query.split() for word in fold(part).split()]


def sort_key(text: str) -> str:
    """Return text to sort by: first without marks and in large kana, then, among equals, with them.

    Examples:
        >>> sorted(["zeta", "Émile", "は", "ひ", "ァ", "ア", "ガ", "カ"], key=sort_key)
        ['Émile', 'zeta', 'ア', 'ァ', 'カ', 'ガ', 'は', 'ひ']
    """
    if text.isascii():
        return text.lower()
    unified = _unify(text)
    bare = "".join(map(_bare, unified))
    return unified if bare == unified else f"{bare}{BETWEEN}{unified}"


@cache
def _replace(letter: str) -> str:
    """Return the letter that stands for another in comparisons; nothing for one that is not seen."""
    return "" if _IS_UNSEEN.match(letter) else _VARIANTS.get(letter, to_katakana(letter))


@cache
def _bare(letter: str) -> str:
    """Return a letter without marks, also of kana, and small kana as large ones."""
    letters = "".join(filterfalse(combining, normalize("NFD", letter)))
    return normalize("NFC", letters).translate(_SMALL_KANA)


def _strip_marks(marked: re.Match[str]) -> str:
    """Return a Latin letter without its marks, as it is typed where there is no key for it."""
    return normalize("NFD", marked[0])[0]


def _unify(text: str) -> str:
    """Unify the forms of letters; blanks and marks stay."""
    unified = normalize("NFKC", text).casefold()
    if _REPLACED.search(unified):
        unified = "".join(map(_replace, unified))
    return normalize("NFKC", unified)
