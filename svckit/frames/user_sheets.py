"""Users from a sheet to be edited with: ours, or one that somebody keeps by hand."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from svckit.display.suggestions import did_you_mean
from svckit.errors import InvalidInput
from svckit.frames.cells import plain
from svckit.frames.excel_cells import ExcelCells, read_cells
from svckit.frames.sheet import Blank, Sheet, attach_sheet
from svckit.frames.spreadsheets import COLUMNS, Format, Place, choose_format, convert, read_raw

__all__ = ["read_users"]

KEYS = {"user_id": "", "email": "", "user_external_key": "externalKey:"}
"""The columns that can identify a user, with the prefix that the service takes before the value."""

Rows = npt.NDArray[np.int_]


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
            that are neither named here nor columns of `svckit.frames.users` are left out.
        key: the column that identifies the users: ``user_id`` (the default), ``email`` or ``user_external_key``. Blanks
            around a value do not count, and a number in a format of zeros, such as 00000, is read with them.
        encoding: the encoding of a CSV file, such as ``cp932``; by default UTF-8.
        header: the row of the headings, from 1.
        blank: ``keep`` if a blank cell leaves a value as it is, ``clear`` if it clears the value. By default ``clear``
            where all headings are columns of `svckit.frames.users`, as in our own files, else ``keep``.

    Returns:
        A frame like that of `svckit.frames.users`, with the columns of the file.

    Raises:
        TypeError: the source is neither a path nor a file.
        ValueError: the path has another suffix, there is no column that identifies the users, a heading of `columns`
            is missing, an Excel file has more than 5,000,000 cells, or a CSV file is not in the encoding or has a row
            with more cells than columns.
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
    cells = read_cells(source, header) if kind == "xlsx" else ExcelCells(None, {}, set())
    raw = read_raw(source, kind, header, encoding, keeps_blank_lines=True, last_row=cells.last_row)
    _keep_zeros(raw, columns or {}, cells, header)
    names = list(map(str, raw.columns))
    rows = np.arange(header + 1, header + 1 + len(raw))
    filled = raw.map(_is_filled).any(axis=1).to_numpy(dtype=bool)
    raw, rows = raw[filled], rows[filled]
    headings = {str(name): str(name) for name in raw.columns}
    is_ours = columns is None and key is None and headings.keys() - {"user_id"} <= COLUMNS.keys()
    if columns is not None:
        headings = _choose_columns(raw, columns, rows)
        raw = raw[list(headings)].rename(columns=headings)
    blank = blank or ("clear" if is_ours else "keep")
    if blank == "keep":
        raw = raw.map(_drop_blanks)
    frame = _identify(raw, key or "user_id", rows)
    users = dict(zip(rows.tolist(), map(str, plain(frame["user_id"])), strict=True))
    places: dict[str, list[int]] = {}
    for row, user in users.items():
        places.setdefault(user, []).append(row)
    lost = ((row, names[column - 1]) for row, column in cells.lost if row in users and column <= len(names))
    formulas = frozenset((users[row], headings[name]) for row, name in lost if name in headings)
    by_column = {column: heading for heading, column in headings.items()}
    return attach_sheet(frame, Sheet.of(places, by_column, blank, formulas))


def _check_options(key: str | None, header: object, blank: object) -> None:
    if key is not None and key not in KEYS:
        raise InvalidInput(f"key is one of {', '.join(KEYS)}; given {key!r}")
    if not isinstance(header, int) or isinstance(header, bool) or header < 1:
        raise InvalidInput(f"header is the row of the headings, a whole number from 1; given {header!r}")
    if blank not in (None, "keep", "clear"):
        raise InvalidInput(f"blank is 'keep' or 'clear'; given {blank!r}")


def _is_filled(cell: Any) -> bool:
    return cell.strip() != "" if isinstance(cell, str) else not pd.isna(cell)


def _drop_blanks(cell: Any) -> Any:
    return "" if isinstance(cell, str) and not cell.strip() else cell


def _find_headings(raw: pd.DataFrame, headings: Iterable[str], rows: Rows) -> str:
    """Return the hint that some headings are all in another row; empty if they are not."""
    has_all = np.logical_and.reduce([(raw == each).any(axis=1).to_numpy(dtype=bool) for each in headings])
    for row in rows[has_all][:1]:
        return f"; row {row} has it, so pass header={row}"
    return ""


def _choose_columns(raw: pd.DataFrame, columns: Mapping[str, str], rows: Rows) -> dict[str, str]:
    """Return the columns to read by heading."""
    known = list(map(str, raw.columns))
    for heading, column in columns.items():
        if heading not in known:
            hint = _find_headings(raw, columns, rows) or did_you_mean(heading, known)
            hint = hint or f"; they are {', '.join(known)[:200]}"
            raise ValueError(f"the sheet has no heading {heading!r}{hint}")
        if column not in COLUMNS:
            hint = did_you_mean(column, COLUMNS) or "; see svckit.frames.columns('users')"
            raise ValueError(f"{column!r}, for {heading!r}, is not a column of a frame of users{hint}")
    twice = [column for column, count in Counter(columns.values()).items() if count > 1]
    if twice:
        named = " and ".join(repr(heading) for heading, column in columns.items() if column == twice[0])
        raise ValueError(f"{named} cannot both be {twice[0]}: name one heading for each column")
    own = {name: name for name in known if name in COLUMNS and name not in columns.values()}
    return {name: columns.get(name, name) for name in known if name in columns or name in own}


def _identify(raw: pd.DataFrame, key: str, rows: Rows) -> pd.DataFrame:
    """Return a frame whose first column, ``user_id``, names the users by a key."""
    frame = convert(raw.reset_index(drop=True))
    if key not in frame.columns:
        headings = list(map(str, raw.columns))
        commas = "" if len(headings) > 1 else ". The cells of a CSV file must be separated by commas"
        raise ValueError(
            f"there is no column {key} to identify the users"
            + (_find_headings(raw, [key], rows) or f"; the columns are {', '.join(headings)[:200]}{commas}")
        )
    names = [(value or "").strip() for value in plain(frame[key])]
    users = pd.array([f"{KEYS[key]}{name}" if name else None for name in names], dtype="string")
    if key == "user_id":
        return frame.assign(user_id=users)
    return pd.concat(
        [pd.DataFrame({"user_id": users}), frame.drop(columns=[key, "user_id"], errors="ignore")], axis=1
    )


def _keep_zeros(raw: pd.DataFrame, columns: Mapping[str, str], cells: ExcelCells, header: int) -> None:
    """Write numbers in columns of text as Excel shows them, such as 00042 for 42 in the format 00000."""
    for (row, column), text in cells.zeros.items():
        if row > header:
            heading = str(raw.columns[column - 1])
            known = COLUMNS.get(columns.get(heading, heading))
            if known is not None and known.dtype == "string":
                raw.iat[row - header - 1, column - 1] = text
