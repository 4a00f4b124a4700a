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


def lint(folder: Path, script: str) -> str:
    """Return what is wrong with a script."""
    (folder / "view.js").write_text(script, "utf-8")
    config = shutil.copy(ROOT / ".oxlintrc.json", folder)
    command = [OXLINT, *JOINED, "--format=unix", "--config", config]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.parametrize("name", ["live.js", "loader.js"])
def test_a_script_that_is_sent_has_every_name_that_it_uses(tmp_path: Path, name: str) -> None:
    script = module(f"base/{name}")
    assert lint(tmp_path, script) == ""
    assert "'missing' is not defined" in lint(tmp_path, f"{script}\nmissing();")
