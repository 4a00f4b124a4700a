"""Who learns, what is kept of it, and the board that shows it."""

import functools
import json
import re
import time
from pathlib import Path

import httpx
import pytest

from fakes.lessons import Feedback
from svckit import course
from svckit.course import learners, progress
from svckit.course.catalogue import COURSE, LESSONS
from svckit.course.learners import Learner
from svckit.course.progress import FILE

from .test_submissions import run


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def post_all(http: object, webhook: str, messages: list[str]) -> None:
    """Sends nothing."""


def test_without_a_name_nothing_is_written() -> None:
    assert not course.check(post_all).solved
    assert list(Path().iterdir()) == []
    assert course.board().rows[0][-3:] != ()


def test_hints_get_clearer_from_try_to_try() -> None:
    first, second = course.check(post_all).hint, course.check(post_all).hint
    assert first != second


def test_hints_are_not_counted_once_an_exercise_is_solved() -> None:
    for solved, mistake in ((False, "polling"), (True, ""), (False, "hammering"), (False, "dropping")):
        progress.record("post_all", Feedback("", solved, (), "", "", mistake, ()))
    (row,) = [each for each in course.board().rows if each[0] == "08"]
    assert row[-3:] == ("4", "1", "✓ solved")


def test_a_learner_has_tries_on_file_and_no_code_in_it() -> None:
    course.learner(" Mina ", group="spring")
    course.check(post_all)
    kept = json.loads(Path(FILE).read_text("utf-8"))
    assert (kept["name"], kept["group"], kept["seed"]) == ("Mina", "spring", Learner("Mina", "spring").seed)
    (tried,) = kept["tries"]
    assert sorted(tried) == ["at", "exercise", "goals", "mistake", "solved"]
    assert (tried["exercise"], tried["mistake"], tried["solved"]) == ("post_all", "nothing sent", False)


def test_the_environment_names_a_learner_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SVCKIT_LEARNER", "Jun")
    monkeypatch.setenv("SVCKIT_GROUP", "autumn")
    course.check(post_all)
    kept = json.loads(Path(FILE).read_text("utf-8"))
    assert (kept["name"], kept["group"]) == ("Jun", "autumn")


def test_the_next_notebook_knows_the_learner_from_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    course.learner("Mina", group="spring")
    course.check(post_all)
    monkeypatch.setattr(learners, "_current", None)  # as in another kernel
    lines = repr(course.board()).splitlines()
    assert lines[0] == "Course: Mina (spring)"
    assert any("120 a minute" in line and "… not yet" in line and "0 of 5" in line for line in lines)
    course.check(post_all)
    assert len(json.loads(Path(FILE).read_text("utf-8"))["tries"]) == 2


def test_the_command_says_where_progress_comes_from() -> None:
    shown = run("board")
    assert shown.exit_code == 2
    assert "no progress here yet" in shown.output
    assert 'course.learner("your name")' in shown.output
    course.learner("Mina")
    course.check(post_all)
    assert "Course: Mina" in run("board").output


def test_the_seed_is_the_start_of_a_hash_of_group_and_name() -> None:
    # sha256("springMina") begins with these three bytes.
    from hashlib import sha256

    assert Learner("Mina", "spring").seed == int(sha256(b"springMina").hexdigest()[:6], 16)
    assert 0 <= Learner("x").seed < 2**24


def test_a_name_that_is_blank_is_refused() -> None:
    with pytest.raises(ValueError, match="a learner needs a name"):
        course.learner("  ")


def test_the_progress_of_another_learner_is_not_overwritten() -> None:
    course.learner("Mina")
    course.check(post_all)
    before = Path(FILE).read_bytes()
    course.learner("Jun")
    with pytest.raises(ValueError, match=r"holds the progress of Mina, not of Jun; work in another folder"):
        course.check(post_all)
    assert Path(FILE).read_bytes() == before


@pytest.mark.parametrize("content", ["", "[]", '{"name": 1}', '{"tries": [{"exercise": "x"}]}'])
def test_a_damaged_file_is_named_and_kept(content: str) -> None:
    Path(FILE).write_text(content, "utf-8")
    course.learner("Mina")
    with pytest.raises(ValueError, match=f"{FILE} is not a file of progress"):
        course.board()
    assert Path(FILE).read_text("utf-8") == content


def test_the_board_says_what_is_next() -> None:
    board = course.board()
    assert board.next_step.startswith(f"Next: lesson {LESSONS[0].number}, ")
    assert len(board.rows) == len(COURSE)
    assert repr(board).splitlines()[0] == "Course"
    assert "<table" in board._repr_html_()


def test_an_unknown_function_is_explained() -> None:
    with pytest.raises(KeyError, match="there is no exercise 'post_al'; did you mean post_all"):
        course.check(type("F", (), {"__name__": "post_al", "__call__": print})())


@pytest.mark.parametrize("given", [None, pytest])
def test_a_result_instead_of_a_function_is_explained(given: object) -> None:
    says = f"pass the function itself, without parentheses; given {given!r:.10}"
    with pytest.raises(TypeError, match=re.escape(says)):
        course.check(given)  # type: ignore[arg-type]  # it is wrong


def test_a_guess_is_shown_beside_the_outcome() -> None:
    guess = course.predict("How many?", 3)
    assert repr(guess) == "How many?\nYour guess: 3"
    assert repr(guess.compare(10)) == "How many?\nYour guess: 3\nIt was: 10"
    assert repr(course.predict("How many?").compare(10)) == "How many?\nYour guess: none yet\nIt was: 10"
    assert "&lt;b&gt;" in course.predict("<b>", 1)._repr_html_()


def test_tries_from_before_the_name_was_given_are_kept() -> None:
    path = Path(FILE)
    path.write_text(progress.Progress(tries=[]).model_dump_json(), "utf-8")
    course.check(post_all)
    course.learner("Mina", group="spring")
    course.check(post_all)
    kept = json.loads(path.read_text("utf-8"))
    assert (kept["name"], kept["group"], len(kept["tries"])) == ("Mina", "spring", 2)


def wait_each_minute(http: httpx.Client, webhook: str, messages: list[str]) -> None:
    for text in messages:
        response = http.post(webhook, json={"body": {"text": text}})
        if response.headers["RateLimit-Remaining"] == "0":
            time.sleep(int(response.headers["RateLimit-Reset"]) + 1)


def test_a_solved_exercise_is_shown_beside_the_solutions() -> None:
    feedback = course.check(wait_each_minute, "post_all")
    assert feedback.solved
    assert [source.partition("(")[0] for source in feedback.solutions] == ["def post_all"] * 2
    assert feedback.details.splitlines() == [
        "Solution 1 differs first before request 121: it waits 60 s, and yours 61 s.",
        "Solution 2 differs first in request 121: it is POST /message/*** (429), and yours is POST /message/*** (200).",
    ]
    assert feedback._repr_html_().count("<pre tabindex") == 2
    assert feedback.details.splitlines()[0] in repr(feedback)


def test_an_exercise_is_found_under_the_name_that_holds_the_function() -> None:
    inner = {"post_all": functools.partial(lambda pause, *given: None, 1)}
    exec(
        "feedback = course.check(post_all), course.check(lambda *a: None, 'post_all')",
        inner | {"course": course},
    )
    assert not course.check(functools.partial(post_all)).solved
    assert not course.check(functools.wraps(post_all)(lambda *given: None)).solved
    with pytest.raises(KeyError, match="there is no exercise '<lambda>'"):
        course.check(lambda *given: None)
