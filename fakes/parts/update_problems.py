"""The problems of an update that its model does not find: unknown references, contradictions, phonetic names.

Assumptions decide which of them are refused.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, Final

from fakes import rulebook
from fakes.data.sample_values import EMPLOYMENT_TYPES, LEVELS, ORG_UNITS, POSITIONS, USER_TYPES
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["find_contradictions", "find_reading_problems", "find_reference_problems"]

LEVEL_IDS, UNIT_IDS, POSITION_IDS, EMPLOYMENT_TYPE_IDS, USER_TYPE_IDS = (
    frozenset(item[0] for item in items)
    for items in (LEVELS, ORG_UNITS, POSITIONS, EMPLOYMENT_TYPES, USER_TYPES)
)
ALSO_ALLOWED: Final = {
    "spaces": (re.compile(r"[ \u3000]"), "katakana without spaces"),
    "half-width": (re.compile(r"[\uFF65-\uFF9F]"), "full-width katakana"),
}
"""By alternative, the characters it allows besides full-width katakana, and the form without them.

"Katakana only" leaves open which other characters are allowed.
"""


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
    if unknown and rules.apply(rulebook.directory.REFERENCES) == "checked":
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


def find_contradictions(sent: Mapping[str, Any], user_id: str, rules: Rules) -> list[Problem]:
    """Find the problems of values that contradict one another, if those are refused.

    Args:
        sent: the fields to write.
        user_id: the ID of the user.
        rules: the chosen alternatives.

    Examples:
        >>> rules = Rules({"user.contradictions": "refused"})
        >>> names = [{"language": "ja_JP"}] * 2
        >>> [str(problem) for problem in find_contradictions({"i18nNames": names}, "u-001", rules)]
        ['i18nNames has ja_JP more than once']
    """
    found = [Problem(path, f"{path} {message}") for path, message in _list_contradictions(sent, user_id)]
    if found and rules.apply(rulebook.directory.CONTRADICTIONS) == "refused":
        return found
    return []


def _list_contradictions(sent: Mapping[str, Any], user_id: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each contradiction, and what is wrong there."""
    organizations = sent.get("organizations", ())
    if _count_primary(organizations) > 1:
        yield "organizations", "has more than one primary domain"
    for at, organization in enumerate(organizations):
        if _count_primary(organization.get("orgUnits", ())) > 1:
            yield f"organizations[{at}].orgUnits", "has more than one primary organization"
    languages = Counter(name["language"] for name in sent.get("i18nNames", ()) if "language" in name)
    for language, times in sorted(languages.items()):
        if times > 1:
            yield "i18nNames", f"has {language} more than once"
    for at, relation in enumerate(sent.get("relations", ())):
        if relation.get("relationUserId") == user_id:
            yield f"relations[{at}].relationUserId", "is the user's own ID"


def _count_primary(items: Iterable[Mapping[str, Any]]) -> int:
    return sum(bool(item["primary"]) for item in items)


def find_reading_problems(sent: Mapping[str, Any], rules: Rules) -> Iterator[Problem]:
    """Yield the problems of the phonetic names in a change, by the assumption about them.

    Examples:
        >>> rules = Rules({"user.katakana": "spaces"})
        >>> name = {"phoneticLastName": "サトウ ミナ", "phoneticFirstName": "ﾐﾅ"}
        >>> [str(problem) for problem in find_reading_problems({"userName": name}, rules)]
        ["userName.phoneticFirstName must be full-width katakana; given 'ﾐﾅ'"]
    """
    for field in ("phoneticLastName", "phoneticFirstName"):
        given = sent.get("userName", {}).get(field) or ""
        found = {name: words for name, (pattern, words) in ALSO_ALLOWED.items() if pattern.search(given)}
        if not found or (chosen := rules.apply(rulebook.directory.KATAKANA)) == "both":
            continue
        path = f"userName.{field}"
        for name, words in found.items():
            if name != chosen:
                yield Problem(path, f"{path} must be {words}; given {given!r}", given)
