"""The file store: upload addresses, stored files, and their revisions."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from fakes import rulebook
from fakes.clock import Clock
from fakes.content import Content
from fakes.ids import Ids
from fakes.refusals import Refused
from fakes.rules import Rules
from svckit.models.files import UploadRequest
from svckit.models.times import format_date_time

__all__ = ["FileStore", "Place", "Revision", "StoredFile", "Ticket"]

TICKET_LIFETIME = timedelta(hours=24)

Place = tuple[str, ...]
"""Where a file is: the key of the place and the ids of its containers, such as ``("drive", "u-001")``."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an upload address stands for."""

    ticket_id: str
    place: Place
    parent_id: str | None
    request: UploadRequest
    user_id: str
    issued_at: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """One content of a file; ``address`` is the last part of the URL it is downloaded from."""

    number: str
    address: str
    content_type: str
    content: Content = field(repr=False)
    stored_at: datetime
    modified_time: str | None


@dataclass(slots=True)
class StoredFile:
    """A file and its revisions, the newest last."""

    file_id: str
    place: Place
    parent_id: str | None
    name: str
    owner: str
    created_at: datetime
    revisions: list[Revision] = field(default_factory=list)

    @property
    def latest(self) -> Revision:
        """The newest revision."""
        return self.revisions[-1]

    def record(self) -> dict[str, Any]:
        """The file as plain data: what frames show."""
        latest = self.latest
        return {
            "place": "/".join(self.place),
            "fileId": self.file_id,
            "fileName": self.name,
            "contentType": latest.content_type,
            "fileSize": len(latest.content),
            "revision": latest.number,
            "createdTime": format_date_time(self.created_at),
            "modifiedTime": latest.modified_time or format_date_time(latest.stored_at),
            "owner": self.owner,
        }


class FileStore:
    """Issues upload addresses and keeps what is sent to them."""

    def __init__(self, *, clock: Clock, ids: Ids, rules: Rules) -> None:
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._tickets: dict[str, Ticket] = {}
        self._files: dict[str, StoredFile] = {}
        self._revisions: dict[str, Revision] = {}
        self._newest_at: dict[Place, StoredFile] = {}
        self._newest_named: dict[tuple[Place, str | None, str], StoredFile] = {}

    def issue(self, place: Place, target_id: str | None, request: UploadRequest, user_id: str) -> Ticket:
        """Issue an upload address for one file.

        Args:
            place: where the file will be.
            target_id: the folder to put it in, or the stored file to make a new revision of.
            request: the name, size and options announced.
            user_id: who asks.
        """
        self._forget_ended()
        ticket = Ticket(self._ids.secret("up"), place, target_id, request, user_id, self._clock.now())
        self._tickets[ticket.ticket_id] = ticket
        return ticket

    def ticket(self, ticket_id: str, user_id: str) -> Ticket:
        """The upload address as the user may use it now.

        Raises:
            Refused: it is unknown, used, older than 24 hours, or another user's.
        """
        ticket = self._tickets.get(ticket_id)
        if ticket is None:
            raise Refused("not_found", "this upload address is unknown or used; request a new one")
        if self._ended(ticket) and self._rules.choice(rulebook.files.TICKET_LIFETIME) == "24h":
            raise Refused("not_found", "this upload address was valid for 24 hours; request a new one")
        if user_id != ticket.user_id and self._rules.choice(rulebook.files.TICKET_USER) == "bound":
            raise Refused(
                "not_found", "this upload address was issued to another user; request one of your own"
            )
        return ticket

    def store(self, ticket: Ticket, content_type: str, content: Content) -> StoredFile:
        """Keep the content sent to an upload address.

        Raises:
            Refused: the content has not the size announced, or the name is taken.
        """
        announced = ticket.request.file_size
        if len(content) != announced and self._rules.choice(rulebook.files.SIZE) == "checked":
            raise Refused(
                "invalid",
                f"fileSize was announced as {announced} bytes, and {len(content)} bytes of content came",
            )
        stored = self._target(ticket)
        revision = Revision(
            str(len(stored.revisions) + 1),
            self._ids.secret("dl"),
            content_type,
            content,
            self._clock.now(),
            ticket.request.modified_time,
        )
        stored.revisions.append(revision)
        self._files[stored.file_id] = stored
        self._newest_at[stored.place] = stored
        self._newest_named[stored.place, stored.parent_id, stored.name] = stored
        self._revisions[revision.address] = revision
        del self._tickets[ticket.ticket_id]
        return stored

    def find(self, place: Place, file_id: str | None, revision: str | None = None) -> Revision:
        """A stored file's content by place, id and revision; a place that holds a single file needs no id.

        Raises:
            Refused: there is none.
        """
        stored = self._newest_at.get(place) if file_id is None else self._files.get(file_id)
        if stored is None or stored.place != place:
            raise Refused(
                "not_found", f"there is no file {file_id or ''} at {'/'.join(place)}".replace("  ", " ")
            )
        if revision is None:
            return stored.latest
        for kept in stored.revisions:
            if kept.number == revision:
                return kept
        raise Refused(
            "not_found", f"the file {file_id} has no revision {revision}; it has {len(stored.revisions)}"
        )

    def at_address(self, address: str) -> Revision:
        """The content a download URL stands for.

        Raises:
            Refused: the URL was not issued by this service.
        """
        revision = self._revisions.get(address)
        if revision is None:
            raise Refused(
                "not_found", "this download address is unknown; ask the place of the file for a new one"
            )
        return revision

    def stored(self) -> list[StoredFile]:
        """All files, in the order they were first stored."""
        return list(self._files.values())

    def _target(self, ticket: Ticket) -> StoredFile:
        """The stored file this upload makes a revision of, or a new one."""
        request, parent_id = ticket.request, ticket.parent_id
        named = self._files.get(parent_id) if parent_id else None
        if named is not None and named.place == ticket.place:
            self._rules.choice(rulebook.files.OVERWRITE)
            return named
        namesake = self._newest_named.get((ticket.place, parent_id, request.file_name))
        if namesake is not None:
            if request.overwrite:
                self._rules.choice(rulebook.files.OVERWRITE)
                return namesake
            if self._rules.choice(rulebook.files.SAME_NAME) == "refused":
                raise Refused(
                    "conflict", f"{request.file_name!r} is there already; send overwrite to replace it"
                )
        file_id = self._ids.next("file")
        return StoredFile(
            file_id, ticket.place, parent_id, request.file_name, ticket.user_id, self._clock.now()
        )

    def _ended(self, ticket: Ticket) -> bool:
        return self._clock.now() - ticket.issued_at > TICKET_LIFETIME

    def _forget_ended(self) -> None:
        """Drop addresses that ended more than a lifetime ago; dicts keep the order of issue."""
        horizon = self._clock.now() - 2 * TICKET_LIFETIME
        while self._tickets and next(iter(self._tickets.values())).issued_at < horizon:
            del self._tickets[next(iter(self._tickets))]
