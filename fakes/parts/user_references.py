"""The references of a user to domains, organization units, positions, levels, types and other users."""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from fakes import rulebook
from fakes.parts.population import EMPLOYMENT_TYPES, LEVELS, ORG_UNITS, POSITIONS, USER_TYPES
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["find_reference_problems"]

LEVEL_IDS, UNIT_IDS, POSITION_IDS, EMPLOYMENT_TYPE_IDS, USER_TYPE_IDS = (
    frozenset(item[0] for item in each)
    for each in (LEVELS, ORG_UNITS, POSITIONS, EMPLOYMENT_TYPES, USER_TYPES)
)


def find_reference_problems(
    sent: Mapping[str, Any], domain_id: int, users: Container[str], rules: Rules
) -> list[Problem]:
    """Return the problems of references to things that the domain does not have, if they are checked.

    Args:
        sent: the fields to write.
        domain_id: the ID of the domain.
        users: the IDs of the domain's users.
        rules: the chosen alternatives.
    """
    unknown = [
        Problem(path, f"{path} is not the ID of a {what} of this domain; given {given!r}", str(given))
        for path, what, given, known in _list_references(sent, str(domain_id), users)
        if given is not None and given not in known
    ]
    if unknown and rules.choice(rulebook.directory.REFERENCES) == "checked":
        return unknown
    return []


def _list_references(
    sent: Mapping[str, Any], domain_id: str, users: Container[str]
) -> Iterator[tuple[str, str, str | None, Container[str]]]:
    """Yield each reference of a change: its path, the kind of thing, the ID given, and the IDs in the domain."""
    yield "employmentTypeId", "usage permission type", sent.get("employmentTypeId"), EMPLOYMENT_TYPE_IDS
    yield "userTypeId", "usage permission type", sent.get("userTypeId"), USER_TYPE_IDS
    for at, organization in enumerate(sent.get("organizations", ())):
        path = f"organizations[{at}]"
        yield f"{path}.domainId", "domain", str(organization["domainId"]), {domain_id}
        yield f"{path}.levelId", "job level", organization.get("levelId"), LEVEL_IDS
        for n, unit in enumerate(organization.get("orgUnits", ())):
            where = f"{path}.orgUnits[{n}]"
            yield f"{where}.orgUnitId", "organization unit", unit["orgUnitId"], UNIT_IDS
            yield f"{where}.positionId", "position", unit.get("positionId"), POSITION_IDS
    for at, relation in enumerate(sent.get("relations", ())):
        yield f"relations[{at}].relationUserId", "user", relation.get("relationUserId"), users
