"""Frames from CSV and Excel files, and users to them; unedited values survive the round trip.

A spreadsheet runs a cell that starts like a formula, so such text is written with a leading apostrophe, even if blanks,
quotes or apostrophes precede the sign; reading removes it again. Control characters, which Excel rejects and CSV
readers change, are escaped as Excel does, ``_x000D_``. Missing values and empty text are empty cells. The same applies
to headings.

CSV is UTF-8 with a byte order mark for Excel, and separated by commas. Opened with a double click, Excel converts text
such as ``0312345678`` to numbers, and if it expects semicolons (Windows in German or French), it puts everything into
one column: open the file with Data, From Text/CSV, or write ``.xlsx``, in which text stays text.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from importlib import import_module
from io import TextIOBase
from pathlib import Path
from typing import IO, Any, Literal

import pandas as pd

from svckit.display.formulas import defuse, restore
from svckit.extras import needing
from svckit.frames.cells import parse, plain
from svckit.frames.column import Column, build, to_array
from svckit.frames.excel_sheet import ExcelSheet
from svckit.frames.source import Source, records_of
from svckit.frames.tables import find_table
from svckit.frames.user_columns import LISTS, USERS
from svckit.local_files import write_atomically
from svckit.models.times import format_date, format_date_time

__all__ = [
    "COLUMNS",
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
EXCEL_MAGIC = b"PK\x03\x04"
QUOTES = "Put text that contains a comma in quotes"
HEADINGS = (
    "if the headings are not in the first row, pass the number of theirs to read_users, such as header=2"
)
COLUMNS = {column.name: column for column in (*USERS, *LISTS)}


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
    text = pd.DataFrame({defuse(str(name)): _texts(source[name]) for name in source.columns}, dtype="object")
    kind = format or choose_format(to)
    with write_atomically(to) if isinstance(to, str | Path) else nullcontext(to) as file:
        target: Any = file  # pandas' stubs know fewer kinds of files than pandas
        if kind == "xlsx":
            with ExcelSheet("users", list(text.columns)) as sheet:
                sheet.extend(text.itertuples(index=False, name=None))
                sheet.save(target)
        else:
            text.to_csv(target, index=False, encoding="utf-8-sig")


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
    found: pd.DataFrame = pd.read_parquet(source, engine="pyarrow")
    return found


def read_raw(
    source: Place,
    format: Format,  # noqa: A002 - as in pandas
    header: int = 1,
    encoding: str = "utf-8-sig",
    *,
    keeps_blank_lines: bool = False,
    last_row: int | None = None,
) -> pd.DataFrame:
    """Read the cells below the headings, which are in the row `header`, from 1, up to a last row of an Excel file.

    Raises:
        ValueError: a CSV file is not in this encoding, or has a row with more cells than columns.
    """
    if format == "csv":
        return _read_csv(source, header, encoding, skips_blank_lines=not keeps_blank_lines)
    with needing("An Excel file"):
        import_module("openpyxl")  # pandas has a message of its own
    options: Any = {"keep_default_na": False, "na_values": [], "engine": "openpyxl"}
    rows = None if last_row is None else max(last_row - header, 0)
    found: Any = pd.read_excel(source, dtype=object, header=header - 1, nrows=rows, **options)
    return pd.DataFrame(found)


def convert(raw: pd.DataFrame, columns: Mapping[str, Column] = COLUMNS) -> pd.DataFrame:
    """Convert the cells of a file to the types of their columns; those of other columns stay text."""
    index = [name for name in raw.columns if str(name).startswith("Unnamed: ")]
    names = {name: restore(str(name)) for name in raw.columns.drop(index)}
    return pd.DataFrame({heading: _read(columns.get(heading), raw[name]) for name, heading in names.items()})


def _read_csv(source: Place, header: int, encoding: str, *, skips_blank_lines: bool) -> pd.DataFrame:
    options: Any = {"keep_default_na": False, "na_filter": False, "skip_blank_lines": skips_blank_lines}
    advice = QUOTES if skips_blank_lines or header > 1 else f"{QUOTES}; {HEADINGS}"
    try:
        raw: pd.DataFrame = pd.read_csv(source, dtype="str", header=header - 1, encoding=encoding, **options)
    except UnicodeDecodeError:
        if encoding != "utf-8-sig":
            raise ValueError(f"the file is not in the encoding {encoding}") from None
        raise ValueError(
            "the file is not UTF-8; in Excel, save it as “CSV UTF-8”, or pass its encoding, such as cp932"
        ) from None
    except LookupError:
        raise ValueError(f"there is no encoding {encoding!r}; Japanese Excel writes cp932") from None
    except (pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        raise ValueError(f"this is not a CSV file: {str(error).strip()}. {advice}") from None
    if not isinstance(raw.index, pd.RangeIndex):  # pandas used the first cells as an index
        raise ValueError(f"the first row has more cells than columns. {advice}")
    return raw


def choose_format(place: Place) -> Format:
    """Return the format of a file, by its name or its first bytes."""
    if isinstance(place, str | Path):
        suffix = Path(place).suffix.lower()
        if suffix not in FORMATS:
            raise ValueError(f"a file of users is named .csv or .xlsx; given {Path(place).name!r}")
        return FORMATS[suffix]
    if isinstance(place, TextIOBase) or not place.seekable() or not place.readable():
        return "csv"
    start = place.tell()
    magic = place.read(len(EXCEL_MAGIC))
    place.seek(start)
    return "xlsx" if magic == EXCEL_MAGIC else "csv"


def _texts(series: "pd.Series[Any]") -> list[str | None]:
    column = COLUMNS.get(str(series.name))
    return [None if value is None else _write_cell(column, value) for value in plain(series)]


def _write_cell(column: Column | None, value: Any) -> str:
    if not isinstance(value, str) and column is not None:
        value = parse(column, value)
        match column.dtype:
            case "boolean":
                value = "true" if value else "false"
            case "datetime64[us]":
                value = format_date(value)
            case "datetime64[us, UTC]":
                value = format_date_time(value)
    return defuse(str(value))


def _read(column: Column | None, raw: "pd.Series[Any]") -> Any:
    values = [restore(value) if isinstance(value, str) else value for value in plain(raw)]
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
        return str(int(value))
    return str(value).removesuffix(" 00:00:00")
