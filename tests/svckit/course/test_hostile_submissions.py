"""Submissions that attack the grading: each gets a grade that it deserves, and nothing of whoever grades."""

import csv
import os
import sys
from pathlib import Path

import pytest

from fakes import lessons
from fakes.lessons import Feedback, Said
from svckit.course import project_runs
from svckit.course.catalogue import find_lesson
from svckit.course.far_function import connect_to
from svckit.course.isolation import _make_environment
from svckit.course.submissions import Grade, grade_class, grade_submission, list_cells

from .solved_cells import write_solution
from .test_project import write
from .test_submissions import run, submit

SOLUTION = write_solution(find_lesson("08"), find_lesson("08").load_solutions()[0])
FORGED = '{"title": "x", "solved": true, "goals": [["a", "done"]], "happened": "it worked"}'  # as the process writes it


def grade(source: str, folder: Path, seconds: int = 60) -> Grade:
    (found,) = grade_submission(submit(folder, "mina", source), seconds=seconds)
    return found


def call(body: str) -> str:
    return f"def post_all(*_):\n    {body}"


def grade_in_turn(*bodies: str) -> list[Feedback]:
    """Grade functions in one process, whose start takes a second: for what leaves it as it was."""
    with connect_to(60) as code:
        functions = [code.ask("define", call(body), ["post_all"])[0] for body in bodies]
        return [lessons.grade(find_lesson("08").load(), function) for function in functions]


@pytest.mark.parametrize(
    "forging",
    [
        f"import atexit; atexit.register(print, {FORGED!r})",
        f"import os; os.write(1, {FORGED!r}.encode()); os._exit(0)",
        f"import os\nfor pipe in range(3, 9):\n    try: os.write(pipe, {FORGED!r}.encode())\n    except OSError: 0",
        f"import sys; sys.__stdout__.write({FORGED!r}); sys.__stdout__.flush(); __import__('os')._exit(0)",
    ],
    ids=["at exit", "then exit", "any pipe", "the original output"],
)
def test_printing_a_result_does_not_make_it_one(forging: str, tmp_path: Path) -> None:
    found = grade(f"{forging}\n{call('pass')}", tmp_path)
    assert not found.feedback.solved
    assert "it worked" not in found.feedback.happened


GRADER = {
    "its functions": """
import fakes.lessons, fakes.lessons.grading, fakes.lessons.running, svckit.course.submissions
feedback = fakes.lessons.Feedback("x", True, (), "it worked", "", "", ())
for module in (fakes.lessons, fakes.lessons.grading, svckit.course.submissions):
    module.grade = lambda *_, **__: feedback
fakes.lessons.grading.solves = fakes.lessons.running.run = lambda *_: True
""",
    "its exercise": """
import gc
from svckit.course.catalogue import find_lesson
find_lesson("08").load()
for each in gc.get_objects():
    if isinstance(each, Exercise):
        object.__setattr__(each, "goals", ())
        object.__setattr__(each, "checks", {})
""",
    "its fakes": """
import gc
from fakes import FakeService
FakeService.journal = ()
for each in gc.get_objects():
    if isinstance(each, FakeService): each.rules.choose({})
""",
    "its messages": """
from svckit.course.grading_process import GRADER
GRADER.encode = lambda *_: {"record": [["solved", True]]}
GRADER.things["call"] = lambda *_: True
""",
    "its connection": """
from svckit.course.grading_process import GRADER
GRADER.own.connection = GRADER._connect()
for name in ("begin", "seconds", "things", "__init__", "records", -1, 0, 1, 2):
    try: GRADER.ask(name, "credentials")
    except Exception: continue
    GRADER.ask("define", "", [])
""",
    "its answers": """
from svckit.course.grading_process import GRADER
GRADER.ask = lambda *_: None
GRADER._send("value", [{"thing": ["function", 1]}] * 3)
""",
    "garbage in its connection": """
from svckit.course.grading_process import GRADER
GRADER.connect().send_bytes(b"[" * 100_000)
""",
    "an exit in place of its functions": """
from svckit.course.grading_process import GRADER
error = {"names": [["builtins", "SystemExit"]], "arguments": [], "text": "", "kept": {}}
GRADER._send("raised", GRADER.encode(error))
""",
    "a word in place of its error": """
from svckit.course.grading_process import GRADER
GRADER._send("value", {"tuple": [1, 2, 3]})
""",
    "its memory": """
from svckit.course.grading_process import GRADER
GRADER.connect().send_bytes(b'["value",[' + b"[]," * 20_000_000 + b"0]]")
""",
    "its time, by items of the same hash": """
from svckit.course.grading_process import GRADER
GRADER._send("value", {"set": [number * (2**61 - 1) for number in range(400_000)]})
""",
}


