"""The process that grades the client of a project by its traffic, in the project's folder.

It reads the learner's seed and earlier mistakes from standard input, and prints the result as a line of JSON.
"""

import sys
from importlib import import_module
from typing import Any

from fakes.lessons import grade
from fakes.lessons.feedback import Finding
from svckit.course.catalogue import PROJECT
from svckit.course.isolation import carry_out
from svckit.course.project_clients import Client
from svckit.display.masking import mask

__all__ = ["grade_client", "main"]

NOT_IMPORTED = (
    "What does Python say when you run `python hr_sync.py`?",
    "Read the last line of that traceback first, then the line above it.",
)


def grade_client(seed: int, earlier: list[str]) -> dict[str, Any]:
    """Import hr_sync, and return the feedback on its traffic as data."""
    exercise = PROJECT.load()
    try:
        client = Client(import_module("hr_sync"))
    except BaseException as error:  # noqa: BLE001 - whatever a learner's module raises
        lacks = f"hr_sync.py has no function {error}." if isinstance(error, KeyError) else ""
        happened = mask(lacks or f"Importing hr_sync.py raised {type(error).__name__}: {error}")
        return {
            "goals": [[goal.words, False] for goal in exercise.goals],
            "happened": happened,
            "hint": Finding("import", happened, NOT_IMPORTED).choose_hint(earlier),
            "mistake": "import",
            "sent": 0,
        }
    feedback = grade(exercise, client, seed, earlier)
    return {
        "goals": [[state.words, state.reached] for state in feedback.goals],
        "happened": feedback.happened,
        "hint": feedback.hint,
        "mistake": feedback.mistake,
        "sent": len(feedback.journal),
    }


def main() -> None:
    """Grade the client in the current folder."""
    sys.path.insert(0, "")
    carry_out(lambda task: grade_client(task["seed"], task["earlier"]))


if __name__ == "__main__":
    main()
