"""The service as pandas frames: one row per record, typed columns, in the order of the source.

Every function takes a session, a ``FakeService``, an inbox of events or an iterable of records, and returns a new
frame with a plain 0-based index. Times are in UTC, whatever their original offset, and missing if they are before the
year 1 or after 9999. Text, flags and numbers have pandas' nullable dtypes. Enumerations are ordered categoricals, with
the values in the order of the service's description, so that they sort and compare by it; unknown values come last, in
the order of the records. A frame without records has the same dtypes.

Users are flat, one row per user, in `users`, and long, one row per item of one of their lists, in `organizations`,
`org_units`, `custom_fields`, `custom_properties`, `alias_emails`, `i18n_names` and `relations`. The long frames have
their own columns; join them with ``users`` on ``user_id``. They also take a frame of users in place of a session, and
then show the users as that frame was read. They are for reading: edit a list in the frame of users, `users` with
``lists=True``.

With this module every frame has ``df.svc``, see `SvcAccessor`: the edits since it was read, a timeline, and files.
``df.svc.to_csv``, ``to_excel`` and ``to_parquet`` write any frame, and `read` reads it again; ``df.to_excel`` of pandas
rejects times with a zone, and writes text that a spreadsheet runs as a formula. `write_users` and `read_users` are for
users to be edited. For JSON, use ``frame.to_json(orient="records", date_format="iso")``, or times become numbers.

Importing this module imports pandas. With pyarrow installed, large frames are built in half the time. It reads response
bodies, such as recorded ones, without making an object of each: pass a list of ``bytes``, or JSON lines.

Examples:
    >>> from svckit import frames
    >>> frames.users([{"userId": "u-001", "userName": {"lastName": "Sato"}}])[["user_id", "last_name"]]
      user_id last_name
    0   u-001      Sato
"""

from typing import TYPE_CHECKING

import pandas as pd

from svckit.display.suggestions import no_attribute
from svckit.edits import accessor  # registers ``df.svc``, which edits frames
from svckit.frames.column import build
from svckit.frames.origin import remember
from svckit.frames.source import Kind, RecordSource, Source, records_of
from svckit.frames.spreadsheets import read, write_users
from svckit.frames.tables import KINDS, TABLES, columns, document
from svckit.frames.user_columns import LISTS, USERS
from svckit.frames.user_lists import LONG_FRAMES
from svckit.frames.user_sheets import read_users
from svckit.frames.zones import in_zone
from svckit.operations.checks import check_flags
from svckit.retirements import table as lifecycle_table

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
    "in_zone",
    "journal",
    "lifecycle",
    "messages",
    "org_units",
    "organizations",
    "read",
    "read_users",
    "relations",
    "revisions",
    "rules",
    "statuses",
    "users",
    "write_users",
]


def _build(kind: Kind, source: Source) -> pd.DataFrame:
    """Build a frame of the records of its own kind."""
    return build(TABLES[kind], records_of(source, kind))


def _build_long(kind: str, source: Source) -> pd.DataFrame:
    """Build a long frame of users, which remembers the users."""
    table, rows = LONG_FRAMES[kind]
    records = records_of(source, "users")
    return remember(build(table, rows(records)), kind, records)


@document
def users(source: Source, *, lists: bool = False) -> pd.DataFrame:
    """Build the frame of users: names, the primary post and its org unit flattened, lists counted.

    With ``lists=True``, the complete lists and custom properties follow as JSON text: ``i18n_names``,
    ``organizations``, ``custom_fields``, ``custom_properties``, ``relations``. The description shows no operation that
    lists users, so there a session gives the users that it has read or changed. The paths are those of the service's
    description, section "Resources and their fields", User. The frame remembers the records that it was read from:
    ``frame.svc.changes()`` returns the edits since.

    Args:
        source: a session, a ``FakeService``, or records: mappings with wire names, models of `svckit.models`, or
            response bodies, each ``bytes`` of JSON; or ``bytes`` of JSON lines, one user per line.
        lists: whether to add the columns that hold whole lists, as JSON.

    Returns:
        A new frame with the columns below, one row per user.

    Raises:
        TypeError: the source is of another type.
        ValueError: a body or a line is not a JSON object, or a value does not fit its column.
        InvalidInput: `lists` is not a flag.

    Examples:
        >>> users([{"userId": "u-001", "nickName": "Mina"}])[["user_id", "nick_name"]]
          user_id nick_name
        0   u-001      Mina
        >>> users(b'{"userId": "u-001"}\\n{"userId": "u-002"}')["user_id"].tolist()
        ['u-001', 'u-002']
    """
    check_flags("the frame was not built", lists=lists)
    records = records_of(source, "users")
    return remember(build((*USERS, *LISTS) if lists else USERS, records), "users", records)


