"""Frames from CSV and Excel files, and users to them; unedited values survive the round trip.

A spreadsheet runs a cell that starts like a formula, so such text is written with a leading apostrophe, even if blanks,
quotes or apostrophes precede the sign; reading removes it again. Control characters, which Excel rejects and CSV
readers change, are escaped as Excel does, ``_x000D_``. Missing values and empty text are empty cells. The same applies
to headings.

CSV is UTF-8 with a byte order mark for Excel, and separated by commas. Opened with a double click, Excel converts text
such as ``0312345678`` to numbers; `svckit.edits.sheet_cells` knows what it makes of which text. If it expects
semicolons (Windows in German or French), it puts everything into one column: open the file with Data, From Text/CSV, or
write ``.xlsx``, in which text stays text. Files with tabs or semicolons are read too.
"""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from importlib import import_module
from io import StringIO, TextIOBase
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import pandas as pd

from svckit.display.formulas import restore
from svckit.extras import needing
from svckit.frames.cells import parse, plain
from svckit.frames.column import Column, build, to_array
from svckit.frames.excel_cells import LOST, read_cells
from svckit.frames.export import export_to_bytes, save
from svckit.frames.source import Source, records_of
from svckit.frames.tables import find_table
from svckit.frames.user_columns import COLUMNS

__all__ = [
    "QUOTES",
    "Format",
    "Place",
    "choose_format",
    "convert",
    "read",
    "read_raw",
    "write_users",
]

Format = Literal["csv", "xlsx"]
Place = str | Path | IO[Any]
FORMATS: dict[str, Format] = {".csv": "csv", ".xlsx": "xlsx"}
SHEETS: dict[str, Format] = {**FORMATS, ".txt": "csv"}  # as Excel names “Unicode Text”, with tabs
_QUOTED = re.compile(r'"[^"]*"')
EXCEL_MAGIC = b"PK\x03\x04"
QUOTES = "Put text that contains a comma in quotes"
EAST_ASIAN = ("utf-8", "euc_jp", "cp949", "gb18030", "big5")
MARKS = {BOM_UTF8: "utf-8", BOM_UTF16_LE: "utf-16", BOM_UTF16_BE: "utf-16"}
NAMELESS = "Unnamed: "
"""How the name of a column without a heading starts."""


def write_users(source: Source | pd.DataFrame, to: Place, *, format: Format | None = None) -> None:  # noqa: A002 - as in pandas
    """Write users to a CSV or Excel file, to be edited and read again with `read_users`.

    Args:
        source: a frame of `svckit.frames.users`, or any of its sources; then the lists are included, as JSON.
        to: a path ending in ``.csv`` or ``.xlsx``, or an open file. An existing file is replaced as a whole.
        format: for an open file, ``csv`` (the default) or ``xlsx``.

    Raises:
        ValueError: the path has another suffix, or a text is too long for a cell of Excel.

    Examples:
        >>> from io import StringIO
        >>> file = StringIO()
        >>> write_users([{"userId": "u-001", "nickName": "=1+1", "telephone": "+81-3"}], file)
        >>> row = pd.read_csv(StringIO(file.getvalue()))
        >>> row.loc[0, ["nick_name", "telephone"]].tolist()
        ["'=1+1", "'+81-3"]
        >>> from svckit.frames import read_users
        >>> read_users(StringIO(file.getvalue())).loc[0, ["nick_name", "telephone"]].tolist()
        ['=1+1', '+81-3']
    """
    if not isinstance(source, pd.DataFrame):
        source = build(tuple(COLUMNS.values()), records_of(source, "users"))
    kind = format or choose_format(to)
    if isinstance(to, str | Path):
        save(source, to, kind, worksheet="users", progress=False)
    else:
        content = export_to_bytes(source, kind, "users")
        to.write(content.decode("utf-8-sig") if hasattr(to, "encoding") else content)  # only text has one


