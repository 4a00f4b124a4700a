"""What may be wrong with the readings of a name: "katakana only" leaves open what else may stand there."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fakes import rulebook
from fakes.rulebook.rules import Rules
from svckit.models.problems import Problem

__all__ = ["reading_problems"]

BESIDE: Final = {
    "spaces": (re.compile(r"[ \u3000]"), "without spaces"),
    "half-width": (re.compile(r"[\uFF65-\uFF9F]"), "of full width"),
}
"""What may stand beside katakana of full width, and what a reading is without it."""


def reading_problems(sent: Mapping[str, Any], rules: Rules) -> Iterator[Problem]:
    """Yield what is wrong with the readings in a change, by what is assumed of them.

    Examples:
        >>> rules = Rules({"user.katakana": "spaces"})
        >>> name = {"phoneticLastName": "サトウ ミナ", "phoneticFirstName": "ﾐﾅ"}
        >>> [str(problem) for problem in reading_problems({"userName": name}, rules)]
        ["userName.phoneticFirstName must be katakana of full width; given 'ﾐﾅ'"]
    """
    for field in ("phoneticLastName", "phoneticFirstName"):
        given = sent.get("userName", {}).get(field) or ""
        found = {name: words for name, (pattern, words) in BESIDE.items() if pattern.search(given)}
        if not found or (chosen := rules.choice(rulebook.directory.KATAKANA)) == "both":
            continue
        path = f"userName.{field}"
        for name, words in found.items():
            if name != chosen:
                yield Problem(path, f"{path} must be katakana {words}; given {given!r}", given)
