"""The problems of phonetic names: "katakana only" leaves open which other characters are allowed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fakes import rulebook
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["find_reading_problems"]

ALSO_ALLOWED: Final = {
    "spaces": (re.compile(r"[ \u3000]"), "katakana without spaces"),
    "half-width": (re.compile(r"[\uFF65-\uFF9F]"), "full-width katakana"),
}
"""By alternative, the characters it allows besides full-width katakana, and the form without them."""


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
        if not found or (chosen := rules.choice(rulebook.directory.KATAKANA)) == "both":
            continue
        path = f"userName.{field}"
        for name, words in found.items():
            if name != chosen:
                yield Problem(path, f"{path} must be {words}; given {given!r}", given)
