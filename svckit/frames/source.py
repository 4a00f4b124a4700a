"""Sources of records: sessions, fakes and inboxes, or the records themselves."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Protocol, cast, runtime_checkable

import pandas as pd
from pydantic_core import from_json

from svckit.frames.column import Record
from svckit.frames.origin import origin_of
from svckit.models.base import WireModel
from svckit.models.phrases import describe_given
from svckit.models.records import Kind

__all__ = ["Kind", "RecordSource", "Source", "check_frame", "records_of"]


@runtime_checkable
class RecordSource(Protocol):
    """A source of records by kind, such as a session or a ``FakeService``."""

    def records(self, kind: Kind, /) -> Iterable[Record]:
        """Return the records of one kind, camelCase as on the wire, in a stable order."""
        ...


Source = RecordSource | Iterable[Record | WireModel | bytes] | bytes | pd.DataFrame
"""A session, a ``FakeService``, an inbox of events, any iterable of records: wire dicts, models of
:mod:`svckit.models` or response bodies; JSON lines; or a frame of users, flat or long, which stands for the users that
it was read from."""

BATCH = 2_000
"""The number of bodies that are read at once."""


class JsonRecords(Sequence[Record]):
    """Records as response bodies, each parsed when it is needed.

    Args:
        bodies: the bodies; each is a JSON object.
        kind: the kind of records, for errors.
        start: the number of the first of them.

    Examples:
        >>> records = JsonRecords([b'{"userId": "u-001"}', b"{}"], "users")
        >>> len(records), records[0]
        (2, {'userId': 'u-001'})
    """

    def __init__(self, bodies: Sequence[bytes], kind: Kind, start: int = 0) -> None:
        self.bodies = bodies
        self._kind: Kind = kind
        self._start = start

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, at: Any) -> Any:
        try:
            record = from_json(self.bodies[at])
        except ValueError as error:
            raise ValueError(f"{self._describe(at)} is not JSON: {error}") from None
        if not isinstance(record, dict):
            raise ValueError(f"{self._describe(at)} is not a JSON object; given {describe_given(record)}")
        return record

    def _describe(self, at: int) -> str:
        return f"line or body {self._start + range(len(self))[at] + 1} of the {self._kind}"


class Batches(Sequence[Record]):
    """Records in batches, each of which reads its records when they are needed.

    Args:
        batches: the batches.
        replaced: records that replace others, by position.

    Examples:
        >>> records = Batches([[{"userId": "u-001"}], [{"userId": "u-002"}, {}]])
        >>> len(records), records[2], records.replace(2, {"userId": "u-003"})[-1]
        (3, {}, {'userId': 'u-003'})
    """

    def __init__(
        self, batches: Iterable[Sequence[Record]], replaced: Mapping[int, Record] = MappingProxyType({})
    ) -> None:
        self._batches = list(batches)
        self._replaced = replaced
        self._ends = list(accumulate(map(len, self._batches)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: Any) -> Any:
        places = range(len(self))[at]
        return [*map(self._read, places)] if isinstance(places, range) else self._read(places)

    def _read(self, at: int) -> Record:
        if at in self._replaced:
            return self._replaced[at]
        batch = bisect_right(self._ends, at)
        return self._batches[batch][at - self._ends[batch]]

    def batches(self) -> Iterable[Sequence[Record]]:
        """Return the batches."""
        return [list(self)] if self._replaced else self._batches

    def replace(self, at: int, record: Record) -> "Batches":
        """Return the records with another one at a position."""
        return Batches(self._batches, {**self._replaced, at: record})


def records_of(source: Source, kind: Kind) -> Sequence[Record]:
    """Return the records of a source as wire dicts.

    Raises:
        TypeError: the source is of another type; the message names it.

    Examples:
        >>> records_of([{"userId": "u-001"}], "users")
        [{'userId': 'u-001'}]
    """
    if isinstance(source, RecordSource):
        found = source.records(kind)
        return Batches(found.batches()) if hasattr(found, "batches") else list(found)
    if isinstance(source, pd.DataFrame):
        return _recall(source, kind)
    if isinstance(source, Batches):
        return source
    if isinstance(source, bytes):
        source = [*filter(bytes.strip, source.splitlines())]
    if isinstance(source, str | Mapping | WireModel) or not isinstance(source, Iterable):
        advice = "; put a single record into a list" if isinstance(source, Mapping | WireModel) else ""
        raise TypeError(
            f"the {kind} frame needs a session, a FakeService or an iterable of records; given "
            f"{describe_given(source)}{advice}"
        )
    items = list(source)
    if items and all(isinstance(item, bytes) for item in items):
        bodies = cast("list[bytes]", items)
        return Batches(
            JsonRecords(bodies[start : start + BATCH], kind, start) for start in range(0, len(bodies), BATCH)
        )
    return [_record(item, kind) for item in items]


def _recall(frame: pd.DataFrame, kind: Kind) -> Sequence[Record]:
    origin = origin_of(frame)
    if kind != "users" or origin is None:
        raise TypeError(
            f"the {kind} frame needs a session, a FakeService or an iterable of records; a frame stands for users "
            "only, and only while it remembers its records"
        )
    return origin.records


def _record(item: object, kind: Kind) -> Record:
    if isinstance(item, WireModel):
        return item.to_wire()
    if isinstance(item, dict | Mapping):  # checking for a dict first is much faster
        return item
    raise TypeError(
        f"a record of {kind} is a mapping with wire names or a model of svckit.models; given {describe_given(item)}"
    )


def check_frame(frame: object, what: str) -> pd.DataFrame:
    """Check that a value is a frame, and return it.

    Raises:
        TypeError: the value is not a frame; ``what`` names the caller in the message.

    Examples:
        >>> check_frame([1, 2], "a timeline")
        Traceback (most recent call last):
            ...
        TypeError: a timeline takes a pandas frame, such as svckit.frames.users(svc); given a list of 2
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"{what} takes a pandas frame, such as svckit.frames.users(svc); given {describe_given(frame)}"
        )
    return frame
