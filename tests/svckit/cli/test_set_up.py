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
        others = (
            (script.OTHERS["--docs"].bin, "sphinx-build"),
            (script.OTHERS["--lite"].bin, "jupyter-lite"),
        )
        for folder, name in ((script.MAIN.bin, "pytest"), *others):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).touch(mode=0o755)
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(script.subprocess, "run", run)
    monkeypatch.setattr(os, "execv", lambda program, command: calls.append(Path(program).name))
    return calls


DEVELOPMENT = "dev-requirements.txt"
LITE, WHEELS = "lite-requirements.txt", "lite-wheels.txt"
LOCKS = (DEVELOPMENT, "docs-requirements.txt", "requirements.txt", LITE)
EXTRAS = [
    *tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
]
ALL_LOCKS = (*LOCKS, WHEELS, "peers-requirements.txt", "uv-requirements.txt")
FIRST, LATER = ["venv", "pip", "uv", "uv", "pytest"], ["pytest"]


def test_it_installs_once(script: ModuleType, started: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    script.main(["pytest"])
    assert started == FIRST
    assert capsys.readouterr().out.count("\n") == 1
    script.main(["pytest"])
    assert started == FIRST + LATER
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["pyproject.toml", "binder/dev-requirements.txt"])
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


@pytest.mark.parametrize(("option", "name"), [("--docs", "sphinx-build"), ("--lite", "jupyter-lite")])
def test_what_builds_a_site_has_an_environment_of_its_own(
    script: ModuleType, started: list[str], option: str, name: str
) -> None:
    script.main(["pytest"])
    script.main([option, name])
    script.main([option, name])
    assert started == [*FIRST, *FIRST[:-1], name, name]
    with pytest.raises(SystemExit, match=rf"There is no '{name}' in \.venv"):
        script.main([name])


def test_an_old_python_is_told_so(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        script.main(["pytest"])


def test_an_unknown_command_is_named(script: ModuleType, started: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"There is no 'pytets'.* uv, jupyter"):
        script.main(["pytets"])


def read_lock(name: str) -> dict[str, set[str]]:
    """The versions of each package in a lock; there may be several, for different Pythons."""
    versions: dict[str, set[str]] = {}
    for line in (ROOT / "binder" / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith(("#", " ")):  # which hashes are
            requirement = Requirement(line.removesuffix("\\"))
            versions.setdefault(requirement.name, set()).add(next(iter(requirement.specifier)).version)
    return versions


@pytest.mark.parametrize(
    ("name", "extras", "groups"),
    [
        (DEVELOPMENT, EXTRAS, ["test"]),
        ("docs-requirements.txt", EXTRAS, ["test", "docs"]),
        ("requirements.txt", ["check", "jwt", "lab", "requests", "serve"], ["binder"]),
        (LITE, [], ["lite"]),
        (WHEELS, [], ["lite-wheels"]),
        ("peers-requirements.txt", ["requests", "serve"], ["peers"]),
    ],
)
def test_the_lock_holds_what_the_project_asks_for(name: str, extras: list[str], groups: list[str]) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    asked = [Requirement(text) for text in project["dependencies"]]
    asked += [Requirement(text) for group in groups for text in settings["dependency-groups"][group]]
    asked += [Requirement(f"{project['name']}[{','.join(extras)}]")]
    for requirement in asked:  # which grows: an extra may name others
        if requirement.name == project["name"]:
            texts = (project["optional-dependencies"][extra] for extra in requirement.extras)
            asked += map(Requirement, chain.from_iterable(texts))
    locked = read_lock(name)
    unmet = [
        str(each)
        for each in asked
        if each.name != project["name"]
        and not all(each.specifier.contains(version) for version in locked.get(each.name, {"0"}))
    ]
    assert unmet == [], "write the locks again, as CONTRIBUTING.md says"


def test_the_locks_agree() -> None:
    development, docs, reader, lite = map(read_lock, LOCKS)
    for lock in (docs, reader, lite):
        shared = development.keys() & lock.keys()
        assert {name: lock[name] for name in shared} == {name: development[name] for name in shared}
    assert development.keys() < docs.keys()
    assert reader.keys() - development.keys() == {"notebook"}


def test_packages_for_the_browser_have_the_versions_of_the_others() -> None:
    development, wheels = read_lock(DEVELOPMENT), read_lock(WHEELS)
    assert [name for name in wheels if not wheels[name] <= development.get(name, wheels[name])] == []
    assert wheels.keys() - development.keys() == {"micropip"}


@pytest.mark.parametrize("name", ALL_LOCKS)
def test_each_pin_has_checksums(name: str) -> None:
    pins = (ROOT / "binder" / name).read_text(encoding="utf-8").split("\n", 2)[2]
    assert all("--hash=sha256:" in pin for pin in re.split(r"\n(?! )", pins.strip()))


def test_the_checksums_are_checked(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[object], check: bool) -> subprocess.CompletedProcess[str]:
        commands.append([str(word) for word in command])
        script.MAIN.folder.mkdir(exist_ok=True)
        return subprocess.CompletedProcess([], int(commands[-1][0].endswith("uv")))  # so pip installs all

    monkeypatch.setattr(script.subprocess, "run", run)
    script.MAIN.install()
    checked = ["-r" in words for words in commands if "--require-hashes" in words]
    unchecked = [words[-2:] for words in commands[1:] if "--require-hashes" not in words]
    assert checked == [True] * 3  # uv itself, the lock by uv, and by pip
    assert unchecked == [["-e", str(script.ROOT)]] * 2
    assert all("--no-deps" in words for words in commands[2:])


def test_each_tool_is_only_where_it_is_used() -> None:
    development, docs, reader, lite = map(read_lock, LOCKS)
    assert "jupyterlite-core" in lite.keys() - development.keys() - docs.keys() - reader.keys()
    assert "sphinx" in docs.keys() - development.keys() - reader.keys()
    tools = {"hypothesis", "keyring", "mypy", "oxlint", "playwright", "pyarrow", "ruff", "schemathesis"}
    assert tools < development.keys()
    assert tools & reader.keys() == set()


def test_the_locks_are_for_the_python_of_binder() -> None:
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    script = (ROOT / "binder" / "lock.py").read_text(encoding="utf-8")
    assert f'"--python-version={runtime.removeprefix("python-")}"' in script


@pytest.mark.parametrize("name", ALL_LOCKS)
def test_the_lock_names_no_machine(name: str) -> None:
    lock = (ROOT / "binder" / name).read_text(encoding="utf-8")
    command = lock.splitlines()[1]
    assert command.endswith("python3 binder/run.py python -m binder.lock")
    assert not re.search(r"://|^-|(?<!\w)/", lock.replace(command, ""), re.MULTILINE)
