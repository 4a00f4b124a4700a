"""The user store: keeps users and finds them by ID, login e-mail and external key."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import from_json, to_json

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.changes import ChangeLog, Stored
from fakes.parts.population import MOST_USERS, Population
from fakes.parts.user_index import Index
from fakes.persistence import Saved, describe_errors
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models.user import User

__all__ = ["ChangedUser", "UserStore", "UsersData"]

EXTERNAL_KEY_PREFIX = "externalKey:"
AT_WORK = 256
"""The number of last changed users that are also kept parsed."""


class ChangedUser(NamedTuple):
    """A changed or added user: the JSON that the service returns, and the values that find the user.

    The JSON takes a sixth of the memory of a dict.
    """

    body: bytes
    email: str
    external_key: str | None
    aliases: tuple[str, ...]

    @classmethod
    def of(cls, record: Mapping[str, Any], body: bytes) -> "ChangedUser":
        """Make one from a user's record and its JSON."""
        fields = body, record["email"], record["userExternalKey"], tuple(record["aliasEmails"])
        return tuple.__new__(cls, fields)  # the same as the class itself, in half the time

    def read(self) -> dict[str, Any]:
        """Return the user as a record."""
        record: dict[str, Any] = from_json(self.body)
        return record

    def list_keys(self) -> tuple[set[str], set[str], set[str], set[str]]:
        """Return the values that find the user: e-mail, external key, that in lower case if it differs, sub e-mails."""
        key = self.external_key
        keys = set() if key is None else {key}
        folded = set() if key is None else {key.lower()} - keys
        return {self.email.lower()}, keys, folded, set(map(str.lower, self.aliases))


class SavedUser(User):
    """A saved user, whose telephone numbers were checked by the alternative chosen at that time."""

    telephone: str | None = None
    cell_phone: str | None = None


class UsersData(Saved):
    """The users in a snapshot: the changed ones, and of the others only their number and the seed.

    For large data, pass ``changed`` in the validation context instead, to avoid a detour through JSON.
    """

    size: Annotated[int, Field(ge=1, le=MOST_USERS)]
    seed: int
    changed: dict[str, ChangedUser]

    @field_validator("changed", mode="plain")
    @classmethod
    def _check_users(cls, given: object, info: ValidationInfo) -> dict[str, ChangedUser]:
        records = (info.context or {}).get("changed", given)
        if not isinstance(records, dict):
            raise ValueError("must be an object")
        if info.data.keys() < {"size", "seed"}:
            return {}  # refused already
        population = Population(info.data["size"], info.data["seed"])
        fields = population.record(1).keys()
        return {
            user_id: _read_saved_user(user_id, record, population, fields)
            for user_id, record in records.items()
        }

    def check_users(self, user_ids: Iterable[str]) -> None:
        """Check that IDs belong to these users.

        Raises:
            ValueError: one does not.
        """
        population = Population(self.size, self.seed)
        unknown = (each for each in user_ids if each not in self.changed and population.number(each) is None)
        for user_id in unknown:
            raise ValueError(f"there is no user {user_id} among {self.size}")


def _read_saved_user(user_id: str, record: Any, population: Population, fields: Iterable[str]) -> ChangedUser:
    """Return a saved record as a user, after validating it."""
    if population.number(user_id) is None and (not user_id or population.has_sample_form(user_id)):
        raise ValueError(f"there is no user {user_id} among {population.size}")
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


NOBODY: Final[tuple[ChangedUser | None, dict[str, Any]]] = None, {}
NOWHERE: Final[tuple[set[str], ...]] = set(), set(), set(), set()


