"""Snapshots: the whole state of a fake as versioned JSON data, saved and loaded part by part."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, Self, TypeVar

from pydantic import ValidationError, field_validator, model_validator
from pydantic_core import to_json

from fakes.clock import ClockData
from fakes.data.sample_values import DOMAIN_ID
from fakes.faults.injection import FaultsData
from fakes.parts.api_rate import ApiRateData
from fakes.parts.callbacks import CallbacksData
from fakes.parts.changes import Stored
from fakes.parts.decisions import DecisionsData
from fakes.parts.ids import IdsData
from fakes.parts.outbox import OutboxData
from fakes.parts.settings import DomainSettings
from fakes.parts.sign_in.authorization_data import AuthorizationData
from fakes.parts.state import State
from fakes.parts.statuses import StatusesData
from fakes.parts.stored_files import FilesData
from fakes.parts.tokens import TokensData
from fakes.parts.users import DirectoryData
from fakes.parts.webhooks import WebhooksData
from fakes.persistence import (
    Saved,
    SavedWire,
    describe_errors,
    dump_wire,
)
from fakes.rulebook.rules import RulesData
from fakes.stubs.registry import StubsData
from svckit.display.card import quantity, render_card

__all__ = [
    "PARTS",
    "VERSION",
    "SavedState",
    "Snapshot",
    "copy_collections",
    "dump",
    "list_parts",
    "load",
    "read",
    "to_data",
]

VERSION: Final = 2
"""Version 1 had other sample users."""
NESTED: Final = frozenset({"webhooks.rooms"})
"""The collections whose entries are collections."""

Data = TypeVar("Data", bound=Saved)


class Snapshot(dict[str, Any]):
    """A dict of plain JSON data whose repr hides the data, as it has the fake's secrets.

    Examples:
        >>> import json
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> fake.snapshot()
        <Snapshot, version 2: 20 users, 1 file, clock 2026-06-01T09:00:00+09:00>
        >>> text = json.dumps(fake.snapshot())
        >>> fake.restore(json.loads(text))
    """

    def __repr__(self) -> str:
        return f"<Snapshot, version {self['version']}: {self._summarize()}>"

    def _repr_html_(self) -> str:
        return render_card("Snapshot", [("version", self["version"]), ("content", self._summarize())])[0]

    def _summarize(self) -> str:
        people, files = self["directory"]["users"], len(self["files"]["files"])
        users = people["size"] - len(people["removed"]) + len(people["added"])
        clock = self["clock"]["stands_at"] or "running"
        return f"{quantity(users, 'user')}, {quantity(files, 'file')}, clock {clock}"


class SavedState(Saved):
    """The format of a snapshot, with a field for each saved part of the state."""

    version: Literal[2] = VERSION
    clock: ClockData
    ids: IdsData
    rules: RulesData
    settings: SavedWire[DomainSettings]
    directory: DirectoryData
    auth: AuthorizationData
    tokens: TokensData
    files: FilesData
    statuses: StatusesData
    webhooks: WebhooksData
    callbacks: CallbacksData
    outbox: OutboxData
    api_rate: ApiRateData
    decisions: DecisionsData
    faults: FaultsData
    stubs: StubsData

    @field_validator("settings", mode="before")
    @classmethod
    def _check_complete(cls, settings: object) -> object:
        known = dump_wire(DomainSettings()).keys()
        lacks = known - settings.keys() if isinstance(settings, dict) else ()
        if lacks:
            raise ValueError(f"lacks {', '.join(sorted(lacks))}")
        return settings

    @field_validator("settings")
    @classmethod
    def _check_domain(cls, settings: DomainSettings) -> DomainSettings:
        if settings.domain_id != DOMAIN_ID:
            raise ValueError(f"domainId is always {DOMAIN_ID} here")
        return settings

    @field_validator("callbacks")
    @classmethod
    def _check_first_bot(cls, callbacks: CallbacksData) -> CallbacksData:
        if not callbacks.bots:
            raise ValueError("there is no bot; every snapshot must contain one")
        return callbacks

    def check_consistency(self) -> None:
        """Check that all saved user IDs belong to users.

        Raises:
            ValueError: a user is missing.
        """
        users = [*self.directory.link_ids, *self.statuses.by_user, *self.callbacks.client_versions]
        self.directory.users.check_users(users)

    @model_validator(mode="after")
    def _check_users(self) -> Self:
        self.check_consistency()
        return self


PARTS = tuple(name for name in SavedState.model_fields if name != "version")
"""The names of the saved parts."""
ATTRIBUTES = {"directory": "users"}
"""The attributes of `State` of parts that are saved by another name."""


def list_parts(state: State) -> dict[str, Any]:
    """Return the parts of a state that are saved, by their names in a snapshot."""
    return {name: getattr(state, ATTRIBUTES.get(name, name)) for name in PARTS}


def dump(state: State) -> SavedState:
    """Return the current state; its collections are shared, so their size does not matter."""
    return SavedState.model_construct(**{name: part.dump() for name, part in list_parts(state).items()})


def copy_collections(data: Data) -> Data:
    """Copy the collections of saved data, but not their entries, which never change."""
    return data.model_copy(update={name: _copy_value(value) for name, value in data})


def _copy_value(value: Any) -> Any:
    if isinstance(value, Stored):
        copy = value.copy()
        return {key: entry.copy() for key, entry in copy.items()} if value.name in NESTED else copy
    return copy_collections(value) if isinstance(value, Saved) else value


def load(saved: SavedState, state: State, parts: Iterable[str] = PARTS) -> None:
    """Load saved parts into a state; these are only assignments, so none fails halfway."""
    found = list_parts(state)
    for name in parts:
        found[name].load(getattr(saved, name))


def to_data(saved: SavedState) -> Snapshot:
    """Return the state as plain JSON data."""
    snapshot = Snapshot(saved.model_dump(mode="json", exclude={"directory": {"users": {"changed"}}}))
    users = saved.directory.users.changed.items()
    snapshot["directory"]["users"]["changed"] = {user_id: user.read() for user_id, user in users}
    return snapshot


def read(snapshot: Mapping[str, Any]) -> SavedState:
    """Read a snapshot from plain JSON data, and validate all of it.

    Raises:
        ValueError: it is not valid; the message names the problem but no value, which may be secret.
    """
    version = snapshot.get("version") if isinstance(snapshot, Mapping) else None
    if type(version) is not int:  # True is an int too
        raise ValueError(
            "this is not a snapshot of a fake; take one with fake.snapshot() or the admin call GET /snapshot"
        )
    if version != VERSION:
        advice = "update svckit" if version > VERSION else "its sample users were others; take a new snapshot"
        raise ValueError(
            f"this snapshot has version {version}, and this fake reads version {VERSION}; {advice}"
        )
    rest, users = _split_users(dict(snapshot))  # `UsersData` takes these from the context
    try:
        saved = SavedState.model_validate_json(
            to_json(rest), context={} if users is None else {"changed": users}
        )
    except ValidationError as invalid:
        raise ValueError(f"this snapshot is damaged: {describe_errors(invalid)}") from None
    except ValueError as unwritable:
        raise ValueError(f"this snapshot is not plain JSON data: {unwritable}") from None
    try:
        saved.directory.users.check_complete()
    except ValueError as incomplete:
        raise ValueError(f"this snapshot is damaged: {incomplete}") from None
    return saved


def _split_users(snapshot: dict[str, Any]) -> tuple[dict[str, Any], object]:
    """Split a snapshot into its users, which are checked one by one, and the rest."""
    try:
        directory = snapshot["directory"]
        users = directory["users"]
        changed = users["changed"]
        rest = {**snapshot, "directory": {**directory, "users": {**users, "changed": {}}}}
    except (LookupError, TypeError):
        return snapshot, None  # will be refused
    return rest, changed
