"""Sources of records: sessions, fakes and inboxes, or the records themselves."""

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

import pandas as pd

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


Source = RecordSource | Iterable[Record | WireModel] | pd.DataFrame
"""A session, a ``FakeService``, an inbox of events, any iterable of records: wire dicts or models of
:mod:`svckit.models`; or a frame of users, flat or long, which stands for the users that it was read from."""


def records_of(source: Source, kind: Kind) -> list[Record]:
    """Return the records of a source as wire dicts.

    Raises:
        TypeError: the source is of another type; the message names it.

    Examples:
        >>> records_of([{"userId": "u-001"}], "users")
        [{'userId': 'u-001'}]
    """
    if isinstance(source, RecordSource):
        return list(source.records(kind))
    if isinstance(source, pd.DataFrame):
        return _recall(source, kind)
    if isinstance(source, str | bytes | Mapping | WireModel) or not isinstance(source, Iterable):
        advice = "; put a single record into a list" if isinstance(source, Mapping | WireModel) else ""
        raise TypeError(
            f"the {kind} frame needs a session, a FakeService or an iterable of records; given "
            f"{describe_given(source)}{advice}"
        )
    return [_record(item, kind) for item in source]


def _recall(frame: pd.DataFrame, kind: Kind) -> list[Record]:
    origin = origin_of(frame)
    if kind != "users" or origin is None:
        raise TypeError(
            f"the {kind} frame needs a session, a FakeService or an iterable of records; a frame stands for users "
            "only, and only while it remembers its records"
        )
    return list(origin.records)


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
