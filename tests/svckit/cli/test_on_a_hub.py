"""On a JupyterHub, commands that open notebooks print links under its prefix, and start no server."""

import json
from pathlib import Path

import pytest

from svckit.course import learners, progress
from svckit.course.progress import FILE, Progress, Try
from svckit.course.scoreboard import CELL

from ..command import run_command

COURSE = Path("svckit-notebooks", "course")
FIRST = COURSE / "00-look-around.ipynb"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The home of the learner Mina."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/mina/")
    monkeypatch.setenv("SVCKIT_LEARNER", "Mina")
    monkeypatch.delenv("SVCKIT_GROUP", raising=False)
    monkeypatch.setattr(learners, "_current", None)
    monkeypatch.delenv("JUPYTERHUB_PUBLIC_URL", raising=False)
    monkeypatch.delenv("JUPYTERHUB_ROOT_DIR", raising=False)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return tmp_path


def run(*command: str) -> str:
    done = run_command(*command)
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()[-1]


def read_top(home: Path) -> dict[str, object]:
    top: dict[str, object] = json.loads((home / FIRST).read_text("utf-8"))["cells"][0]
    return top


def test_the_first_lesson_has_the_board_on_top(home: Path) -> None:
    assert run("course", "open", "00") == f"/user/mina/lab/tree/{FIRST.as_posix()}"
    top = read_top(home)
    assert top["source"] == CELL["source"]
    assert "Course: Mina" in str(top["outputs"])
    assert "Next: lesson 00" in str(top["outputs"])


def test_the_board_is_that_of_today_and_the_rest_is_the_learners(home: Path) -> None:
    run("course", "open", "00")
    page = json.loads((home / FIRST).read_text("utf-8"))
    page["cells"][3]["source"] = "of Mina"
    (home / FIRST).write_text(json.dumps(page), "utf-8")
    solved = Try(exercise="mention_somebody", at=progress.datetime.now(progress.UTC), solved=True, goals=4)
    (home / COURSE / FILE).write_text(Progress(name="Mina", tries=[solved]).model_dump_json(), "utf-8")
    run("course", "open", "0")
    assert "Next: lesson 01" in str(read_top(home)["outputs"])
    again = json.loads((home / FIRST).read_text("utf-8"))["cells"]
    assert (len(again), again[3]["source"]) == (len(page["cells"]), "of Mina")


def test_other_notebooks_are_links_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("course", "open", "08").endswith(
        "/user/mina/lab/tree/svckit-notebooks/course/08-wait-when-told.ipynb"
    )
    assert run("lab", "explorers.ipynb") == "/user/mina/lab/tree/svckit-notebooks/explorers.ipynb"
    (home / "my report.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    assert run("lab", "../my report.ipynb") == "/user/mina/lab/tree/my%20report.ipynb"
    assert run("course", "start", str(home / "sync")) == "/user/mina/lab/tree/sync/README.md"
    monkeypatch.setenv("JUPYTERHUB_PUBLIC_URL", "https://hub.example.org/user/mina/")
    assert run("course", "open", "08").startswith(
        "https://hub.example.org/user/mina/lab/tree/svckit-notebooks/"
    )


def test_a_notebook_that_the_hub_does_not_show_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "work").mkdir()
    monkeypatch.setenv("JUPYTERHUB_ROOT_DIR", str(home / "work"))
    (home / "a.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    assert run_command("lab", home / "a.ipynb").exit_code == 2
    assert run("course", "start", str(home / "sync")).startswith("Begin with README.md")
