"""The users as snapshots and state files have them."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import to_json

from fakes.data.population import MOST_USERS, Population
from fakes.parts.user_index import ChangedUser
from fakes.persistence import Saved, describe_errors, in_turn
from svckit.models.user import User

__all__ = ["UsersData"]


class SavedUser(User):
    """A saved user, whose telephone numbers were checked by the alternative chosen at that time."""

    telephone: str | None = None
    cell_phone: str | None = None


class UsersData(Saved):
    """The users in a snapshot: the changed ones, and of the others only their number and the seed.

    For large data, pass ``changed`` in the validation context instead, to avoid a detour through JSON.

    Attributes:
        size: the number of sample users, removed ones included.
        seed: the seed of the sample.
        added: the IDs of the users who are not of the sample, in their order.
        removed: the IDs of the removed sample users.
        first: the ID of the user named in the facts; None for the first of all.
        changed: the changed and added users.
    """

    size: Annotated[int, Field(ge=0, le=MOST_USERS)]
    seed: int
    added: Annotated[dict[str, None], in_turn]
    removed: Annotated[dict[str, None], in_turn]
    first: str | None
    changed: dict[str, ChangedUser]

    @field_validator("changed", mode="plain")
    @classmethod
    def _check_users(cls, given: object, info: ValidationInfo) -> dict[str, ChangedUser]:
        records = (info.context or {}).get("changed", given)
        if not isinstance(records, dict):
            raise ValueError("must be an object")
        if not {"size", "seed", "added"} <= info.data.keys():
            return {}  # refused already
        population, added = Population(info.data["size"], info.data["seed"]), info.data["added"]
        fields = Population(1).record(1).keys()
        for user_id in records:
            if user_id not in added and population.lacks(user_id):
                raise ValueError(f"there is no user {user_id} among {population.size}")
        return {user_id: _read_saved_user(user_id, record, fields) for user_id, record in records.items()}

    def check_users(self, user_ids: Iterable[str]) -> None:
        """Check that IDs belong to these users.

        Raises:
            ValueError: one does not.
        """
        population = Population(self.size, self.seed)
        for user_id in user_ids:
            of_sample = population.number(user_id) is not None and user_id not in self.removed
            if not of_sample and user_id not in self.changed:
                raise ValueError(f"there is no user {user_id} among {self.size}")

    def check_complete(self) -> None:
        """Check that there are users, and that all that are listed exist.

        Raises:
            ValueError: there are no users, or one is missing.
        """
        lost = next((user_id for user_id in self.added if user_id not in self.changed), None)
        if lost is not None:
            raise ValueError(f"the record of {lost} is missing")
        population = Population(self.size, self.seed)
        wrong = next((user_id for user_id in self.removed if population.number(user_id) is None), None)
        both = next((user_id for user_id in self.removed if user_id in self.changed), None)
        if wrong is not None or both is not None:
            raise ValueError(f"{wrong or both} cannot be a removed user of the sample")
        if not self.size - len(self.removed) and not self.changed:
            raise ValueError("there are no users")
        self.check_users([] if self.first is None else [self.first])


def _read_saved_user(user_id: str, record: Any, fields: Iterable[str]) -> ChangedUser:
    """Return a saved record as a user, after validating it."""
    missing = fields - record.keys() if isinstance(record, dict) else {"everything"}
    if missing:
        raise ValueError(f"the record of {user_id} lacks {', '.join(sorted(missing))}")
    if record["userId"] != user_id:
        raise ValueError(f"the record of {user_id} is that of another user")
    body = to_json(record)
    try:
        SavedUser.from_wire(body)
    except ValidationError as invalid:
        raise ValueError(f"the record of {user_id} is not a user: {describe_errors(invalid)}") from None
    return ChangedUser.of(record, body)
