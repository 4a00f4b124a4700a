"""The service as pandas frames: one row a record, typed columns, the source's order.

Every function takes a session, a ``FakeService``, an inbox of events or an iterable of records, and gives a new
frame with a plain 0-based index. Times are UTC whatever offset they were written with, and missing where that is
before the year 1 or after 9999; text, flags and numbers are of pandas' nullable dtypes; enumerations are ordered
categoricals, their values in the order of the service's description, so that they sort and compare by it; values that
it does not know come after these, in the order of the records. The frame of no records has the same dtypes.

Users are flat, one row a user, in `users`, and long, one row an item of a list of theirs, in `organizations`,
`org_units`, `custom_fields`, `custom_properties`, `alias_emails`, `i18n_names` and `relations`. These have columns
of their own and so are functions of their own; join them with ``users`` on ``user_id``. They take a frame of users
too, in place of a session, and then show the users as that frame was read.

Excel knows no time zones, and pandas refuses to write one there: ``write_users`` writes users; of other frames take the
zone off first, ``frame["at"] = frame["at"].dt.tz_localize(None)``, or write CSV with ``to_csv``. For JSON give
``frame.to_json(orient="records", date_format="iso")``, else times become numbers.

With this module every frame has ``df.svc``, see `SvcAccessor`: what was edited since it was read, and a timeline.

Importing this module imports pandas. Where pyarrow is installed, large frames are made in half the time.

Examples:
    >>> from svckit import frames
    >>> frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}}])[["user_id", "last_name"]]
      user_id last_name
    0   u-001      Sato
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import pandas as pd

from svckit.display.suggestions import did_you_mean, no_attribute
from svckit.edits.accessor import SvcAccessor
from svckit.frames.column import Column, Record, build, describe
from svckit.frames.exchanges import CREDENTIALS, DELIVERIES, EVENTS, FILES, JOURNAL, MESSAGES, REVISIONS
from svckit.frames.lifecycle_columns import LIFECYCLE
from svckit.frames.origin import remember
from svckit.frames.rule_columns import RULES
from svckit.frames.source import Kind, RecordSource, Source, records_of
from svckit.frames.spreadsheets import read_users, write_users
from svckit.frames.status_columns import STATUSES
from svckit.frames.user_columns import LISTS, USERS
from svckit.frames.user_lists import (
    ALIAS_EMAILS,
    CUSTOM_FIELDS,
    CUSTOM_PROPERTIES,
    I18N_NAMES,
    ORG_UNITS,
    ORGANIZATIONS,
    RELATIONS,
    items,
    properties,
)
from svckit.frames.user_lists import org_units as units_of_posts
from svckit.lifecycle.calendar import table as lifecycle_table

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
    "organizations": ORGANIZATIONS,
    "org_units": ORG_UNITS,
    "custom_fields": CUSTOM_FIELDS,
    "custom_properties": CUSTOM_PROPERTIES,
    "alias_emails": ALIAS_EMAILS,
    "i18n_names": I18N_NAMES,
    "relations": RELATIONS,
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
"""The frames there are, by name."""

Frame = TypeVar("Frame", bound=Callable[..., pd.DataFrame])


def columns(kind: str) -> pd.DataFrame:
    """What the columns of a frame are: ``column``, ``dtype``, ``wire`` (where it comes from), ``meaning``, ``values``.

    In text pandas leaves out what does not fit a line: ``print(columns("statuses").to_string())`` shows all.

    The values are those that are known of an enumeration, in its order; of other columns they are missing.

    Raises:
        ValueError: there is no such frame; names those there are.

    Examples:
        >>> columns("files")[["column", "dtype"]].head(3).values.tolist()
        [['place', 'string'], ['file_id', 'string'], ['file_name', 'string']]
        >>> columns("statuses").set_index("column").loc["schedule_type", "values"]
        'PRESENT < RESERVED'
    """
    if kind not in TABLES:
        hint = did_you_mean(kind, TABLES) or f"; the frames are {', '.join(TABLES)}"
        raise ValueError(f"there is no frame {kind!r}{hint}")
    return describe(TABLES[kind])


def _document_columns(frame: Frame) -> Frame:
    """Append the table of columns to the docstring."""
    table = next(table for kind, table in TABLES.items() if kind == frame.__name__)
    lines = [f"        {c.name} ({c.dtype}): {c.meaning}; ``{c.path}``{_order(c)}." for c in table]
    frame.__doc__ = "\n".join([f"{frame.__doc__}", "    Columns:", *lines])
    return frame


def _order(column: Column) -> str:
    return f"; {' < '.join(column.categories)}" if column.categories else ""


def _build_long(
    kind: str, source: Source, rows: Callable[[Sequence[Record]], Iterable[Record]]
) -> pd.DataFrame:
    """A frame of users made long, which remembers the users."""
    records = records_of(source, "users")
    return remember(build(TABLES[kind], rows(records)), kind, records)


@_document_columns
def users(source: Source, *, lists: bool = False) -> pd.DataFrame:
    """The users: names, the primary post and its org unit flattened, lists counted.

    With ``lists=True`` the lists and custom properties follow whole, as JSON text: ``i18n_names``,
    ``organizations``, ``custom_fields``, ``custom_properties``, ``relations``. Of a real service, which has no call
    to list users, a session gives those it has read or changed. The paths are those of the service's description,
    section "Resources and their fields", User. The frame remembers what it was read as: ``frame.svc.changes()`` is
    what was edited since.
    """
    records = records_of(source, "users")
    return remember(build((*USERS, *LISTS) if lists else USERS, records), "users", records)


@_document_columns
def organizations(source: Source) -> pd.DataFrame:
    """Users by organization: a row a post, primary or concurrent; a user without one has no row."""
    return _build_long("organizations", source, lambda users: items(users, "organizations"))


@_document_columns
def org_units(source: Source) -> pd.DataFrame:
    """Users by org unit: a row an org unit of any of a user's posts.

    The key is ``user_id``, ``organization_number`` and ``number``.
    """
    return _build_long("org_units", source, units_of_posts)


@_document_columns
def custom_fields(source: Source) -> pd.DataFrame:
    """Users by custom field: a row a field that a user has."""
    return _build_long("custom_fields", source, lambda users: items(users, "customFields"))


@_document_columns
def custom_properties(source: Source) -> pd.DataFrame:
    """Users by custom property: a row a value, in the column of its type.

    Examples:
        >>> custom_properties([{"userId": "u-001", "customProperties": {"floor": 3, "tags": ["a", "b"]}}])
          user_id   name  number  text  integer  link
        0   u-001  floor    <NA>  <NA>        3  <NA>
        1   u-001   tags       1     a     <NA>  <NA>
        2   u-001   tags       2     b     <NA>  <NA>
    """
    return _build_long("custom_properties", source, properties)


@_document_columns
def alias_emails(source: Source) -> pd.DataFrame:
    """Users by alias: a row a sub e-mail address."""
    return _build_long("alias_emails", source, lambda users: items(users, "aliasEmails"))


@_document_columns
def i18n_names(source: Source) -> pd.DataFrame:
    """Users by language: a row a name in another language."""
    return _build_long("i18n_names", source, lambda users: items(users, "i18nNames"))


@_document_columns
def relations(source: Source) -> pd.DataFrame:
    """Users by relation: a row another user to whom a user has one."""
    return _build_long("relations", source, lambda users: items(users, "relations"))


@_document_columns
def statuses(source: Source) -> pd.DataFrame:
    """The profile statuses: of a user one current and one reserved at most, the current one first.

    Of a fake, those there are now by its clock. Of a real service, which has no call to list them, those that a
    session has set, as they were answered then.
    """
    return build(STATUSES, records_of(source, "statuses"))


@_document_columns
def files(source: Source) -> pd.DataFrame:
    """The stored files, one row a file: its newest revision."""
    return build(FILES, records_of(source, "files"))


@_document_columns
def revisions(source: Source) -> pd.DataFrame:
    """The stored files with their revisions: one row a revision, the oldest of a file first.

    Of a real service, a session gives what it has uploaded, the latest 10,000; the answer to an upload does not say
    which revision it has made, so ``number``, ``revision_id`` and ``newest`` are missing.
    """
    return build(REVISIONS, records_of(source, "revisions"))


@_document_columns
def messages(source: Source) -> pd.DataFrame:
    """The notifications as the rooms show them, oldest first."""
    return build(MESSAGES, records_of(source, "messages"))


@_document_columns
def events(source: Source) -> pd.DataFrame:
    """The events that were sent to bots: of an inbox (`svckit.events`) those it keeps, of a fake the latest sent.

    Of an event of a type that the service's description does not show, only ``type`` and ``json`` are known.
    """
    return build(EVENTS, records_of(source, "events"))


@_document_columns
def deliveries(source: Source) -> pd.DataFrame:
    """What became of the events that were sent to bots, oldest first; a real service does not say."""
    return build(DELIVERIES, records_of(source, "deliveries"))


@_document_columns
def journal(source: Source) -> pd.DataFrame:
    """The exchanges with the service, oldest first, secrets masked."""
    return build(JOURNAL, records_of(source, "journal"))


@_document_columns
def credentials(source: Source) -> pd.DataFrame:
    """How long codes and tokens are good for; the credentials themselves are secret, and not there.

    Of a fake all it knows: codes that were not used, access tokens and refresh tokens. Of a real service the
    session's own tokens, of which only the end of the access token is told.
    """
    return build(CREDENTIALS, records_of(source, "credentials"))


@_document_columns
def lifecycle(source: Source | None = None) -> pd.DataFrame:
    """What is retired or planned to be, and the values that change, with the days that are left.

    Of a session or a fake, by its clock; of ``svckit.lifecycle.table(day)``, on that day; left out, today.
    """
    return build(LIFECYCLE, records_of(lifecycle_table() if source is None else source, "lifecycle"))


@_document_columns
def rules(source: Source) -> pd.DataFrame:
    """What a fake does because the service's description says so, and what it assumes; a real service has none."""
    return build(RULES, records_of(source, "rules"))


if not TYPE_CHECKING:  # else every name would do for a type checker

    def __getattr__(name: str) -> None:
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
