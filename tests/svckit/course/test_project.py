"""Lesson 13: the client is graded by its traffic, and its tests by which clients they tell apart."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from fakes.lessons import Feedback, grade
from svckit import cli
from svckit.course import learners, project, project_runs
from svckit.course.catalogue import PROJECT
from svckit.course.progress import FILE, read_progress
from svckit.course.project_clients import BROKEN, CORRECT, load_client, reword
from svckit.course.project_runs import SuiteRun, run_tests
from svckit.course.scoreboard import Board
from svckit.jupyter.bundled import own_notebooks

from .project_mistakes import CLIENT_MISTAKES, LITERAL_MISTAKES, TEST_MISTAKES

TEMPLATE = own_notebooks() / "course" / "project"
SOLUTION = Path(__file__).parent / "project_solution"
CLIENT, TESTS = ((SOLUTION / name).read_text("utf-8") for name in ("hr_sync.py", "test_hr_sync.py"))
OWN_WORDS = 'report.problems["u-999"] == "unknown person"\n    assert list(report'
SEEDS = (0, 1_234_567, 16_777_215)
MANY_SEEDS = range(1, 21)


def replace(source: str, *pairs: tuple[str, str]) -> str:
    for before, after in pairs:
        assert before in source, before
        source = source.replace(before, after)
    return source


def write(folder: Path, client: str = CLIENT, tests: str = TESTS) -> Path:
    project.start_project(folder)
    (folder / "hr_sync.py").write_text(client, "utf-8")
    (folder / "test_hr_sync.py").write_text(tests, "utf-8")
    return folder


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "_current", None)
    monkeypatch.delenv("SVCKIT_LEARNER", raising=False)
    monkeypatch.delenv("SVCKIT_GROUP", raising=False)


@pytest.mark.parametrize(
    "source", [*CORRECT, reword(), CLIENT], ids=["first", "second", "reworded", "learner"]
)
def test_a_correct_client_keeps_the_rules_for_everybody(source: str) -> None:
    for seed in SEEDS:
        feedback = grade(PROJECT.load(), load_client(source), seed)
        assert feedback.solved, feedback


@pytest.mark.long
@pytest.mark.parametrize("source", [*CORRECT, CLIENT], ids=["first", "second", "learner"])
def test_a_correct_client_keeps_the_rules_under_many_seeds(source: str) -> None:
    for seed in MANY_SEEDS:
        feedback = grade(PROJECT.load(), load_client(source), seed)
        assert feedback.solved, feedback


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_client_breaks_its_rule(broken: project.BrokenClient) -> None:
    assert CORRECT[0].count(broken.before) == 1
    feedback = grade(PROJECT.load(), load_client(broken.source))
    assert (feedback.solved, feedback.mistake) == (False, broken.name), feedback
    reached = {state.words[0]: state.reached for state in feedback.goals}
    assert reached[str(broken.rule)] is False


@pytest.mark.parametrize("name", CLIENT_MISTAKES)
def test_a_mistake_in_the_client_gets_its_hint(name: str) -> None:
    feedback = grade(PROJECT.load(), load_client(replace(CLIENT, CLIENT_MISTAKES[name])))
    assert (feedback.solved, feedback.mistake) == (False, name), feedback


@pytest.mark.parametrize("name", LITERAL_MISTAKES)
def test_a_client_has_to_keep_the_rules_to_the_letter(name: str) -> None:
    mistake, pair = LITERAL_MISTAKES[name]
    feedback = grade(PROJECT.load(), load_client(replace(CLIENT, pair)))
    assert (feedback.solved, feedback.mistake) == (False, mistake), feedback


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_mistakes_are_named_in_the_order_of_the_rules(broken: project.BrokenClient) -> None:
    source = broken.source
    for later in BROKEN[BROKEN.index(broken) + 1 :]:
        source = source.replace(later.before, later.after)
    feedback = grade(PROJECT.load(), load_client(source))
    assert feedback.mistake == broken.name, feedback
    reached = {int(state.words[0]): state.reached for state in feedback.goals}
    assert reached[broken.rule] is False


def test_a_goal_is_seen_once_a_client_does_something_for_it() -> None:
    line = "    line = summarize(report)\n"
    for rest, mistake, states in (
        (f"    return report\n{line}", "file", [True, True, True, False, False, None, None]),
        (f"    raise ValueError\n{line}", "raised", [True, True, None, None, None, None, None]),
    ):
        feedback = grade(PROJECT.load(), load_client(replace(CORRECT[0], (line, rest))))
        assert feedback.mistake == mistake, feedback
        assert [state.reached for state in feedback.goals] == states, feedback


def test_every_mistake_in_the_client_has_an_example() -> None:
    known = {mistake.name for mistake in PROJECT.load().mistakes}
    assert known <= {broken.name for broken in BROKEN} | set(CLIENT_MISTAKES)


def test_there_are_eight_broken_clients_and_each_rule_has_one() -> None:
    assert len({broken.name for broken in BROKEN}) == len(BROKEN) == 8
    assert [broken.rule for broken in BROKEN] == [1, 2, 3, 4, 5, 6, 7, 7]


def test_hints_get_clearer_and_end_at_a_rule_of_the_readme() -> None:
    readme = (TEMPLATE / "README.md").read_text("utf-8")
    for mistake in PROJECT.load().mistakes:
        question, pointer, place = mistake.hints
        assert question.endswith("?"), mistake.name
        assert pointer != question
        assert "“The rules”" in place
        assert "wrong" not in " ".join(mistake.hints).lower()
    for heading in ("The rules", "Write a test", "Let the clock wait", "What your tests may rely on"):
        assert f"# {heading}\n" in readme


def test_the_starter_is_not_solved_and_gets_a_hint(tmp_path: Path) -> None:
    folder = tmp_path / "hr-sync"
    result = CliRunner().invoke(cli.app, ["course", "start", str(folder)])
    assert result.exit_code == 0, result.output
    files = ["README.md", "hr_sync.py", "people.csv", "pyproject.toml", "test_hr_sync.py"]
    assert sorted(path.name for path in folder.iterdir()) == files
    result = CliRunner().invoke(cli.app, ["course", "check", str(folder)])
    assert result.exit_code == 1, result.output
    assert "not yet" in result.stdout.splitlines()[0]
    assert "  done" not in result.stdout
    assert result.stdout.splitlines()[-1].endswith("?")
    (tried,) = read_progress(folder / FILE).tries
    assert (tried.exercise, tried.solved, tried.goals, tried.mistake) == ("hr_sync", False, 0, "nothing sent")
    (row,) = (row for row in Board(read_progress(folder / FILE)).rows if row[0] == "13")
    assert row[2:] == ("90", "0 of 11", "1", "1", "… not yet")


def test_the_project_is_listed_as_a_lesson() -> None:
    assert (
        "13   90 min  An afternoon: a tested integration"
        in CliRunner().invoke(cli.app, ["course", "list"]).output
    )
    shown = CliRunner().invoke(cli.app, ["course", "open", "13"], env={"COLUMNS": "200"})
    assert shown.exit_code == 2
    assert "svckit course start DIR copies it to a folder" in shown.output


def test_a_project_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = CliRunner().invoke(cli.app, ["course", "start", str(tmp_path)])
    assert (result.exit_code, result.stderr) == (
        1,
        f"{tmp_path} exists and is not empty; name a new folder, so that nothing is overwritten\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_the_name_of_the_learner_comes_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    monkeypatch.chdir(lessons)
    tried = '{"exercise": "look", "at": "2026-06-01T00:00:00Z", "solved": true, "goals": 1}'
    (lessons / FILE).write_text(
        f'{{"name": "Mina", "group": "spring", "seed": 7, "tries": [{tried}]}}', "utf-8"
    )
    project.start_project(tmp_path / "elsewhere")
    copied = read_progress(tmp_path / "elsewhere" / FILE)
    assert (copied.name, copied.group, copied.seed, copied.tries) == ("Mina", "spring", 7, [])
    project.start_project(lessons / "inside")  # the check finds the file above
    assert not (lessons / "inside" / FILE).exists()


def test_a_folder_without_a_client_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli.app, ["course", "check", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{tmp_path} has no hr_sync.py; svckit course start DIR copies the project" in result.stderr


def test_the_tests_run_without_a_network_and_without_waiting(tmp_path: Path) -> None:
    tests = """\