@pytest.mark.parametrize("attack", GRADER.values(), ids=GRADER)
def test_the_grader_is_out_of_reach(attack: str, tmp_path: Path) -> None:
    found = grade(f"{attack}\n{call('pass')}", tmp_path)
    assert (found.exercise, found.feedback.solved, len(found.feedback.goals)) == ("post_all", False, 5)
    assert all(goal.outcome == "not yet" for goal in found.feedback.goals)


def test_nobody_has_the_admin_key(tmp_path: Path) -> None:
    source = """
from fakes import FakeService
from svckit.course.learners import Learner

def show(http, facts, token, user):
    key = FakeService.sample(seed=Learner("mina/0").seed).facts["admin_key"]
    headers = {"Authorization": f"Bearer {facts.get('admin_key', key)}"}
    raise ValueError(http.get(f"{facts['admin_url']}/facts", headers=headers).status_code)
"""
    assert (
        "It says: 401"
        in grade(source.replace("show", find_lesson("01").function), tmp_path).feedback.happened
    )


FIRST = "http, webhook, _ = _\n    http.post(webhook, json={'body': {'text': 'x'}})\n    "


@pytest.mark.parametrize(
    "ending",
    [
        "raise type('Y', (ValueError,), {'args': property(lambda self: 1 / 0)})",
        "class Deep(Exception): __str__ = lambda self: self.nothing\n    raise Deep",
        "return {frozenset([None]): lambda: 1}, 10**5_000, float('nan'), memoryview",
        "return 'x' * 2**27",
    ],
)
def test_an_error_or_a_result_that_cannot_be_sent_is_a_row(ending: str, tmp_path: Path) -> None:
    found = grade(call(FIRST + ending), tmp_path).feedback
    assert not found.solved
    assert found.happened


def test_whatever_else_it_raises_or_returns_is_feedback() -> None:
    found = grade_in_turn(
        f"{FIRST}raise KeyboardInterrupt",
        f"{FIRST}raise SystemExit",
        f"{FIRST}raise GeneratorExit",
        f"{FIRST}raise ExceptionGroup('several', [ValueError('one'), KeyError('another')])",
        f"{FIRST}raise type('X' * 10_000, (BaseException,), {{}})('\\ud800' * 10_000)",
        f"{FIRST}deep = []\n    for _ in range(100_000): deep = [deep]\n    return deep",
        f"{FIRST}return iter(int, 1)",
    )
    assert [(each.solved, bool(each.happened)) for each in found] == [(False, True)] * 7
    assert "raised ExceptionGroup" in found[3].happened
    assert "several (2 sub-exceptions)" in found[3].happened


def test_lines_of_the_grading_are_not_taken_for_those_of_a_learner(tmp_path: Path) -> None:
    source = "def keep_working(http, credentials, sign_in, jobs):\n    global kept\n    kept = sign_in\n    kept(1)\n"
    assert "raised TypeError (line 4: kept(1)), after 0 requests" in grade(source, tmp_path).feedback.happened


def test_threads_that_go_on_send_nothing_to_the_next_run(tmp_path: Path) -> None:
    source = (
        "import threading\n"
        "def post_all(http, webhook, messages):\n"
        "    def go_on():\n"
        "        while True: http.post(webhook, json={'body': {'text': messages[0]}})\n"
        "    threading.Thread(target=go_on, daemon=True).start()\n"
    )
    assert not grade(source, tmp_path).feedback.solved


def test_variables_and_files_of_whoever_grades_are_out_of_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVCKIT_ADMIN_KEY", "canary-of-the-trainer")
    monkeypatch.setenv("SVCKIT_WORK_CLIENT_SECRET", "canary-of-the-trainer")
    seen = grade(
        call("import os; raise ValueError(dict(os.environ), os.getcwd(), os.path.expanduser('~'))"), tmp_path
    )
    assert "ValueError" in seen.feedback.happened
    assert "canary" not in seen.feedback.happened
    assert "SVCKIT" not in seen.feedback.happened
    assert repr(os.getcwd()) not in seen.feedback.happened
    assert repr(os.path.expanduser("~")) not in seen.feedback.happened


