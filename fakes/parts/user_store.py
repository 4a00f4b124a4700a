"""Where users are kept and found: by id, by login e-mail, by external key."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import from_json, to_json

from fakes import rulebook
from fakes.population import MOST_USERS, Population
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.saved import Saved, SavedJson, complaint
from svckit.models.user import User

__all__ = ["UserStore", "UsersData"]

EXTERNAL_KEY_PREFIX = "externalKey:"
AT_WORK = 256
"""So many of the users changed last are also kept parsed."""


class KeptUser(User):
    """A user as kept: telephone numbers were held to whichever reading of their pattern is chosen."""

    telephone: str | None = None
    cell_phone: str | None = None


class UsersData(Saved):
    """Users as a snapshot has them: of those that nobody changed, only how many there are, and the seed."""

    size: Annotated[int, Field(ge=1, le=MOST_USERS)]
    seed: int
    changed: dict[str, SavedJson]

    @model_validator(mode="after")
    def _are_users(self) -> Self:
        self.hold_to_users(self.changed)
        fields = Population(self.size, self.seed).record(1).keys()
        for user_id, body in self.changed.items():
            record = from_json(body)
            missing = fields - record.keys()
            if missing or record["userId"] != user_id:
                raise ValueError(
                    f"the record of {user_id} is another's, or lacks {', '.join(sorted(missing))}"
                )
            try:
                KeptUser.from_wire(record)
            except ValidationError as invalid:
                raise ValueError(f"the record of {user_id} is no user's: {complaint(invalid)}") from None
        return self

    def hold_to_users(self, user_ids: Iterable[str]) -> None:
        """Hold ids to be those of these users.

        Raises:
            ValueError: one is not.
        """
        population = Population(self.size, self.seed)
        unknown = [user_id for user_id in user_ids if population.number(user_id) is None]
        if unknown:
            raise ValueError(f"there is no user {unknown[0]} among {self.size}")


class UserStore:
    """The users of one domain.

    A user that nobody changed exists only as a function of the seed; a changed one is kept as the JSON it is
    answered with, which takes a sixth of the memory of the dicts.
    """

    def __init__(self, population: Population, *, rules: Rules) -> None:
        self._population = population
        self._rules = rules
        self._changed: dict[str, bytes] = {}
        self._at_work: dict[str, dict[str, Any]] = {}
        self._emails: dict[str, str] = {}
        self._external_keys: dict[str, str] = {}
        self._aliases: dict[str, set[str]] = {}

    def find(self, key: str) -> str:
        """The id of the user addressed by an id, a login e-mail, or ``externalKey:<key>``.

        Raises:
            Refused: there is no such user.
        """
        if key in self._changed or key in self:
            return key
        user_id = self.known_as(key)
        if user_id is None or self._rules.choice(rulebook.directory.ADDRESSING) == "id-only":
            first, last = self._population.user_id(1), self._population.user_id(len(self))
            raise Refused(
                "not_found", f"there is no user {key!r}; this domain has the users {first} to {last}"
            )
        return user_id

    def known_as(self, key: str) -> str | None:
        """The id of the user that a login e-mail or ``externalKey:<key>`` stands for."""
        if key.startswith(EXTERNAL_KEY_PREFIX):
            return self.by_external_key(key.removeprefix(EXTERNAL_KEY_PREFIX))
        return self.by_email(key) if "@" in key else None

    def by_email(self, email: str) -> str | None:
        """The id of the user with a login e-mail, whatever its case."""
        if email.lower() in self._emails:
            return self._emails[email.lower()]
        return self._unchanged(self._population.number_by_email(email))

    def by_alias(self, email: str) -> set[str]:
        """The ids of the users who have this as a sub e-mail address, whatever its case."""
        unchanged = self._unchanged(self._population.number_by_alias(email))
        return self._aliases.get(email.lower(), set()) | ({unchanged} if unchanged else set())

    def by_external_key(self, key: str) -> str | None:
        """The id of the user with an external key."""
        if key in self._external_keys:
            return self._external_keys[key]
        return self._unchanged(self._population.number_by_external_key(key))

    def _unchanged(self, number: int | None) -> str | None:
        user_id = None if number is None else self._population.user_id(number)
        return None if user_id in self._changed else user_id

    def record(self, user_id: str) -> dict[str, Any]:
        """A user as plain data.

        Raises:
            KeyError: there is no user with this id.
        """
        kept = self._changed.get(user_id)
        if kept is not None:
            record: dict[str, Any] = from_json(kept)
            return record
        number = self._population.number(user_id)
        if number is None:
            raise KeyError(user_id)
        return self._population.record(number)

    def users(self) -> Iterator[dict[str, Any]]:
        """All users, in the order of their ids."""
        for number in range(1, len(self) + 1):
            yield self.record(self._population.user_id(number))

    def user_ids(self) -> list[str]:
        """The ids of all users, in order."""
        return [self._population.user_id(number) for number in range(1, len(self) + 1)]

    @property
    def administrator(self) -> str:
        """The id of the user who administers the domain."""
        return self._population.administrator

    def administers(self, user_id: str) -> bool:
        """Whether a user administers the domain; nothing changes that."""
        return user_id == self._population.administrator

    def __contains__(self, user_id: object) -> bool:
        """Whether there is a user with this id."""
        return isinstance(user_id, str) and self._population.number(user_id) is not None

    def __len__(self) -> int:
        return self._population.size

    def dump_users(self) -> UsersData:
        """The users as a snapshot has them."""
        size, seed = self._population.size, self._population.seed
        changed = self._changed.copy()  # each was checked as it came
        return UsersData.model_construct(size=size, seed=seed, changed=changed)

    def load_users(self, data: UsersData) -> None:
        """Replace the users by saved ones."""
        self._population = Population(data.size, data.seed)
        self._changed = data.changed
        self._at_work = {}
        self._index()

    def _index(self) -> None:
        """Make all changed users findable; of those who share an e-mail or key, the first."""
        self._emails, self._external_keys, self._aliases = {}, {}, {}
        for user_id in sorted(self._changed, key=lambda each: (len(each), each)):
            record = from_json(self._changed[user_id])
            self._emails.setdefault(record["email"].lower(), user_id)
            if record["userExternalKey"] is not None:
                self._external_keys.setdefault(record["userExternalKey"], user_id)
            self._index_aliases(user_id, (), record["aliasEmails"])

    def _index_aliases(self, user_id: str, old: Iterable[str], new: Iterable[str]) -> None:
        """Make a user findable by other sub e-mail addresses than before."""
        for email in old:
            owners = self._aliases.get(email.lower(), set())
            owners.discard(user_id)
            if not owners:
                self._aliases.pop(email.lower(), None)
        for email in new:
            self._aliases.setdefault(email.lower(), set()).add(user_id)

    def keep(
        self,
        user_id: str,
        record: dict[str, Any],
        old_email: str,
        old_key: str | None,
        old_aliases: list[str],
    ) -> bytes:
        """Store what a user has become, findable by its e-mails and external key, and return it as JSON."""
        email, key = record["email"], record["userExternalKey"]
        if record["aliasEmails"] is not old_aliases or user_id not in self._changed:
            self._index_aliases(user_id, old_aliases, record["aliasEmails"])
        found_anew = user_id not in self._changed or email != old_email or key != old_key
        body = self._changed[user_id] = to_json(record)
        if found_anew and self._rules[rulebook.directory.CONFLICT_CONDITION.id].chosen == "never":
            self._index()  # what this user gives up may be another's too
        elif found_anew:
            self._emails.pop(old_email.lower(), None)
            self._emails[email.lower()] = user_id
            if old_key is not None:
                self._external_keys.pop(old_key, None)
            if key is not None:
                self._external_keys[key] = user_id
        self._at_work[user_id] = record
        if len(self._at_work) > AT_WORK:
            del self._at_work[next(iter(self._at_work))]
        return body

    def draft(self, user_id: str) -> dict[str, Any]:
        """A user's record whose fields may be replaced, though not changed inside, on the way to `keep`."""
        at_work = self._at_work.get(user_id)
        return self.record(user_id) if at_work is None else at_work.copy()
