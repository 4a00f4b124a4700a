"""The faults, the journal and the stubs of a fake elsewhere."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Never, cast

from pydantic import Field, TypeAdapter

from fakes.clock import parse_instant
from fakes.doors.remote_calls import FUNCTION, WHY, AdminCaller, Elsewhere, RemotePart
from fakes.faults.injection import Faults, make_fault
from fakes.faults.kinds import AnyFault
from fakes.handlers.admin_records import DERIVED, describe_fault
from fakes.http.errors import Refusal
from fakes.http.multipart import FormPart
from fakes.parts.journal import JournalEntries, JournalMark
from fakes.parts.journal_entry import JournalEntry
from fakes.stubs.records import StubResponse
from fakes.stubs.stub import ABSENT, read_arguments
from svckit.display.card import quantity
from svckit.models.base import python_name, wire_name
from svckit.models.notification import RateLimit

__all__ = ["RemoteEntry", "RemoteFault", "RemoteFaults", "RemoteJournal", "RemoteStub", "RemoteStubs"]

FAULT: TypeAdapter[AnyFault] = TypeAdapter(Annotated[AnyFault, Field(discriminator="kind")])


class RemoteFault(Elsewhere):
    """A fault of a fake elsewhere; its ``left`` and ``used`` are those of now."""

    def __init__(self, call: AdminCaller, number: int, added: AnyFault) -> None:
        self._call, self._number, self._added = call, number, added

    def _find(self) -> AnyFault | None:
        """Return it as it is now; None if it no longer applies."""
        try:
            found = read_fault(self._call("GET", f"/faults/{self._number}"))
        except Refusal:
            return None
        # A process that was started again numbers its own faults from 1.
        now, added = (fault.model_dump(exclude={"used", "skip"}) for fault in (found, self._added))
        return found if now == added else None

    def _read(self) -> AnyFault:
        used_up = {"used": self._added.times or self._added.used, "skip": 0}
        return self._find() or self._added.model_copy(update=used_up)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._read(), name)

    def __str__(self) -> str:
        return str(self._read())

    def __repr__(self) -> str:
        return repr(self._read())


def read_fault(record: Mapping[str, Any]) -> AnyFault:
    """Return a fault of an admin call."""
    return FAULT.validate_python(
        {python_name(name): value for name, value in record.items() if name not in DERIVED}
    )


class RemoteFaults(Faults):
    """The faults of a fake elsewhere: made by the same methods, and sent."""

    def __init__(self, call: AdminCaller) -> None:
        super().__init__()
        self._call = call

    def add(self, fault: AnyFault) -> None:
        """Add a fault that was made elsewhere."""
        self._send(fault)

    def _send(self, fault: AnyFault) -> RemoteFault:
        __tracebackhide__ = True
        options = {name: value for name, value in describe_fault(fault).items() if name not in DERIVED}
        return RemoteFault(self._call, self._call("POST", "/faults", options)["number"], fault)

    def _inject(self, kind: Any, target: str, times: int | None, skip: int, **options: Any) -> Any:
        __tracebackhide__ = True
        return self._send(make_fault(kind, options | {"target": target, "times": times, "skip": skip}))

    def remove(self, fault: Any) -> None:
        """Remove a fault that a method of this class returned; nothing happens if it no longer applies."""
        if fault._find() is not None:
            with suppress(Refusal):  # used up meanwhile
                self._call("DELETE", f"/faults/{fault._number}")

    def clear(self) -> None:
        """Remove all faults."""
        self._call("DELETE", "/faults")

    def __iter__(self) -> Iterator[Any]:
        listed = self._call("GET", "/faults")["faults"]
        return iter([RemoteFault(self._call, fault["number"], read_fault(fault)) for fault in listed])

    def _list(self) -> list[AnyFault]:
        return [read_fault(fault) for fault in self._call("GET", "/faults")["faults"]]


class RemoteEntry(Elsewhere):
    """A request in the journal of a fake elsewhere, with the attributes of `JournalEntry`."""

    # These need no more of an entry than its public attributes.
    path, is_error, __repr__ = JournalEntry.path, JournalEntry.is_error, JournalEntry.__repr__

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._sent = record

    def __getattr__(self, name: str) -> Any:
        wire = wire_name(name)
        if name.startswith("_") or wire not in self._sent:
            return super().__getattr__(name)
        value = self._sent[wire]
        return tuple(value) if isinstance(value, list) else value

    @property
    def at(self) -> datetime:
        """The instant at which the request arrived, by the fake's clock."""
        return parse_instant(self._sent["at"])

    @property
    def json(self) -> Any:
        """The JSON of the request body, masked; None if it is not JSON."""
        try:
            return json.loads(self._sent["requestBody"])
        except ValueError:
            return None

    @property
    def parts(self) -> tuple[FormPart, ...]:
        """The name, file name and content type of each part of a multipart body."""
        return tuple(
            FormPart(part["name"], part["fileName"], part["contentType"]) for part in self._sent["parts"]
        )

    @property
    def rate_limit(self) -> RateLimit | None:
        """The notification rate limit after this request."""
        found = self._sent["rateLimit"]
        return None if found is None else RateLimit(**found)

    def record(self) -> dict[str, Any]:
        """Return the entry as JSON-ready data."""
        bodies = ("requestBody", "responseBody")
        return {name: value for name, value in self._sent.items() if name not in bodies}