class UserStore:
    """The users of one domain: the sample users, and users added with their own IDs.

    An unchanged sample user exists only as a function of the seed.
    """

    def __init__(self, population: Population, *, rules: Rules, changes: ChangeLog) -> None:
        self._population = population
        self._rules = rules
        self._changed: Stored[str, ChangedUser] = Stored(changes, "directory.users.changed")
        self._own: Stored[str, None] = Stored(changes)
        self._emails, self._external_keys = Index(changes), Index(changes)
        self._folded_keys, self._aliases = Index(changes), Index(changes)
        self._indexes = self._emails, self._external_keys, self._folded_keys, self._aliases
        self._at_work: dict[str, tuple[ChangedUser, dict[str, Any]]] = {}

    def find(self, key: str) -> str:
        """Return the ID of the user named by an ID, a login e-mail, or ``externalKey:<key>``.

        Raises:
            Refusal: the user is not found.
        """
        if key in self._changed or key in self:
            return key
        if key.startswith(EXTERNAL_KEY_PREFIX):
            user_id = self._find_key_owner(key.removeprefix(EXTERNAL_KEY_PREFIX))
        else:
            user_id = self._email_owner(key) if "@" in key else None
        if user_id is None or self._rules.choice(rulebook.directory.ADDRESSING) == "id-only":
            first, last = self._population.user_id(1), self._population.user_id(self._population.size)
            others = f", and {len(self._own)} with their own IDs" if self._own else ""
            is_name = not (key[-1:].isdigit() or "@" in key or ":" in key)
            names = "; a name does not address a user" if is_name else ""
            raise Refusal(
                "not_found",
                f"there is no user {key!r}; this domain has the users {first} to {last}{others}{names}",
            )
        return user_id

    def look_up(self, key: str) -> str | None:
        """Return the ID of the user with a login e-mail or ``externalKey:<key>``, or None.

        Args:
            key: the e-mail address, or ``externalKey:`` and the key.
        """
        if key.startswith(EXTERNAL_KEY_PREFIX):
            return self._find_key_owner(key.removeprefix(EXTERNAL_KEY_PREFIX), choose=self._rules.look_up)
        return self.by_email(key) if "@" in key else None

    def by_email(self, email: str) -> str | None:
        """Return the ID of the user with a login e-mail in any case, or None; an exact match comes first.

        Args:
            email: the e-mail address.
        """
        first = self._emails.first(email.lower())
        if first is not None and (
            self._rules.look_up(rulebook.directory.EMAIL_CASE) == "ignored" or self._spells(first, email)
        ):
            return first  # no other user has it
        unchanged = self._find_unchanged(self._population.number_by_email(email))
        exact = [each for each in self._emails.of(email.lower()) if self._spells(each, email)]
        if exact or unchanged is None:
            return min(exact, key=lambda each: (len(each), each), default=first)
        return unchanged if first is None or self._spells(unchanged, email) else first

    def _spells(self, user_id: str, email: str) -> bool:
        """Return whether a user has exactly this login e-mail."""
        changed = self._changed.get(user_id)
        return bool((changed.email if changed else self.record(user_id)["email"]) == email)

    def _has_alias(self, user_id: str, email: str) -> bool:
        """Return whether a user has exactly this sub e-mail address."""
        changed = self._changed.get(user_id)
        return email in (changed.aliases if changed else self.record(user_id)["aliasEmails"])

    def _email_owner(self, email: str, but: str | None = None) -> str | None:
        """Return the ID of the user with a login e-mail, comparing case as the rule says.

        Args:
            email: the e-mail address.
            but: a user to ignore if their own e-mail differs only in case.
        """
        owner = self.by_email(email)
        if owner is None or owner == but or self._spells(owner, email):
            return owner
        return owner if self._rules.choice(rulebook.directory.EMAIL_CASE) == "ignored" else None

    def by_alias(self, email: str) -> set[str]:
        """Return the IDs of the users with a sub e-mail address, in any case.

        Args:
            email: the e-mail address.
        """
        return {*self._iterate_by_alias(email)}

    def _iterate_by_alias(self, email: str, but: str | None = None) -> Iterator[str]:
        """Yield the IDs of the users with a sub e-mail address, in any case, except one user's."""
        first = self._aliases.first(email.lower())
        if first not in (None, but):
            yield first
        yield from (each for each in self._aliases.of(email.lower()) if each not in (first, but))
        unchanged = self._find_unchanged(self._population.number_by_alias(email))
        if unchanged not in (None, but):
            yield unchanged

    def by_external_key(self, key: str) -> str | None:
        """Return the ID of the user with an external key, or None.

        Args:
            key: the external key, in the same case.
        """
        first = self._external_keys.first(key)
        return first or self._find_unchanged(self._population.number_by_external_key(key))

    def _find_key_owner(
        self, key: str, but: str | None = None, choose: Callable[[Rule], str] | None = None
    ) -> str | None:
        """Return the ID of the user with an external key, by the assumption about its case.

        Args:
            key: the external key.
            but: a user whose own key in another case makes no difference.
            choose: returns the chosen alternative of a rule; by default, the response rests on it.
        """
        owner = self.by_external_key(key)
        if owner is not None:
            return owner
        others = (each for each in self._iterate_by_folded_key(key.lower()) if each != but)
        other, choose = next(others, None), choose or self._rules.choice
        matters = other is not None and choose(rulebook.directory.EXTERNAL_KEY_CASE) == "ignored"
        return other if matters else None

    def _iterate_by_folded_key(self, key: str) -> Iterator[str]:
        """Yield the IDs of the users with an external key in any case, given in lower case."""
        yield from self._external_keys.of(key)
        yield from self._folded_keys.of(key)
        unchanged = self._find_unchanged(self._population.number_by_external_key(key))
        if unchanged is not None:
            yield unchanged

    def _find_unchanged(self, number: int | None) -> str | None:
        user_id = None if number is None else self._population.user_id(number)
        return None if user_id in self._changed else user_id

    def record(self, user_id: str) -> dict[str, Any]:
        """Return a user as data, with wire names.

        Args:
            user_id: the user's ID.

        Raises:
            KeyError: the user is not found.
        """
        kept = self._changed.get(user_id)
        if kept is not None:
            return kept.read()
        number = self._population.number(user_id)
        if number is None:
            raise KeyError(user_id)
        return self._population.record(number)

    def users(self) -> Iterator[dict[str, Any]]:
        """Yield all users: the sample by ID, then the others in the order in which they were added."""
        return map(self.record, self.user_ids())

    def user_ids(self) -> list[str]:
        """Return the IDs of all users, in the same order."""
        return [*map(self._population.user_id, range(1, self._population.size + 1)), *self._own]

    @property
    def administrator(self) -> str:
        """The ID of the domain's administrator."""
        return self._population.administrator

    def administers(self, user_id: str) -> bool:
        """Return whether a user is the domain's administrator, who never changes."""
        return user_id == self._population.administrator

    def __contains__(self, user_id: object) -> bool:
        """Return whether there is a user with this ID."""
        if not isinstance(user_id, str):
            return False
        return self._population.number(user_id) is not None or user_id in self._own

    def __len__(self) -> int:
        return self._population.size + len(self._own)

    def _dump_users(self) -> UsersData:
        """Return the users for a snapshot."""
        size, seed = self._population.size, self._population.seed
        return UsersData.model_construct(size=size, seed=seed, changed=self._changed)

    def _load_users(self, data: UsersData) -> None:
        """Replace the users with saved ones."""
        self._population = Population(data.size, data.seed)
        if not self._changed.replace(data.changed):
            return
        self._at_work = {}
        for index in (*self._indexes, self._own):
            index.clear()
        for user_id, user in self._changed.items():
            self._index(user_id, user)

    def _index(self, user_id: str, user: ChangedUser, was: ChangedUser | None = None) -> None:
        """Index a user by the new values, and no longer by the old."""
        if was is None and self._population.number(user_id) is None:
            self._own[user_id] = None
        before = NOWHERE if was is None else was.list_keys()
        for index, old, new in zip(self._indexes, before, user.list_keys(), strict=True):
            for value in old - new:
                index.remove(value, user_id)
            for value in new - old:
                index.add(value, user_id)

    def keep(self, user_id: str, record: dict[str, Any]) -> bytes:
        """Store a changed user, index it, and return it as JSON."""
        body = to_json(record)
        was, user = self._changed.get(user_id), ChangedUser.of(record, body)
        if was is None or was[1:] != user[1:]:
            self._index(user_id, user, was)
        self._changed[user_id] = user
        self._at_work[user_id] = user, record
        if len(self._at_work) > AT_WORK:
            del self._at_work[next(iter(self._at_work))]
        return body

    def draft(self, user_id: str) -> dict[str, Any]:
        """Return a user's record for `keep`; its fields may be replaced, but not mutated."""
        user, record = self._at_work.get(user_id, NOBODY)
        if user is not None and user is self._changed.get(user_id):  # else it was changed or undone since
            return record.copy()
        return self.record(user_id)
