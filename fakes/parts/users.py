"""The users of a domain, and the rules of their partial update."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any

from pydantic_core import from_json, to_json

from fakes import rulebook
from fakes.data.population import Population
from fakes.data.read_only_names import NAMED_BY_IDS, follow_ids
from fakes.http.errors import Refusal
from fakes.parts.email_addresses import EmailChange, choose_by_case
from fakes.parts.lifecycle import Lifecycle
from fakes.parts.part import Shared
from fakes.parts.restrictions import USAGE_PERMISSIONS, Restrictions
from fakes.parts.saved_users import UsersData
from fakes.parts.times import write_offset
from fakes.parts.update_problems import find_contradictions, find_reading_problems, find_reference_problems
from fakes.parts.user_batches import NEXT
from fakes.parts.user_register import INACTIVE_FLAGS, UserRegister
from fakes.persistence import Saved
from fakes.rulebook.text_lengths import find_property_problems
from svckit.models.lifecycle import (
    MESSENGER_OLD_VALUE_END,
    MESSENGER_RESPONSE_SWITCH,
    NEW_MESSENGER,
    OLD_MESSENGER,
)
from svckit.models.problems import Problem, join_problems, limit_problems
from svckit.models.user import UserChange, parse_birthday

__all__ = ["DirectoryData", "Users"]

CHECKED = frozenset({
    "email", "userExternalKey", "aliasEmails", "birthday", "birthdayCalendarType", "domainId", "customProperties",
    "i18nNames", "messenger", "organizations", "privateEmail", "relations", "userName", *USAGE_PERMISSIONS,
})  # fmt: skip
"""The fields that rules of the domain may refuse or change; an update without any of them skips all these checks."""
NESTED = frozenset(
    {"userName", "i18nNames", "organizations", "messenger", "customFields", "customProperties", "relations"}
)
COMPLETED = NESTED | NAMED_BY_IDS | {"activationDate"}
FURTHER_REASON = "FURTHER_REASON"
"""A suspension reason that the description does not show."""


def merge_objects(stored: dict[str, Any], sent: dict[str, Any]) -> dict[str, Any]:
    """Return an object with the properties sent, and the stored ones that were not, at every level.

    Examples:
        >>> merge_objects({"rank": 3, "site": {"text": "Team", "link": "a"}}, {"site": {"link": "b"}})
        {'rank': 3, 'site': {'text': 'Team', 'link': 'b'}}
    """
    merged = stored | sent
    for name, old in stored.items():
        new = merged[name]
        if isinstance(old, dict) and isinstance(new, dict):
            merged[name] = merge_objects(old, new)
    return merged


class DirectoryData(Saved):
    """The directory in a snapshot."""

    users: UsersData
    link_ids: dict[str, str]


class Users(UserRegister):
    """The users of one domain, and their partial update."""

    def __init__(self, population: Population, shared: Shared, lifecycle: Lifecycle) -> None:
        super().__init__(population, shared)
        self._lifecycle = lifecycle
        self._restrictions = Restrictions(shared)

    def link_id(self, user_id: str) -> str:
        """Return the e-mail address of a user in external chats: the login e-mail, or an earlier one that was kept.

        An e-mail with a forbidden word does not replace it (the service's description, section "Directory").

        Args:
            user_id: the user's ID.

        Raises:
            KeyError: the user is not found.
        """
        separate = self._link_ids.get(user_id)
        return str(self.record(user_id)["email"]) if separate is None else separate

    def update(self, user_id: str, change: UserChange) -> tuple[bytes, Sequence[str]]:
        """Change the sent fields; a refusal changes nothing.

        Args:
            user_id: the user to change.
            change: the fields sent.

        Returns:
            The user as JSON, and the names of ignored fields, which cannot be set.

        Raises:
            Refusal: an e-mail address or external key is another user's, or a value breaks a rule of the domain.
        """
        self._rules.follow(rulebook.directory.PARTIAL)
        sent = change.to_wire()
        record = self.draft(user_id)
        if record["isSuspended"] or record["isPending"] or record["isDeleted"] or record["isAwaiting"]:
            self._require_updatable(user_id, record)
        if not sent:
            return to_json(self._respond(record)), ()
        ignored: Sequence[str] = ()
        restricted, link_id = self._settings.property_restrictions, self._link_ids.get(user_id)
        if restricted or not CHECKED.isdisjoint(sent):
            ignored = self._restrictions.leave_out(record, sent)
            emails = EmailChange(record, sent, link_id, self._settings, self._rules)
            if self._settings.advanced_plan and "aliasEmails" in sent:
                self._decisions.follow(f"link-id/{user_id}")
            self._rules.weigh(partial(self._check, user_id, record, sent, emails))
            link_id = self._follow(user_id, sent, emails)
        if not COMPLETED.isdisjoint(sent):
            self._complete(record, sent)
        record.update(sent)
        body = self.keep(user_id, record)
        if link_id is not None or user_id in self._link_ids:
            self._keep_link_id(user_id, link_id, record["email"])
        if restricted or record["suspendedReason"] is not None or record["messenger"] is not None:
            response = self._respond(record)
            if response is not record:
                body = to_json(response)
        return body, ignored

    def read(self, user_id: str) -> dict[str, Any]:
        """Return a user as the response to an update shows it.

        Raises:
            KeyError: the user is not found.
        """
        return self._respond(self.record(user_id))

    def _respond(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a user as a response shows it, and note what the response rests on."""
        if self._settings.property_restrictions:
            self._restrictions.note()
            record = self._restrictions.hide_unreadable(record)
        if record.get("suspendedReason") is not None:
            self._rules.apply(rulebook.directory.SUSPENDED_REASON)
        return self._render(record)

    def _follow(self, user_id: str, sent: dict[str, Any], emails: EmailChange) -> str | None:
        """Update the sub e-mail addresses after a change of the e-mail, and return the link ID."""
        (aliases, link_id), _ = self._rules.weigh(emails.follow)
        # Once more, for the rules that decide the link ID alone: later responses rest on those.
        _, deciding = self._rules.weigh(emails.follow, itemgetter(1))
        if aliases is not None:
            sent["aliasEmails"] = aliases
        link = f"link-id/{user_id}"
        if link_id is None and not deciding:
            self._decisions.forget(link)
        for rule in deciding:
            self._decisions.remember(rule, link)
        return link_id

    def _keep_link_id(self, user_id: str, link_id: str | None, email: str) -> None:
        """Keep the link ID only if it is not the login e-mail."""
        if link_id is not None and link_id != email:
            self._link_ids[user_id] = link_id
        elif user_id in self._link_ids:
            del self._link_ids[user_id]

    def dump(self) -> DirectoryData:
        """Return the directory for a snapshot; users and link IDs are shared, not copied."""
        return DirectoryData.model_construct(users=self._dump_users(), link_ids=self._link_ids)

    def load(self, data: DirectoryData) -> None:
        """Replace the directory with a saved one."""
        self._load_users(data.users)
        self._link_ids.replace(data.link_ids)

    def _require_updatable(self, user_id: str, record: dict[str, Any]) -> None:
        """Check that an inactive user may be updated."""
        if self._rules.apply(rulebook.directory.INACTIVE) == "not-found":
            flag = next(flag for flag in INACTIVE_FLAGS if record[flag])
            raise Refusal("no_user", f"{user_id} is not active: {flag} is true")

    def find_problems(self, user_id: str, change: UserChange) -> list[Problem]:
        """Return the problems of a change by the rules and settings of the domain."""
        record, sent, link_id = self.draft(user_id), change.to_wire(), self._link_ids.get(user_id)
        emails = EmailChange(record, sent, link_id, self._settings, self._rules)
        return self._rules.weigh(partial(self._find_problems, record, sent, emails))[0]

    def _find_problems(
        self, record: dict[str, Any], sent: dict[str, Any], emails: EmailChange
    ) -> list[Problem]:
        problems = [*self._restrictions.find_problems(record, sent)]
        own = record["domainId"]
        if (
            sent.get("domainId", own) != own
            and self._rules.apply(rulebook.directory.DOMAIN_CHANGE) == "refused"
        ):
            message = f"domainId must be {own} for this user; given {sent['domainId']}; another operation moves users"
            problems.append(Problem("domainId", message, str(sent["domainId"])))
        properties, definitions = sent.get("customProperties", {}), self._settings.custom_properties
        problems += find_property_problems(properties, definitions, self._rules)
        problems += self._find_birthday_problems(record, sent)
        problems += self._find_messenger_problems(sent.get("messenger"))
        problems += find_reading_problems(sent, self._rules)
        problems += emails.find_problems()
        problems += find_contradictions(sent, record["userId"], self._rules)
        problems += find_reference_problems(sent, self._settings.domain_id, self, self._rules)
        return problems

    def _check(self, user_id: str, record: dict[str, Any], sent: dict[str, Any], emails: EmailChange) -> None:
        problems = self._find_problems(record, sent, emails)
        if problems:
            raise Refusal("invalid", join_problems(problems), problems=limit_problems(problems))
        email, key = sent.get("email"), sent.get("userExternalKey")
        owners = {
            "email": None if email is None else self._email_owner(email, but=user_id),
            "userExternalKey": None if key is None else self._find_key_owner(key, but=user_id),
        }
        for name, owner in owners.items():
            if (
                owner not in (None, user_id)
                and self._rules.apply(rulebook.directory.CONFLICT_CONDITION) == "duplicate"
            ):
                raise Refusal("conflict", f"{name} {sent[name]!r} already belongs to {owner}")
        self._check_shared(user_id, sent)

    def _check_shared(self, user_id: str, sent: dict[str, Any]) -> None:
        """Check that no address is another user's sub e-mail address, if that is assumed to matter."""
        matters = self._rules.look_up(rulebook.directory.ALIAS_CONFLICT) == "409"
        for email, other, exactly in self._find_shared(user_id, sent):
            if matters:
                same = choose_by_case(self._rules, ignored=True, distinct=exactly)
            else:
                same = exactly or self._rules.look_up(rulebook.directory.EMAIL_CASE) == "ignored"
            if same and self._rules.apply(rulebook.directory.ALIAS_CONFLICT) == "409":
                raise Refusal("conflict", f"{email!r} is already an e-mail address of {other}")

    def _find_shared(self, user_id: str, sent: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
        """Yield addresses in a change that two users would share, the other user, and whether the case is the same."""
        aliases = sent.get("aliasEmails", ())
        for email in (*([sent["email"]] if "email" in sent else ()), *aliases):
            yield from self._find_sharer(user_id, email)
        for email in aliases:
            owner = self.by_email(email)
            if owner is not None and owner != user_id:
                yield email, owner, self._spells(owner, email)

    def _find_sharer(self, user_id: str, email: str) -> Iterator[tuple[str, str, bool]]:
        """Yield one other user with a sub e-mail address: if it matters, one with the same case."""
        distinct = self._rules.look_up(rulebook.directory.EMAIL_CASE) == "distinct"
        found = None
        for other in self.by_alias(email, but=user_id):
            found = email, other, self._has_alias(other, email)
            if found[2] or not distinct:
                break
        if found is not None:
            yield found

    def _find_birthday_problems(self, record: dict[str, Any], sent: dict[str, Any]) -> list[Problem]:
        """Return the problem of a birthday that is not, or would not be, a day of its calendar."""
        own = {name: sent.get(name, record[name]) for name in ("birthday", "birthdayCalendarType")}
        if own == {name: record[name] for name in own} or own["birthday"] is None:
            return []
        if isinstance(parse_birthday(own["birthday"]), date):
            return []
        chosen = self._rules.apply(rulebook.directory.BIRTHDAY)
        if chosen == "by-calendar" and own["birthdayCalendarType"] == "LUNAR":
            return []
        path = "birthday" if "birthday" in sent else "birthdayCalendarType"
        message = f"{path} makes the birthday {own['birthday']}, which is not a day of the solar calendar"
        if chosen == "by-calendar":
            message += "; birthdayCalendarType LUNAR, whose months have up to 30 days, would allow it"
        return [Problem(path, message, str(sent[path]))]

    def _find_messenger_problems(self, messenger: Mapping[str, Any] | None) -> list[Problem]:
        """Return the problem of a retired messenger name."""
        if not messenger or messenger["protocol"] != OLD_MESSENGER:
            return []
        end = MESSENGER_OLD_VALUE_END
        if (
            not self._lifecycle.has_reached(end)
            or self._rules.apply(rulebook.directory.OLD_MESSENGER) == "accepted"
        ):
            return []
        path = "messenger.protocol"
        message = f"{path} {OLD_MESSENGER} retired on {self._lifecycle.end(end)}; send {NEW_MESSENGER}"
        return [Problem(path, message, OLD_MESSENGER)]

    def _complete(self, record: dict[str, Any], sent: dict[str, Any]) -> None:
        """Complete the nested values and times sent, as responses have them."""
        for name in NESTED.intersection(sent):
            stored, new = record[name], sent[name]
            if not isinstance(stored, dict) or not isinstance(new, dict):
                continue
            merged = merge_objects(stored, new)
            if merged != new and self._rules.apply(rulebook.directory.MERGE) == "deep":
                sent[name] = merged
        if sent.get("messenger"):
            sent["messenger"]["protocol"] = sent["messenger"]["protocol"].replace(
                OLD_MESSENGER, NEW_MESSENGER
            )
        if sent.get("activationDate"):
            sent["activationDate"] = write_offset(sent["activationDate"], self._rules)
        follow_ids(record, sent)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield all users as the service would return them today, in the order of their IDs."""
        return map(self._render, map(self._hide_unreadable, super().records()))

    def batches(self) -> Iterator[Sequence[dict[str, Any]]]:
        """Yield the same users in batches."""
        further = self._rules[rulebook.directory.SUSPENDED_REASON.id].chosen == "further"
        if self._settings.property_restrictions or further:
            users = self.records()
            return iter(lambda: [*islice(users, NEXT)], [])
        return self._split_users(self._render_body)

    def _render_body(self, body: bytes) -> bytes:
        """Return a record as JSON as in a response."""
        return to_json(self._render(from_json(body))) if NEW_MESSENGER.encode() in body else body

    def _render(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record as in a response: with today's messenger name and the assumed suspension reason."""
        if record.get("suspendedReason") is not None:
            further = self._rules[rulebook.directory.SUSPENDED_REASON.id].chosen == "further"
            record = record | {"suspendedReason": FURTHER_REASON} if further else record
        messenger = record.get("messenger")
        if messenger is not None and messenger["protocol"] == NEW_MESSENGER:
            self._rules.follow(rulebook.directory.MESSENGER)
            if not self._lifecycle.has_reached(MESSENGER_RESPONSE_SWITCH):
                record = record | {"messenger": messenger | {"protocol": OLD_MESSENGER}}
        return record

    def _hide_unreadable(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record without the fields that the management settings hide."""
        return self._restrictions.hide_unreadable(record) if self._settings.property_restrictions else record