@document
def organizations(source: Source) -> pd.DataFrame:
    """Build the frame of posts: one row per primary or concurrent post; a user without a post has no row.

    Examples:
        >>> organizations([{"userId": "u-001", "organizations": [{"primary": True}]}])[["user_id", "number", "primary"]]
          user_id  number  primary
        0   u-001       1     True
    """
    return _build_long("organizations", source)


@document
def org_units(source: Source) -> pd.DataFrame:
    """Build the frame of org units: one row per org unit of any of a user's posts.

    The key is ``user_id``, ``organization_number`` and ``number``.

    Examples:
        >>> posts = [{"orgUnits": [{"orgUnitId": "ou-1", "primary": True}]}]
        >>> org_units([{"userId": "u-001", "organizations": posts}])[["user_id", "org_unit_id"]]
          user_id org_unit_id
        0   u-001        ou-1
    """
    return _build_long("org_units", source)


@document
def custom_fields(source: Source) -> pd.DataFrame:
    """Build the frame of custom fields: one row per field of a user.

    Examples:
        >>> fields = [{"customFieldId": "floor", "value": "3"}]
        >>> custom_fields([{"userId": "u-001", "customFields": fields}])[["user_id", "custom_field_id", "value"]]
          user_id custom_field_id value
        0   u-001           floor     3
    """
    return _build_long("custom_fields", source)


@document
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


@document
def alias_emails(source: Source) -> pd.DataFrame:
    """Build the frame of aliases: one row per sub e-mail address of a user.

    Examples:
        >>> alias_emails([{"userId": "u-001", "aliasEmails": ["mina@example.com"]}])
          user_id  number       alias_email
        0   u-001       1  mina@example.com
    """
    return _build_long("alias_emails", source)


@document
def i18n_names(source: Source) -> pd.DataFrame:
    """Build the frame of international names: one row per name of a user in another language.

    Examples:
        >>> names = [{"language": "en_US", "lastName": "Sato", "firstName": "Mina"}]
        >>> i18n_names([{"userId": "u-001", "i18nNames": names}])
          user_id  number language last_name first_name
        0   u-001       1    en_US      Sato       Mina
    """
    return _build_long("i18n_names", source)


@document
def relations(source: Source) -> pd.DataFrame:
    """Build the frame of relations: one row per relation of a user to another user.

    Examples:
        >>> managers = [{"relationUserId": "u-002", "relationName": "Manager"}]
        >>> relations([{"userId": "u-001", "relations": managers}])[["user_id", "relation_user_id", "relation_name"]]
          user_id relation_user_id relation_name
        0   u-001            u-002       Manager
    """
    return _build_long("relations", source)


@document
def statuses(source: Source) -> pd.DataFrame:
    """Build the frame of profile statuses: at most one current and one reserved status per user, in this order.

    A fake gives the statuses at the time of its clock. The description shows no operation that lists them, so there a
    session gives those that it has set, as in the responses.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> status = svc.users.set_status("u-001", "BUSY")
        >>> statuses(svc)[["user_id", "schedule_type", "profile_status_id"]]
          user_id schedule_type profile_status_id
        0   u-001       PRESENT              BUSY
    """
    return _build("statuses", source)


@document
def files(source: Source) -> pd.DataFrame:
    """Build the frame of stored files: one row per file, for its newest revision.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> files(fake)[["file_id", "file_name", "file_size"]]
                file_id   file_name  file_size
        0  attachment-1  answer.txt         20
    """
    return _build("files", source)


