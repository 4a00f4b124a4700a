"""The project of lesson 13: copying it, and checking a learner's client and the learner's own tests."""

import shutil
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from fakes.lessons import Feedback, Said, said
from fakes.lessons.feedback import Finding, GoalState
from svckit.course.catalogue import PROJECT
from svckit.course.progress import FILE, load_progress, read_progress, record
from svckit.course.project_clients import CLIENT, CORRECT, REWORDED, read_broken
from svckit.course.project_runs import SuiteRun, run_client, run_suites
from svckit.jupyter.bundled import own_notebooks

__all__ = ["check_project", "start_project"]

WORDS = PROJECT.load().words
START = Feedback(PROJECT.title, False, PROJECT.load().goals, "")
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
    kept_back = shutil.ignore_patterns("__pycache__", ".*", "words*.toml", "broken*.toml")
    shutil.copytree(template, folder, dirs_exist_ok=True, ignore=kept_back)
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
    path = next((base / FILE for base in (folder, folder.parent) if (base / FILE).is_file()), folder / FILE)
    progress = load_progress(path)
    earlier = [attempt.mistake for attempt in progress.of(PROJECT.function)]
    feedback = _check(folder, progress.seed, earlier)
    record(PROJECT.function, feedback, path)
    return feedback


class Tests(NamedTuple):
    """The runs of the learner's tests: with their own client, in process and served, and with other clients.

    The last correct one is the first with other messages.
    """

    own: SuiteRun
    served: SuiteRun
    correct: Sequence[SuiteRun] = ()
    broken: Sequence[SuiteRun] = ()


def _check(folder: Path, seed: int, earlier: list[str]) -> Feedback:
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(run_client, folder, seed, earlier)
        others = [[source] for source in (*CORRECT, REWORDED)]
        own, served, *correct = run_suites(folder, [[""], ["", "--svckit-target=served"], *others])
        sent = sending.result()
    tests = Tests(own, served, correct)
    feedback = tell(START, sent, earlier) if isinstance(sent, Said) else sent
    unseen = "; ".join(goal.words for goal in feedback.goals if not goal.reached)
    if unseen and feedback.solved:
        feedback = tell(feedback, said("unseen", goals=unseen), earlier)
    is_over = not feedback.journal  # without requests, tests of nothing pass
    for look in LOOKS:
        if look is notice_broken and feedback.solved:
            suites = [[client.source, "-x"] for client in read_broken()]
            tests = tests._replace(broken=run_suites(folder, suites))
        seen = None if is_over else look(tests)
        is_over = is_over or isinstance(seen, Said)
        if isinstance(seen, Said) and feedback.solved:
            feedback = tell(feedback, seen, earlier)
        goal = GoalState(WORDS.goal(look.__name__), False if isinstance(seen, Said) else seen)
        feedback = replace(feedback, goals=(*feedback.goals, goal))
    if feedback.solved:
        noticed = explain(said("noticed", count=len(own.run), all=len(read_broken()))).happened
        feedback = replace(feedback, happened=f"{feedback.happened} {noticed}")
    return replace(feedback, journal=())


def tell(feedback: Feedback, happened: Said, earlier: list[str]) -> Feedback:
    """Return feedback that says what happened instead."""
    found = explain(happened)
    return replace(
        feedback,
        solved=False,
        happened=found.happened,
        hint=found.choose_hint(earlier),
        mistake=found.mistake,
        details=str(happened.values.get("details", "")),
    )


def explain(happened: Said) -> Finding:
    """Return the sentence for what happened, under another name for each broken client."""
    found = WORDS.explain(happened)
    return found._replace(mistake=str(happened.values.get("mistake", found.mistake)))


def pass_own(tests: Tests) -> bool | Said:
    """Look for tests that fail with the learner's own client."""
    if not tests.own.run and not tests.own.failed and not tests.own.ended:
        return said("no tests")
    return tests.own.passed or describe("failing", tests.own)


def never_sleep(tests: Tests) -> bool | Said:
    """Look for a test that sleeps, with any client that keeps the rules."""
    for run in (tests.own, tests.served, *tests.correct):
        for test, seconds in run.slept.items():
            own = run in (tests.own, tests.served)
            client = "your client" if own else "another client, which keeps all the rules"
            return said("sleeping", test=shorten(test), seconds=f"{seconds:g}", client=client)
    return True


def pass_served(tests: Tests) -> bool | Said:
    """Look for tests that fail where the fake is a server."""
    return tests.served.passed or describe("not served", tests.served)


def pass_others(tests: Tests) -> bool | Said:
    """Look for tests that fail with a client that keeps all rules, perhaps because of its messages."""
    first, *_, reworded = tests.correct
    if first.passed and not reworded.passed:
        return describe("text", reworded)
    failed = [run for run in tests.correct if not run.passed]
    return describe("too strict", failed[0]) if failed else True


def notice_broken(tests: Tests) -> bool | Said | None:
    """Look for a broken client with which all tests pass."""
    passed = [client for client, run in zip(read_broken(), tests.broken, strict=False) if run.passed]
    if not passed:
        return True if tests.broken else None
    counted = Counter(client.rule for client in passed)
    return said(
        "unnoticed",
        count=len(passed),
        all=len(read_broken()),
        rules=", ".join(f"rule {rule}: {count}" for rule, count in counted.items()),
        mistake=f"unnoticed: {passed[0].name}",
        **passed[0]._asdict(),
    )


LOOKS = (pass_own, never_sleep, pass_served, pass_others, notice_broken)


def shorten(test: str) -> str:
    """Return the name of a test without its file, or of a file that could not be imported."""
    return test.partition("::")[2] or test


def describe(name: str, run: SuiteRun) -> Said:
    """Say which tests failed, with pytest's explanation of the first as details."""
    tests = list(map(shorten, run.failed))
    shown = ", ".join(tests[:SHOWN]) + (" …" if len(tests) > SHOWN else "")
    lines = next(iter(run.failed.values()), [])
    details = "\n".join([f"{tests[0]}:", *(f"E  {line}" for line in lines)] if tests else [])
    return said(name, count=len(tests), tests=shown or run.ended, details=details)
