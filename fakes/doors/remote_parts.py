"""The clock, the rules, the users and the files of a fake elsewhere."""

from base64 import b64encode
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from datetime import datetime
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote

from pydantic_core import to_json

from fakes.clock import parse_instant
from fakes.doors.remote_calls import AdminCaller, Elsewhere, RemotePart
from fakes.http.errors import Refusal
from fakes.parts.outbox import SentMessage
from fakes.rulebook.refusing import Policy
from fakes.rulebook.status import DeviationStatus, RuleStatus
from svckit.display.card import quantity
from svckit.display.suggestions import NoSuchKey, UnknownName
from svckit.models.base import python_name

__all__ = ["RemoteBots", "RemoteClock", "RemoteDirectory", "RemoteFiles", "RemoteRules", "RemoteStatuses"]

Status = TypeVar("Status", RuleStatus, DeviationStatus)
PAGE = 1000


class RemoteClock(RemotePart):
    """The clock of a fake elsewhere, as `fakes.clock.Clock`."""

    @property
    def standing(self) -> bool:
        """True if time passes only when the clock is moved."""
        return bool(self._call("GET", "/clock")["standing"])

    def now(self) -> datetime:
        """Return the current instant, with its offset."""
        return parse_instant(self._call("GET", "/clock")["now"])

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> datetime:
        """Move forward by a span and return the new instant."""
        span = seconds + 60 * (minutes + 60 * (hours + 24 * days))
        return parse_instant(self._call("POST", "/clock", {"advance": span})["now"])

    def to(self, then: str | datetime) -> datetime:
        """Move forward to an instant and return it."""
        target = parse_instant(then).isoformat()
        return parse_instant(self._call("POST", "/clock", {"to": target})["now"])

    def __repr__(self) -> str:
        read = self._call("GET", "/clock")
        return (
            f"<Clock standing at {read['now']}>"
            if read["standing"]
            else f"<Clock running, now {read['now']}>"
        )


class RemoteStatuses(Elsewhere, Generic[Status]):
    """The rules or the deviations of a fake elsewhere, by their IDs."""

    def __init__(self, call: AdminCaller, kind: type[Status], key: str) -> None:
        self._call, self._place = call, key
        self._kind: Callable[..., Status] = kind

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield them as plain data."""
        yield from self._call("GET", "/rules")[self._place]

    def __iter__(self) -> Iterator[Status]:
        for record in self.records():
            fields = {
                python_name(name): tuple(value) if isinstance(value, list) else value
                for name, value in record.items()
            }
            yield self._kind(**fields)

    def __len__(self) -> int:
        return sum(1 for _ in self.records())

    def __getitem__(self, key: str) -> Status:
        found = next((status for status in self if status.id == key), None)
        if found is None:
            raise UnknownName(self._place.removesuffix("s"), key, (status.id for status in self))
        return found

    def __repr__(self) -> str:
        return f"<{self._place.capitalize()}: {len(self)}>"


class RemoteRules(RemoteStatuses[RuleStatus]):
    """The rules of a fake elsewhere, as `fakes.rulebook.rules.Rules`."""

    def __init__(self, call: AdminCaller) -> None:
        super().__init__(call, RuleStatus, "rules")
        self.deviations = RemoteStatuses(call, DeviationStatus, "deviations")

    def choose(
        self,
        assume: Mapping[str, str],
        policy: Policy | None = None,
        *,
        deviations: Mapping[str, str | None] | None = None,
    ) -> None:
        """Choose other alternatives; the rest stay, and so does the policy unless it is given."""
        body: dict[str, Any] = {"assume": dict(assume), "deviations": dict(deviations or {})}
        self._call("PATCH", "/rules", body if policy is None else body | {"assumptions": policy})


class RemoteDirectory(RemotePart, Mapping[str, dict[str, Any]]):
    """The users of a fake elsewhere, as `fakes.parts.directory.Directory`."""

    def __getitem__(self, user_id: str) -> dict[str, Any]:
        found = self._find(user_id)
        if found is None or found["userId"] != user_id:  # an e-mail address is not a key
            raise NoSuchKey(f"there is no user {user_id!r}")
        return found

    def _find(self, address: str) -> dict[str, Any] | None:
        try:
            read = self._call("GET", f"/users/{quote(address, safe=':')}")
        except Refusal:
            return None
        return cast("dict[str, Any]", read["record"])

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the users' records, a page of 1,000 at a time."""
        skip, count = 0, 1
        while skip < count:
            page = self._call("GET", "/users", skip=skip, limit=PAGE)
            skip, count = skip + PAGE, page["count"]
            yield from page["users"]

    def __iter__(self) -> Iterator[str]:
        return (record["userId"] for record in self.records())

    def items(self) -> ItemsView[str, dict[str, Any]]:
        """Return the IDs with the records, as they are now; the mapping's own would read each user by itself."""
        return {record["userId"]: record for record in self.records()}.items()

    def values(self) -> ValuesView[dict[str, Any]]:
        """Return the records, as they are now."""
        return dict(self.items()).values()

    def __len__(self) -> int:
        return int(self._call("GET", "/users", limit=0)["count"])

    def find(self, *, email: str = "", external_key: str = "") -> dict[str, Any] | None:
        """Return the record of the user with an e-mail address or an external key; None if nobody has it."""
        if bool(email) == bool(external_key):
            raise TypeError("give either email= or external_key=, as text")
        return self._find(email or f"externalKey:{external_key}")

    def put(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Add a whole user, or replace the one with the same ID, which has to be given."""
        if not record.get("userId"):
            raise ValueError("give userId: a fake elsewhere issues no IDs to users who are put")
        path = f"/users/{quote(str(record['userId']), safe='')}"
        return cast("dict[str, Any]", self._call("PUT", path, dict(record)))

    def remove(self, user_id: str) -> None:
        """Remove a user, together with their tokens and statuses."""
        self._call("DELETE", f"/users/{quote(user_id, safe='')}")

    def __repr__(self) -> str:
        return f"<Directory: {quantity(len(self), 'user')}>"


class RemoteBots(RemotePart):
    """The messages that bots of a fake elsewhere have sent, as `fakes.parts.outbox.Outbox`."""

    def sent(self, bot_id: str) -> list[SentMessage]:
        """Return the messages of a bot, oldest first."""
        listed = self._call("GET", f"/bots/{quote(bot_id, safe='')}/messages")["messages"]
        return [
            SentMessage(
                message["botId"],
                message["userId"],
                message["channelId"],
                to_json({"content": message["content"]}),
                parse_instant(message["sentAt"]),
            )
            for message in listed
        ]

    def __repr__(self) -> str:
        return "<Outbox>"


class RemoteFiles(RemotePart):
    """The files of a fake elsewhere."""

    def records(self) -> list[dict[str, Any]]:
        """Return all files as data, as frames show them, without their content."""
        return cast("list[dict[str, Any]]", self._call("GET", "/files")["files"])

    def put(
        self,
        place: str,
        name: str,
        content: bytes | str,
        *,
        content_type: str | None = None,
        file_id: str | None = None,
    ) -> str:
        """Put a file at a place, such as ``/users/u-001/drive/files``, without a request, and return its ID."""
        options = {"type": content_type, "fileId": file_id}
        body = {"place": place, "name": name} | {
            key: value for key, value in options.items() if value is not None
        }
        if isinstance(content, str):
            body["text"] = content
        else:
            body["content"] = b64encode(content).decode()
        return str(self._call("POST", "/files", body)["fileId"])

    def __repr__(self) -> str:
        return f"<Files: {quantity(len(self.records()), 'file')}>"