def read(source: str | Path, kind: str) -> pd.DataFrame:
    """Read a frame of any kind from the file that ``df.svc`` has written: CSV, Excel or Parquet.

    Known columns get their documented types, as in `read_users`, which reads users to be edited. The frame does not
    remember the records that it was once built from.

    Args:
        source: a path ending in ``.csv``, ``.xlsx`` or ``.parquet``.
        kind: the name of the frame, one of `KINDS`, such as ``statuses``.

    Returns:
        The frame, with the columns of the file.

    Raises:
        ValueError: the path has another suffix, there is no such kind, or the file is not of its format.

    Examples:
        >>> import svckit, tempfile
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> status = svc.users.set_status("u-001", "BUSY", end="2026-06-01T12:00:00+09:00")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     svckit.frames.statuses(svc).svc.to_csv(f"{folder}/statuses.csv")
        ...     read(f"{folder}/statuses.csv", "statuses")[["user_id", "end_time"]]
          user_id                  end_time
        0   u-001 2026-06-01 03:00:00+00:00
    """
    known = {column.name: column for column in find_table(kind)}
    suffix = Path(source).suffix.lower()
    if suffix in FORMATS:
        return convert(read_raw(source, FORMATS[suffix]), known)
    if suffix != ".parquet":
        raise ValueError(f"a file of a frame is named .csv, .xlsx or .parquet; given {Path(source).name!r}")
    with needing("A Parquet file"):
        import_module("pyarrow")
    return pd.read_parquet(source, engine="pyarrow")


def read_raw(
    source: Place,
    format: Format,  # noqa: A002 - as in pandas
    header: int = 1,
    encoding: str = "utf-8-sig",
    *,
    keeps_blank_lines: bool = False,
    advice: str = QUOTES,
) -> pd.DataFrame:
    """Read the cells below the headings, which are in the row `header`, from 1; the index has the rows of the file.

    Raises:
        ValueError: a CSV file is not in this encoding, or has a row with more cells than columns; a file ends before
            its headings.
    """
    if format == "csv":
        grid = _read_csv(source, header, encoding, advice, skip_blank_lines=not keeps_blank_lines)
    else:
        grid = pd.DataFrame(read_cells(source, header), dtype=object)
    if grid.empty:
        raise ValueError(f"there are no headings: the file ends before row {header}")
    headings = [restore(str(value or "")) for value in plain(grid.iloc[0])]
    seen: Counter[str] = Counter()
    for number, heading in enumerate(headings):
        name = heading or f"{NAMELESS}{number}"
        headings[number] = f"{name}.{seen[name]}" if seen[name] else name
        seen[name] += 1
    rows = range(header + 1, header + len(grid))
    return grid[1:].set_axis(headings, axis="columns").set_axis(rows, axis="index")


def convert(raw: pd.DataFrame, columns: Mapping[str, Column] = COLUMNS) -> pd.DataFrame:
    """Convert the cells of a file to the types of their columns; those of other columns stay text."""
    names = [name for name in raw.columns if not name.startswith(NAMELESS)]
    return pd.DataFrame({name: _read(columns.get(name), raw[name]) for name in names})


def _read_csv(
    source: Place, header: int, encoding: str, advice: str, *, skip_blank_lines: bool
) -> pd.DataFrame:
    """Read the cells from the row of the headings on, all as text; tabs or semicolons may separate them too."""
    text = _decode(source, encoding)
    first_lines = "".join(islice(StringIO(text, newline=None), header - 1, header + 9))
    headings = _QUOTED.sub("", first_lines).partition("\n")[0]  # quoted ones may have line breaks
    options: Any = {"sep": max(",\t;", key=headings.count), "keep_default_na": False, "na_filter": False}
    options |= {"skip_blank_lines": skip_blank_lines, "header": None, "skiprows": header - 1}
    try:
        grid: pd.DataFrame = pd.read_csv(StringIO(text, newline=""), dtype="str", **options)
    except pd.errors.EmptyDataError:
        return pd.DataFrame()
    except pd.errors.ParserError as error:
        raise ValueError(f"a row has more cells than columns: {str(error).strip()}. {advice}") from None
    return grid


