"""The service as pandas frames: one row per record, typed columns, in the order of the source.

Every function takes a session, a ``FakeService``, an inbox of events or an iterable of records, and returns a new
frame with a plain 0-based index. Times are in UTC, whatever their original offset, and missing if they are before the
year 1 or after 9999. Text, flags and numbers have pandas' nullable dtypes. Enumerations are ordered categoricals, with
the values in the order of the service's description, so that they sort and compare by it; unknown values come last, in
the order of the records. A frame without records has the same dtypes.

Users are flat, one row per user, in `users`, and long, one row per item of one of their lists, in `organizations`,
`org_units`, `custom_fields`, `custom_properties`, `alias_emails`, `i18n_names` and `relations`. The long frames have
their own columns, and so their own functions; join them with ``users`` on ``user_id``. They also take a frame of users
in place of a session, and then show the users as that frame was read. They are for reading: edit a list in the frame
of users, `users` with ``lists=True``.

Excel has no time zones, and pandas refuses to write them there. ``write_users`` writes users; for other frames, remove
the zone first, ``frame["at"] = frame["at"].dt.tz_localize(None)``, or write CSV with ``to_csv``. For JSON, use
``frame.to_json(orient="records", date_format="iso")``, or times become numbers.

With this module every frame has ``df.svc``, see `SvcAccessor`: the edits since it was read, and a timeline.

Importing this module imports pandas. With pyarrow installed, large frames are built in half the time.

Examples:
    >>> from svckit import frames
    >>> frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}}])[["user_id", "last_name"]]
      user_id last_name
    0   u-001      Sato
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import pandas as pd

from svckit.display.suggestions import did_you_mean, no_attribute
from svckit.edits import accessor  # registers ``df.svc``, which edits frames
from svckit.frames.column import Column, build, describe
from svckit.frames.origin import remember
from svckit.frames.record_columns import (
    CREDENTIALS,
    DELIVERIES,
    EVENTS,
    FILES,
    JOURNAL,
    LIFECYCLE,
    MESSAGES,
    REVISIONS,
    RULES,
    STATUSES,
)
from svckit.frames.source import Kind, RecordSource, Source, records_of
from svckit.frames.spreadsheets import read_users, write_users
from svckit.frames.user_columns import LISTS, USERS
from svckit.frames.user_lists import LONG_FRAMES
from svckit.lifecycle.calendar import table as lifecycle_table
from svckit.models.flags import check_flags

__all__ = [
    "KINDS",
    "Kind",
    "RecordSource",
    "Source",
    "SvcAccessor",
    "alias_emails",
    "columns",
    "credentials",
    "custom_fields",
    "custom_properties",
    "deliveries",
    "events",
    "files",
    "i18n_names",
    "journal",
    "lifecycle",
    "messages",
    "org_units",
    "organizations",
    "read_users",
    "relations",
    "revisions",
    "rules",
    "statuses",
    "users",
    "write_users",
]

TABLES: dict[str, Sequence[Column]] = {
    "users": USERS,
    **{kind: table for kind, (table, _) in LONG_FRAMES.items()},
    "statuses": STATUSES,
    "files": FILES,
    "revisions": REVISIONS,
    "messages": MESSAGES,
    "events": EVENTS,
    "deliveries": DELIVERIES,
    "journal": JOURNAL,
    "credentials": CREDENTIALS,
    "lifecycle": LIFECYCLE,
    "rules": RULES,
}

KINDS: tuple[str, ...] = tuple(TABLES)
"""The names of the frames."""

Frame = TypeVar("Frame", bound=Callable[..., pd.DataFrame])


def columns(kind: str) -> pd.DataFrame:
    """Describe the columns of a frame: ``column``, ``dtype``, ``wire`` (the source), ``meaning``, ``values``.

    As text, pandas omits what does not fit on a line: ``print(columns("statuses").to_string())`` shows everything.

    The values are the known values of an enumeration, in order; for other columns they are missing.

    Raises:
        ValueError: no such frame; the message lists the frames.

    Examples:
        >>> columns("files")[["column", "dtype"]].head(3).values.tolist()
        [['place', 'string'], ['file_id', 'string'], ['file_name', 'string']]
        >>> columns("statuses").set_index("column").loc["schedule_type", "values"]
        'PRESENT < RESERVED'
    """
    if kind not in TABLES:
        hint = did_you_mean(kind, TABLES) or f"; the frames are {', '.join(TABLES)}"
        raise ValueError(f"no such frame: {kind!r}{hint}")
    return describe(TABLES[kind])


def _document_columns(frame: Frame) -> Frame:
    """Append the table of columns to the docstring."""
    table = next(table for kind, table in TABLES.items() if kind == frame.__name__)
    lines = [f"        {c.name} ({c.dtype}): {c.meaning}; ``{c.path}``{_order(c)}." for c in table]
    frame.__doc__ = "\n".join([(frame.__doc__ or "").rstrip(), "", "    Columns:", *lines])
    return frame


def _order(column: Column) -> str:
    return f"; {' < '.join(column.categories)}" if column.categories else ""


def _build_long(kind: str, source: Source) -> pd.DataFrame:
    """Build a long frame of users, which remembers the users."""
    table, rows = LONG_FRAMES[kind]
    records = records_of(source, "users")
    return remember(build(table, rows(records)), kind, records)


@_document_columns
def users(source: Source, *, lists: bool = False) -> pd.DataFrame:
    """Build the frame of users: names, the primary post and its org unit flattened, lists counted.

    With ``lists=True``, the complete lists and custom properties follow as JSON text: ``i18n_names``,
    ``organizations``, ``custom_fields``, ``custom_properties``, ``relations``. A real service has no operation that
    lists users, so there a session gives the users that it has read or changed. The paths are those of the service's
    description, section "Resources and their fields", User. The frame remembers the records that it was read from:
    ``frame.svc.changes()`` returns the edits since.
    """
    check_flags("the frame was not built", lists=lists)
    records = records_of(source, "users")
    return remember(build((*USERS, *LISTS) if lists else USERS, records), "users", records)


@_document_columns
def organizations(source: Source) -> pd.DataFrame:
    """Build the frame of posts: one row per primary or concurrent post; a user without a post has no row."""
    return _build_long("organizations", source)


@_document_columns
def org_units(source: Source) -> pd.DataFrame:
    """Build the frame of org units: one row per org unit of any of a user's posts.

    The key is ``user_id``, ``organization_number`` and ``number``.
    """
    return _build_long("org_units", source)


@_document_columns
def custom_fields(source: Source) -> pd.DataFrame:
    """Build the frame of custom fields: one row per field of a user."""
    return _build_long("custom_fields", source)


@_document_columns
def custom_properties(source: Source) -> pd.DataFrame:
    """Build the frame of custom properties: one row per value, in the column of its type.

    Examples:
        >>> custom_properties([{"userId": "u-001", "customProperties": {"floor": 3, "tags": ["a", "b"]}}])
          user_id   name  number  text  integer  link
        0   u-001  floor    <NA>  <NA>        3  <NA>
        1   u-001   tags       1     a     <NA>  <NA>
        2   u-001   tags       2     b     <NA>  <NA>
    """
    return _build_long("custom_properties", source)


@_document_columns
def alias_emails(source: Source) -> pd.DataFrame:
    """Build the frame of aliases: one row per sub e-mail address of a user."""
    return _build_long("alias_emails", source)


@_document_columns
def i18n_names(source: Source) -> pd.DataFrame:
    """Build the frame of international names: one row per name of a user in another language."""
    return _build_long("i18n_names", source)


@_document_columns
def relations(source: Source) -> pd.DataFrame:
    """Build the frame of relations: one row per relation of a user to another user."""
    return _build_long("relations", source)


@_document_columns
def statuses(source: Source) -> pd.DataFrame:
    """Build the frame of profile statuses: at most one current and one reserved status per user, in this order.

    A fake gives the statuses at the time of its clock. A real service has no operation that lists them, so there a
    session gives those that it has set, as in the responses.
    """
    return build(STATUSES, records_of(source, "statuses"))


@_document_columns
def files(source: Source) -> pd.DataFrame:
    """Build the frame of stored files: one row per file, for its newest revision."""
    return build(FILES, records_of(source, "files"))


@_document_columns
def revisions(source: Source) -> pd.DataFrame:
    """Build the frame of file revisions: one row per revision, oldest first within a file.

    With a real service, a session gives its latest 10,000 uploads; the response to an upload does not name the
    revision, so ``number``, ``revision_id`` and ``newest`` are missing.
    """
    return build(REVISIONS, records_of(source, "revisions"))


@_document_columns
def messages(source: Source) -> pd.DataFrame:
    """Build the frame of notifications as shown in the rooms, oldest first."""
    return build(MESSAGES, records_of(source, "messages"))


@_document_columns
def events(source: Source) -> pd.DataFrame:
    """Build the frame of events sent to bots: those that an inbox (`svckit.events`) keeps, or the latest of a fake.

    For an event type that the service's description does not show, only ``type`` and ``json`` are known.
    """
    return build(EVENTS, records_of(source, "events"))


@_document_columns
def deliveries(source: Source) -> pd.DataFrame:
    """Build the frame of deliveries of events to bots, oldest first; a real service does not report them."""
    return build(DELIVERIES, records_of(source, "deliveries"))


@_document_columns
def journal(source: Source) -> pd.DataFrame:
    """Build the frame of requests to the service with their responses, oldest first, secrets masked."""
    return build(JOURNAL, records_of(source, "journal"))


@_document_columns
def credentials(source: Source) -> pd.DataFrame:
    """Build the frame of codes and tokens with their expiry; it does not contain the secrets themselves.

    A fake gives all that it knows: unused codes, access tokens and refresh tokens. With a real service, a session
    gives its own tokens; only the expiry of the access token is known.
    """
    return build(CREDENTIALS, records_of(source, "credentials"))


@_document_columns
def lifecycle(source: Source | None = None) -> pd.DataFrame:
    """Build the frame of retired features, planned retirements and changing values, with the days left.

    The day is that of the clock of a session or a fake, or that of ``svckit.lifecycle.table(day)``; by default, today.
    """
    return build(LIFECYCLE, records_of(lifecycle_table() if source is None else source, "lifecycle"))


@_document_columns
def rules(source: Source) -> pd.DataFrame:
    """Build the frame of a fake's rules: documented behavior and assumptions; a real service has none."""
    return build(RULES, records_of(source, "rules"))


if TYPE_CHECKING:
    from svckit.edits.accessor import SvcAccessor
else:  # as a type checker would accept every name

    def __getattr__(name: str) -> type:
        if name == "SvcAccessor":  # not at import, which may have begun with the accessor's own module
            return accessor.SvcAccessor
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