@document
def revisions(source: Source) -> pd.DataFrame:
    """Build the frame of file revisions: one row per revision, oldest first within a file.

    With a real service, a session gives its latest 10,000 uploads; the response to an upload does not name the
    revision, so ``number``, ``revision_id`` and ``newest`` are missing.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> revisions(fake)[["file_id", "number", "newest"]]
                file_id  number  newest
        0  attachment-1       1    True
    """
    return _build("revisions", source)


@document
def messages(source: Source) -> pd.DataFrame:
    """Build the frame of notifications as shown in the rooms, oldest first; only a fake in this process lists them.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> sent = svc.notify("Build is green")
        >>> messages(svc)[["channel_id", "title", "text"]]
          channel_id    title            text
        0  channel-1  Notices  Build is green
    """
    return _build("messages", source)


@document
def events(source: Source) -> pd.DataFrame:
    """Build the frame of events sent to bots: those in an inbox (`svckit.events`), or the latest of a fake in process.

    For an event type that the service's description does not show, only ``type`` and ``json`` are known.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> fake.callbacks.connect("bot-1", lambda headers, body: 200)
        >>> sent = fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "hello"})
        >>> events(fake)[["bot_id", "user_id", "text"]]
          bot_id user_id   text
        0  bot-1   u-002  hello
    """
    return _build("events", source)


@document
def deliveries(source: Source) -> pd.DataFrame:
    """Build the frame of deliveries of events to bots, oldest first; only a fake in this process lists them.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> sent = fake.callbacks.send("bot-1", "u-002", {"type": "text", "text": "hello"})
        >>> deliveries(fake)[["bot_id", "user_id", "outcome"]]
          bot_id user_id   outcome
        0  bot-1   u-002  not-sent
    """
    return _build("deliveries", source)


@document
def journal(source: Source) -> pd.DataFrame:
    """Build the frame of requests to the service with their responses, oldest first, secrets masked.

    A session has that of a fake in this process. For a fake elsewhere, pass ``svc.fake``, or use ``svc.trace()``.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00")
        >>> user = svc.users.read("u-001")
        >>> journal(svc)[["operation", "method", "status"]].tail(1)
              operation method  status
        3  users.update  PATCH     200
    """
    return _build("journal", source)


@document
def credentials(source: Source) -> pd.DataFrame:
    """Build the frame of codes and tokens with their expiry; it does not contain the secrets themselves.

    A fake gives all that it knows: unused codes, access tokens and refresh tokens. With a real service, a session
    gives its own tokens; only the expiry of the access token is known.

    Examples:
        >>> import svckit
        >>> credentials(svckit.connect(now="2026-06-01T09:00:00+09:00"))[["credential", "user_id", "state"]]
              credential user_id  state
        0   access token   u-001  valid
        1  refresh token   u-001  valid
    """
    return _build("credentials", source)


@document
def lifecycle(source: Source | None = None) -> pd.DataFrame:
    """Build the frame of retired features, planned retirements and changing values, with the days left.

    The day is that of the clock of a session or a fake, or that of ``svckit.lifecycle.table(day)``; by default, today.

    Args:
        source: a session, a ``FakeService``, or ``svckit.lifecycle.table(day)``; by default, today's table.

    Returns:
        A new frame with the columns below, one row per feature.

    Raises:
        TypeError: the source is of another type.

    Examples:
        >>> from datetime import date
        >>> from svckit.lifecycle import table
        >>> lifecycle(table(date(2026, 6, 1)))[["key", "stage", "days_left"]].head(1)
                     key    stage  days_left
        0  custom-fields  retires        187
    """
    return _build("lifecycle", lifecycle_table() if source is None else source)


@document
def rules(source: Source) -> pd.DataFrame:
    """Build the frame of a fake's rules: documented behavior and assumptions; for a fake elsewhere, pass ``svc.fake``.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> rules(fake)[["id", "provenance", "used"]].head(1)
                   id  provenance  used
        0  api.bearer  documented     0
    """
    return _build("rules", source)


if TYPE_CHECKING:
    from svckit.edits.accessor import SvcAccessor
else:  # as a type checker would accept every name

    def __getattr__(name: str) -> type:
        if name == "SvcAccessor":  # not at import, which may have begun with the accessor's own module
            return accessor.SvcAccessor
        raise no_attribute(__name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
