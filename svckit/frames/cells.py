"""Cells of a frame as plain Python values, whether typed by hand, read from a file, or built by svckit.

In a frame, empty text is a missing value: CSV files and spreadsheets cannot distinguish the two.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from numbers import Integral, Real
from typing import Any

import pandas as pd

from svckit.frames.column import Column, Dtype
from svckit.models.times import parse_iso_time

__all__ = ["parse", "plain"]

_MIDNIGHT = re.compile(r"[T ]00:00(:00(\.0+)?)?$")
_DAY = re.compile(r"([0-9]{4})(?:/([0-9]{1,2})/([0-9]{1,2})|年([0-9]{1,2})月([0-9]{1,2})日)")
"""A day as spreadsheets in East Asia write it, the year first."""
_FLAGS = dict.fromkeys(("true", "yes", "はい", "예", "是"), True) | dict.fromkeys(
    ("false", "no", "いいえ", "아니요", "否"), False
)


def plain(series: "pd.Series[Any]") -> list[Any]:
    """Return the values of a column as Python objects, ``None`` for missing values and empty text."""
    missing = series.isna().tolist()
    values = series.astype(object).tolist()
    return [
        None if gone or (isinstance(value, str) and not value) else value
        for gone, value in zip(missing, values, strict=True)
    ]


def parse(column: Column, value: Any) -> Any:
    """Parse a value that is not missing, by the column's dtype.

    The result is text, ``bool``, ``int``, ``float``, ``date``, ``datetime`` in UTC, or for lists and objects their
    parsed JSON.

    Raises:
        ValueError: the value does not fit the column; the message says what does.
    """
    if column.path.endswith("[joined]"):
        return _items(value)
    if column.path.endswith("[json]"):
        return _json(value)
    if column.path == "birthday" and isinstance(value, str):  # text, as its calendar may be lunar
        return _write_day(value)
    return _PARSERS[column.dtype](value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    # 0312345678 read as a number is 312345678: report it instead of sending that.
    raise ValueError(f"must be a string; given {_format_value(value)}")


def _flag(value: Any) -> bool:
    if pd.api.types.is_bool(value):
        return bool(value)
    if isinstance(value, str) and (word := unicodedata.normalize("NFKC", value).strip().lower()) in _FLAGS:
        return _FLAGS[word]
    raise ValueError(f"must be true or false; given {_format_value(value)}")


def _integer(value: Any) -> int:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and float(value).is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value.strip(), re.ASCII):
        return int(value)
    raise ValueError(f"must be a whole number; given {_format_value(value)}")


def _number(value: Any) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    try:
        return float(str(value))
    except ValueError:
        raise ValueError(f"must be a number; given {_format_value(value)}") from None


def _date(value: Any) -> date:
    found = value
    if isinstance(value, str):
        try:
            found = date.fromisoformat(_MIDNIGHT.sub("", _write_day(value)))
        except ValueError:
            found = None
    if isinstance(found, datetime):  # pandas stores dates as midnights
        found = found.date() if found.time() == datetime.min.time() and not found.tzinfo else None
    if not isinstance(found, date):
        raise ValueError(f"must be a date, such as 2026-06-01; given {_format_value(value)}")
    return found


def _write_day(text: str) -> str:
    """Return a day as YYYY-MM-DD if a spreadsheet has written it otherwise; other text without blanks at its ends."""
    text = unicodedata.normalize("NFKC", text).strip()
    if found := _DAY.fullmatch(text.removesuffix(" 0:00")):
        year, month, day = filter(None, found.groups())
        return f"{year}-{month:0>2}-{day:0>2}"
    return text


def _instant(value: Any) -> datetime:
    found = value
    if isinstance(value, str):
        try:
            found = parse_iso_time(value.strip())
        except ValueError:
            found = None
    try:
        if isinstance(found, pd.Timestamp):
            found = found.to_pydatetime(warn=False)
        if isinstance(found, datetime) and found.tzinfo is not None:
            return found.astimezone(UTC)
    except (NotImplementedError, OverflowError, ValueError):
        raise ValueError("must be a time in the years 1 to 9999 in UTC") from None
    raise ValueError(
        f"must be a time with its offset, such as 2026-06-01T09:00:00+09:00; given {_format_value(value)}"
    )


def _items(value: Any) -> list[Any]:
    if isinstance(value, str) and not value.lstrip().startswith("["):
        return [item.strip() for item in value.split(",") if item.strip()]
    return list(_json(value))


def _json(value: Any) -> Any:
    if isinstance(value, dict) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return value
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        raise ValueError(f'must be JSON, such as [{{"…": "…"}}]; given {_format_value(value)}') from None


_PARSERS: dict[Dtype, Callable[[Any], Any]] = {
    "string": _text,
    "category": _text,
    "boolean": _flag,
    "Int64": _integer,
    "Float64": _number,
    "datetime64[us]": _date,
    "datetime64[us, UTC]": _instant,
}


def _format_value(value: Any) -> str:
    if isinstance(value, Integral):
        return f"the number {value}"
    text = str(value)
    return repr(text[:40] + "…" if len(text) > 40 else text) if isinstance(value, str) else text[:40]