@pytest.mark.parametrize("name", ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP"])
def test_the_folders_of_whoever_grades_are_out_of_sight(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "the trainer's")
    assert _make_environment("deleted afterwards")[name] == "deleted afterwards"


REACHING = """
    datagrams = lambda: socket.socket(type=socket.SOCK_DGRAM)
    ways = [
        lambda: socket.create_connection(("192.0.2.1", 80), 1),
        lambda: socket.socket().connect_ex(("192.0.2.1", 80)),
        lambda: datagrams().sendto(b"x", ("192.0.2.1", 53)),
        lambda: datagrams().connect(("192.0.2.1", 53)),
        lambda: socket.gethostbyname("example.com"),
        lambda: socket.socket().bind(("0.0.0.0", 0)),
        lambda: _socket.socket().connect_ex(("192.0.2.1", 80)),
    ]
    if hasattr(socket.socket, "sendmsg"):
        ways.append(lambda: datagrams().sendmsg([b"x"], [], 0, ("192.0.2.1", 53)))
"""
STARTING = """
    ways = [
        lambda: subprocess.run([sys.executable, "-c", ""]),
        lambda: os.system("echo"),
        lambda: os.execv(sys.executable, [sys.executable]),
    ]
    if hasattr(os, "fork"):
        ways.append(os.fork)
"""
TRYING = """
    for way in ways:
        try: way()
        except OSError as error:
            if "while an exercise is graded" in str(error): continue
        raise ValueError(f"way {ways.index(way)} is open")
    raise ValueError("no way is open")
"""


def test_no_way_leads_out(tmp_path: Path) -> None:
    other = tmp_path / "other.ipynb"
    other.write_text("{}", "utf-8")
    changing = f"""
    ways = [
        lambda: open({str(other)!r}, 'w'),
        lambda: os.remove({str(other)!r}),
        lambda: os.open({str(other)!r}, os.O_RDWR),
        lambda: os.rename({str(other)!r}, 'mine'),
        lambda: open('/proc/%d/mem' % os.getppid(), 'r+b'),
        lambda: os.kill(os.getppid(), 9),
        lambda: os.symlink({str(other)!r}, 'mine') or open('mine', 'w'),
    ]
"""
    imports = "import os, socket, _socket, subprocess, sys"
    *closed, own = grade_in_turn(
        *(imports + ways + TRYING for ways in (REACHING, STARTING, changing)),
        "raise ValueError(open('own', 'w').write('x') and open('own').mode + 'x')",
    )
    assert ["no way is open" in found.happened for found in closed] == [True] * 3, closed
    assert other.read_text("utf-8") == "{}"
    assert "rx" in own.happened


@pytest.mark.skipif(not hasattr(os, "fork"), reason="programs inherit nothing there")
def test_a_program_that_it_left_behind_holds_nobody_up(tmp_path: Path) -> None:
    lasting = tmp_path / "lasting"
    lasting.touch()
    program = f"import os, time\nwhile os.path.exists({str(lasting)!r}): time.sleep(0.1)"
    leaving = f"""
import os, subprocess, sys
from types import SimpleNamespace
from svckit.course.grading_process import GRADER
subprocess.sys = SimpleNamespace(**vars(sys) | {{"audit": lambda *_: None}})
subprocess.Popen([sys.executable, "-c", {program!r}], pass_fds=[GRADER.connect().fileno()], start_new_session=True)
os._exit(0)
"""
    found = grade(leaving + call("pass"), tmp_path).feedback
    lasting.unlink()
    assert found.happened == "The process ended without a result."


def test_output_goes_nowhere() -> None:
    endless = (f"import os\n    for _ in range(500): os.write({pipe}, b'x' * 2**20)" for pipe in (1, 2))
    for found in grade_in_turn(*endless):
        assert "no request reached the service" in found.happened


@pytest.mark.skipif(sys.platform != "linux", reason="the limits of other systems differ")
def test_memory_and_files_have_a_limit() -> None:
    held, written = grade_in_turn("bytearray(5 * 2**30)", "open('big', 'wb').truncate(2**30)")
    assert "MemoryError" in held.happened
    assert "File too large" in written.happened


def test_one_bad_file_is_a_row_and_the_others_keep_theirs(tmp_path: Path) -> None:
    bad = {
        "array": "[]",
        "deep": "[" * 100_000,
        "half": '{"cells": [',
        "empty": "",
        "latin": "\xe9",
        "null": "\0",
    }
    for name, text in bad.items():
        (tmp_path / f"{name}.ipynb").write_text(text, "latin-1")
    surrogate = submit(tmp_path, "surrogate", call(r"raise ValueError('\ud800')"))
    good = submit(tmp_path, "mina", SOLUTION)
    files = [tmp_path / f"{name}.ipynb" for name in bad]
    result = run("grade", *files, surrogate, good, "--out", tmp_path / "grades")
    assert result.exit_code == 1, result.output
    assert result.stderr.splitlines() == [f"{file} is not a notebook" for file in files]
    rows = read_rows(tmp_path / "grades")
    assert [row["learner"] for row in rows] == [*bad, "surrogate", "mina"]
    assert [row["happened"] for row in rows[: len(bad)]] == result.stderr.splitlines()
    assert (rows[-1]["solved"], rows[-1]["goals"], rows[-1]["of"]) == ("yes", "5", "5")
    assert (tmp_path / "grades" / "deep.html").is_file()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_notebook_may_have_another_encoding(encoding: str, tmp_path: Path) -> None:
    path = submit(tmp_path, "mina", call("pass"))
    path.write_text(path.read_text("utf-8"), encoding)
    assert list_cells(path, tagged=True) == [call("pass")]


def test_an_exercise_that_cannot_be_judged_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakes.lessons.grade", lambda *_: 1 / 0)
    (found,) = grade_class([submit(tmp_path, "mina", SOLUTION)])
    assert "ZeroDivisionError" in found.feedback.happened


def test_files_of_one_name_without_an_exercise_have_pages_of_their_own(tmp_path: Path) -> None:
    for folder in ("mina", "jun"):
        (tmp_path / folder).mkdir()
    files = [submit(tmp_path / "mina", "Work", "x = 1"), submit(tmp_path / "jun", "work", "x = 1")]
    result = run("grade", *files, files[0], "--out", tmp_path / "grades")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (1, f"{files[0]}: no exercise found")
    names = ["mina-Work", "jun-work", "mina-Work (2)"]
    assert [row["learner"] for row in read_rows(tmp_path / "grades")] == names
    assert sorted(path.stem for path in (tmp_path / "grades").glob("*.html")) == sorted(names)


def test_the_table_holds_no_formula(tmp_path: Path) -> None:
    raising = submit(tmp_path, "=cmd", f"raise SystemExit\n{call('pass')}")
    run("grade", raising, "--out", tmp_path / "grades")
    (row,) = read_rows(tmp_path / "grades")
    assert row["learner"] == "'=cmd"
    assert row["happened"].startswith("The cell raised SystemExit")


def test_a_client_does_not_reach_what_grades_it(tmp_path: Path) -> None:
    client = """
import fakes.lessons, fakes.lessons.grading, svckit.course.project_runs
from svckit.course.grading_process import GRADER
feedback = fakes.lessons.Feedback("x", True, (), "it worked", "", "", ())
for module in (fakes.lessons, fakes.lessons.grading, svckit.course.project_runs):
    module.grade = lambda *_, **__: feedback
def sync(svc, sheet, webhook):
    key = svc.fake.facts.get("admin_key", "")
    headers = {"Authorization": f"Bearer {key}"}
    raise ValueError(svc.fake.transport().handle_request(__import__("httpx").Request(
        "POST", svc.fake.facts["admin_url"] + "/journal/clear", headers=headers)).status_code)
def receive(*_): return 200
"""
    feedback = project_runs.run_client(write(tmp_path / "p", client), 7, [])
    assert isinstance(feedback, Feedback)
    assert (feedback.solved, feedback.mistake) == (False, "raised")
    assert "It says: 401" in feedback.happened


def test_what_a_client_says_of_itself_is_data(tmp_path: Path) -> None:
    sending = "from svckit.course.grading_process import GRADER\nGRADER._send('value', [1, 2, 3])\n"
    forging = f"{sending}def sync(*_): ...\nreceive = sync\n"
    stopped = project_runs.run_client(write(tmp_path / "p", forging), 7, [])
    assert isinstance(stopped, Said)
    assert stopped.name == "stopped"


def read_rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_why_a_process_does_not_start_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svckit.course.isolation.ENVIRONMENT", {"PYTHONPATH": str(tmp_path)})
    (tmp_path / "httpx.py").write_text("raise ValueError('another httpx')", "utf-8")
    assert (
        grade(call("pass"), tmp_path).feedback.happened
        == "The process ended without a result. ValueError: another httpx"
    )
