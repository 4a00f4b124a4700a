"""The page of the frames and their columns."""

from binder.reference.markdown import code, page, paragraphs, prose, table
from svckit import frames

INTRO = """\
Each function of `svckit.frames` returns a frame: a pandas `DataFrame` with one row per record and typed
columns. It takes a session, a `FakeService`, an inbox of events or an iterable of records. The path says
where a value comes from: `a.b` is a field of a nested object, `a[primary]` the item of a list that is marked
primary (else the first), `a[count]` the length of a list, `a[joined]` its items separated by commas,
`a[json]` a list or an object as JSON. `svckit.frames.columns("users")` returns such a table as a frame.

A session with a fake in its own process has all records of that fake. Any other has the users that it has read
or changed, the statuses it has set, the files it has uploaded and its tokens, but no messages, events, deliveries,
journal and rules, so those frames are empty. `svc.fake` has the users, files, journal and rules of a fake elsewhere.

Every frame has `df.svc`: `df.svc.timeline()` draws any frame with times. For a frame of users that you edited,
`df.svc.changes()` returns the edits and `df.svc.to_patches()` the request bodies by user; `svc.users.diff(df)`
compares it with the service. The frames of users' lists, such as `org_units`, are for reading: edit a list in
`users` with `lists=True`.

Frames need pandas, of the extra [`lab`](../../README.md#install). What works without it: sessions, files,
notifications, events and the fake; and explorers, whose tables are then plain ones.
"""


def write() -> str:
    """Return the page."""
    return page("Frames", INTRO, *map(describe, frames.KINDS))


def describe(kind: str) -> str:
    """Return the part of the page about one frame."""
    rows = [
        (code(row.column), code(row.dtype), code(row.wire), describe_meaning(row.meaning, row.values))
        for row in frames.columns(kind).fillna("").itertuples(index=False)
    ]
    words = paragraphs(getattr(frames, kind).__doc__)
    return "\n\n".join([f"## {kind}", *words, table(("column", "dtype", "path", "meaning"), rows)])


def describe_meaning(meaning: str, values: str) -> str:
    """Return the meaning of a column, with its known values in order."""
    return prose(meaning) + (f": {code(values)}" if values else "")
