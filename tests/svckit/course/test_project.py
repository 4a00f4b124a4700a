"""Lesson 13: the client is graded by its traffic, and its tests by which clients they tell apart."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fakes import FakeService
from fakes.lessons import Feedback, grade
from fakes.lessons.feedback import GoalState
from svckit.course import project, project_runs
from svckit.course.catalogue import PROJECT
from svckit.course.progress import FILE, read_progress
from svckit.course.project_clients import CORRECT, REWORDED, BrokenClient, load_client, read_broken
from svckit.course.project_runs import SuiteRun, run_suites
from svckit.course.scoreboard import Board
from svckit.jupyter.bundled import own_notebooks
from svckit.session.connect import connect

from .project_mistakes import ASKS, CHATTY, CLIENT_MISTAKES, SENTENCES, TEST_MISTAKES, UNTESTED
from .test_submissions import run

TEMPLATE = own_notebooks() / "course" / "project"
SOLUTION = Path(__file__).parent / "project_solution"
CLIENT, TESTS = ((SOLUTION / name).read_text("utf-8") for name in ("hr_sync.py", "test_hr_sync.py"))
BROKEN = read_broken()
WORDS = PROJECT.load().words
GOALS = 12


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


def find_unnoticed(folder: Path, tests: str, clients: Sequence[BrokenClient] = BROKEN) -> list[str]:
    write(folder, tests=tests)
    correct, *broken = run_suites(folder, [[""], *([each.source, "-x"] for each in clients)])
    assert correct.passed, correct
    return [client.name for client, run in zip(clients, broken, strict=True) if run.passed]


sources = pytest.mark.parametrize(
    "source", [*CORRECT, REWORDED, CLIENT], ids=["first", "second", "reworded", "learner"]
)


@sources
def test_a_correct_client_keeps_the_rules(source: str) -> None:
    feedback = grade(PROJECT.load(), load_client(source), 1_234_567)
    assert feedback.solved, feedback


@pytest.mark.long
@sources
def test_a_correct_client_keeps_the_rules_for_everybody(source: str) -> None:
    for seed in (0, *range(1, 20), 16_777_215):
        feedback = grade(PROJECT.load(), load_client(source), seed)
        assert feedback.solved, feedback


@pytest.mark.parametrize(
    "sheet",
    [
        'user,nickname,task,workplace\nu-003,Mina,Night desk,"Osaka, annex"\n\n\n',
        '\ufeffuser,nickname,task,workplace\r\nu-003,Mina,Night desk,"Osaka, annex"\r\n\r\n',
        '\ufeff"user","nickname","task","workplace"\r\n"u-003","Mina","","Osaka, annex"\r\n,,,\r\n',
        'nickname,user,note,workplace,task\nMina, u-003 ,"two\nlines","Osaka, annex"',
        'user,nickname,task,workplace\n\nu-003,Mina,  ,"Osaka, annex",,\n,Theo,,\n   \n',
    ],
    ids=["blank lines", "mark", "quotes", "columns", "more cells"],
)
@pytest.mark.parametrize("source", CORRECT, ids=["first", "second"])
def test_a_correct_client_reads_what_spreadsheets_write(source: str, sheet: str) -> None:
    svc = connect(FakeService.sample(seed=0, now="2026-06-01T09:00:00+09:00"))
    webhook = svc.credentials.webhooks["webhook-1"].reveal()
    report = load_client(source).sync(svc, sheet, webhook)
    assert (report.changed, report.unchanged, report.problems) == (["u-003"], [], {})
    user = svc.users.read("u-003")
    assert (user.nick_name, user.task, user.location) == ("Mina", "Night desk", "Osaka, annex")


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_client_breaks_its_rule_and_gets_its_sentence(broken: BrokenClient) -> None:
    feedback = grade(PROJECT.load(), load_client(broken.source))
    broken_rules = [int(goal.words[0]) for goal in feedback.goals if goal.reached is False]
    assert broken_rules[:1] == [broken.rule], feedback
    assert feedback.mistake == SENTENCES.get(broken.name, broken.name)


@pytest.mark.parametrize("name", CLIENT_MISTAKES)
def test_a_mistake_in_the_client_gets_its_sentence(name: str) -> None:
    feedback = grade(PROJECT.load(), load_client(replace(CLIENT, CLIENT_MISTAKES[name])))
    assert (feedback.solved, feedback.mistake) == (False, name), feedback


@pytest.mark.parametrize("condition", CHATTY)
def test_a_text_has_to_be_exactly_that(condition: str) -> None:
    feedback = grade(PROJECT.load(), load_client(replace(CLIENT, (ASKS, condition))))
    assert feedback.mistake == "chatty", feedback


def test_a_client_may_read_the_user_who_is_signed_in_at_the_end() -> None:
    login = "svc.credentials.login_id"
    client = replace(CLIENT, (f"drive({login})", f"drive(svc.users.read({login}).user_id)"))
    assert grade(PROJECT.load(), load_client(client)).solved


def test_a_goal_is_seen_once_a_client_does_something_for_it() -> None:
    line = "    line = summarize(report)\n"
    for rest, mistake, states in (
        (f"    return report\n{line}", "no file", [True, True, True, False, False, None, None]),
        (f"    raise ValueError\n{line}", "raised", [True, True, None, None, None, None, None]),
    ):
        feedback = grade(PROJECT.load(), load_client(replace(CORRECT[0], (line, rest))))
        assert feedback.mistake == mistake, feedback
        assert [state.reached for state in feedback.goals] == states, feedback


def test_each_sentence_about_the_client_has_an_example() -> None:
    checks = {name: WORDS.content["checks"][name] for name in PROJECT.load().checks}
    known = {sentence for check in checks.values() for sentence in check} - {"goal", "hints"}
    shown = {SENTENCES.get(client.name, client.name) for client in BROKEN} | {*CLIENT_MISTAKES}
    assert known == shown - {"raised"}


def test_each_clause_has_a_broken_client() -> None:
    assert [client.rule for client in BROKEN] == sorted(client.rule for client in BROKEN)
    assert {client.rule for client in BROKEN} == set(range(1, 8))
    assert len({client.source for client in BROKEN} | {*CORRECT, REWORDED}) == len(BROKEN) + 3
    assert set(UNTESTED) == {client.name for client in BROKEN}
    assert len(BROKEN) >= 16


def test_hints_get_clearer_and_end_at_a_heading_of_the_readme() -> None:
    readme = (TEMPLATE / "README.md").read_text("utf-8")
    checks = {*PROJECT.load().checks, *(look.__name__ for look in project.LOOKS)} - {"notice_broken"}
    for name, (_, hints) in WORDS.sentences.items():
        if any(name in WORDS.content["checks"][check] for check in checks):
            question, pointer, place = hints
            assert question.endswith("?"), name
            assert pointer != question
            assert f"# {place.partition('“')[2].partition('”')[0]}\n" in readme, name
            assert "wrong" not in " ".join(hints).lower()


def test_the_starter_is_not_solved_and_gets_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "hr-sync"
    result = run("start", folder)
    assert result.exit_code == 0, result.output
    files = ["README.md", "hr_sync.py", "people.csv", "pyproject.toml", "test_hr_sync.py"]
    assert sorted(path.name for path in folder.iterdir()) == files
    result = run("check", folder)
    assert result.exit_code == 1, result.output
    assert "not yet" in result.stdout.splitlines()[0]
    assert "  done" not in result.stdout
    assert result.stdout.splitlines()[-1].endswith("?")
    (tried,) = read_progress(folder / FILE).tries
    assert (tried.exercise, tried.solved, tried.goals, tried.mistake) == ("hr_sync", False, 0, "nothing sent")
    (row,) = (row for row in Board(read_progress(folder / FILE)).rows if row[0] == "13")
    assert row[2:] == ("90", f"0 of {GOALS}", "1", "1", "… not yet")


def test_the_project_is_listed_as_a_lesson() -> None:
    assert "13   90 min  An afternoon: a tested integration" in run("list").output
    shown = run("open", "13")
    assert shown.exit_code == 2
    assert "svckit course start DIR copies it to a folder" in shown.output


def test_a_project_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = run("start", tmp_path)
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
    result = run("check", tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{tmp_path} has no hr_sync.py; svckit course start DIR copies the project" in result.stderr


def test_the_tests_run_without_a_network_and_without_waiting(tmp_path: Path) -> None:
    tests = """\
