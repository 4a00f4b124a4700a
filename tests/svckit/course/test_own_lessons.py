"""A lesson of a trainer's own: found, checked, graded and on the board like svckit's. The how-to explains it."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import httpx
import nbformat
import pytest

from svckit import course
from svckit.course import catalogue
from svckit.course.catalogue import LESSONS, Lesson, find_lesson, list_lessons
from svckit.course.coverage import measure_coverage
from svckit.course.proofreading import find_problems
from svckit.jupyter.bundled import own_notebooks

from .solved_cells import write_solution
from .test_submissions import run

NAME = "link_a_report"
FILES = own_notebooks() / "course" / "example"


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lesson:
    for extension in (".ipynb", ".toml", ".py"):
        shutil.copy(FILES / f"{NAME}{extension}", tmp_path)
    monkeypatch.chdir(tmp_path)
    return find_lesson("20")


def post_report(svc: Any, title: str, url: str) -> None:
    svc.notify("It is here.", title=title, button=("Open", url))


def post_twice(svc: Any, title: str, url: str) -> None:
    post_report(svc, title, url)
    post_report(svc, title, url)


def open_other(svc: Any, title: str, url: str) -> None:
    svc.notify("It is here.", title=title, button=("Open", "https://reports.example.com"))


WRONG = {
    "several": post_twice,
    "no button": lambda svc, title, url: svc.notify("It is here.", title=title),
    "other URL": open_other,
    "bare URL": lambda svc, title, url: svc.notify(f"See {url}", title=title, button=("Open", url)),
    "raised": lambda svc, title, url: svc.notify(title=title),
}


def test_it_is_in_order(lesson: Lesson) -> None:
    assert run("check", "20").stdout == "lesson 20, Link a report: in order, and all its solutions solve it\n"


def test_it_is_short(lesson: Lesson) -> None:
    lines = [file.read_text("utf-8").splitlines() for file in (lesson.words, lesson.words.with_suffix(".py"))]
    assert sum(map(len, lines)) <= 150


def test_it_is_listed_and_on_the_board(lesson: Lesson) -> None:
    assert run("list").stdout.splitlines()[-2] == "20   10 min  Link a report"
    assert course.check(post_report).solved
    assert course.board().rows[-1] == ("20", "Link a report", "10", "3 of 3", "1", "0", "✓ solved")


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_solve_it_gets_its_sentence(lesson: Lesson, name: str) -> None:
    feedback = course.check(WRONG[name], "post_report")
    assert (feedback.solved, feedback.mistake) == (False, name), feedback


def test_it_is_graded(lesson: Lesson, tmp_path: Path) -> None:
    notebook = nbformat.read(lesson.notebook, as_version=4)
    notebook.cells[-1].source = write_solution(lesson, lesson.load_solutions()[0]).replace(
        "from svckit import course", ""
    )
    nbformat.write(notebook, tmp_path / "mina.ipynb")
    shown = run("grade", "mina.ipynb", "--out", tmp_path / "grades")
    assert shown.stdout.splitlines()[0] == "mina: post_report: solved"


def test_it_is_part_of_the_coverage_and_its_cells_find_the_files_beside_it(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svckit.course.coverage.list_lessons", lambda: [lesson])
    notebook = nbformat.read(lesson.notebook, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(f"open({lesson.words.name!r}).close()"))
    nbformat.write(notebook, lesson.notebook)
    assert "notification.no-token" in measure_coverage().used["20"]


def test_its_module_runs_once_for_a_check(lesson: Lesson) -> None:
    module = lesson.words.with_suffix(".py")
    module.write_text(
        module.read_text("utf-8") + "\nwith open('runs', 'a') as file:\n    file.write('x')\n", "utf-8"
    )
    assert course.check(post_report).solutions
    assert Path("runs").read_text() == "x"


def test_a_slip_in_a_translation_is_named(lesson: Lesson) -> None:
    shutil.copy(lesson.notebook, lesson.notebook.with_suffix(".ja.ipynb"))
    lesson.words.with_suffix(".ja.toml").write_text(
        'variants = [{words = "5月"}, {words = "6月", url = "https://reports.example.com/june"}, "7月"]\n'
        '[checks.posts_once]\nseveral = "{requst}"\nsevral = "2"\n[checks.one]\n'
        '[checks.keeps_text_short]\n"bare URL" = "{text}"\n',
        "utf-8",
    )
    assert find_problems(lesson) == [
        "ja: variant {'words': '6月', 'url': 'https://reports.example.com/june'}: only its words are translated",
        "ja: variant '7月': only its words are translated",
        "ja: check one: the English words have posts_once, has_button, keeps_text_short",
        "ja: sentence 'several': the English one has no requst in braces",
        "ja: sentence 'sevral': the English words have several, no button, other URL, bare URL",
    ]


def test_a_sentence_without_words_is_named(lesson: Lesson) -> None:
    module = lesson.words.with_suffix(".py")
    source = module.read_text("utf-8").replace('said("other URL"', 'said("another URL"')
    module.write_text(source, "utf-8")
    line = source[: source.index("another URL")].count("\n") + 1
    assert find_problems(lesson)[0] == (
        f"{NAME}.py, line {line}: there is no sentence 'another URL'; there are several, no button, other URL, bare URL"
    )


def test_a_refusal_has_the_sentence_for_words_of_its_reason(lesson: Lesson) -> None:
    text = '"no text" = ["Request {request} has none{reason}.", "What will people read?", "Write.", "See “Exercise”."]'
    refused = '[refused]\n"body.text is required" = "no text"\n"header" = "no texts"\n'
    lesson.words.write_text("\n".join([lesson.words.read_text("utf-8"), text, refused]), "utf-8")

    def post_nothing(svc: Any, *given: str) -> None:
        with httpx.Client(transport=svc.fake.transport()) as http:
            http.post(svc.fake.facts["webhooks"][0], json={"body": {}})

    feedback = course.check(post_nothing, "post_report")
    assert (feedback.mistake, feedback.hint) == ("no text", "What will people read?")
    assert feedback.happened.startswith("Request 1 has none: body.text is required")
    assert find_problems(lesson) == [
        "table [refused]: there is no sentence 'no texts'; there are several, no button, other URL, bare URL, no text"
    ]


SLIPS = {
    ".py": [
        ('run.options["url"]}', 'run.option["url"]}', "AttributeError: 'Run' object has no"),
        (
            'if "button" not in message.json:',
            'if "button" not in messages:',
            "NameError: name 'messages' is not",
        ),
    ],
    ".toml": [
        ("several = ", "severel = ", "there is no sentence 'several'"),
        ("opens {url}.", "opens {link}.", "'link' is not given; given url"),
        (
            "{request} posted a",
            "{request posted a",
            "sentence 'no button': expected '}' before end of",
        ),
        (
            "{count:message|messages}",
            "{count:message}",
            "sentence 'several': {count:message} has one form, not two, as {count:message|messages} has, in: Request",
        ),
    ],
}


@pytest.mark.parametrize(("suffix", "slip"), [(suffix, slip) for suffix in SLIPS for slip in SLIPS[suffix]])
def test_a_slip_is_one_line_that_says_where(lesson: Lesson, suffix: str, slip: tuple[str, str, str]) -> None:
    old, new, told = slip
    path = lesson.words.with_suffix(suffix)
    source = path.read_text("utf-8")
    assert old in source
    path.write_text(source.replace(old, new, 1), "utf-8")
    problems = find_problems(lesson)
    found = problems[-1] if told in problems[-1] else problems[0]
    assert told in found
    if "Error: " in told:
        line = source[: source.index(old)].count("\n") + 1
        assert found.startswith(f"{path.name}, line {line}: ")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def has_button(", "def have_button(", "the module of link_a_report.toml lacks has_button"),
        ("def prepare(", "def prepared(", "the module of link_a_report.toml lacks prepare"),
        ("def prepare(", "def prepare", "(link_a_report.py, line 14)"),
        ("import Mapping", "import Mappings", "link_a_report.py, line 3: ImportError: "),
    ],
)
def test_nobody_solves_a_lesson_whose_module_is_not_in_order(
    lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    monkeypatch.setattr("svckit.course.coverage.list_lessons", lambda: [lesson])
    module = lesson.words.with_suffix(".py")
    module.write_text(module.read_text("utf-8").replace(old, new, 1), "utf-8")
    assert told in find_problems(lesson)[0]
    with pytest.raises(ValueError, match=re.escape(told)):
        course.check(post_report)
    shutil.copy(lesson.notebook, tmp_path / "mina.ipynb")
    for command in (["grade", "mina.ipynb"], ["coverage"]):
        shown = run(*command)
        assert shown.exit_code == 1
        assert told in shown.stderr


def test_a_check_that_raises_is_not_taken_for_what_the_learner_did(lesson: Lesson, tmp_path: Path) -> None:
    module = lesson.words.with_suffix(".py")
    source = module.read_text("utf-8").replace('message.json["body"]', 'message.json["bdy"]', 1)
    module.write_text(source, "utf-8")
    line = source[: source.index("bdy")].count("\n") + 1
    notebook = nbformat.read(lesson.notebook, as_version=4)
    notebook.cells[
        -1
    ].source = "def post_report(svc, title, url):\n    svc.notify('It is here.', button=('Open', url))"
    nbformat.write(notebook, tmp_path / "mina.ipynb")
    shown = run("grade", "mina.ipynb", "--out", tmp_path / "grades")
    told = f"post_report: {NAME}.py, line {line}: KeyError: 'bdy'"
    assert (shown.exit_code, shown.stderr.strip()) == (1, told)
    assert told in (tmp_path / "grades" / "grades.csv").read_text("utf-8")


@pytest.mark.parametrize("command", [["list"], ["check", "20"], ["coverage"]])
def test_words_that_are_not_toml_are_one_line(lesson: Lesson, command: list[str]) -> None:
    lesson.words.write_text("title = [", "utf-8")
    shown = run(*command)
    assert (shown.exit_code, len(shown.stderr.splitlines())) == (1, 1)
    assert "link_a_report.toml is not TOML" in shown.stderr


def test_what_is_missing_is_named(lesson: Lesson) -> None:
    def change(path: Path, *changes: tuple[str, str]) -> None:
        text = path.read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")

    change(
        lesson.words,
        ('goal = "the text is for people"', ""),
        ("Who wants to read this twice?", "Only once."),
        ("Who reads a URL letter by letter?", ""),
    )
    change(lesson.words.with_suffix(".py"), ('button=("Open", url)', "button=None"))
    change(lesson.notebook, ("## Post a link", "## Send a link"))
    shown = run("check", "20")
    assert shown.exit_code == 1
    assert shown.stdout.splitlines() == [
        "check keeps_text_short: it has no goal",
        "sentence 'several': its first hint is not a question",
        "sentence 'no button': its last hint names no heading of the notebook; there are Send a link, Exercise",
        "sentence 'other URL': its last hint names no heading of the notebook; there are Send a link, Exercise",
        "sentence 'bare URL': 2 hints, not 3: question, pointer, and place",
        "solution_pair, with the data of seed 0: Request 1 posted a message without a button.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Link a report"', "title = Link", f"{NAME}.toml is not TOML: "),
        ("minutes = 10", "", f"{NAME}.toml lacks minutes"),
        ("minutes = 10", 'minutes = "ten"', f"{NAME}.toml has minutes that are not a whole number: 'ten'"),
        (
            "{words =",
            "{word =",
            f"{NAME}.toml has a variant without words, such as .*: {{'word': 'the report",
        ),
        ("variants = [", "variants = []\nothers = [", f"{NAME}.toml lacks variants"),
        ("variants = [", "variants = [1,", f"{NAME}.toml has a variant without words, such as .*: 1"),
        (
            "variants = [",
            "refused = 'a'\nvariants = [",
            f"{NAME}.toml has a 'refused' that is not a table: 'a'",
        ),
    ],
)
def test_words_that_cannot_be_read_are_named(lesson: Lesson, old: str, new: str, message: str) -> None:
    lesson.words.write_text(lesson.words.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=message):
        list_lessons()


def test_a_package_names_it_as_an_entry_point(tmp_path: Path) -> None:
    package = tmp_path / "our_course"
    shutil.copytree(FILES, package)
    (package / "__init__.py").touch()
    metadata = tmp_path / "our_course-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: our-course\nVersion: 1\n", "utf-8")
    (metadata / "entry_points.txt").write_text(f"[svckit.lessons]\nreport = our_course.{NAME}\n", "utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "svckit", "course", "check", "20"],
        cwd=empty,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "lesson 20, Link a report: in order, and all its solutions solve it\n", done.stderr


@pytest.mark.parametrize("name", ["our_course.link", "our_curse.link_a_report", "course_without_words"])
def test_an_entry_point_without_words_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    (tmp_path / "course_without_words.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("report", name, "svckit.lessons")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [point])
    catalogue._find_installed.cache_clear()
    shown = run("list")
    catalogue._find_installed.cache_clear()
    told = f"the entry point report names {name}: there is no such module, or no words beside it\n"
    assert (shown.exit_code, shown.stderr) == (1, told)


@pytest.mark.parametrize("words", ["[variants]\nwords = 'x'", "variants = 7", "checks = 7", "solved = 7"])
def test_a_translation_of_another_form_stays_english_for_learners(lesson: Lesson, words: str) -> None:
    lesson.words.with_suffix(".de.toml").write_text(words, "utf-8")
    assert course.check(post_report, language="de").happened == course.check(post_report).happened


def test_quotation_marks_of_other_languages_name_a_heading(lesson: Lesson) -> None:
    shutil.copy(lesson.notebook, lesson.notebook.with_suffix(".de.ipynb"))
    words = lesson.words.with_suffix(".de.toml")
    words.write_text("[checks.posts_once]\nhints = ['Wer?', 'Wo?', 'Siehe „Post a link“ oben.']", "utf-8")
    assert find_problems(lesson) == []
    words.write_text("[checks.posts_once]\nhints = ['Wer?', 'Wo?', 'Siehe Post a link.']", "utf-8")
    assert find_problems(lesson)[0].startswith("de: sentence 'several': its last hint names no heading")


def test_a_copy_with_other_words_takes_the_place_of_one_of_svckits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = find_lesson("08").words
    shutil.copy(words.with_suffix(".ipynb"), tmp_path)
    (tmp_path / words.name).write_text(words.read_text("utf-8").replace("120 a minute", "Patience"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_lesson("8").title == "Patience"
    assert len(list_lessons()) == len(LESSONS) + 1
    assert course.check(lambda *given: None, "post_all").title == "Patience"
