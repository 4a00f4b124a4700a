"""The user directory: finds, reads and partially updates users."""

from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json, to_json

from fakes import rulebook
from fakes.population import LEVELS, ORG_UNITS, POSITIONS, Population
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.settings import DomainSettings
from svckit.models.custom_properties import problems as custom_property_problems
from svckit.models.problems import Problem
from svckit.models.user import UserChange

__all__ = ["Directory"]

EXTERNAL_KEY_PREFIX = "externalKey:"
INACTIVE_FLAGS = ("isPending", "isSuspended", "isDeleted", "isAwaiting")
INDEXED = frozenset({"email", "userExternalKey"})
CHECKED = INDEXED | {"domainId", "customProperties"}
NESTED = frozenset(
    {"userName", "i18nNames", "organizations", "messenger", "customFields", "customProperties", "relations"}
)

UNIT_NAMES = {
    unit: {"orgUnitName": name, "orgUnitEmail": f"{mail}@example.com"} for unit, name, mail in ORG_UNITS
}
POSITION_NAMES = dict(POSITIONS)
LEVEL_NAMES = dict(LEVELS)


class Directory:
    """The users of one domain.

    A user that nobody changed exists only as a function of the seed; a changed one is kept as the JSON it is
    answered with, which takes a sixth of the memory of the dicts.
    """

    def __init__(self, population: Population, settings: DomainSettings, *, rules: Rules) -> None:
        self._population = population
        self._settings = settings
        self._rules = rules
        self._changed: dict[str, bytes] = {}
        self._emails: dict[str, str] = {}
        self._external_keys: dict[str, str] = {}

    def find(self, key: str) -> str:
        """The id of the user addressed by an id, a login e-mail, or ``externalKey:<key>``.

        Raises:
            Refused: there is no such user.
        """
        if key in self._changed or self._population.number(key) is not None:
            return key
        user_id = self._find_otherwise(key)
        if user_id is None:
            self._rules.follow(rulebook.directory.NOT_FOUND)
            raise Refused(
                "not_found",
                f"there is no user {key!r}; this domain has the users {self._population.user_id(1)} to "
                f"{self._population.user_id(self._population.size)}",
            )
        return user_id

    def _find_otherwise(self, key: str) -> str | None:
        by_key = key.startswith(EXTERNAL_KEY_PREFIX)
        if not by_key and "@" not in key:
            return None
        if self._rules.choice(rulebook.directory.ADDRESSING) == "id-only":
            return None
        return self.by_external_key(key.removeprefix(EXTERNAL_KEY_PREFIX)) if by_key else self.by_email(key)

    def by_email(self, email: str) -> str | None:
        """The id of the user with a login e-mail, whatever its case."""
        if email.lower() in self._emails:
            return self._emails[email.lower()]
        return self._unchanged(self._population.number_by_email(email))

    def by_external_key(self, key: str) -> str | None:
        """The id of the user with an external key."""
        if key in self._external_keys:
            return self._external_keys[key]
        return self._unchanged(self._population.number_by_external_key(key))

    def _unchanged(self, number: int | None) -> str | None:
        user_id = None if number is None else self._population.user_id(number)
        return None if user_id in self._changed else user_id

    def read(self, user_id: str) -> bytes:
        """A user as the JSON the service answers."""
        kept = self._changed.get(user_id)
        if kept is not None:
            return kept
        number = self._population.number(user_id)
        if number is None:
            raise KeyError(user_id)
        return to_json(self._population.record(number))

    def record(self, user_id: str) -> dict[str, Any]:
        """A user as plain data."""
        record: dict[str, Any] = from_json(self.read(user_id))
        return record

    def users(self) -> Iterator[dict[str, Any]]:
        """All users, in the order of their ids."""
        for number in range(1, self._population.size + 1):
            yield self.record(self._population.user_id(number))

    def user_ids(self) -> list[str]:
        """The ids of all users, in order."""
        return [self._population.user_id(number) for number in range(1, self._population.size + 1)]

    def __len__(self) -> int:
        return self._population.size

    def inactive(self, user_id: str) -> bool:
        """Whether a user is suspended, deleted, pending or awaiting."""
        record = self.record(user_id)
        return any(record[flag] for flag in INACTIVE_FLAGS)

    def update(self, user_id: str, change: UserChange) -> bytes:
        """Change the fields that were sent and return the user as JSON; a refusal changes nothing.

        Raises:
            Refused: an e-mail or external key is another user's, or a custom property breaks its definition.
        """
        self._rules.follow(rulebook.directory.PARTIAL)
        sent = change.to_wire()
        if not sent:
            return self.read(user_id)
        record = self.record(user_id)
        if not CHECKED.isdisjoint(sent):
            self._check(user_id, record, sent)
        if not NESTED.isdisjoint(sent):
            self._rules.choice(rulebook.directory.MERGE)
            complete(sent)
        if user_id not in self._changed or not INDEXED.isdisjoint(sent):
            self._index(user_id, record, record | sent)
        record.update(sent)
        body = self._changed[user_id] = to_json(record)
        return body

    def _check(self, user_id: str, record: dict[str, Any], sent: dict[str, Any]) -> None:
        problems: list[Problem] = []
        if sent.get("domainId", record["domainId"]) != record["domainId"]:
            self._rules.choice(rulebook.directory.DOMAIN_CHANGE)
            problems.append(
                Problem(
                    path="domainId",
                    message=f"domainId is {record['domainId']} for this user; moving a user is another operation",
                    given=str(sent["domainId"]),
                )
            )
        if sent.get("customProperties"):
            self._rules.choice(rulebook.directory.CUSTOM_PROPERTIES)
            problems += [
                Problem(path=path, message=message)
                for path, message in custom_property_problems(
                    sent["customProperties"], self._settings.custom_properties
                )
            ]
        if problems:
            raise Refused("invalid", "; ".join(map(str, problems)), problems=problems)
        for name, find in (("email", self.by_email), ("userExternalKey", self.by_external_key)):
            owner = find(sent[name]) if sent.get(name) else None
            if owner not in (None, user_id):
                self._rules.choice(rulebook.directory.CONFLICT_CONDITION)
                raise Refused("conflict", f"{name} {sent[name]!r} is already that of {owner}")

    def _index(self, user_id: str, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Make a user who is no longer as sampled findable by e-mail and external key."""
        self._emails.pop(old["email"].lower(), None)
        self._emails[new["email"].lower()] = user_id
        if old["userExternalKey"] is not None:
            self._external_keys.pop(old["userExternalKey"], None)
        if new["userExternalKey"] is not None:
            self._external_keys[new["userExternalKey"]] = user_id


def complete(sent: dict[str, Any]) -> None:
    """Fill in, in nested objects that were sent, the defaults and the read-only names that the service knows."""
    for organization in sent.get("organizations", ()):
        organization.setdefault("levelName", LEVEL_NAMES.get(organization.get("levelId")))
        organization.setdefault("executive", False)
        organization.setdefault("organizationName", "Example Works")
        for unit in organization.setdefault("orgUnits", []):
            for name, default in (("isManager", False), ("visible", True), ("useTeamFeature", True)):
                unit.setdefault(name, default)
            unit.update(UNIT_NAMES.get(unit["orgUnitId"], {}))
            unit["positionName"] = POSITION_NAMES.get(unit.get("positionId"))
