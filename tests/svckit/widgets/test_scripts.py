"""The script as it is sent: its modules, joined, have all names that they use, and none of them twice."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from svckit.widgets.base.assets import module

ROOT = Path(__file__).parents[3]
OXLINT = shutil.which("oxlint", path=str(Path(sys.executable).parent)) or "oxlint"
JOINED = ("-A", "all", "-D", "no-undef", "-D", "no-redeclare")


def lint(folder: Path, *rules: str) -> subprocess.CompletedProcess[str]:
    config = folder / ".oxlintrc.json"
    shutil.copy(ROOT / config.name, config)
    command = [OXLINT, *rules, "--format=unix", "--config", config.name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["live.js", "loader.js"])
def test_a_script_that_is_sent_has_every_name_that_it_uses(tmp_path: Path, name: str) -> None:
    (tmp_path / "view.js").write_text(module(f"base/{name}"), "utf-8")
    done = lint(tmp_path, *JOINED)
    assert (done.returncode, done.stdout.strip()) == (0, "")


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("missing();", "no-undef"),
        ("function a() {}\nfunction a() {}", "no-redeclare"),
        ("let a =", "Error"),
    ],
)
def test_a_script_with_a_mistake_is_found(code: str, rule: str, tmp_path: Path) -> None:
    (tmp_path / "view.js").write_text(code, "utf-8")
    done = lint(tmp_path, *JOINED)
    assert (done.returncode, rule in done.stdout) == (1, True)
