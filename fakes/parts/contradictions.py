"""The values of an update that contradict one another, though each is valid by itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fakes import rulebook
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["find_contradictions"]


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
    found = [Problem(path, f"{path} {message}") for path, message in _find(sent, user_id)]
    if found and rules.choice(rulebook.directory.CONTRADICTIONS) == "refused":
        return found
    return []


def _find(sent: Mapping[str, Any], user_id: str) -> Iterator[tuple[str, str]]:
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
