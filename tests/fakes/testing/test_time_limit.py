"""A test that hangs fails by itself, and the run goes on; without the plugin that does so there is no limit."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ...conftest import STUCK

ROOT = Path(__file__).parents[3]
HANGS = """
import threading

import pytest


def test_lock():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def test_listener():
    listener = threading.Thread(target=threading.Event().wait, daemon=True)
    listener.start()
    listener.join()


def test_other():
    pass


@pytest.mark.long
def test_long(pytestconfig, request):
    assert [mark.args for mark in request.node.iter_markers("timeout")] in ([(3600,)], [])
"""


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the file above with the settings of this repository, and no more plugins than they name."""
    path = folder / "test_hangs.py"
    path.write_text(HANGS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "xdist",
        "-n0",
        "-c",
        ROOT / "pyproject.toml",
        *options,
    ]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, path], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_a_test_that_hangs_fails_and_the_others_go_on(tmp_path: Path) -> None:
    pytest.importorskip("pytest_timeout")
    done = run(tmp_path, "-p", "timeout", "-p", "tests.conftest", "-m", "", "-o", "timeout=1")
    assert "2 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert re.findall(r"^FAILED \S*::(\w+) - Failed: Timeout", done.stdout, re.MULTILINE) == [
        "test_lock",
        "test_listener",
    ]


def test_without_the_plugin_the_settings_are_no_error(tmp_path: Path) -> None:
    done = run(tmp_path, "-p", "no:timeout", "-k", "test_other or test_long", "-m", "")
    assert "2 passed, 2 deselected" in done.stdout, done.stdout + done.stderr


def test_every_test_has_a_limit() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    limits = settings["tool"]["pytest"]["ini_options"]
    assert 0 < limits["timeout"] < STUCK - 60
    group = settings["dependency-groups"]["test"]
    assert [name for name in group if name.startswith("pytest-timeout>=")]
