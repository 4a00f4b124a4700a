"""What the management settings and the administrator screen keep from an update, and from a response."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.settings import DomainSettings
from fakes.rulebook.rules import Rules
from svckit.models.base import wire_name
from svckit.models.fields import list_fields
from svckit.models.problems import Problem
from svckit.models.user import User

__all__ = ["USAGE_PERMISSIONS", "Restrictions"]

USAGE_PERMISSIONS = ("employmentTypeId", "userTypeId")
"""The fields of usage-permission types."""
ONLY_IN_THE_SCREEN = "is a usage permission, which only the administrator screen changes"
NOT_SETTABLE = "cannot be set in this domain: its management settings (propertyRestrictions) do not allow it"


@cache
def nullable() -> frozenset[str]:
    """Return the properties of users that can be null."""
    return frozenset(wire_name(field.name) for field in list_fields(User) if field.nullable)


class Restrictions:
    """The restrictions of one domain, as assumptions have them applied.

    Args:
        settings: those of the domain.
        rules: what is chosen.
    """

    def __init__(self, settings: DomainSettings, rules: Rules) -> None:
        self._settings = settings
        self._rules = rules

    def problems(self, record: Mapping[str, Any], sent: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield what an update may not set, where that is a problem like others.

        Args:
            record: the user as it is.
            sent: the fields to be written.
        """
        unsettable = self._unsettable(sent)
        if unsettable and self._rules.choice(rulebook.directory.NOT_SETTABLE) == "400":
            yield from (Problem(name, f"{name} {NOT_SETTABLE}") for name in unsettable)
        changed = self._changed_permissions(record, sent)
        if changed and self._rules.choice(rulebook.directory.USAGE_PERMISSION) == "refused":
            yield from (Problem(name, f"{name} {ONLY_IN_THE_SCREEN}") for name in changed)

    def leave_out(self, record: Mapping[str, Any], sent: dict[str, Any]) -> list[str]:
        """Take the fields that are ignored out of an update, and return their names.

        Raises:
            Refused: a field may not be set, and that is forbidden.
        """
        left_out = []
        if unsettable := self._unsettable(sent):
            chosen = self._rules.choice(rulebook.directory.NOT_SETTABLE)
            if chosen == "403":
                raise Refusal("forbidden", f"{', '.join(unsettable)} {NOT_SETTABLE}")
            left_out += unsettable if chosen == "ignored" else []
        changed = self._changed_permissions(record, sent)
        if changed and self._rules.choice(rulebook.directory.USAGE_PERMISSION) == "ignored":
            left_out += changed
        for name in left_out:
            sent.pop(name, None)
        return left_out

    def note(self) -> None:
        """Note what a response rests on that shows a user."""
        if hidden := self._hidden():
            self._rules.follow(rulebook.directory.RESTRICTIONS)
            if not hidden.isdisjoint(nullable()):
                self._rules.choice(rulebook.directory.NOT_READABLE)

    def hide_unreadable(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return what can be read of a user."""
        hidden = self._hidden()
        null = self._rules.look_up(rulebook.directory.NOT_READABLE) == "null"
        absent = hidden - nullable() if null else hidden
        return {
            name: None if name in hidden else value for name, value in record.items() if name not in absent
        }

    def _hidden(self) -> frozenset[str]:
        restricted = self._settings.property_restrictions.items()
        return frozenset(name for name, restriction in restricted if not restriction.readable)

    def _unsettable(self, sent: Mapping[str, Any]) -> list[str]:
        restricted = self._settings.property_restrictions
        names = [name for name in sent if name in restricted and not restricted[name].settable]
        if names:
            self._rules.follow(rulebook.directory.RESTRICTIONS)
        return names

    def _changed_permissions(self, record: Mapping[str, Any], sent: Mapping[str, Any]) -> list[str]:
        return [name for name in USAGE_PERMISSIONS if name in sent and sent[name] != record[name]]
