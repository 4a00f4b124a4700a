"""The restrictions of updates and responses by management settings and the administrator screen."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.part import Part
from svckit.models.base import wire_name
from svckit.models.fields import list_fields
from svckit.models.problems import Problem
from svckit.models.user import User

__all__ = ["USAGE_PERMISSIONS", "Restrictions"]

USAGE_PERMISSIONS = ("employmentTypeId", "userTypeId")
"""The fields of usage-permission types."""
ONLY_IN_THE_SCREEN = "is a usage permission, which can be changed only in the administrator screen"
NOT_SETTABLE = "cannot be set in this domain: its management settings (propertyRestrictions) do not allow it"


@cache
def list_nullable() -> frozenset[str]:
    """Return the properties of users that can be null."""
    return frozenset(wire_name(field.name) for field in list_fields(User) if field.nullable)


class Restrictions(Part):
    """The restrictions of one domain, applied as assumed."""

    def find_problems(self, record: Mapping[str, Any], sent: Mapping[str, Any]) -> Iterator[Problem]:
        """Yield the problems of fields that an update may not set, if assumed to be problems.

        Args:
            record: the user as it is.
            sent: the fields to write.
        """
        unsettable = self._list_unsettable(sent)
        if unsettable and self._rules.apply(rulebook.directory.NOT_SETTABLE) == "400":
            yield from (Problem(name, f"{name} {NOT_SETTABLE}") for name in unsettable)
        changed = self._list_changed_permissions(record, sent)
        if changed and self._rules.apply(rulebook.directory.USAGE_PERMISSION) == "refused":
            yield from (Problem(name, f"{name} {ONLY_IN_THE_SCREEN}") for name in changed)

    def leave_out(self, record: Mapping[str, Any], sent: dict[str, Any]) -> list[str]:
        """Remove ignored fields from an update, and return their names.

        Raises:
            Refusal: a field may not be set, and the chosen alternative forbids it.
        """
        left_out = []
        if unsettable := self._list_unsettable(sent):
            chosen = self._rules.apply(rulebook.directory.NOT_SETTABLE)
            if chosen == "403":
                raise Refusal("forbidden", f"{', '.join(unsettable)} {NOT_SETTABLE}")
            left_out += unsettable if chosen == "ignored" else []
        changed = self._list_changed_permissions(record, sent)
        if changed and self._rules.apply(rulebook.directory.USAGE_PERMISSION) == "ignored":
            left_out += changed
        for name in left_out:
            sent.pop(name, None)
        return left_out

    def note(self) -> None:
        """Note the rules that a response with a user rests on."""
        if hidden := self._list_hidden():
            self._rules.follow(rulebook.directory.RESTRICTIONS)
            if not hidden.isdisjoint(list_nullable()):
                self._rules.apply(rulebook.directory.NOT_READABLE)

    def hide_unreadable(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a user without the fields that cannot be read."""
        hidden = self._list_hidden()
        null = self._rules.look_up(rulebook.directory.NOT_READABLE) == "null"
        absent = hidden - list_nullable() if null else hidden
        return {
            name: None if name in hidden else value for name, value in record.items() if name not in absent
        }

    def _list_hidden(self) -> frozenset[str]:
        restricted = self._settings.property_restrictions.items()
        return frozenset(name for name, restriction in restricted if not restriction.readable)

    def _list_unsettable(self, sent: Mapping[str, Any]) -> list[str]:
        restricted = self._settings.property_restrictions
        names = [name for name in sent if name in restricted and not restricted[name].settable]
        if names:
            self._rules.follow(rulebook.directory.RESTRICTIONS)
        return names

    def _list_changed_permissions(self, record: Mapping[str, Any], sent: Mapping[str, Any]) -> list[str]:
        return [name for name in USAGE_PERMISSIONS if name in sent and sent[name] != record[name]]