def _decode(source: Place, encoding: str) -> str:
    """Return the text of a file; a byte order mark at its beginning says more than the encoding given."""
    content: str | bytes = Path(source).read_bytes() if isinstance(source, str | Path) else source.read()
    if isinstance(content, str):
        return content.lstrip("\ufeff")
    encoding = next((name for mark, name in MARKS.items() if content.startswith(mark)), encoding)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        if not encoding.startswith("utf-8"):
            fitting = [name for name in ("cp932", *EAST_ASIAN) if _is_in(content, name)]
            hint = f"; it may be in {' or '.join(fitting)}" if fitting else ""
            raise ValueError(f"the file is not in the encoding {encoding}{hint}") from None
        raise ValueError(
            "the file is not UTF-8; in Excel, save it as “CSV UTF-8”, or pass its encoding, such as cp932 (Japanese), "
            "cp949 (Korean), gb18030 or big5 (Chinese)"
        ) from None
    except LookupError:
        raise ValueError(f"there is no encoding {encoding!r}; Japanese Excel writes cp932") from None
    if not encoding.lower().startswith("utf"):
        _check_encoding(text, content, encoding)
    return text.lstrip("\ufeff")


def _check_encoding(text: str, content: bytes, encoding: str) -> None:
    """Check that text is not UTF-8, nor much half-width katakana, as which other encodings are read."""
    letters = [sign for sign in text if sign.isalpha() and not sign.isascii()]
    is_plausible = sum("\uff66" <= letter <= "\uff9f" for letter in letters) * 5 <= len(letters)
    if content.isascii() or (is_plausible and not _is_in(content, "utf-8")):
        return
    fitting = [name for name in EAST_ASIAN if name != encoding and _is_in(content, name)]
    if fitting:
        raise ValueError(
            f"the encoding is hardly {encoding}, in which the file makes no sense or is half-width katakana; pass the "
            f"right one, such as {' or '.join(fitting)}. If {encoding} is right, save the file as UTF-8"
        )


def _is_in(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def choose_format(place: Place) -> Format:
    """Return the format of a file, by its name or its first bytes."""
    if isinstance(place, str | Path):
        suffix = Path(place).suffix.lower()
        if suffix not in SHEETS:
            raise ValueError(f"a file of users is named .csv or .xlsx; given {Path(place).name!r}")
        return SHEETS[suffix]
    if isinstance(place, TextIOBase) or not place.seekable() or not place.readable():
        return "csv"
    start = place.tell()
    magic = place.read(len(EXCEL_MAGIC))
    place.seek(start)
    return "xlsx" if magic == EXCEL_MAGIC else "csv"


def _read(column: Column | None, raw: "pd.Series[Any]") -> Any:
    values = [
        restore(value.removeprefix(LOST)) or None if isinstance(value, str) else value for value in plain(raw)
    ]
    if column is None or column.dtype in ("string", "category"):
        values = [_as_text(value) for value in values]
    if column is None:
        return pd.array(values, dtype="string")
    if column.dtype == "string":
        return to_array(column, values)
    try:
        return to_array(column, [None if value is None else _wire(column, value) for value in values])
    except ValueError:
        return pd.array([_as_text(value) for value in values], dtype="string")


def _wire(column: Column, value: Any) -> Any:
    """Convert a cell to the form that its column has in a record."""
    found = parse(column, value)
    return found.isoformat() if column.dtype.startswith("datetime") else found


def _as_text(value: Any) -> str | None:
    """Convert a cell back to text if a spreadsheet has changed its type."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return f"{Decimal(repr(value)):.0f}"  # of its 17 digits; int(value) adds others
    return str(value).removesuffix(" 00:00:00")
