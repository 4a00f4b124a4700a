"""The project of lesson 13: copying it, and checking a learner's client and the learner's own tests."""

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from fakes.lessons import Feedback
from fakes.lessons.feedback import Finding, GoalState
from svckit.course.catalogue import PROJECT
from svckit.course.exercises.hr_sync import TEST_GOALS
from svckit.course.progress import FILE, load_progress, read_progress, record
from svckit.course.project_clients import BROKEN, CORRECT, BrokenClient, agree, reword
from svckit.course.project_runs import CLIENT, SuiteRun, run_client, run_tests
from svckit.display.card import quantity
from svckit.jupyter.bundled import own_notebooks

__all__ = ["check_project", "start_project"]

WORKERS = 2
"""How many processes run at a time."""
SHOWN = 3
"""How many tests feedback names."""


def start_project(folder: Path) -> list[Path]:
    """Copy the project to a new folder, and return its files.

    The learner's name comes along from the progress file in the current folder.

    Raises:
        ValueError: the folder has something in it, or the progress file is not one.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(
            f"{folder} exists and is not empty; name a new folder, so that nothing is overwritten"
        )
    template = own_notebooks() / "course" / "project"
    mine = read_progress(Path(FILE)) if Path(FILE).exists() else None
    shutil.copytree(template, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    if mine is not None and not (folder.resolve().parent / FILE).exists():
        named = mine.model_copy(update={"tries": []})
        (folder / FILE).write_text(named.model_dump_json(indent=1), "utf-8")
    return sorted(folder.iterdir())


def check_project(folder: Path) -> Feedback:
    """Check a project: its client by what it sends, and its tests by which clients they tell apart.

    The result is kept in the progress file of the folder, or of the folder it is in.

    Args:
        folder: the project, as copied by `start_project`, with the learner's work.

    Raises:
        ValueError: it is not a project, or the progress file belongs to somebody else.
    """
    folder = folder.resolve()
    if not (folder / CLIENT).is_file():
        raise ValueError(f"{folder} has no {CLIENT}; svckit course start DIR copies the project")
    path = next((each / FILE for each in (folder, folder.parent) if (each / FILE).is_file()), folder / FILE)
    progress = load_progress(path)
    earlier = [each.mistake for each in progress.of(PROJECT.function)]
    feedback = _check(folder, progress.seed, earlier)
    record(PROJECT.function, feedback, path)
    return feedback


def _check(folder: Path, seed: int, earlier: Sequence[str]) -> Feedback:
    with ThreadPoolExecutor(WORKERS) as pool:
        sending = pool.submit(run_client, folder, seed, list(earlier))
        testing = pool.submit(run_tests, folder)
        sent, own = sending.result(), testing.result()
        correct: list[SuiteRun] = []
        broken: list[SuiteRun] = []
        if sent["sent"] and own.passed:
            correct = list(pool.map(partial(run_tests, folder), CORRECT))
            if all(each.passed for each in correct):
                run = partial(run_tests, folder, stop=True)
                broken = list(pool.map(run, [each.source for each in BROKEN]))
    found: Finding | None
    if sent["mistake"]:
        found = Finding(sent["mistake"], sent["happened"], (sent["hint"],))
    elif unseen := [words for words, reached in sent["goals"] if not reached]:
        found = _explain_unseen(unseen)
    else:
        found = _find_mistake(folder, own, correct, broken)
    goals = _list_goals(sent, own, correct, broken)
    solved = all(goal.reached for goal in goals)
    found = found or Finding("", f"{sent['happened']} {_summarize(own)}", ("",))
    hint = found.choose_hint(earlier)
    return Feedback(PROJECT.title, solved, goals, found.happened, hint, found.mistake, ())


def _list_goals(
    sent: dict[str, Any], own: SuiteRun, correct: Sequence[SuiteRun], broken: Sequence[SuiteRun]
) -> tuple[GoalState, ...]:
    """Return the states of all goals; those of the tests are not seen while the client sends nothing."""
    reached: list[bool | None] = [None] * len(TEST_GOALS)
    if sent["sent"]:
        reached[0] = own.passed
    if correct:
        reached[1] = not any(each.slept for each in (own, *correct))
        reached[2] = all(each.passed for each in correct)
    if broken:
        reached[3] = not any(each.passed for each in broken)
    tests = (GoalState(words, state) for words, state in zip(TEST_GOALS, reached, strict=True))
    return (*(GoalState(words, state) for words, state in sent["goals"]), *tests)


def _summarize(own: SuiteRun) -> str:
    return f"Your {quantity(len(own.run), 'test')} noticed all {len(BROKEN)} broken clients."


def _find_mistake(
    folder: Path, own: SuiteRun, correct: Sequence[SuiteRun], broken: Sequence[SuiteRun]
) -> Finding | None:
    """Find what the tests do not do yet, in the order in which it has to be mended."""
    if not own.passed:
        return _explain_failing(own)
    sleeping = next((each for each in (own, *correct) if each.slept), None)
    if sleeping is not None:
        return _explain_sleep(sleeping, is_own=sleeping is own)
    failing = next((each for each in correct if not each.passed), None)
    if failing is not None:
        is_text = (
            not run_tests(folder, reword()).passed if correct[0].passed else run_tests(folder, agree()).passed
        )
        return _explain_text(failing) if is_text else _explain_other(failing)
    unnoticed = [client for client, run in zip(BROKEN, broken, strict=True) if run.passed]
    return _explain_unnoticed(unnoticed) if unnoticed else None


def _describe_failed(run: SuiteRun, client: str) -> str:
    if run.ended:
        return f"Your tests have no result with {client}. {run.ended}"
    return f"{quantity(len(run.failed), 'test')} failed with {client}: {_name_failed(run)}."


def _name_failed(run: SuiteRun) -> str:
    """Return the first failed tests and their messages."""
    shown = [f"{test.partition('::')[2] or test} ({why})" for test, why in run.failed.items()]
    return "; ".join(shown[:SHOWN]) + (" …" if len(shown) > SHOWN else "")


def _explain_failing(own: SuiteRun) -> Finding:
    if not own.run and not own.failed and not own.ended:
        return Finding(
            "no tests",
            "pytest found no tests in the folder.",
            (
                "How does pytest recognize files and functions as tests?",
                "Look at the names in the test_hr_sync.py that you started from.",
                "See “Write a test” in README.md.",
            ),
        )
    return Finding(
        "failing",
        _describe_failed(own, "your own client"),
        (
            "Which of the two is mistaken, the test or the client?",
            "Run pytest in the folder: the report ends with the last requests to the fake.",
            "Find the rule of that test under “The rules” in README.md, and compare both with it.",
        ),
    )


def _explain_unseen(unseen: Sequence[str]) -> Finding:
    return Finding(
        "unseen",
        f"The traffic of your client shows no mistake. It does not show these goals, either: {'; '.join(unseen)}.",
        (
            "Which requests would show that your client keeps that rule?",
            "Which requests does your client send that no rule asks for?",
            "Find that rule under “The rules” in README.md, and look at what your client sends in a test of it.",
        ),
    )


def _explain_sleep(run: SuiteRun, *, is_own: bool) -> Finding:
    test, seconds = next(iter(run.slept.items()))
    whose = "your client" if is_own else "another client that keeps the rules"
    return Finding(
        "sleeping",
        f"{test.partition('::')[2] or test} sleeps for {seconds:g} seconds with {whose}.",
        (
            "Who has to wait while that test runs, and how often in a year?",
            "The fake has a clock of its own, which can move instead. How does a sleep reach it?",
            "See “Let the clock wait” in README.md.",
        ),
    )


def _explain_text(failing: SuiteRun) -> Finding:
    return Finding(
        "text",
        f"Your tests depend on the words in which a client describes a problem: {_name_failed(failing)}.",
        (
            "Which words in your assertions are not in the rules?",
            "The rules say which user has a problem, not what the message is. What is left to assert?",
            "See rule 3 under “The rules” in README.md: messages are for people.",
        ),
    )


def _explain_other(failing: SuiteRun) -> Finding:
    return Finding(
        "too strict",
        _describe_failed(failing, "another client, which keeps all the rules"),
        (
            "What do these tests expect that no rule says?",
            "Other clients read users, wait and remember in their own ways. What does the test take for granted?",
            "See “What your tests may rely on” in README.md.",
        ),
    )


def _explain_unnoticed(unnoticed: Sequence[BrokenClient]) -> Finding:
    first = unnoticed[0]
    passes = "pass" if len(unnoticed) > 1 else "passes"
    return Finding(
        f"unnoticed: {first.name}",
        f"{quantity(len(unnoticed), 'client')} of the {len(BROKEN)} that break a rule {passes} all your tests.",
        (
            "Which rule could be broken without any of your tests failing?",
            f"One of them breaks rule {first.rule}: it is about {first.area}. Which of your tests is about that?",
            f"Against rule {first.rule}, it {first.does}. Which request, file or message shows that?",
        ),
    )
