"""Users from a sheet to be edited with: ours, or one that somebody keeps by hand."""

from collections.abc import Iterable, Mapping
from errno import ENOENT
from pathlib import Path
from typing import Any
from unicodedata import normalize

import numpy as np
import pandas as pd

from svckit.display.suggestions import did_you_mean
from svckit.edits.comparison import UNIQUE
from svckit.edits.sheet import Blank, Sheet
from svckit.errors import InvalidInput
from svckit.frames.cells import plain
from svckit.frames.excel_cells import LOST
from svckit.frames.origin import attach_sheet
from svckit.frames.spreadsheets import QUOTES, Format, Place, choose_format, convert, read_raw
from svckit.frames.user_columns import COLUMNS

__all__ = ["read_users"]

PHONES = ("telephone", "cell_phone")
LONG = 10_000_000
"""The least number that may be a telephone number without its leading zero."""
KEYS = {"user_id": "", **UNIQUE}
"""The columns that can identify a user, with the prefix that the service takes before the value."""

MAPPING = f"Map one to it with the option columns, or choose among {', '.join(KEYS)} with the option key"
HEADINGS = "if the headings are in another row, give its number as the option header"


def read_users(
    source: Place,
    *,
    format: Format | None = None,  # noqa: A002 - as in pandas
    columns: Mapping[str, str] | None = None,
    key: str | None = None,
    encoding: str = "utf-8-sig",
    header: int = 1,
    blank: Blank | None = None,
) -> pd.DataFrame:
    """Read users from a CSV or Excel file that `write_users`, pandas, a spreadsheet or a person has written.

    Known columns get their documented types. A column with a cell that does not fit stays text, and
    ``svc.users.diff`` says which cell and why. Missing columns are not added. Unknown columns stay text; leading zeros,
    ``NA`` and ``None`` are kept. The frame remembers the rows of the sheet, for ``changes.problems_frame()``; rows
    without any cell are left out.

    Args:
        source: a path ending in ``.csv`` or ``.xlsx``, or an open file of either.
        format: ``csv`` or ``xlsx``, if it cannot be detected.
        columns: the columns by their headings in the sheet, such as ``{"社員番号": "user_external_key"}``; headings
            that are neither named here nor columns of `svckit.frames.users` are left out. Neither their width nor
            their blanks count.
        key: the column that identifies the users: ``user_id`` (the default), ``email`` or ``user_external_key``. Width
            and blanks around a value do not count (an external key is tried as it is first), and a number in a format
            of zeros, such as 00000, is read with them.
        encoding: the encoding of a CSV file without a byte order mark, such as ``cp932``; by default UTF-8.
        header: the row of the headings, from 1.
        blank: ``keep`` if a blank cell leaves a value as it is, ``clear`` if it clears the value. By default ``clear``
            where all headings are columns of `svckit.frames.users`, as in our own files, else ``keep``.

    Returns:
        A frame like that of `svckit.frames.users`, with the columns of the file.

    Raises:
        FileNotFoundError: there is no such file; the message suggests the nearest name.
        TypeError: the source is neither a path nor a file.
        ValueError: the path has another suffix, there is no column that identifies the users, a heading of `columns`
            is missing, an Excel file cannot be read or has more than 5,000,000 cells, or a CSV file is not in the
            encoding, hardly in it, or has a row with more cells than columns.
        InvalidInput: an option is not one of those above.

    Examples:
        >>> from io import StringIO
        >>> read_users(StringIO("user_id,nick_name\\nu-001,Mina\\n"))
          user_id nick_name
        0   u-001      Mina
        >>> sheet = StringIO("staff\\n社員番号,内線\\n00042,1234\\n")
        >>> names = {"社員番号": "user_external_key", "内線": "telephone"}
        >>> read_users(sheet, columns=names, key="user_external_key", header=2)
                     user_id telephone
        0  externalKey:00042      1234
    """
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        raise TypeError(
            "read_users takes a path ending in .csv or .xlsx or an open file, not a "
            f"{type(source).__name__}; for users of a session or of records, use svckit.frames.users(…)"
        )
    _check_options(key, header, blank)
    kind = format or choose_format(source)
    if isinstance(source, str | Path):
        _check_exists(Path(source))
    advice = f"{QUOTES}; {HEADINGS}" if header == 1 else QUOTES
    raw = read_raw(source, kind, header, encoding, keeps_blank_lines=True, advice=advice)
    raw = raw[raw.map(_is_filled).any(axis=1)]
    headings = _choose_columns(raw, columns or {}, keeps_others=columns is None)
    is_ours = columns is None and key is None and set(headings.values()) - {"user_id"} <= COLUMNS.keys()
    blank = blank or ("clear" if is_ours else "keep")
    raw = raw[list(headings)].rename(columns=headings)
    frame = _identify(raw, key or "user_id")
    users = list(map(str, plain(frame["user_id"])))
    rows: dict[str, list[int]] = {}
    for row, user in zip(raw.index, users, strict=True):
        rows.setdefault(user, []).append(row)
    formulas = _list_cells(users, raw[[name for name in raw if name in frame]] == LOST)
    numbers = _list_cells(users, raw[[name for name in PHONES if name in raw]].map(_is_long_number))
    by_column = {column: heading for heading, column in headings.items()}
    codes = None if kind == "xlsx" or encoding.lower().startswith("utf") else encoding
    sheet = Sheet(rows, by_column, blank=blank, formulas=formulas, numbers=numbers, encoding=codes)
    return attach_sheet(frame, sheet)


