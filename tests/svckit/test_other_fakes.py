"""A project with a `fakes` of its own, beside ours: its tests run, and what needs ours says what is in the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = 'class FakeService:\n    """Of the project."""\n\nNAME = "mine"\n'
LAYOUTS = {"module": "fakes.py", "package": "fakes/__init__.py", "beside the tests": "tests/fakes.py"}
COMMANDS = {
    "pytest": [Path(sys.executable).with_name("pytest")],
    "python -m pytest": [sys.executable, "-m", "pytest"],
}
TESTS = """
import sys
import fakes
import pytest

def test_own():
    assert fakes.NAME == "mine"
    ours = [name for name in sys.modules if name.partition(".")[0] == "svckit"]
    assert "svckit.fakes_plugin" in ours and len(ours) <= 5, ours

@pytest.mark.fake("of the project")
def test_with_a_marker_of_its_own(): pass

@pytest.mark.xfail
def test_that_fails():
    fake = fakes.FakeService()
    assert fake is None
"""
USES = """
import fakes
import pytest
import svckit

def test_fixture(fake_service): pass
def test_served(served_fake): pass
def test_world(svckit_world): pass
def test_session(svc): pass
@pytest.mark.assumption_sweep
def test_marker(fake_service): pass
def test_connect(): svckit.connect()
"""


@pytest.fixture
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A project with tests, and a `fakes` of its own where the parameter says."""
    own = tmp_path / request.param
    for folder in {own.parent, tmp_path / "tests"}:
        folder.mkdir(exist_ok=True)
    own.write_text(OWN)
    if own.name == "__init__.py":
        own.with_name("service.py").write_text("class FakeService: pass\n")
    tmp_path.joinpath("pytest.ini").write_text("[pytest]\ntestpaths = tests\npythonpath = .\n")
    tmp_path.joinpath("tests", "test_own.py").write_text(TESTS)
    return tmp_path


def run(project: Path, *command: object) -> subprocess.CompletedProcess:
    """Run a command as in an environment in which svckit is installed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "SVCKIT"))}
    return subprocess.run(
        [str(word) for word in command], cwd=project, env=kept, capture_output=True, text=True, check=False
    )


def run_tests(project: Path, command: str, *options: str) -> str:
    """Run the tests of a project with the plugins that are installed, but without those that take seconds to load."""
    without = [
        f"-pno:{name}" for name in ("cacheprovider", "hypothesispytest", "nbval", "schemathesis", "xdist")
    ]
    done = run(project, *COMMANDS[command], "-q", *without, *options)
    return done.stdout + done.stderr


EVERYWHERE = [
    pytest.param(path, command, id=f"{layout}-{command}", marks=[pytest.mark.long] * (layout != "module"))
    for layout, path in LAYOUTS.items()
    for command in COMMANDS
]  # the others are long only because each is a run of its own


@pytest.mark.parametrize(("project", "command"), EVERYWHERE, indirect=["project"])
def test_the_tests_of_the_project_run_with_its_own(project: Path, command: str) -> None:
    assert "2 passed, 1 xfailed" in run_tests(project, command)


@pytest.mark.parametrize(("project", "command"), EVERYWHERE, indirect=["project"])
def test_what_needs_ours_names_the_file_in_the_way(project: Path, command: str) -> None:
    own = next(path for path in LAYOUTS.values() if project.joinpath(path).exists())
    project.joinpath("tests", "test_uses.py").write_text(USES)
    shown = run_tests(project, command, "tests/test_uses.py")
    told = f"svckit needs its own package fakes, but Python finds {project / own}: rename that, or take its folder off"
    assert "1 failed, 5 errors" in shown
    assert sum(told in line for line in shown.splitlines()) >= 6, shown


def test_a_marker_that_the_project_declares_is_its_own(tmp_path: Path) -> None:
    ini = "[pytest]\nmarkers =\n    fake(kind): tests with a substitute\n    slow\n"
    tests = "import pytest\n\n@pytest.mark.fake('mail')\ndef test_mail(): pass\n"
    (tmp_path / "test_mail.py").write_text(tests)
    (tmp_path / "pytest.ini").write_text(ini)
    assert "1 passed" in run_tests(tmp_path, "python -m pytest", "--strict-markers")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert "marker fake: the test must take fake_service" in run_tests(tmp_path, "python -m pytest")


def test_module_made_in_memory_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import sys, types\nsys.modules['fakes'] = types.ModuleType('fakes')\n"
    )
    (tmp_path / "test_made.py").write_text(
        "import pytest\n\n@pytest.mark.fake('mail')\ndef test_own(): pass\n\ndef test_ours(fake_service): pass\n"
    )
    shown = run_tests(tmp_path, "python -m pytest")
    assert "1 passed, 1 error" in shown
    assert (
        "needs its own package fakes, but Python finds a module that the program made: rename that" in shown
    )
    assert "During handling" not in shown


@pytest.mark.parametrize("project", ["fakes/__init__.py"], indirect=True)
def test_failure_with_such_a_class_is_reported(project: Path) -> None:
    (project / "tests" / "test_own.py").write_text(
        "from fakes.service import FakeService\n\ndef test_fails():\n    fake = FakeService()\n    assert not fake\n"
    )
    shown = run_tests(project, "python -m pytest")
    assert "1 failed" in shown
    assert "INTERNALERROR" not in shown


@pytest.mark.parametrize("project", ["fakes.py"], indirect=True)
@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--port", "0"],
        ["serve", "--data", "a.csv"],
        ["openapi"],
        ["observe", "a.har"],
        ["course", "start", "x"],
    ],
    ids=" ".join,
)
def test_commands_name_it_without_a_traceback(project: Path, words: list[str]) -> None:
    for name in ("a.har", "a.csv"):
        (project / name).write_text("user_id\n")
    done = run(project, sys.executable, "-m", "svckit", *words)
    assert done.returncode == 1
    assert done.stderr.startswith(f"svckit needs its own package fakes, but Python finds {project}")
    assert done.stderr.count("\n") == 1