import socket, time
from hr_sync import sync

def test_sleeps(fake_service):
    time.sleep(3600)
    with fake_service.clock.sleeping():
        time.sleep(60)

def test_connects():
    socket.create_connection(("example.com", 80))

def test_shows_a_secret(svc):
    assert svc.bot_secret.reveal() == ""
"""
    found = run_tests(write(tmp_path / "p", tests=tests))
    assert not found.ended
    assert [test.partition("::")[2] for test in found.run] == [
        "test_connects",
        "test_shows_a_secret",
        "test_sleeps",
    ]
    assert found.slept == {"test_hr_sync.py::test_sleeps": 3600}
    assert "there is no network" in found.failed["test_hr_sync.py::test_connects"]
    assert "***" in found.failed["test_hr_sync.py::test_shows_a_secret"]
    assert "bs_" not in str(found.failed)


def test_good_tests_notice_a_client_that_clears_fields(tmp_path: Path) -> None:
    found = run_tests(write(tmp_path / "p"), BROKEN[0].source, stop=True)
    assert [test.partition("::")[2] for test in found.failed] == [
        "test_only_filled_cells_that_differ_are_sent"
    ]


def test_hints_on_what_is_unnoticed_end_at_what_the_client_does() -> None:
    name, happened, hints = project._explain_unnoticed(BROKEN[3:5])
    assert (name, happened) == (
        "unnoticed: second file",
        "2 clients of the 8 that break a rule pass all your tests.",
    )
    assert "rule" in hints[0]
    assert BROKEN[3].area in hints[1]
    assert BROKEN[3].does in hints[2]
    assert BROKEN[3].does not in hints[0] + hints[1]


@pytest.mark.parametrize(
    ("run", "name"),
    [
        (SuiteRun(), "no tests"),
        (SuiteRun(("a::test_x",), {"a::test_x": "assert 1 == 2"}), "failing"),
        (SuiteRun(ended="It was stopped after 120 seconds."), "failing"),
    ],
)
def test_tests_that_fail_with_the_own_client_come_first(run: SuiteRun, name: str) -> None:
    found = project._find_mistake(Path(), run, [], [])
    assert found is not None
    assert found[0] == name
    assert all(message in found[1] for message in [*run.failed.values(), run.ended])


def test_a_rule_that_no_run_showed_is_not_a_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goals = [[f"{number} a rule", None if number == 6 else True] for number in range(1, 8)]
    sent = {"goals": goals, "happened": "sync sent 9 requests.", "hint": "", "mistake": "", "sent": 9}
    runs = dict.fromkeys(CORRECT, SuiteRun(("a::test_x",))) | {
        broken.source: SuiteRun(("a::test_x",), {"a::test_x": "assert 1 == 2"}) for broken in BROKEN
    }
    monkeypatch.setattr(project, "run_client", lambda *_: sent)
    monkeypatch.setattr(
        project, "run_tests", lambda _, source=CORRECT[0], **__: runs.get(source, runs[CORRECT[0]])
    )
    feedback = check(write(tmp_path / "p"))
    assert (feedback.solved, feedback.mistake) == (False, "unseen")
    assert "6 a rule" in feedback.happened
    assert "noticed all" not in feedback.happened
    assert feedback.hint.endswith("?")


def check(folder: Path) -> Feedback:
    return project.check_project(folder)


@pytest.mark.long
def test_a_good_project_is_solved(tmp_path: Path) -> None:
    feedback = check(write(tmp_path / "p"))
    assert feedback.solved, feedback
    assert [state.reached for state in feedback.goals] == [True] * 11
    assert "noticed all 8 broken clients" in feedback.happened
    assert 'role="status"' in feedback._repr_html_()


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", TEST_MISTAKES)
def test_a_mistake_in_the_tests_gets_its_hint(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "p", tests=replace(TESTS, TEST_MISTAKES[name]))
    feedback = check(folder)
    assert (feedback.solved, feedback.mistake) == (False, name), feedback


@pytest.mark.long
def test_a_test_on_the_words_of_the_own_client_gets_its_hint(tmp_path: Path) -> None:
    client = replace(CLIENT, ('f"{error}"', '"unknown person"'))
    tests = replace(TESTS, ("list(report", OWN_WORDS))
    folder = write(tmp_path / "p", client, tests)
    tries = [check(folder) for _ in range(3)]
    assert {feedback.mistake for feedback in tries} == {"text"}
    assert len({feedback.hint for feedback in tries}) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("client", "mistake", "happened"),
    [
        ("def sync(", "import", "Importing hr_sync.py raised SyntaxError"),
        ("def sync(*_): ...", "import", "hr_sync.py has no function 'receive'"),
        ("import os; os._exit(3)", "stopped", "The process ended without a result."),
        ("while True: pass", "stopped", "It was stopped after 5 seconds."),
    ],
    ids=["syntax", "function", "exit", "endless"],
)  # fmt: skip
def test_whatever_a_client_does_it_gets_feedback(
    client: str, mistake: str, happened: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_runs, "SECONDS", 5 if "5 seconds" in happened else 120)
    feedback = check(write(tmp_path / "p", client))
    assert (feedback.solved, feedback.mistake) == (False, mistake)
    assert happened in feedback.happened


@pytest.mark.long
def test_progress_is_kept_beside_the_notebooks(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"name": "Mina", "group": "spring", "seed": 7, "tries": []}', "utf-8")
    check(write(tmp_path / "p", client=(TEMPLATE / "hr_sync.py").read_text("utf-8")))
    assert [tried.exercise for tried in read_progress(tmp_path / FILE).tries] == ["hr_sync"]
    assert not (tmp_path / "p" / FILE).exists()
