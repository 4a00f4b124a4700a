"""The fast tests pass with the oldest packages that `pyproject.toml` allows, and with the newest, on each Python."""

import os
import subprocess
from pathlib import Path

import pytest

from ..tools import UV, clean_environment, run
from .conftest import ROOT

FAST = ("svckit", "fakes", "tests/architecture", "tests/svckit/models", "tests/svckit/test_machines.py")
# What a dependency does inside itself is listed at the end; what our code causes stays an error.
WARNINGS = "filterwarnings=default\nerror:::(svckit|fakes|tests)(\\.|$)"
OLDEST = "3.11"


def find_python(version: str) -> str:
    """Return the path of a Python of the machine; skip the test if there is none."""
    command = [UV, "python", "find", "--no-python-downloads", "--no-project", "--system", version]
    found = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"there is no Python {version} here")
    return found.stdout.strip()


@pytest.mark.long
@pytest.mark.parametrize(
    ("version", "resolution"),
    [
        (OLDEST, "lowest-direct"),
        *((version, "highest") for version in (OLDEST, "3.12", "3.13", "3.14", "3.15")),
    ],
)
def test_the_fast_tests_pass(version: str, resolution: str, tmp_path: Path) -> None:
    found = find_python(version)
    venv, pins = tmp_path / "venv", tmp_path / "pins.txt"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(UV, "venv", "-q", "--python", found, venv)
    settings = ROOT / "pyproject.toml"
    wanted = [settings, "--all-extras", f"--group={settings}:test"]
    resolving = [f"--resolution={resolution}", f"--python={python}", *wanted]
    run(UV, "pip", "compile", "-q", "--system-certs", *resolving, "-o", pins)
    installing = ["-q", "--system-certs", f"--python={python}", "--no-deps"]
    run(UV, "pip", "install", *installing, "-r", pins, "-e", ROOT)
    options = ["-n", "0", "-p", "no:nbval", "-p", "no:cacheprovider", "-q", "-o", WARNINGS]
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    clean = clean_environment(PATH=path)
    kept = {name: value for name, value in clean.items() if not name.startswith("PYTEST")}
    print(run(python, "-m", "pytest", *options, *FAST, cwd=ROOT, env=kept, timeout=None))
