"""The sources of data of your own: a JSON or CSV file, records, or a frame."""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from fakes.data.columns import find_columns, make_record
from fakes.data.user_records import GivenUser
from fakes.http import json_text
from svckit.display.suggestions import did_you_mean
from svckit.models.phrases import describe_given

__all__ = ["GivenData", "read_source"]

KINDS = ("users", "files", "rooms", "customProperties", "applications", "bots", "webhooks")
BOM = b"\xef\xbb\xbf"
SHAPES = "a list of user records, or an object of " + ", ".join(f'"{kind}": […]' for kind in KINDS)


class GivenData(NamedTuple):
    """Data as it was given, not checked yet.

    Attributes:
        name: the file, or what else it was.
        users: the records of users; None if they were left out.
        others: the lists of the other kinds that were given, by kind.
        problems: what was wrong with its form.
    """

    name: str
    users: list[GivenUser] | None
    others: Mapping[str, list[Any]] = MappingProxyType({})
    problems: tuple[str, ...] = ()


def read_source(given: Any) -> GivenData:
    """Read data of your own.

    Args:
        given: the path of a JSON or CSV file; a list or another iterable of user records; a mapping with lists of
            the kinds, such as ``users``; or a frame.

    Raises:
        ValueError: it is something else, or the file has another format.
        OSError: the file cannot be read.

    Examples:
        >>> read_source([{"email": "mina@example.com"}]).users
        [GivenUser(where='users[0]', record={'email': 'mina@example.com'})]
    """
    if isinstance(given, str | os.PathLike):
        return _read_file(Path(given))
    if isinstance(given, Mapping):
        return _read_object("data", given)
    if hasattr(given, "columns") and hasattr(given, "to_dict"):
        return _read_frame(given)
    if isinstance(given, Iterable) and not isinstance(given, bytes | bytearray):
        return _read_list("data", given)
    raise ValueError(
        f"data must be the path of a JSON or CSV file, {SHAPES}, or a frame; given {describe_given(given)}"
    )


def _read_file(path: Path) -> GivenData:
    """Read a file: CSV if its name ends in ``.csv``, else JSON; UTF-8, with or without a mark at its start."""
    try:
        content = path.read_bytes().removeprefix(BOM)
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {path}; name a JSON or CSV file of data") from None
    if path.suffix.lower() == ".csv":
        try:
            return _read_csv(path.name, content.decode())
        except UnicodeDecodeError as wrong:
            raise ValueError(
                f"{path.name} is not UTF-8, from byte {wrong.start} on; save it as CSV UTF-8"
            ) from None
    try:
        read = json_text.read(content)
    except ValueError as broken:
        raise ValueError(
            f"{path.name} is not JSON: {broken}; a CSV file needs a name that ends in .csv"
        ) from None
    json_text.refuse_repeated_key(content, read, path.name)
    if isinstance(read, dict):
        return _read_object(path.name, read)
    if isinstance(read, list):
        return _read_list(path.name, read)
    raise ValueError(f"{path.name} must be {SHAPES}; given {describe_given(read)}")


def _read_object(name: str, given: Mapping[str, Any]) -> GivenData:
    if "email" in given:
        raise ValueError(f"{name} is a single user record; put it into a list: [{{…}}]")
    problems = [
        f"{kind} is not a kind of data{did_you_mean(str(kind), KINDS)}" for kind in given if kind not in KINDS
    ]
    lists: dict[str, list[Any]] = {}
    for kind in KINDS:
        found = given.get(kind)
        if isinstance(found, Mapping | str | bytes) or not isinstance(found, Iterable | None):
            problems.append(f"{kind} must be a list; given {describe_given(found)}")
        elif found is not None:
            lists[kind] = list(found)
    users = lists.pop("users", None)
    read = None if users is None else [GivenUser(f"users[{at}]", user) for at, user in enumerate(users)]
    return GivenData(name, read, lists, tuple(problems))


def _read_list(name: str, records: Iterable[Any]) -> GivenData:
    return GivenData(name, [GivenUser(f"users[{at}]", record) for at, record in enumerate(records)])


def _read_csv(name: str, text: str) -> GivenData:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        header = [column.strip() for column in next(reader, [])]
        rows = list(_number_rows(reader))
    except csv.Error as broken:
        raise ValueError(f"{name} is not CSV, line {reader.line_num}: {broken}") from None
    if len(header) == 1 and ";" in header[0]:
        raise ValueError(f"{name}: separate the columns with commas, not with semicolons")
    columns, problems = find_columns(header)
    users = []
    for number, cells in rows:
        if len(cells) > len(header):
            problems.append(
                f"line {number}: has {len(cells)} cells, and the header has {len(header)}; put a cell with a comma "
                "into double quotes"
            )
        users.append(GivenUser(f"line {number}", make_record(columns, cells)))
    return GivenData(name, users, problems=tuple(problems))


def _number_rows(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with the lines in which they begin."""
    begins = reader.line_num + 1
    for cells in reader:
        if any(cells):
            yield begins, cells
        begins = reader.line_num + 1


def _read_frame(frame: Any) -> GivenData:
    columns, problems = find_columns([str(name) for name in frame.columns])
    present = frame.astype(object).where(frame.notna(), None)
    rows = zip(*(present.iloc[:, at].tolist() for at in range(len(columns))), strict=True)
    users = [GivenUser(f"row {at}", make_record(columns, cells)) for at, cells in enumerate(rows)]
    return GivenData("the frame", users, problems=tuple(problems))
