"""The user store: keeps users and finds them by ID, login e-mail and external key."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import filterfalse, islice
from typing import Any, Final

from pydantic_core import to_json

from fakes import rulebook
from fakes.data.population import Population
from fakes.http.errors import Refusal
from fakes.parts.changes import Stored
from fakes.parts.part import Part, Shared
from fakes.parts.saved_users import UsersData
from fakes.parts.user_batches import split_users
from fakes.parts.user_index import ChangedUser, Index
from fakes.rulebook.refusing import describe_choices
from fakes.rulebook.rule import Rule
from svckit.display.card import quantity
from svckit.display.normal_form import compose

__all__ = ["UserStore"]

EXTERNAL_KEY_PREFIX = "externalKey:"
ME = "me"
"""The caller in a path, and the alternative of the rule ``user.addressing`` that accepts it."""
AT_WORK = 256
"""The number of last changed users that are also kept parsed."""

NOBODY: Final[tuple[ChangedUser | None, dict[str, Any]]] = None, {}


class UserStore(Part):
    """The users of one domain: the sample users, and users added with their own IDs.

    An unchanged sample user exists only as a function of the seed.
    """

    def __init__(self, population: Population, shared: Shared) -> None:
        super().__init__(shared)
        self._population, changes = population, shared.changes
        self._changed: Stored[str, ChangedUser] = Stored(changes, "directory.users.changed")
        self._added: Stored[str, None] = Stored(changes, "directory.users.added")
        self._removed: Stored[str, None] = Stored(changes, "directory.users.removed")
        self._removed_numbers: list[int] = []
        """The same users by number, sorted."""
        self._first: str | None = None  # the user chosen for the facts; None for the first of the sample
        # Of changed users only, as sample users are found by computing. E-mails are in lower case; a folded key is an
        # external key in lower case, if that is another; an alias is a sub e-mail.
        self._emails, self._external_keys = Index(changes), Index(changes)
        self._folded_keys, self._aliases = Index(changes), Index(changes)
        self._indexes = self._emails, self._external_keys, self._folded_keys, self._aliases
        # The last changed users parsed, each with the entry that it was parsed for: another entry makes it stale.
        self._at_work: dict[str, tuple[ChangedUser, dict[str, Any]]] = {}

    def resolve(self, key: str, caller: str | None = None) -> str:
        """Return the ID of the user named by an ID, a login e-mail, ``externalKey:<key>`` or, if assumed, ``me``.

        Args:
            key: the ID, the e-mail address, ``externalKey:`` and the key, or ``me``.
            caller: the ID of the user whom ``me`` names; None where it names nobody.

        Raises:
            Refusal: the user is not found.
        """
        if key in self._changed or key in self:
            return key
        remedy = ""
        if key == ME and caller is not None:
            if self._rules.apply(rulebook.directory.ADDRESSING) == ME:
                return caller
            remedy = describe_choices({rulebook.directory.ADDRESSING.id: ME})
        if key.startswith(EXTERNAL_KEY_PREFIX):
            user_id = self._find_key_owner(key.removeprefix(EXTERNAL_KEY_PREFIX))
        else:
            user_id = self._email_owner(key) if "@" in key else None
        composed = compose(key) if user_id is None else key
        if composed != key and self.look_up(composed) is not None:
            if self._rules.apply(rulebook.text.NORMALIZATION) == "composed":
                return self.resolve(composed)
            remedy = describe_choices({rulebook.text.NORMALIZATION.id: "composed"})
        if user_id is None or self._rules.apply(rulebook.directory.ADDRESSING) == "id-only":
            is_name = not (key[-1:].isdigit() or "@" in key or ":" in key)
            names = "; a name does not address a user" if is_name else ""
            raise Refusal("not_found", f"there is no user {key!r}; {self.describe()}{names}", remedy=remedy)
        return user_id

    def identify(self, key: str, find_caller: Callable[[], str | None]) -> str:
        """Return the ID of the user that a path names, or the name if it is unknown, without using a rule.

        Args:
            key: as in `resolve`.
            find_caller: returns the ID of the user whom ``me`` names, if known.
        """
        if key == ME and ME not in self and self._rules.look_up(rulebook.directory.ADDRESSING) == ME:
            return find_caller() or ME
        is_id = "@" not in key and ":" not in key  # as most are
        return key if is_id else self.look_up(key) or self._look_up_composed(key) or key

    def describe(self) -> str:
        """Return which users there are, for an error."""
        own, size = len(self._added), self._population.size
        if not size:
            return f"this domain has {quantity(own, 'user')}, such as {next(iter(self._added))}"
        first, last = self._population.user_id(1), self._population.user_id(size)
        others = f", and {own} with their own IDs" if own else ""
        gone = f" except {quantity(len(self._removed), 'removed user')}" if self._removed else ""
        return f"this domain has the users {first} to {last}{gone}{others}"

    def _look_up_composed(self, key: str) -> str | None:
        """Return the ID of the user whom a key names once it is composed (NFC), or None if that is not assumed."""
        composed = compose(key)
        if composed == key or self._rules.look_up(rulebook.text.NORMALIZATION) == "as-sent":
            return None
        return self.look_up(composed)

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
        exact = [user_id for user_id in self._emails.of(email.lower()) if self._spells(user_id, email)]
        if exact or unchanged is None:
            return min(exact, key=lambda user_id: (len(user_id), user_id), default=first)
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
        return owner if self._rules.apply(rulebook.directory.EMAIL_CASE) == "ignored" else None

    def by_alias(self, email: str, but: str | None = None) -> Iterator[str]:
        """Yield the IDs of the users with a sub e-mail address, in any case.

        Args:
            email: the e-mail address.
            but: a user to leave out.
        """
        first = self._aliases.first(email.lower())
        if first not in (None, but):
            yield first
        yield from (user_id for user_id in self._aliases.of(email.lower()) if user_id not in (first, but))
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
        others = (user_id for user_id in self._iterate_by_folded_key(key.lower()) if user_id != but)
        other, choose = next(others, None), choose or self._rules.apply
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
        return None if user_id in self._changed or user_id in self._removed else user_id

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
        if number is None or user_id in self._removed:
            raise KeyError(user_id)
        return self._population.record(number)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all users: the sample by ID, then the others in the order in which they were added."""
        for user_id in [*self]:
            try:
                record = self.record(user_id)
            except KeyError:  # removed meanwhile
                continue
            yield record

    def _split_users(self, render: Callable[[bytes], bytes]) -> Iterator[Sequence[dict[str, Any]]]:
        """Yield all users in batches, in the same order; the JSON of those who were changed is rendered."""
        changed = self._changed.copy()
        ids = [*filter(self._population.number, changed), *self._added]
        stored = {user_id: render(changed[user_id].body) for user_id in ids}
        return split_users(self._population, stored, [*self._removed])

    def __iter__(self) -> Iterator[str]:
        """Yield the IDs of all users; those who are added meanwhile may be left out."""
        sample = map(self._population.user_id, range(1, self._population.size + 1))
        yield from filterfalse(self._removed.__contains__, sample) if self._removed else sample
        yield from [*self._added]

    def ids_at(self, places: range) -> list[str]:
        """Return the IDs of the users at some places, counted from 0; over the added ones it walks once."""
        sampled, count = self._population.size - len(self._removed), len(self._added)
        among = [place - sampled for place in places if place >= sampled]
        first, last = min(among, default=0), max(among, default=-1)
        if first < count - 1 - last:
            walked = zip(range(first, last + 1), islice(self._added, first, None), strict=False)
        else:
            latest = islice(reversed(self._added), count - 1 - last, None)
            walked = zip(range(last, first - 1, -1), latest, strict=False)
        added = dict(walked)
        return [self._sample_id_at(place) if place < sampled else added[place - sampled] for place in places]

    def _sample_id_at(self, place: int) -> str:
        # The one at an index has so many users before it: its number - 1 - the index.
        removed = self._removed_numbers
        skipped = bisect_right(range(len(removed)), place, key=lambda index: removed[index] - 1 - index)
        return self._population.user_id(place + 1 + skipped)

    def __contains__(self, user_id: object) -> bool:
        """Return whether there is a user with this ID."""
        if not isinstance(user_id, str):
            return False
        if self._population.number(user_id) is not None:
            return user_id not in self._removed
        return user_id in self._added

    def __len__(self) -> int:
        return self._population.size - len(self._removed) + len(self._added)

    def _dump_users(self) -> UsersData:
        """Return the users for a snapshot."""
        return UsersData.model_construct(
            size=self._population.size,
            seed=self._population.seed,
            added=self._added,
            removed=self._removed,
            first=self._first,
            changed=self._changed,
        )

    def _load_users(self, data: UsersData) -> None:
        """Replace the users with saved ones."""
        self._population, self._first = Population(data.size, data.seed), data.first
        self._added.replace(data.added)
        self._removed.replace(data.removed)
        self._removed_numbers = sorted(filter(None, map(self._population.number, self._removed)))
        if not self._changed.replace(data.changed):
            return
        self._at_work = {}
        for index in self._indexes:
            index.clear()
        for user_id, user in self._changed.items():
            self._note_if_added(user_id)
            self._index(user_id, user)

    def _note_if_added(self, user_id: str) -> None:
        """Note the user with an ID as added if the sample has no such user."""
        if user_id not in self._added and self._population.number(user_id) is None:
            self._added[user_id] = None

    def _index(self, user_id: str, user: ChangedUser, was: ChangedUser | None = None) -> None:
        """Index a user by the new values, and no longer by the old."""
        if was is not None:
            self._unindex(user_id, was)
        for index, values in zip(self._indexes, user.list_keys(), strict=True):
            for value in values:
                index.add(value, user_id)

    def _unindex(self, user_id: str, was: ChangedUser) -> None:
        """Remove a user from the indexes."""
        for index, values in zip(self._indexes, was.list_keys(), strict=True):
            for value in values:
                index.remove(value, user_id)

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
