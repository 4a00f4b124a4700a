"""The service as pandas frames: one row a record, typed columns, the source's order.

Every function takes a session, a ``FakeService``, an inbox of events or an iterable of records, and gives a new
frame with a plain 0-based index. Times are UTC whatever offset they were written with; text, flags and numbers
are of pandas' nullable dtypes; enumerations are categoricals in the order of the service's description. None of
them knows less and more, so no categorical is ordered. The frame of no records has the same dtypes.

Importing this module imports pandas. Where pyarrow is installed, large frames are made in half the time.

Examples:
    >>> from svckit import frames
    >>> frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}}])[["user_id", "last_name"]]
      user_id last_name
    0   u-001      Sato
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import pandas as pd

from svckit.frames.columns import Column, build, described
from svckit.frames.exchanges import EVENTS, FILES, JOURNAL, MESSAGES
from svckit.frames.lifecycle import LIFECYCLE
from svckit.frames.rules import RULES
from svckit.frames.source import Kind, RecordSource, Source, records_of
from svckit.frames.spreadsheets import read_users, write_users
from svckit.frames.users import LISTS, USERS
from svckit.lifecycle import table as lifecycle_table

__all__ = [
    "KINDS",
    "Kind",
    "RecordSource",
    "Source",
    "columns",
    "events",
    "files",
    "journal",
    "lifecycle",
    "messages",
    "read_users",
    "rules",
    "users",
    "write_users",
]

TABLES: dict[Kind, Sequence[Column]] = {
    "users": USERS,
    "files": FILES,
    "messages": MESSAGES,
    "events": EVENTS,
    "journal": JOURNAL,
    "lifecycle": LIFECYCLE,
    "rules": RULES,
}

KINDS: tuple[Kind, ...] = tuple(TABLES)
"""The frames there are, by name."""

Frame = TypeVar("Frame", bound=Callable[..., pd.DataFrame])


def columns(kind: Kind) -> pd.DataFrame:
    """What the columns of a frame are: ``column``, ``dtype``, ``wire`` (where it comes from), ``meaning``.

    Raises:
        ValueError: there is no such frame; names those there are.

    Examples:
        >>> columns("files")[["column", "dtype"]].head(3).values.tolist()
        [['place', 'string'], ['file_id', 'string'], ['file_name', 'string']]
    """
    if kind not in TABLES:
        raise ValueError(f"there is no frame {kind!r}; the frames are {', '.join(TABLES)}")
    return described(TABLES[kind])


def _lists_columns(frame: Frame) -> Frame:
    """Append the table of columns to the docstring."""
    table = next(table for kind, table in TABLES.items() if kind == frame.__name__)
    lines = [f"        {c.name} ({c.dtype}): {c.meaning}; ``{c.path}``." for c in table]
    frame.__doc__ = "\n".join([f"{frame.__doc__}", "    Columns:", *lines])
    return frame


@_lists_columns
def users(source: Source, *, lists: bool = False) -> pd.DataFrame:
    """The users: names, the primary post and its org unit flattened, lists counted.

    With ``lists=True`` the lists and custom properties follow whole, as JSON text: ``i18n_names``,
    ``organizations``, ``custom_fields``, ``custom_properties``, ``relations``. Of a real service, which has no call
    to list users, a session gives those it has read or changed. The paths are those of the service's description,
    section "Resources and their fields", User.
    """
    return build((*USERS, *LISTS) if lists else USERS, records_of(source, "users"))


@_lists_columns
def files(source: Source) -> pd.DataFrame:
    """The stored files, one row a file: its newest revision."""
    return build(FILES, records_of(source, "files"))


@_lists_columns
def messages(source: Source) -> pd.DataFrame:
    """The notifications as the rooms show them, oldest first."""
    return build(MESSAGES, records_of(source, "messages"))


@_lists_columns
def events(source: Source) -> pd.DataFrame:
    """The events that were sent to bots: of an inbox (`svckit.events`) those it keeps, of a fake the latest sent.

    Of an event of a type that the service's description does not show, only ``type`` and ``json`` are known.
    """
    return build(EVENTS, records_of(source, "events"))


@_lists_columns
def journal(source: Source) -> pd.DataFrame:
    """The exchanges with the service, oldest first, secrets masked."""
    return build(JOURNAL, records_of(source, "journal"))


@_lists_columns
def lifecycle(source: Source | None = None) -> pd.DataFrame:
    """What is retired or planned to be, and the values that change, with the days that are left.

    Of a session or a fake, by its clock; of ``svckit.lifecycle.table(day)``, on that day; left out, today.
    """
    return build(LIFECYCLE, records_of(lifecycle_table() if source is None else source, "lifecycle"))


@_lists_columns
def rules(source: Source) -> pd.DataFrame:
    """What a fake does because the service's description says so, and what it assumes; a real service has none."""
    return build(RULES, records_of(source, "rules"))
