"""The state of a fake as small rows, so a save writes only the changes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, reduce
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic_core import from_json, to_json

from fakes.http.content import StoredContent
from fakes.parts.changes import Stored, UnsavedChanges
from fakes.parts.snapshot import VERSION, SavedState
from fakes.parts.stored_files import FilesData, KeptRevision
from fakes.parts.user_index import ChangedUser
from fakes.persistence import AsList, Saved

__all__ = [
    "CONTENTS",
    "NOTHING",
    "REST",
    "Rows",
    "assemble_state",
    "describe_content",
    "dump_entry",
    "dump_rest",
    "get_content",
    "plan_rows",
]

REST: Final = "rest"
"""The collection of the rows that hold the rest of each part, without its collections."""
USERS: Final = "directory.users.changed"
ROOMS: Final = "webhooks.rooms"
REVISIONS: Final = "files.revisions"
UPLOADS: Final = "files.uploads.uploads"
CONTENTS: Final = (REVISIONS, UPLOADS)
"""The collections whose entries have content, which is stored in pieces beside the rows."""
NOTHING: Final = StoredContent()
KEPT_REVISION: Final = TypeAdapter(KeptRevision)

SMALL: Final = frozenset({"ids", "rules"})
"""The parts whose dicts are so small that each is saved as a whole."""


def list_collections(model: type[BaseModel], place: str = "") -> Iterator[str]:
    """Yield the paths of the collections of a saved state: of all dicts that are not small."""
    for name, field in model.model_fields.items():
        kind: Any = field.annotation
        if get_origin(kind) is dict:
            yield f"{place}{name}"
        elif isinstance(kind, type) and issubclass(kind, Saved) and name not in SMALL:
            yield from list_collections(kind, f"{place}{name}.")


PATHS: Final = (*list_collections(SavedState),)
"""The collections of a saved state, by path."""


class Rows(NamedTuple):
    """The changes to the rows of a file: collections to empty, keys to delete, and entries to write."""

    emptied: list[str]
    dropped: list[tuple[str, Any]]
    put: list[tuple[str, Any, Any]]


def plan_rows(unsaved: UnsavedChanges, collections: Mapping[str, Stored[Any, Any]]) -> Rows:
    """Return the changes to rows that save the changes to collections.

    New and moved entries are deleted first, like removed ones, because rows keep the order in which they were written.
    """
    rows = Rows([name for name, keys in unsaved.items() if keys is None], [], [])
    for name, keys in unsaved.items():
        entries: Mapping[Any, Any] = collections.get(name, {})
        rows.dropped.extend((name, key) for key, moved in (keys or {}).items() if moved)
        changed = tuple(entries if keys is None else keys)
        rows.put.extend((name, key, entries[key]) for key in changed if key in entries)
    return rows


def dump_entry(name: str, entry: Any) -> bytes:
    """Serialize an entry of a collection as JSON, without its content."""
    if name == USERS:
        body: bytes = entry.body
        return body
    if name == ROOMS:
        return b"null"  # its messages are a separate collection
    if name == REVISIONS:
        entry = entry._replace(revision=replace(entry.revision, content=NOTHING))
    elif name == UPLOADS:
        entry = replace(entry, received=NOTHING)
    elif name == "files.files":
        entry = replace(entry, revisions=())
    # Before 2.14, pydantic does not look for the serializers of fields inside a named tuple.
    return get_entry_adapter(name).dump_json(entry, fallback={NOTHING: ""}.__getitem__)


def load_entry(name: str, value: bytes, contents: Mapping[str, StoredContent]) -> Any:
    """Load an entry of a collection from the JSON of `dump_entry`."""
    if name == USERS:
        return ChangedUser.of(from_json(value), value)
    if name == ROOMS:
        return None
    entry = get_entry_adapter(name).validate_json(value)
    if name == REVISIONS:
        content = contents.get(entry.revision.address) or StoredContent()
        return entry._replace(revision=replace(entry.revision, content=content))
    if name == UPLOADS:
        return replace(entry, received=contents.get(entry.address) or StoredContent())
    return entry


def get_content(collections: Mapping[str, Stored[Any, Any]], address: str) -> StoredContent:
    """Return the content at an upload or download address; empty if nothing is stored there."""
    kept, upload = collections[REVISIONS].get(address), collections[UPLOADS].get(address)
    content: StoredContent = kept.revision.content if kept else upload.received if upload else NOTHING
    return content


def describe_content(files: FilesData, address: str) -> str:
    """Describe the content at an address."""
    for stored in files.files.values():
        for revision in stored.revisions:
            if revision.address == address:
                return f"the content of {stored.name!r} ({stored.file_id}, revision {revision.number})"
    upload = files.uploads.uploads.get(address)
    return "a content without a file" if upload is None else f"the upload of {upload.request.file_name!r}"


def dump_rest(name: str, part: Any) -> bytes:
    """Serialize a part as JSON, without its collections."""
    return get_adapter(name).dump_json(part, exclude=exclude_collections(name))


@cache
def exclude_collections(name: str) -> dict[str, Any]:
    """Return the collections of a part in the form of pydantic's ``exclude``."""
    excluded: dict[str, Any] = {}
    for path in PATHS:
        part, *above, last = path.split(".")
        if part == name:
            reduce(descend, above, excluded)[last] = True
    return excluded