import socket, time
from time import sleep
from hr_sync import sync

def test_sleeps(fake_service):
    sleep(3600)
    with fake_service.clock.sleeping():
        time.sleep(60)
        sleep(60)

def test_connects():
    socket.create_connection(("example.com", 80))

def test_shows_a_secret(svc):
    assert svc.bot_secret.reveal() == ""
"""
    (found,) = run_suites(write(tmp_path / "p", tests=tests), [[""]])
    assert not found.ended
    assert [test.partition("::")[2] for test in found.run] == [
        "test_sleeps",
        "test_connects",
        "test_shows_a_secret",
    ]
    assert found.slept == {"test_hr_sync.py::test_sleeps": 3600}
    assert "there is no network" in found.failed["test_hr_sync.py::test_connects"][-1]
    assert "***" in found.failed["test_hr_sync.py::test_shows_a_secret"][0]
    assert "bs_" not in str(found.failed)


def test_a_process_that_ends_early_ends_one_suite_only(tmp_path: Path) -> None:
    tests = "import hr_sync\ndef test_x(): assert hr_sync.X\n"
    folder = write(tmp_path / "p", "X = 1", tests)
    first, ended, last = run_suites(folder, [[""], ["import os; os._exit(3)"], ["X = 0"]])
    assert first.passed
    assert ended.ended == "The process ended without a result."
    assert last.failed == {"test_hr_sync.py::test_x": ["assert 0", " +  where 0 = hr_sync.X"]}


@pytest.mark.parametrize("clients", [BROKEN[::8], pytest.param(BROKEN, marks=pytest.mark.wide)], ids=len)
def test_the_tests_notice_each_broken_client(clients: Sequence[BrokenClient], tmp_path: Path) -> None:
    assert find_unnoticed(tmp_path / "p", TESTS, clients) == []


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", UNTESTED)
def test_a_clause_without_a_test_is_noticed(name: str, tmp_path: Path) -> None:
    assert find_unnoticed(tmp_path / "p", replace(TESTS, *UNTESTED[name])) == [name]


def test_what_is_unnoticed_is_counted_by_rule_and_hinted_at_step_by_step() -> None:
    passed, failed = SuiteRun(("a::test_x",)), SuiteRun(ended="It ended.")
    broken = [passed if each.name in ("stops", "second file", "elsewhere") else failed for each in BROKEN]
    seen = project.notice_broken(project.Tests(passed, passed, [passed, passed], broken))
    finding = project.explain(seen)
    assert finding.mistake == "unnoticed: stops"
    assert finding.happened == (
        f"3 clients of the {len(BROKEN)} that break a rule pass all your tests (rule 3: 1, rule 4: 2)."
    )
    client = next(each for each in BROKEN if each.name == "stops")
    question, pointer, last = finding.hints
    assert "rule" in question
    assert client.about in pointer
    assert client.does in last
    assert client.does not in question + pointer


@pytest.mark.parametrize(
    ("run", "name"),
    [
        (SuiteRun(), "no tests"),
        (SuiteRun(("a::test_x",), {"a::test_x": ["assert 1 == 2", "  where …"]}), "failing"),
        (SuiteRun(ended="It was stopped after 120 seconds."), "failing"),
    ],
)
def test_tests_that_fail_with_the_own_client_come_first(run: SuiteRun, name: str) -> None:
    seen = project.pass_own(project.Tests(run, SuiteRun()))
    finding = project.explain(seen)
    assert finding.mistake == name
    assert run.ended in finding.happened
    assert seen.values.get("details", "") == ("test_x:\nE  assert 1 == 2\nE    where …" if run.failed else "")


def test_a_rule_that_no_run_showed_is_not_a_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goals = tuple(GoalState(f"{number} a rule", None if number == 6 else True) for number in range(1, 8))
    traffic = grade(PROJECT.load(), load_client(CLIENT)).journal
    sent = Feedback("", True, goals, "sync sent 9 requests.", "", "", traffic)
    runs = {broken.source: SuiteRun(ended="It failed.") for broken in BROKEN}
    monkeypatch.setattr(project, "run_client", lambda *_: sent)
    monkeypatch.setattr(
        project,
        "run_suites",
        lambda _, suites: [runs.get(client, SuiteRun(("a::test_x",))) for client, *_ in suites],
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
    assert [state.reached for state in feedback.goals] == [True] * GOALS
    assert f"noticed all {len(BROKEN)} broken clients" in feedback.happened
    assert 'role="status"' in feedback._repr_html_()


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", TEST_MISTAKES)
def test_a_mistake_in_the_tests_gets_its_hint(name: str, tmp_path: Path) -> None:
    client, *pairs = TEST_MISTAKES[name]
    folder = write(tmp_path / "p", replace(CLIENT, *client), replace(TESTS, *pairs))
    tries = [check(folder) for _ in range(3)]
    assert {feedback.mistake for feedback in tries} == {name}, tries[0]
    assert len({feedback.hint for feedback in tries}) == 3


def test_pytest_explains_what_failed(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "p", tests=replace(TESTS, ('text == "1 changed, 1 problem"', 'text == "1 problem"'))
    )
    feedback = check(folder)
    assert feedback.mistake == "failing"
    assert feedback.details.startswith(
        "test_each_sync_posts_one_line:\nE  AssertionError: assert '1 changed, 1 problem' == '1 problem'\n"
    )
    assert "\n  E    - 1 problem\n" in repr(feedback)
    assert "E    - 1 problem\n" in feedback._repr_html_()


@pytest.mark.long
@pytest.mark.parametrize(
    ("client", "mistake", "happened"),
    [
        ("def sync(", "imported", "Importing hr_sync.py raised SyntaxError"),
        ("def sync(*_): ...", "lacks", "hr_sync.py has no function 'receive'"),
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
