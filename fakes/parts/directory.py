"""The user directory: the rules of the partial update."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any

from pydantic_core import to_json

from fakes import rulebook
from fakes.parts.email_addresses import email_problems
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.user_store import UsersData, UserStore
from fakes.population import LEVELS, ORG_UNITS, POSITIONS, Population
from fakes.refusals import Refused
from fakes.rules import Rules
from fakes.saved import Saved
from fakes.settings import DomainSettings
from svckit.models.birthday import parse_birthday
from svckit.models.custom_properties import problems as custom_property_problems
from svckit.models.lifecycle import MESSENGER_OLD_VALUE_END, MESSENGER_RESPONSE_SWITCH
from svckit.models.problems import Problem
from svckit.models.user import UserChange

__all__ = ["Directory", "DirectoryData"]

INACTIVE_FLAGS = ("isPending", "isSuspended", "isDeleted", "isAwaiting")
CHECKED = frozenset(
    {
        "email",
        "userExternalKey",
        "aliasEmails",
        "birthday",
        "birthdayCalendarType",
        "domainId",
        "customProperties",
        "messenger",
        "organizations",
        "privateEmail",
        "relations",
    }
)
NESTED = frozenset(
    {"userName", "i18nNames", "organizations", "messenger", "customFields", "customProperties", "relations"}
)
ALIAS_LIMIT = 10
FURTHER_REASON = "FURTHER_REASON"
"""A reason of a suspension that the description does not show."""

UNIT_NAMES = {
    unit: {"orgUnitName": name, "orgUnitEmail": f"{mail}@example.com"} for unit, name, mail in ORG_UNITS
}
POSITION_NAMES = dict(POSITIONS)
LEVEL_NAMES = dict(LEVELS)

OLD_MESSENGER, NEW_MESSENGER = MESSENGER_RESPONSE_SWITCH.before, MESSENGER_RESPONSE_SWITCH.after


class DirectoryData(Saved):
    """The directory as a snapshot has it."""

    users: UsersData
    link_ids: dict[str, str]


class Directory(UserStore):
    """The users of one domain, and what may be changed of them."""

    def __init__(
        self, population: Population, settings: DomainSettings, *, lifecycle: Lifecycle, rules: Rules
    ) -> None:
        super().__init__(population, rules=rules)
        self._settings = settings
        self._lifecycle = lifecycle
        self._link_ids: dict[str, str] = {}  # only where it is a sub e-mail

    def link_id(self, user_id: str) -> str:
        """The e-mail a user is reached by in external chats: the login e-mail, or an earlier one that stayed."""
        separate = self._link_ids.get(user_id)
        return str(self.record(user_id)["email"]) if separate is None else separate

    def inactive(self, user_id: str) -> bool:
        """Whether a user is suspended, deleted, pending or awaiting."""
        record = self.record(user_id)
        return any(record[flag] for flag in INACTIVE_FLAGS)

    def update(self, user_id: str, change: UserChange) -> bytes:
        """Change the fields that were sent and return the user as JSON; a refusal changes nothing.

        Raises:
            Refused: an e-mail or external key is another user's, or a value breaks a rule of the domain.
        """
        self._rules.follow(rulebook.directory.PARTIAL)
        sent = change.to_wire()
        record = self.draft(user_id)
        self._admit(user_id, record)
        if record["suspendedReason"] is not None:
            self._rules.choice(rulebook.directory.SUSPENDED_REASON)
        if not sent:
            return to_json(self._shown(record))
        link_id = self._link_ids.get(user_id)
        if not CHECKED.isdisjoint(sent):
            self._check(user_id, record, sent)
            link_id = self._follow_email(link_id, record, sent)
        if not NESTED.isdisjoint(sent):
            self._complete(record, sent)
        names = record["email"], record["userExternalKey"], record["aliasEmails"]
        record.update(sent)
        body = self.keep(user_id, record, *names)
        if link_id is not None and link_id != record["email"]:
            self._link_ids[user_id] = link_id
        else:
            self._link_ids.pop(user_id, None)
        shown = self._shown(record)
        return body if shown is record else to_json(shown)

    def dump(self) -> DirectoryData:
        """The directory as a snapshot has it."""
        return DirectoryData(users=self.dump_users(), link_ids=self._link_ids)

    def load(self, data: DirectoryData) -> None:
        """Replace the directory by a saved one."""
        self.load_users(data.users)
        self._link_ids = data.link_ids

    def _admit(self, user_id: str, record: dict[str, Any]) -> None:
        """Hold an update to a user who may be updated."""
        for flag in INACTIVE_FLAGS:
            if record[flag]:
                if self._rules.choice(rulebook.directory.INACTIVE) == "not-found":
                    raise Refused("no_user", f"{user_id} is not active: {flag} is true")
                return

    def problems(self, user_id: str, change: UserChange) -> list[Problem]:
        """What is wrong with a change by the rules and settings of the domain."""
        return self._problems(user_id, self.draft(user_id), change.to_wire())

    def _problems(self, user_id: str, record: dict[str, Any], sent: dict[str, Any]) -> list[Problem]:
        problems: list[Problem] = []
        own = record["domainId"]
        if (
            sent.get("domainId", own) != own
            and self._rules.choice(rulebook.directory.DOMAIN_CHANGE) == "refused"
        ):
            message = f"domainId is {own} for this user; given {sent['domainId']}; moving a user is another operation"
            problems.append(Problem("domainId", message, str(sent["domainId"])))
        if (
            sent.get("customProperties")
            and self._rules.choice(rulebook.directory.CUSTOM_PROPERTIES) == "checked"
        ):
            definitions = self._settings.custom_properties
            problems += [
                Problem(*found) for found in custom_property_problems(sent["customProperties"], definitions)
            ]
        problems += self._birthday_problems(record, sent)
        problems += self._messenger_problems(sent.get("messenger"))
        problems += email_problems(sent, self._rules)
        problems += self._alias_problems(user_id, record, sent)
        problems += self._room_problems(record, sent)
        problems += self._reference_problems(sent)
        return problems

    def _check(self, user_id: str, record: dict[str, Any], sent: dict[str, Any]) -> None:
        problems = self._problems(user_id, record, sent)
        if problems:
            raise Refused("invalid", "; ".join(map(str, problems)), problems=problems)
        for name, find in (("email", self.by_email), ("userExternalKey", self.by_external_key)):
            owner = None if sent.get(name) is None else find(sent[name])
            if (
                owner not in (None, user_id)
                and self._rules.choice(rulebook.directory.CONFLICT_CONDITION) == "duplicate"
            ):
                raise Refused("conflict", f"{name} {sent[name]!r} is already that of {owner}")
        for email, other in self._shared(user_id, sent):
            if self._rules.choice(rulebook.directory.ALIAS_CONFLICT) == "409":
                raise Refused("conflict", f"{email!r} is already an address of {other}")

    def _shared(self, user_id: str, sent: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Addresses in a change that are among the sub e-mail addresses of another user, or become so."""
        aliases = sent.get("aliasEmails", ())
        for email in (*([sent["email"]] if "email" in sent else ()), *aliases):
            yield from ((email, other) for other in sorted(self.by_alias(email) - {user_id}))
        for email in aliases:
            owner = self.by_email(email)
            if owner not in (None, user_id):
                yield email, str(owner)

    def _birthday_problems(self, record: dict[str, Any], sent: dict[str, Any]) -> list[Problem]:
        """A birthday that is, or would come to be, no day of the calendar it is counted in."""
        own = {name: sent.get(name, record[name]) for name in ("birthday", "birthdayCalendarType")}
        if own == {name: record[name] for name in own} or own["birthday"] is None:
            return []
        if isinstance(parse_birthday(own["birthday"]), date):
            return []
        chosen = self._rules.choice(rulebook.directory.BIRTHDAY)
        if chosen == "by-calendar" and own["birthdayCalendarType"] == "LUNAR":
            return []
        path = "birthday" if "birthday" in sent else "birthdayCalendarType"
        message = f"{path} makes the birthday {own['birthday']}, which is no day of the solar calendar"
        if chosen == "by-calendar":
            message += "; birthdayCalendarType LUNAR, whose months have up to 30 days, would allow it"
        return [Problem(path, message, str(sent[path]))]

    def _messenger_problems(self, messenger: Mapping[str, Any] | None) -> list[Problem]:
        """The old name of a messenger network, sent after its end."""
        if not messenger or messenger["protocol"] != OLD_MESSENGER:
            return []
        end = MESSENGER_OLD_VALUE_END
        if (
            not self._lifecycle.reached(end)
            or self._rules.choice(rulebook.directory.OLD_MESSENGER) == "accepted"
        ):
            return []
        path = "messenger.protocol"
        message = f"{path} {OLD_MESSENGER} ended on {self._lifecycle.end(end)}; send {NEW_MESSENGER}"
        return [Problem(path, message, OLD_MESSENGER)]

    def _reference_problems(self, sent: dict[str, Any]) -> list[Problem]:
        """References to what the domain does not have."""
        unknown = [
            Problem(path, f"{path} names no {what} of this domain; given {given!r}", str(given))
            for path, what, given, known in self._references(sent)
            if given is not None and not known(given)
        ]
        if unknown and self._rules.choice(rulebook.directory.REFERENCES) == "checked":
            return unknown
        return []

    def _references(self, sent: dict[str, Any]) -> Iterator[tuple[str, str, Any, Callable[[str], bool]]]:
        """Everything a change refers to: where, what it should be, the id given, and whether the domain has it."""
        for at, organization in enumerate(sent.get("organizations", ())):
            path = f"organizations[{at}]"
            domain = str(organization["domainId"])
            yield f"{path}.domainId", "domain", domain, str(self._settings.domain_id).__eq__
            yield f"{path}.levelId", "job level", organization.get("levelId"), LEVEL_NAMES.__contains__
            for n, unit in enumerate(organization.get("orgUnits", ())):
                where = f"{path}.orgUnits[{n}]"
                yield f"{where}.orgUnitId", "organization unit", unit["orgUnitId"], UNIT_NAMES.__contains__
                yield f"{where}.positionId", "position", unit.get("positionId"), POSITION_NAMES.__contains__
        for at, relation in enumerate(sent.get("relations", ())):
            yield f"relations[{at}].relationUserId", "user", relation.get("relationUserId"), self.__contains__

    def _alias_problems(self, user_id: str, record: dict[str, Any], sent: dict[str, Any]) -> list[Problem]:
        """On the advanced plan, a sub e-mail that is the link id must stay among the sub e-mails."""
        link_id = self._link_ids.get(user_id)
        if "aliasEmails" not in sent or link_id is None or not self._settings.advanced_plan:
            return []
        self._rules.follow(rulebook.directory.ADVANCED_ALIAS)
        if link_id in sent["aliasEmails"] or link_id == sent.get("email", record["email"]):
            return []
        message = f"aliasEmails must keep {link_id}, which is the user's external chat-link ID"
        return [Problem("aliasEmails", message)]

    def _room_problems(self, record: dict[str, Any], sent: dict[str, Any]) -> list[Problem]:
        """An e-mail that makes the old one a sub e-mail address, where there is no room for one more."""
        if not self._is_forbidden(record, sent):
            return []
        old, aliases = record["email"], sent.get("aliasEmails", record["aliasEmails"])
        if old in aliases or len(aliases) < ALIAS_LIMIT:
            return []
        message = (
            f"email {sent['email']!r} contains a forbidden word, so {old} would become a sub e-mail address, "
            f"and the user has {ALIAS_LIMIT} of them, which is the most"
        )
        return [Problem("email", message, sent["email"])]

    def _is_forbidden(self, record: dict[str, Any], sent: dict[str, Any]) -> bool:
        """Whether the e-mail changes to one with a forbidden word."""
        new = sent.get("email", record["email"])
        words = self._settings.forbidden_email_words
        return new != record["email"] and any(word.lower() in new.lower() for word in words)

    def _follow_email(self, link_id: str | None, record: dict[str, Any], sent: dict[str, Any]) -> str | None:
        """The sub e-mail that is the external chat-link ID after a change; None where that is the login e-mail."""
        old = record["email"]
        if sent.get("email", old) == old:
            return link_id
        self._rules.follow(rulebook.directory.LINK_ID)
        if not self._is_forbidden(record, sent):
            return link_id
        self._rules.follow(rulebook.directory.FORBIDDEN_WORD)
        aliases = sent.get("aliasEmails", record["aliasEmails"])
        if old not in aliases:
            sent["aliasEmails"] = [*aliases, old]
        return str(old) if link_id is None else link_id

    def _complete(self, record: dict[str, Any], sent: dict[str, Any]) -> None:
        """Bring nested values that were sent into the shape they are answered in."""
        for name in NESTED.intersection(sent):
            stored, new = record[name], sent[name]
            partly = isinstance(stored, dict) and isinstance(new, dict) and not stored.keys() <= new.keys()
            if partly and self._rules.choice(rulebook.directory.MERGE) == "deep":
                sent[name] = stored | new
        if sent.get("messenger"):
            sent["messenger"]["protocol"] = sent["messenger"]["protocol"].replace(
                OLD_MESSENGER, NEW_MESSENGER
            )
        officer = {each["domainId"]: each.get("executive", False) for each in record["organizations"]}
        for organization in sent.get("organizations", ()):
            complete_organization(organization)
            organization["executive"] = officer.get(organization["domainId"], False)
        keys = {each.get("relationUserId"): each.get("externalKey") for each in record["relations"]}
        for relation in sent.get("relations", ()):
            relation["externalKey"] = keys.get(relation.get("relationUserId"))

    def users(self) -> Iterator[dict[str, Any]]:
        """All users as the service would answer them today, in the order of their ids."""
        return map(self._shown, super().users())

    def _shown(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record as it is answered: with the messenger network named as on the day, and a reason as assumed."""
        if record["suspendedReason"] is not None:
            further = self._rules[rulebook.directory.SUSPENDED_REASON.id].chosen == "further"
            record = record | {"suspendedReason": FURTHER_REASON} if further else record
        messenger = record["messenger"]
        if messenger is None or messenger["protocol"] != NEW_MESSENGER:
            return record
        self._rules.follow(rulebook.directory.MESSENGER)
        if self._lifecycle.reached(MESSENGER_RESPONSE_SWITCH):
            return record
        return record | {"messenger": messenger | {"protocol": OLD_MESSENGER}}


def complete_organization(organization: dict[str, Any]) -> None:
    """Fill in the defaults of an organization, and the read-only names the domain knows."""
    organization["levelName"] = LEVEL_NAMES.get(organization.get("levelId", ""))
    organization["organizationName"] = "Example Works"
    for unit in organization.setdefault("orgUnits", []):
        for name, default in (("isManager", False), ("visible", True), ("useTeamFeature", True)):
            unit.setdefault(name, default)
        unit.update(UNIT_NAMES.get(unit["orgUnitId"], {}))
        unit["positionName"] = POSITION_NAMES.get(unit.get("positionId", ""))