def assemble_state(
    rows: Iterable[tuple[str, Any, bytes]], contents: Mapping[str, StoredContent]
) -> SavedState:
    """Assemble a state from rows, given in the order in which they were written.

    Raises:
        ValueError: the rows are not a complete state.
    """
    entries: dict[str, dict[Any, Any]] = {REST: {}}
    for name, key, value in rows:
        of_its_kind = entries.setdefault(name, {})
        of_its_kind[key] = from_json(value) if name == REST else load_entry(name, value, contents)
    # The model checks the rest with empty collections; each of their entries was checked as it was loaded.
    state = {"version": VERSION, **entries[REST]}
    for path, within, last in find_collections(state):
        within[last] = [] if is_saved_as_list(path) else {}
    state["webhooks"]["rooms"] = {channel_id: [] for channel_id in entries.get(ROOMS, ())}
    saved = SavedState.model_validate_json(to_json(state))
    for path, within, last in find_collections(saved):
        setattr(within, last, entries.get(path, {}))
    saved.webhooks.rooms = {
        channel_id: entries.get(f"{ROOMS}/{channel_id}", {}) for channel_id in saved.webhooks.rooms
    }
    # A revision is a row of its own, so that a further one does not write the earlier ones again.
    by_file: dict[str, list[Any]] = {}
    for kept in entries.get(REVISIONS, {}).values():
        by_file.setdefault(kept.file_id, []).append(kept.revision)
    saved.files.files = {
        file_id: replace(stored, revisions=tuple(by_file.get(file_id, ())))
        for file_id, stored in saved.files.files.items()
    }
    saved.files.check_consistency()
    saved.check_consistency()
    saved.directory.users.check_complete()
    return saved


def find_collections(state: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield each collection of a saved state (a model or a dict): its path, its container, its name there."""
    for path in PATHS:
        *above, last = path.split(".")
        yield path, reduce(descend, above, state), last


def descend(state: Any, name: str) -> Any:
    """Return a part of a saved state."""
    return state.setdefault(name, {}) if isinstance(state, dict) else getattr(state, name)


@cache
def get_annotation(path: str) -> Any:
    """Return the type at a path in a saved state."""
    return reduce(
        lambda above, name: get_type_hints(above, include_extras=True)[name], path.split("."), SavedState
    )


def is_saved_as_list(path: str) -> bool:
    """Return whether a collection is saved as a list, and not as a dict."""
    return any(isinstance(annotation, AsList) for annotation in get_args(get_annotation(path))[1:])


def get_entry_adapter(name: str) -> TypeAdapter[Any]:
    """Return the type adapter of the entries of a collection."""
    path, within, _ = name.partition("/")
    return KEPT_REVISION if path == REVISIONS else get_adapter(path, 2 if within else 1)


@cache
def get_adapter(path: str, depth: int = 0) -> TypeAdapter[Any]:
    """Return the type adapter of a path in a saved state, or of dict entries there, ``depth`` levels down."""
    kind = get_annotation(path)
    for _ in range(depth):
        kind = get_args(getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind)[-1]
    return TypeAdapter(kind)
