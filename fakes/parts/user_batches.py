"""The users of a domain one by one, or in batches, which a frame reads by columns or as JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pydantic_core import from_json

from fakes.data.population import Population

__all__ = ["NEXT", "AddedUsers", "SampleUsers", "UserRecords", "split_users"]

Record = dict[str, Any]
FIRST, NEXT, STORED = 1_000, 8_000, 2_000
"""The number of users in the first batch of sample users, in the next ones, and in a batch of others."""


class UserRecords(Iterator[Record]):
    """An iterator over users.

    Attributes:
        batches: a function that returns the users in batches instead.
    """

    def __init__(self, records: Iterator[Record], batches: Callable[[], Iterator[Sequence[Record]]]) -> None:
        self._records = records
        self.batches = batches

    def __next__(self) -> Record:
        return next(self._records)


class AddedUsers(Sequence[Record]):
    """Users as JSON."""

    def __init__(self, bodies: Sequence[bytes]) -> None:
        self.bodies = bodies

    def __len__(self) -> int:
        return len(self.bodies)

    def __getitem__(self, at: Any) -> Any:
        return [*map(from_json, self.bodies[at])] if isinstance(at, slice) else from_json(self.bodies[at])


class SampleUsers(Sequence[Record]):
    """Sample users by their numbers; those who were changed, as JSON.

    Attributes:
        changed: the JSON of the changed users, by their positions.
    """

    def __init__(self, people: Population, numbers: Sequence[int], changed: Mapping[int, bytes]) -> None:
        self._people = people
        self._numbers = numbers
        self.changed = changed

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        places = range(len(self))[at]
        return [*map(self._read, places)] if isinstance(places, range) else self._read(places)

    def _read(self, at: int) -> Record:
        body = self.changed.get(at)
        return self._people.record(self._numbers[at]) if body is None else from_json(body)

    def columns(self) -> Mapping[str, Any]:
        """Return the fields of the users before they were changed, by their paths."""
        from fakes.data.sample_columns import draw_columns  # loads numpy, which a frame has loaded already

        return draw_columns(self._people, self._numbers)


def split_users(
    people: Population, users: Mapping[str, bytes], removed: Iterable[str]
) -> Iterator[Sequence[Record]]:
    """Yield all users in batches: the sample users by number, then the others.

    Args:
        people: the sample users.
        users: the JSON of the users who were changed or added, by ID.
        removed: the IDs of removed sample users.
    """
    changed = {people.number(user_id): body for user_id, body in users.items()}
    gone = {*map(people.number, removed)}
    numbers = [number for number in range(1, people.size + 1) if number not in gone]
    ends = [*range(FIRST, len(numbers), NEXT), len(numbers)]
    for part in (numbers[start:end] for start, end in pairwise((0, *ends)) if start < end):
        found = {at: changed[number] for at, number in enumerate(part) if number in changed}
        yield SampleUsers(people, part, found)
    added = [body for user_id, body in users.items() if people.number(user_id) is None]
    for start in range(0, len(added), STORED):
        yield AddedUsers(added[start : start + STORED])
