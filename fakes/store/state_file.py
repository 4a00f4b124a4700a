"""A state file: the state of a served fake on disk, saved before a response acknowledges a change."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from pydantic_core import from_json, to_json

from fakes.engine.engine import Engine
from fakes.http.content import CHUNK, PREFIX, StoredContent
from fakes.parts import snapshot as snapshots
from fakes.parts.changes import Stored, UnsavedChanges
from fakes.parts.domain import Beginning
from fakes.parts.own_data import OwnData
from fakes.parts.receivers import HttpReceiver
from fakes.parts.snapshot import SavedState
from fakes.persistence import NotSaved
from fakes.store.database import Damaged, Database, explain_unsaved
from fakes.store.state_rows import (
    CONTENTS,
    NOTHING,
    REST,
    assemble_state,
    describe_content,
    dump_entry,
    dump_rest,
    get_content,
    plan_rows,
)

__all__ = ["StateFile"]

RECEIVERS = "receivers"
API_RATE = (REST, "api_rate")
SETTINGS: Final = ("beginning", "settings")
WRITER: Final = ("beginning", "writer")
"""The row that tells which object wrote the file last, and so whether another one did since."""
SEEDS = range(-(1 << 63), 1 << 63)
OWN_FILES = PREFIX + "[0-9a-f]" * 32
"""The names of the files of contents."""


class StateFile:
    """The state of one fake on disk.

    `commit` writes all changes since the last commit in one transaction, which is on the disk when it returns. If the
    process or the machine dies, the file is as after the last complete commit. Responses must wait for the commit of
    the changes they acknowledge: see `fakes.store.group_commit`.

    The file holds everything a snapshot holds, including the secrets of the fake, so only its owner may read it. It
    also holds the callback URLs of bots, which snapshots leave out. The journal is not saved. Only one process at a
    time may use the file. All data have checksums, which are verified when the file is read.

    Uploads of more than 1 MiB are files of their own, in a folder beside it with the suffix ``.files``: they are
    written there once, as they arrive, and a commit adds their names to the state.

    Args:
        path: the file; created if it does not exist.

    Raises:
        ValueError: the file is not a state file, is damaged, or was written by another version.
        BlockingIOError: another process uses it.
        OSError: it cannot be read or written.
    """

    _own_writer: bytes | None = None
    """The value of the row `WRITER`, for files that are opened again."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._engine: Engine | None = None
        self._noted: UnsavedChanges | None = None  # changes to collections since the last commit was tried
        self._unsaved = UnsavedChanges()  # earlier ones, which no commit has saved
        self._rest: dict[tuple[str, str], bytes] = {}  # the rows outside collections, as they were saved
        self._tried: dict[tuple[str, str], bytes] | None = None  # those that the last commit did not save
        self._contents: dict[str, StoredContent] = {}  # by address, as they were saved
        self._settings = b""  # those that the fake began with, as JSON
        self._path = Path(path)
        self._folder = self._path.with_name(self._path.name + ".files")
        self._database = Database(self._path)
        self._last_writer: bytes | None = None  # the row `WRITER`, as it was last read or written

    def reopen(self) -> bool:
        """Open the file again after it was closed, for the same fake.

        Returns:
            Whether it is as this object left it; otherwise `attach` loads it.

        Raises:
            ValueError: the file is damaged, or was written by another version.
            BlockingIOError: another process uses it.
            OSError: it cannot be read or written.
        """
        self._database = Database(self._path, is_known=True)
        return self._database.read_row(*WRITER) == self._last_writer

    @property
    def is_saved(self) -> bool:
        """True if there are no changes since the last commit."""
        return self._engine is None or not self.has_changes(for_response=False)

    @property
    def beginning(self) -> Beginning | None:
        """The arguments its fake started with; None if the file is new.

        Raises:
            Damaged: the beginning is missing, or not as it was written.
        """
        found = self._database.read_beginning()
        return None if found is None else Beginning(*found)

    @property
    def own_data(self) -> OwnData | None:
        """The data of your own that its fake began with; None without any.

        Raises:
            Damaged: they are not as they were written.
        """
        found = self._database.read_own_data()
        return None if found is None else OwnData.load(found)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that its fake began with, as arguments of `FakeService.sample`; none if the file has none.

        Raises:
            Damaged: they are not as they were written.
        """
        found = self._database.read_row(*SETTINGS)
        return {} if found is None else dict(from_json(found))

    def attach(self, engine: Engine, beginning: Beginning) -> None:
        """Resume a fake from the file or, if the file is new, start the file with that fake.

        The file then also has the settings that this fake began with, and returns to after a reset.

        Raises:
            Damaged: the saved state is not as it was written.
            ValueError: the beginning cannot be saved.
            NotSaved: the beginning could not be saved.
        """
        database, changes = self._database, engine.state.changes
        if beginning.seed not in SEEDS:
            raise ValueError(
                f"seed must be from {SEEDS[0]} to {SEEDS[-1]} with a state file, which holds 64-bit integers; "
                f"given {beginning.seed}; choose another seed, or use no state file"
            )
        if self.beginning is not None:
            try:
                saved, receivers = self._read()
            except (ValueError, LookupError, TypeError, AttributeError, sqlite3.Error) as error:
                raise database.make_damage_error(str(error)) from None
            with engine.lock:
                snapshots.load(saved, engine.state)
                for bot_id, receiver in receivers.items():
                    engine.state.callbacks.bot(bot_id).receiver = receiver
        engine.content_folder = self._folder
        self._engine = engine  # not before the state is loaded, or the file would be overwritten
        self._settings = to_json(engine.first_settings)
        with engine.lock:
            if self._noted is None:
                self._noted = changes.watch()
            self._noted.clear()
            self._unsaved = UnsavedChanges(dict.fromkeys(changes.collections))
            if not database.is_new:
                self._contents = self._changed_contents(
                    changes.collections
                )  # all: those read are new objects
                self._unsaved = UnsavedChanges()
                self._rest = self._dump_rest(engine) | {SETTINGS: database.read_row(*SETTINGS) or b""}
                self._last_writer = database.read_row(*WRITER)
                return
        try:
            self._commit(beginning)
        except BaseException:
            self._engine = None  # later changes cannot be saved
            raise

    def has_changes(self, *, for_response: bool = True) -> bool:
        """Return whether `settle` has something to save or, if not ``for_response``, whether `commit` has."""
        engine = self._engine
        if engine is None:
            return True  # deleted meanwhile: `settle` says so
        with engine.lock:
            if self._noted or self._unsaved:
                return True
            return self._rest != self._dump_rest(engine, for_response=for_response)

    def commit(self) -> None:
        """Save all changes since the last commit, if any.

        Raises:
            NotSaved: the disk is full, or the file cannot be written; the next commit saves these changes too.
        """
        self._commit(None)

    def settle(self) -> None:
        """Commit changes before the response is sent, which depends only on those of its own request.

        Raises:
            NotSaved: as `commit`, but not again for earlier changes, so requests that change nothing succeed.
        """
        self._commit(None, for_response=True)

    def close(self) -> None:
        """Save the last changes, and close the file.

        Raises:
            NotSaved: the changes could not be saved, and are lost.
        """
        with closing(self._database):
            if self._engine is None:
                return
            try:
                self.commit()
            except NotSaved as error:
                raise NotSaved(error.why, "the changes since the last successful response are lost") from None

    def _read(self) -> tuple[SavedState, dict[str, HttpReceiver]]:
        contents = dict(self._read_files())
        damaged: dict[str, int] = {}
        for address, number, chunk, sound in self._database.read_pieces():
            contents.setdefault(address, StoredContent(folder=self._folder)).write(chunk)
            if not sound:
                damaged.setdefault(address, number)
        rows = (row for row in self._database.read_rows(receivers=False) if row[0] != SETTINGS[0])
        saved = assemble_state(rows, contents)
        for address, number in damaged.items():
            what = describe_content(saved.files, address)
            raise Damaged(f"{what} is not as it was written, from byte {number * CHUNK} on")
        urls = {bot_id: url.decode() for _, bot_id, url in self._database.read_rows(receivers=True)}
        unknown = urls.keys() - {bot.bot_id for bot in saved.callbacks.bots}
        if unknown:
            raise Damaged(f"bots not found: {', '.join(sorted(unknown))}")
        return saved, {bot_id: HttpReceiver(url) for bot_id, url in urls.items()}

    def _read_files(self) -> Iterator[tuple[str, StoredContent]]:
        """Yield the contents that are files, by address, and delete the files of no content."""
        names = set()
        for address, name, size, checksum in self._database.read_files():
            path = self._folder / name
            try:
                content = StoredContent.open(path, size)
            except FileNotFoundError:
                raise Damaged(f"{path} is missing") from None
            except OSError as error:
                raise NotSaved(
                    f"{path} cannot be opened: {error.strerror}",
                    "the fake was not started; if too many files are open, raise the limit, as with ulimit -n",
                ) from None
            if content.checksum != checksum:
                raise Damaged(f"{path} is not as it was written")
            names.add(name)
            yield address, content
        for path in self._folder.glob(OWN_FILES):
            if path.name not in names:
                path.unlink()

    def _dump_rest(self, engine: Engine, *, for_response: bool = False) -> dict[tuple[str, str], bytes]:
        """Return the rows for state outside collections; they are few and small, however large the state is.

        The rate limit of the resource API counts each call, and most calls change nothing else. So a response does not
        wait for the new count to be saved unless such a limit is in force.
        """
        state = engine.state
        parts = snapshots.list_parts(state).items()
        rest = {(REST, name): dump_rest(name, part.dump()) for name, part in parts}
        rest[SETTINGS] = self._settings
        for bot in state.callbacks.bots.values():
            receiver = bot.receiver
            if isinstance(receiver, HttpReceiver) and receiver.transport is None:
                rest[RECEIVERS, bot.bot_id] = receiver.url.encode()
        if for_response and not state.api_rate.is_in_force and API_RATE in self._rest:
            rest[API_RATE] = self._rest[API_RATE]
        return rest

    def _changed_contents(self, collections: Mapping[str, Stored[Any, Any]]) -> dict[str, StoredContent]:
        """Return the contents that changed since they were saved; empty if deleted."""
        touched: set[Any] = set()
        for name in CONTENTS:
            keys = self._unsaved.get(name, {})
            touched.update(self._contents.keys() | collections[name].keys() if keys is None else keys)
        now = {address: get_content(collections, address) for address in touched}
        return {address: content for address, content in now.items() if not self._is_saved(address, content)}

    def _is_saved(self, address: str, content: StoredContent) -> bool:
        previous = self._contents.get(address, NOTHING)
        return len(previous) == len(content) and (previous.begins_as(content) or not content)

    def _commit(self, beginning: Beginning | None, *, for_response: bool = False) -> None:
        """Save all changes, into new tables given a beginning; for a response, raise no earlier failure again."""
        engine, database = self._engine, self._database
        if engine is None:
            raise RuntimeError("no fake is attached to this state file yet; call attach first")
        with engine.lock:
            changes = engine.state.changes
            changed = UnsavedChanges() if self._noted is None else self._noted.take()
            rest = self._dump_rest(engine, for_response=for_response)
            self._unsaved.add(changed)
            rows = plan_rows(self._unsaved, changes.collections)
            contents = self._changed_contents(changes.collections)
        put_rest = [(*at, value) for at, value in rest.items() if self._rest.get(at) != value]
        drop_rest = self._rest.keys() - rest.keys()
        if any((*rows, contents, put_rest, drop_rest, beginning)):
            try:
                with database.transaction():
                    if beginning is not None:
                        own = engine.own_data
                        database.set_up(beginning, None if own is None else own.dump())
                    database.empty(rows.emptied)
                    database.drop((*rows.dropped, *drop_rest))
                    database.put((name, key, dump_entry(name, entry)) for name, key, entry in rows.put)
                    database.put(put_rest)
                    if self._own_writer and self._last_writer != self._own_writer:
                        database.put([(*WRITER, self._own_writer)])
                    for address, content in contents.items():
                        self._write(address, content)
            except NotSaved:
                if for_response and not changed and rest == self._tried:
                    return
                self._tried = rest
                raise
            database.is_new, self._last_writer = False, self._own_writer
        self._unsaved, self._rest, self._tried = UnsavedChanges(), rest, None
        self._keep(contents)

    def _keep(self, contents: Mapping[str, StoredContent]) -> None:
        """Remember the contents that were saved, keep their files, and give up the files of those they replaced."""
        dropped = {address: self._contents.get(address, NOTHING) for address in contents}
        for address, content in contents.items():
            self._contents[address] = content
            if not content:
                del self._contents[address]
        for content in dropped.values():
            content.keep_file(False)
        # What was dropped at one address may be at another, as when an upload has become a revision.
        for content in (self._contents if any(dropped.values()) else contents).values():
            content.keep_file(True)

    def _write(self, address: str, content: StoredContent) -> None:
        """Write a content, or the part appended since it was last saved."""
        if content.path is not None:
            self._write_file(address, content)
            return
        previous = self._contents.get(address, NOTHING)
        grown = previous.begins_as(content) and len(previous) <= len(content)
        start = len(previous) // CHUNK if grown else 0
        if not grown:
            self._database.drop_content(address)
        chunks = enumerate(content.chunks(start * CHUNK), start)
        self._database.put_pieces((address, number, chunk) for number, chunk in chunks)

    def _write_file(self, address: str, content: StoredContent) -> None:
        """Write the name of a content's file, and make sure that the file is on the disk.

        Raises:
            NotSaved: the file cannot be written.
        """
        path = content.path
        try:
            content.save()
        except OSError as error:
            raise NotSaved(
                f"{path} could not be written ({error})", explain_unsaved("check its disk")
            ) from None
        self._database.drop_content(address)
        self._database.put_file(address, path and path.name, len(content), content.checksum)
