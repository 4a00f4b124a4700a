"""The stubs of a fake."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Annotated, Any

from pydantic import PlainSerializer

from fakes.http.addresses import Area
from fakes.http.path_tree import PathTree
from fakes.persistence import Saved
from fakes.stubs.records import READY, StubRecord, StubSource, read_records, validate_records
from fakes.stubs.stub import ABSENT, Stub, StubFunction, read_arguments
from svckit.display.card import quantity, render_table
from svckit.display.tab import PublicNames
from svckit.models.problems import Problem, join_problems

__all__ = ["CannotBeStubbed", "ExplainRefusal", "Stubs", "StubsData", "read_ready_stubs"]


class CannotBeStubbed(ValueError):
    """A stub was refused, as the service's description has the operation, or lists it as retired."""


ExplainRefusal = Callable[[Area, str, str, bool], str]
"""Says why a stub of an area, a method and a path is refused, or nothing; the last is whether it is new."""
SavedStub = Annotated[StubRecord, PlainSerializer(StubRecord.to_wire)]


class StubsData(Saved):
    """The stubs in a snapshot, without those that have a function."""

    stubs: list[SavedStub]


class Stubs(PublicNames, internal="add dump find load put remove_functions"):
    """The stubs of a fake, in the order in which they were added; true if there are any.

    `FakeService.stub` adds one. Of two that a call could be for, the one with fewer parameters responds.

    Args:
        lock: held while they change.
        explain_refusal: says why a call cannot be stubbed; if omitted, all can.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> stub = fake.stub("GET", "/groups", json={"groups": []})
        >>> fake.stubs
        <Stubs: 1>
          GET /groups, used 0 times
        >>> fake.stubs.remove(stub)
        >>> len(fake.stubs)
        0
    """

    def __init__(
        self, lock: AbstractContextManager[Any], explain_refusal: ExplainRefusal | None = None
    ) -> None:
        self._explain_refusal = explain_refusal
        self._lock = lock
        self._stubs: dict[tuple[Area, str, str], Stub] = {}
        self._tree: PathTree[Stub] = PathTree()

    def add(self, given: Mapping[str, Any], json: Any = ABSENT) -> Stub:
        """Add a stub; it replaces an earlier one for the same calls.

        Raises:
            CannotBeStubbed: the description has the operation, or lists it as retired.
            ValueError: an argument is not valid; all problems are reported together.
        """
        return self.put(*read_arguments(StubRecord, given, json))

    def put(self, record: StubRecord, function: StubFunction | None = None) -> Stub:
        """Add the stub of a record.

        Raises:
            CannotBeStubbed: the description has the operation, or lists it as retired.
        """
        stub = Stub(record, function, self._lock)
        if problem := self._find_problem(stub, is_new=True):
            raise CannotBeStubbed(problem)
        self._store([stub])
        return stub

    def add_file(self, source: StubSource) -> None:
        """Add the stubs of a file, all or none; those of operations that have retired are kept, but not used.

        Args:
            source: a JSON file with a list of stubs, such as ``{"method": "GET", "path": "/groups", "json": {}}``;
                the name of a ready file, ``common``; or the stubs themselves.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is not a list of stubs, or the description has one of their operations; all problems are
                reported together, with the index.

        Examples:
            >>> from fakes import FakeService
            >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
            >>> fake.stubs.add_file([{"method": "GET", "path": "/groups"}, {"method": "PATCH", "path": "/users/{id}"}])
            Traceback (most recent call last):
            ...
            fakes.stubs.registry.CannotBeStubbed: stubs[1]: PATCH /users/{id} cannot be stubbed: it is ...
        """
        records, invalid = validate_records(read_records(source))
        stubs = {at: Stub(record, None, self._lock) for at, record in records.items()}
        described = [
            Problem(at, f"{at}: {why}") for at, stub in stubs.items() if (why := self._find_problem(stub))
        ]
        if invalid or described:
            refusal = ValueError if invalid else CannotBeStubbed
            raise refusal(join_problems([*invalid, *described]))
        self._store(stubs.values())

    def _find_problem(self, stub: Stub, *, is_new: bool = False) -> str:
        """Return why a stub is refused, or an empty text."""
        area, method, _ = stub.place
        problem = self._explain_refusal and self._explain_refusal(area, method, stub.path, is_new)
        return f"{stub.name} cannot be stubbed: {problem}" if problem else ""

    def _store(self, stubs: Iterable[Stub]) -> None:
        with self._lock:
            for stub in stubs:
                self._stubs.pop(stub.place, None)
                self._stubs[stub.place] = stub
                self._tree.put(_write_template(stub), stub)

    def remove(self, stub: Stub) -> None:
        """Remove this very stub, not an equal one; nothing happens if it is not among them.

        Args:
            stub: what `FakeService.stub` returned.
        """
        with self._lock:
            if self._stubs.get(stub.place) is stub:
                del self._stubs[stub.place]
                self._tree.remove(_write_template(stub))

    def clear(self) -> None:
        """Remove all stubs."""
        with self._lock:
            self._stubs, self._tree = {}, PathTree()

    def remove_functions(self) -> None:
        """Remove the stubs that have a function."""
        with self._lock:
            self._replace(stub for stub in self if not stub.has_function)

    def find(self, area: str, method: str, path: str) -> tuple[Stub, Mapping[str, str]] | None:
        """Return the stub of a call and its path parameters; None without one."""
        return self._tree.find(f"{area} {method}{path}") if self._stubs else None

    def dump(self) -> StubsData:
        """Return the stubs for a snapshot, without those that have a function."""
        saved = [StubRecord.from_wire(stub.to_wire()) for stub in self if not stub.has_function]
        return StubsData.model_construct(stubs=saved)

    def load(self, data: StubsData) -> None:
        """Replace the stubs with saved ones; those that have a function stay, unless one takes their place."""
        with self._lock:
            places = [*self._stubs]
            saved = [Stub(record, None, self._lock) for record in data.stubs]
            taken = {stub.place for stub in saved}
            # Of stubs for one path the first counts: so each that stays is again before those that it was before.
            for kept in reversed([stub for stub in self if stub.has_function and stub.place not in taken]):
                after = {*places[places.index(kept.place) :]}
                later = (at for at, stub in enumerate(saved) if stub.place in after)
                saved.insert(next(later, len(saved)), kept)
            self._replace(saved)

    def _replace(self, stubs: Iterable[Stub]) -> None:
        kept = [*stubs]
        self.clear()
        self._store(kept)

    def __iter__(self) -> Iterator[Stub]:
        return iter([*self._stubs.values()])

    def __len__(self) -> int:
        return len(self._stubs)

    def __repr__(self) -> str:
        lines = (f"  {stub.name}, used {quantity(stub.used, 'time')}" for stub in self)
        return "\n".join([f"<Stubs: {len(self) or 'none'}>", *lines])

    def _repr_html_(self) -> str:
        rows = [(stub.name, str(stub.used)) for stub in self]
        return render_table(f"Stubs: {quantity(len(self), 'stub')}", ("stub", "used"), rows)[0]


@cache
def read_ready_stubs() -> dict[str, Stubs]:
    """Return the ready stubs, by their names."""
    ready = {name: Stubs(nullcontext()) for name in READY}
    for name, stubs in ready.items():
        stubs.add_file(name)
    return ready


def _write_template(stub: Stub) -> str:
    area, method, _ = stub.place
    return f"{area} {method}{stub.path}"