class RemoteJournal(JournalEntries, Elsewhere):
    """The journal of a fake elsewhere; each look reads it again."""

    def __init__(self, call: AdminCaller) -> None:
        self._call = call
        super().__init__((), object())

    @property
    def _entries(self) -> list[JournalEntry]:
        return self._read()

    @_entries.setter
    def _entries(self, _: object) -> None:
        """Keep nothing: the fake has the entries."""

    def _read(self, **query: object) -> list[JournalEntry]:
        sent = self._call("GET", "/journal", bodies="true", **query)["exchanges"]
        return [cast("JournalEntry", RemoteEntry(exchange)) for exchange in sent]

    def _look_up(self, name: str) -> int:
        return int(self._call("GET", "/journal", latest=0)[name])

    def __len__(self) -> int:
        return self._look_up("count")

    def __getitem__(self, index: Any) -> Any:
        latest = self.latest(-index) if isinstance(index, int) and index < 0 else []
        return latest[0] if latest and len(latest) == -index else super().__getitem__(index)

    def latest(self, count: int = 20) -> list[JournalEntry]:
        """Return the latest entries, oldest first; the others are not read."""
        return self._read(latest=count)

    def find_dropped(self) -> int:
        """Return the number of the latest entry that made room for others; 0 if none did."""
        return self._look_up("dropped")

    def mark(self) -> JournalMark:
        """Return the current position, for `since`."""
        return JournalMark(self._look_up("number"), self._numbering)

    def since(self, mark: JournalMark) -> JournalEntries:
        """Return the entries after a mark, as far as there are any now."""
        if isinstance(mark, JournalMark) and mark.number > self._look_up("number"):
            self._numbering = object()  # the journal was restarted, by a reset or with the server
        return super().since(mark)

    def after(self, number: int) -> JournalEntries:
        """Return the entries after a number."""
        return JournalEntries(self._read(since=number), self._numbering)

    def where(self, *, operation: str | None = None, status: int | None = None) -> JournalEntries:
        """Return the entries of an operation, of a status, or of both."""
        return JournalEntries(self._read(operation=operation, status=status), self._numbering)

    def clear(self) -> None:
        """Forget all entries; the numbering continues."""
        self._call("DELETE", "/journal")

    def to_har(self) -> Never:
        """Raise an error: no admin call sends the headers."""
        raise AttributeError(f"to_har does not work with a fake outside this process: {WHY['to_har']}")


class RemoteStub(Elsewhere):
    """A stub of a fake elsewhere, as `fakes.stubs.stub.Stub`."""

    def __init__(self, call: AdminCaller, record: Mapping[str, Any]) -> None:
        self._call, self.path = call, str(record["path"])
        self._query = {name: record[name] for name in ("method", "path", "area")}
        self.name = f"{record['method']} {self.path}"

    def _read(self) -> dict[str, Any] | None:
        listed = self._call("GET", "/stubs")["stubs"]
        same = (stub for stub in listed if all(stub[name] == self._query[name] for name in self._query))
        return next(same, None)

    @property
    def used(self) -> int:
        """The number of calls it has responded to; 0 once it is removed."""
        return int((self._read() or {"used": 0})["used"])

    def then(
        self, *, status: int = 200, headers: Mapping[str, str] | None = None, json: Any = ABSENT
    ) -> "RemoteStub":
        """Add the response to the next call; the last one is repeated."""
        if callable(json):
            raise TypeError(FUNCTION)
        record = self._read()
        if record is None:
            raise LookupError(f"the stub {self.name} was removed; add it again with svc.fake.stub")
        added, _ = read_arguments(StubResponse, {"status": status, "headers": headers}, json)
        self._call("POST", "/stubs", record | {"then": [*record["then"], added.to_wire()]})
        return self

    def __repr__(self) -> str:
        record = self._read() or {"then": [], "used": 0}
        responses = quantity(1 + len(record["then"]), "response")
        return f"<Stub {self.name}: {responses}, used {quantity(record['used'], 'time')}>"


class RemoteStubs(RemotePart):
    """The stubs of a fake elsewhere, in the order in which they were added."""

    def remove(self, stub: RemoteStub) -> None:
        """Remove a stub; nothing happens if it is not among them."""
        with suppress(Refusal):
            self._call("DELETE", "/stubs", **stub._query)

    def clear(self) -> None:
        """Remove all stubs."""
        self._call("DELETE", "/stubs")

    def __iter__(self) -> Iterator[RemoteStub]:
        return iter([RemoteStub(self._call, stub) for stub in self._call("GET", "/stubs")["stubs"]])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __repr__(self) -> str:
        stubs = self._call("GET", "/stubs")["stubs"]
        lines = (
            f"  {stub['method']} {stub['path']}, used {quantity(stub['used'], 'time')}" for stub in stubs
        )
        return "\n".join([f"<Stubs: {len(stubs) or 'none'}>", *lines])
