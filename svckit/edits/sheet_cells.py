"""The effects of spreadsheets on cells that nobody edited: 312345678 for 0312345678, 2021/9/6 for a day, Jos? for José.

Such a cell is not an edit. The value of the record is kept, and a notice shows both.
"""

import re
import unicodedata
from decimal import ROUND_DOWN, Context, Decimal

from svckit.display.formulas import defuse
from svckit.display.normal_form import compose

__all__ = ["clean", "explain_damage", "explain_loss", "is_shortened"]

# A day, with or without its year, or a time of day, as spreadsheets read and write them.
_DAY = re.compile(r"(?:([0-9]{4}|[0-9]{1,2})[-/年년] ?)?([0-9]{1,2})[-/月월] ?([0-9]{1,2})[日일]?")
_UNKNOWN_YEARS = {0: 1, 1: 100, 2: 100, 4: 10_000}
"""The years between two days that are written the same, by the digits of the year; 3-1 may be of any year."""
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::(00))?")
_MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
_MONTH = re.compile(
    rf"(?P<day>[0-9]{{1,2}})-({_MONTHS})|({_MONTHS})-(?P<year>[0-9]{{2}})|({_MONTHS}) (?P<after>[0-9]{{1,2}})"
)
"""1-Mar and 5-Jan, which Excel makes of 3-1 and Jan 5 in English, and Sep-21 and Dec-34, of 2021-09 and 12-34."""
_YEAR_AND_MONTH = re.compile(r"[0-9]{2}([0-9]{2})[-/]([0-9]{1,2})")
_NUMBER = re.compile(r"-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?(?:E[+-]?[0-9]{1,3})?%?")
_SHORTENED = re.compile(r"-?[0-9](?:\.([0-9]+))?E[+-][0-9]{2,3}")
_KEPT_DIGITS = Context(prec=15, rounding=ROUND_DOWN)  # of a number in Excel
_WINDOWS = str.maketrans("\u301c\u2212\u2016\xa2\xa3\xac", "\uff5e\uff0d\u2225\uffe0\uffe1\uffe2")
"""Wave dash, minus and others, for which the Japanese code page of Windows has look-alikes."""
_QUESTIONS = re.compile(r"\?+")  # two for a character beyond U+FFFF, in some programs


def clean(text: str) -> str | None:
    """Return a text composed (NFC) and without blanks at its ends; ``None`` if nothing is left.

    Examples:
        >>> clean("カ\\u3099\\u3000"), clean(" \\u3000")
        ('ガ', None)
    """
    return compose(text).strip() or None


def explain_damage(cell: str, before: str, encoding: str | None) -> str | None:
    """Return why a cell that differs from the record is not an edit, or ``None`` if it is one.

    Args:
        cell: the text of the cell.
        before: the text for the value in the record.
        encoding: the encoding of the file, if it does not have all characters.

    Examples:
        >>> explain_damage("312345678", "0312345678", None)
        'is 312345678 in the sheet, as spreadsheets write 0312345678; the latter is kept'
        >>> explain_damage("1.23457E+11", "123456789012", None)
        'is 1.23457E+11 in the sheet, as spreadsheets write 123456789012; the latter is kept'
        >>> explain_damage("Jos?", "José", "cp932")
        'is Jos? in the sheet, as cp932 writes José; the latter is kept'
        >>> explain_damage("312345679", "0312345678", None) is None
        True
    """
    if _are_one_value(cell, before):
        why = "spreadsheets write"
    elif any(_is_lossy(cell, text, encoding) for text in (before, defuse(before))) or (
        encoding and _is_lossy(cell.translate(_WINDOWS), before.translate(_WINDOWS), encoding)
    ):
        why = f"{encoding or 'an encoding without all its characters'} writes"
    else:
        return None
    return f"is {cell} in the sheet, as {why} {before}; the latter is kept"


def explain_loss(cell: str, before: str, encoding: str | None) -> str | None:
    """Return why an edit cannot be sent as a spreadsheet has written it, or ``None`` if it can.

    Examples:
        >>> explain_loss("1.23457E+11", "00042", None)
        'is a number that a spreadsheet has shortened, 00042 in the record; format the cell as text, and type it again'
        >>> explain_loss("Jos? Moriya", "José Mori", "cp932")[:46]
        'has a ?, as cp932 writes what it does not have'
    """
    known = f", {before} in the record" if before else ""
    if is_shortened(cell):
        return (
            f"is a number that a spreadsheet has shortened{known}; format the cell as text, and type it again"
        )
    if encoding and "?" in cell and "?" not in before:
        return (
            f"has a ?, as {encoding} writes what it does not have{known}; save the sheet as “CSV UTF-8” or .xlsx, and "
            "correct the cell there"
        )
    return None


def is_shortened(text: str) -> bool:
    """Return whether a text is a number as spreadsheets show it if it has more digits than a cell has room for.

    Examples:
        >>> is_shortened("1.23457E+11"), is_shortened("1E5")
        (True, False)
    """
    return _SHORTENED.fullmatch(text) is not None


def _are_one_value(cell: str, before: str) -> bool:
    match _read(cell), _read(before):
        case Decimal() as now, Decimal() as then:
            if shown := _SHORTENED.fullmatch(cell):
                then = Decimal(f"{then:.{len(shown[1] or '')}E}")
            return now in (then, _KEPT_DIGITS.create_decimal(then), Decimal(repr(float(then))))
        case (str(year), *now), (str(past), *then):
            return now == then and (int(year or 0) - int(past or 0)) % _UNKNOWN_YEARS[len(past)] == 0
        case now, then:
            return now == then


def _read(text: str) -> Decimal | list[str] | str:
    """Return what a spreadsheet takes a text for: a number, a day from its year on, a time, a flag, or the text."""
    found = unicodedata.normalize("NFKC", text).strip().upper()
    if _NUMBER.fullmatch(found):
        number = Decimal(found.replace(",", "").rstrip("%"))
        return number / 100 if found.endswith("%") else number
    if month := _MONTH.fullmatch(found):
        place = _MONTHS.index(month[2] or month[3] or month[5]) // 4 + 1
        return ["", str(place), (month["day"] or month["year"] or month["after"]).lstrip("0")]
    if month := _YEAR_AND_MONTH.fullmatch(found):
        return ["", month[2].lstrip("0"), month[1].lstrip("0")]
    if day := _DAY.fullmatch(found):
        return [day[1] or "", *(part.lstrip("0") for part in day.groups()[1:])]
    if clock := _CLOCK.fullmatch(found):
        return ["", *((part or "").lstrip("0") for part in clock.groups())]
    return found if found in ("TRUE", "FALSE") else text


def _is_lossy(cell: str, before: str, encoding: str | None) -> bool:
    """Return whether a cell has question marks for characters of the record that its encoding does not have.

    Without an encoding, which an earlier one may have preceded, these are those that the cell does not have.
    """
    if encoding:
        saved = before.encode(encoding, "replace").decode(encoding)
    else:
        saved = "".join(sign if sign.isascii() or sign in cell else "?" for sign in before)
    return cell == before or (saved != before and _QUESTIONS.sub("?", saved) == _QUESTIONS.sub("?", cell))
