"""The state of a fake as rows: small ones, so that saving a change writes what changed and not all there is."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, reduce
from typing import Any, Final, Literal, NamedTuple, get_args, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import from_json

from fakes.content import Content
from fakes.parts.uploads import Upload
from fakes.snapshot import PARTS, VERSION, SavedState, read

__all__ = ["REST", "Rows", "assembled", "rows_of", "written"]

Kind = Literal["map", "set", "listed", "log", "logs"]

COLLECTIONS: Final[Mapping[str, Kind]] = {
    "directory.users.changed": "map",
    "directory.link_ids": "map",
    "auth.logins": "map",
    "auth.codes": "map",
    "auth.used_codes": "set",
    "tokens.access": "map",
    "tokens.refresh": "map",
    "tokens.renewed": "map",
    "files.files": "listed",
    "files.sent": "set",
    "files.uploads.uploads": "listed",
    "statuses.by_user": "map",
    "webhooks.rooms": "logs",
    "callbacks.deliveries": "log",
    "callbacks.client_versions": "map",
}
"""What of the state has a row for each entry, by its path in `SavedState`; the rest of a part is one row.

A *log* is added to at its end and loses entries at its beginning; ``logs`` are logs by name. What is *listed* has an
id of its own.
"""
REST = "rest"
"""The collection of the rows that hold the rest of each part."""
IDS = {"files.files": "file_id", "files.uploads.uploads": "address"}
CONTENT: Final[Mapping[str, Any]] = {
    "files.files": {"revisions": {"__all__": {"content"}}},
    "files.uploads.uploads": {"received"},
}
"""What is kept beside the rows, in pieces."""
NOTHING = Content()


class Rows(NamedTuple):
    """A state taken apart.

    Attributes:
        maps: entries by key, for each collection that has keys.
        logs: entries in order, for each log.
        contents: the content of files, by the address of the upload or download.
    """

    maps: dict[str, dict[str, Any]]
    logs: dict[str, list[Any]]
    contents: dict[str, Content]


def rows_of(saved: Mapping[str, Any]) -> Rows:
    """Take a state apart, given what each part dumped."""
    rows = Rows({REST: {name: rest_of(name, saved[name]) for name in PARTS}}, {}, {})
    for path, kind in COLLECTIONS.items():
        part, *names = path.split(".")
        found = reduce(getattr, names, saved[part])
        if kind == "map":
            rows.maps[path] = found
        elif kind == "set":
            rows.maps[path] = dict.fromkeys(found)
        elif kind == "listed":
            rows.maps[path] = {getattr(entry, IDS[path]): without_content(entry) for entry in found}
        elif kind == "log":
            rows.logs[path] = found
        else:
            rows.maps[path] = dict.fromkeys(found)
            rows.logs.update({f"{path}/{name}": entries for name, entries in found.items()})
    for stored in saved["files"].files:
        rows.contents.update({revision.address: revision.content for revision in stored.revisions})
    unfinished = [upload for upload in saved["files"].uploads.uploads if len(upload.received)]
    rows.contents.update({upload.address: upload.received for upload in unfinished})
    return rows


def without_content(entry: Any) -> Any:
    """An entry that is equal to itself as long as nothing but its content, which only grows, is another."""
    return replace(entry, received=NOTHING) if isinstance(entry, Upload) else entry


def written(collection: str, entry: Any) -> bytes:
    """An entry as JSON."""
    if isinstance(entry, bytes) and collection != "directory.users.changed":
        return entry
    if entry is None:
        return b"null"
    path = collection.partition("/")[0]
    return adapter(path).dump_json(entry, exclude=CONTENT.get(path))


def assembled(rows: Iterable[tuple[str, str, bytes]], contents: Mapping[str, Content]) -> SavedState:
    """Put a state together again, from rows in the order in which they were written.

    Raises:
        ValueError: they are no whole state.
    """
    entries: dict[str, dict[str, Any]] = {}
    for collection, key, value in rows:
        entries.setdefault(collection, {})[key] = from_json(value)
    snapshot = {"version": VERSION} | entries.pop(REST, {})
    for path, kind in COLLECTIONS.items():
        *parts, last = path.split(".")
        found = entries.get(path, {})
        place: dict[str, Any] = reduce(lambda within, name: within.setdefault(name, {}), parts, snapshot)
        if kind == "map":
            place[last] = found
        elif kind == "set":
            place[last] = list(found)
        elif kind == "logs":
            place[last] = {name: list(entries.get(f"{path}/{name}", {}).values()) for name in found}
        else:
            place[last] = list(found.values())
    for stored in snapshot["files"]["files"]:
        for revision in stored["revisions"]:
            revision["content"] = ""
    for upload in snapshot["files"]["uploads"]["uploads"]:
        upload["received"] = ""
    saved = read(snapshot)
    put_back(saved, contents)
    return saved


def put_back(saved: SavedState, contents: Mapping[str, Content]) -> None:
    """Give files and uploads their content."""
    for stored in saved.files.files:
        stored.revisions = [
            replace(kept, content=contents.get(kept.address, Content())) for kept in stored.revisions
        ]
    for upload in saved.files.uploads.uploads:
        upload.received = contents.get(upload.address, Content())


def rest_of(part: str, dumped: Any) -> bytes:
    """A part as JSON, without its collections."""
    return adapter(part).dump_json(dumped, exclude=exclusion(part))


@cache
def exclusion(part: str) -> dict[str, Any] | None:
    """The collections of a part, as pydantic wants to be told what to leave out."""
    excluded: dict[str, Any] = {}
    for path in COLLECTIONS:
        first, *names, last = path.split(".")
        if first == part:
            reduce(lambda within, name: within.setdefault(name, {}), names, excluded)[last] = True
    return excluded or None


@cache
def adapter(path: str) -> TypeAdapter[Any]:
    """What writes a part, or an entry of a collection."""
    annotation: Any = SavedState
    for name in path.split("."):
        annotation = get_type_hints(annotation, include_extras=True)[name]
    for _ in range({"map": 1, "listed": 1, "log": 1, "logs": 2}.get(COLLECTIONS.get(path, ""), 0)):
        annotation = get_args(annotation)[-1]
    return TypeAdapter(annotation)
