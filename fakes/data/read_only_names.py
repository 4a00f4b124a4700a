"""Read-only names and keys of a user, which follow the IDs beside them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from fakes.data.sample_values import (
    DOMAIN_ID,
    EMPLOYMENT_TYPES,
    LEVELS,
    ORG_UNITS,
    POSITIONS,
    USER_TYPES,
)

__all__ = ["NAMED_BY_IDS", "fill_names", "follow_ids"]

Object = Mapping[str, Any]
UNIT_DEFAULTS = {"isManager": False, "visible": True, "useTeamFeature": True}


class Names(NamedTuple):
    """The read-only fields beside an ID field.

    Attributes:
        by: the field of the ID.
        fallback: the fields that are always present, with their values for an unknown ID.
        further: the fields that are absent for an unknown ID, as they cannot be null.
        sample: the names in the sample domain, by ID.
    """

    by: str
    fallback: Object
    further: tuple[str, ...] = ()
    sample: Mapping[Any, Object] = MappingProxyType({})

    def put(self, items: Iterable[dict[str, Any]], stored: Iterable[Object]) -> None:
        """Put the names of each item's ID beside it: those of the stored items, or else the sample's."""
        fields = (*self.fallback, *self.further)
        known = {old.get(self.by): {name: old[name] for name in fields if name in old} for old in stored}
        for item in items:
            given = item.get(self.by)
            item.update(self.fallback)
            if given is not None:
                item.update(self.sample.get(given, {}))
                item.update(known.get(given, {}))

    def fill(self, items: Iterable[dict[str, Any]]) -> None:
        """Put the names that items lack beside their IDs: those of the sample, or else null or absent."""
        for item in items:
            found = {**self.fallback, **self.sample.get(item.get(self.by), {})}
            item.update({name: value for name, value in found.items() if name not in item})


def names_of(*fields: str) -> dict[str, None]:
    """Return fields that are null for an unknown ID."""
    return dict.fromkeys(fields)


EMPLOYMENT_TYPE = Names(
    "employmentTypeId",
    names_of("employmentTypeExternalKey", "employmentTypeName"),
    sample={type_id: {"employmentTypeName": name} for type_id, name in EMPLOYMENT_TYPES},
)
USER_TYPE = Names(
    "userTypeId",
    names_of("userTypeExternalKey", "userTypeName", "userTypeCode"),
    sample={type_id: {"userTypeName": name, "userTypeCode": code} for type_id, name, code in USER_TYPES},
)
DOMAIN = Names(
    "domainId",
    {"executive": False},
    ("organizationName",),
    {DOMAIN_ID: {"organizationName": "Example Works"}},
)
LEVEL = Names(
    "levelId",
    names_of("levelExternalKey", "levelName"),
    sample={level: {"levelName": name} for level, name in LEVELS},
)
UNIT = Names(
    "orgUnitId",
    names_of("orgUnitExternalKey"),
    ("orgUnitName", "orgUnitEmail"),
    {unit: {"orgUnitName": name, "orgUnitEmail": f"{mail}@example.com"} for unit, name, mail in ORG_UNITS},
)
POSITION = Names(
    "positionId",
    names_of("positionExternalKey", "positionName"),
    sample={position: {"positionName": name} for position, name in POSITIONS},
)
CUSTOM_FIELD = Names("customFieldId", names_of("customFieldExternalKey"))
RELATION = Names("relationUserId", names_of("externalKey"))

ITEMS = {"customFields": CUSTOM_FIELD, "relations": RELATION}
TYPES = {EMPLOYMENT_TYPE.by: EMPLOYMENT_TYPE, USER_TYPE.by: USER_TYPE}

NAMED_BY_IDS = frozenset({"organizations", *ITEMS, *TYPES})
"""The fields of a user with such names beside or below them."""


def follow_ids(record: Object, sent: dict[str, Any]) -> None:
    """Put the read-only names into the fields written to a user.

    An ID keeps the names that the user has beside it; other IDs have those of the sample domain. Beside an unknown ID,
    names are null, or absent if they cannot be null.

    Args:
        record: the user as it is.
        sent: the complete fields to write.

    Examples:
        >>> sent = {"employmentTypeId": "et-2"}
        >>> follow_ids({"employmentTypeId": "et-1", "employmentTypeName": "Employee"}, sent)
        >>> sent["employmentTypeName"]
        'Part-time employee'
    """
    for name, names in TYPES.items():
        if name in sent:
            names.put([sent], [record])
    for name, names in ITEMS.items():
        if name in sent:
            names.put(sent[name], record[name])
    if "organizations" in sent:
        _complete_organizations(sent["organizations"], record["organizations"])


def _complete_organizations(sent: list[dict[str, Any]], stored: list[Object]) -> None:
    """Put defaults and read-only names into organizations and their organization units."""
    DOMAIN.put(sent, stored)
    LEVEL.put(sent, stored)
    units = _complete_units(sent)
    stored_units = [unit for organization in stored for unit in organization.get("orgUnits", ())]
    UNIT.put(units, stored_units)
    POSITION.put(units, stored_units)


def _complete_units(organizations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put the defaults into the organization units of organizations, and return the units."""
    units = [unit for organization in organizations for unit in organization.setdefault("orgUnits", [])]
    for unit in units:
        for name, default in UNIT_DEFAULTS.items():
            unit.setdefault(name, default)
    return units


def fill_names(given: dict[str, Any]) -> None:
    """Put the read-only names and defaults that a whole user lacks into it; those that were given stay.

    Args:
        given: the user as it was given.

    Examples:
        >>> given = {"employmentTypeId": "et-2", "relations": [{"relationUserId": "u-001", "externalKey": "boss"}]}
        >>> fill_names(given)
        >>> given["employmentTypeName"], given["relations"]
        ('Part-time employee', [{'relationUserId': 'u-001', 'externalKey': 'boss'}])
    """
    organizations = given.get("organizations", [])
    units = _complete_units(organizations)
    for names in TYPES.values():
        names.fill([given])
    for name, names in ITEMS.items():
        names.fill(given.get(name, []))
    for names, items in ((DOMAIN, organizations), (LEVEL, organizations), (UNIT, units), (POSITION, units)):
        names.fill(items)