def _check_exists(path: Path) -> None:
    if not path.exists():
        folder = path.absolute().parent
        nearest = did_you_mean(path.name, sorted(entry.name for entry in folder.glob("*")))
        raise FileNotFoundError(ENOENT, f"No such file in {folder}{nearest}", str(path))


def _check_options(key: str | None, header: object, blank: object) -> None:
    if key is not None and key not in KEYS:
        raise InvalidInput(f"key is one of {', '.join(KEYS)}; given {key!r}")
    if not isinstance(header, int) or isinstance(header, bool) or header < 1:
        raise InvalidInput(f"header is the row of the headings, a whole number from 1; given {header!r}")
    if blank not in (None, "keep", "clear"):
        raise InvalidInput(f"blank is 'keep' or 'clear'; given {blank!r}")


def _list_cells(users: list[str], marked: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return the marked cells as pairs of a user and a column."""
    return frozenset((users[row], marked.columns[column]) for row, column in np.argwhere(marked.to_numpy()))


def _is_long_number(cell: Any) -> bool:
    """Return whether a cell is a number that may have lost a zero; extensions have fewer digits."""
    return isinstance(cell, int | float) and not isinstance(cell, bool) and cell >= LONG


def _fold(heading: str) -> str:
    """Return a heading without its width, blanks and line breaks, which people do not see or mind."""
    return "".join(normalize("NFKC", heading).split())


def _is_filled(cell: Any) -> bool:
    return cell.strip() != "" if isinstance(cell, str) else not pd.isna(cell)


def _find_headings(raw: pd.DataFrame, headings: Iterable[str]) -> str:
    """Return the hint that some headings are all in another row; empty if they are not."""
    has_all = np.logical_and.reduce([(raw == heading).any(axis=1) for heading in headings])
    for row in raw.index[has_all][:1]:
        return f"; row {row} has it: give {row} as the option header"
    return ""


def _choose_columns(raw: pd.DataFrame, columns: Mapping[str, str], *, keeps_others: bool) -> dict[str, str]:
    """Return the columns to read by heading: those named, those of ours, and the others if they are kept."""
    folded = {_fold(name): name for name in reversed(raw.columns)}
    written = {heading: folded.get(_fold(heading)) for heading in (*COLUMNS, *columns)}
    written |= {name: name for name in raw.columns}
    found: dict[str, str] = {}
    for heading, column in columns.items():
        name = written[heading]
        if name is None:
            hint = _find_headings(raw, columns) or did_you_mean(heading, list(raw.columns))
            hint = hint or f"; they are {', '.join(raw.columns)[:200]}"
            raise ValueError(f"the sheet has no heading {heading!r}{hint}")
        if column not in COLUMNS:
            hint = (
                did_you_mean(column, COLUMNS)
                or "; see svckit.frames.columns('users') or the reference page “Frames”"
            )
            raise ValueError(f"{column!r}, for {heading!r}, is not a column of a frame of users{hint}")
        if column in found.values():
            named = " and ".join(repr(other) for other in columns if columns[other] == column)
            raise ValueError(f"{named} cannot both be {column}: name one heading for each column")
        found[name] = column
    for column in COLUMNS:
        if column not in found.values() and (name := written[column]) is not None:
            found.setdefault(name, column)
    return {name: found.get(name, name) for name in raw.columns if name in found or keeps_others}


def _identify(raw: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return a frame whose first column, ``user_id``, names the users by a key."""
    frame = convert(raw.reset_index(drop=True))
    if key not in frame.columns:
        advice = MAPPING if len(frame.columns) > 1 else "The cells of a CSV file must be separated by commas"
        raise ValueError(
            f"there is no column {key} to identify the users"
            + (_find_headings(raw, [key]) or f"; the columns are {', '.join(frame.columns)[:200]}. {advice}")
        )
    names = [(value or "").strip() for value in plain(frame[key])]
    if key != "user_external_key":  # which may be in full width; it is read as typed first
        names = [normalize("NFKC", name) for name in names]
    users: Any = pd.array([f"{KEYS[key]}{name}" if name else None for name in names], dtype="string")
    if key == "user_id":
        return frame.assign(user_id=users)
    frame = frame.drop(columns=[key, "user_id"], errors="ignore")
    frame.insert(0, "user_id", users)
    return frame
