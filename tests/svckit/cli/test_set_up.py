"""The set-up script installs when it has to and only then; the lock is complete and says nothing about a machine."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]


@pytest.fixture
def script(tmp_path: Path) -> ModuleType:
    """`binder/run.py` of a small checkout in a folder with a space in its name."""
    checkout = tmp_path / "my project"
    shutil.copytree(ROOT / "binder", checkout / "binder")
    shutil.copy(ROOT / "pyproject.toml", checkout)
    spec = importlib.util.spec_from_file_location("run", checkout / "binder" / "run.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def started(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the script starts, by the program's name; nothing is."""
    calls: list[str] = []

    def run(command: list[object], check: bool) -> subprocess.CompletedProcess[str]:
        calls.append(Path(str(command[0])).name if command[1] != "-m" else str(command[2]))
        for folder, name in ((script.MAIN.bin, "pytest"), (script.DOCS.bin, "sphinx-build")):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).touch(mode=0o755)
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.setattr(os, "execv", lambda program, command: calls.append(Path(program).name))
    return calls


LOCKS = ("requirements.txt", "docs-requirements.txt")
FIRST, LATER = ["venv", "pip", "uv", "pytest"], ["pytest"]


def test_it_installs_once(script: ModuleType, started: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    script.main(["pytest"])
    assert started == FIRST
    assert capsys.readouterr().out.count("\n") == 1
    script.main(["pytest"])
    assert started == FIRST + LATER
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["pyproject.toml", "binder/requirements.txt"])
def test_it_installs_again_when_something_changed(script: ModuleType, started: list[str], name: str) -> None:
    script.main(["pytest"])
    with (script.ROOT / name).open("a") as file:
        file.write("# changed\n")
    script.main(["pytest"])
    assert started == FIRST * 2


def test_it_starts_over_after_an_interruption(
    script: ModuleType, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(script.subprocess, "run", interrupted)
        with pytest.raises(SystemExit, match="Run this again"):
            script.main(["pytest"])
    script.main(["pytest"])
    assert started == FIRST


def test_sphinx_has_an_environment_of_its_own(script: ModuleType, started: list[str]) -> None:
    script.main(["pytest"])
    script.main(["--docs", "sphinx-build"])
    script.main(["--docs", "sphinx-build"])
    assert started == [*FIRST, *FIRST[:-1], "sphinx-build", "sphinx-build"]
    with pytest.raises(SystemExit, match=r"There is no 'sphinx-build' in \.venv"):
        script.main(["sphinx-build"])


def test_an_old_python_is_told_so(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        script.main(["pytest"])


def test_an_unknown_command_is_named(script: ModuleType, started: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"There is no 'pytets'.* uv, jupyter"):
        script.main(["pytets"])


@pytest.mark.parametrize("docs", [False, True])
def test_the_lock_holds_what_the_project_asks_for(docs: bool) -> None:
    lock = (ROOT / "binder" / LOCKS[docs]).read_text(encoding="utf-8")
    locked = {
        requirement.name: next(iter(requirement.specifier)).version
        for requirement in (Requirement(line) for line in lock.splitlines() if not line.startswith("#"))
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        name: asked for name, asked in project["optional-dependencies"].items() if docs or name != "docs"
    }
    asked = chain(project["dependencies"], *extras.values())
    unmet = [
        text
        for text, requirement in ((text, Requirement(text)) for text in asked)
        if requirement.name != project["name"]
        and not requirement.specifier.contains(locked.get(requirement.name, "0"))
    ]
    assert unmet == [], "write the lock again, as CONTRIBUTING.md says"
    assert ("sphinx" in locked) is docs


def test_the_locks_agree() -> None:
    texts = [(ROOT / "binder" / name).read_text(encoding="utf-8") for name in LOCKS]
    main, docs = ({line.partition(" ;")[0] for line in text.splitlines()[2:]} for text in texts)
    assert main - docs == set()


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_names_no_machine(name: str) -> None:
    lock = (ROOT / "binder" / name).read_text(encoding="utf-8")
    command = lock.splitlines()[1]
    assert command.endswith(f"pyproject.toml -o binder/{name}")
    assert not re.search(r"://|^-|(?<!\w)/", lock.replace(command, ""), re.MULTILINE)
