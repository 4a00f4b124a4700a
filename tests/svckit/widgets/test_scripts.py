"""The scripts as they are sent: each view's files, joined, have all names that they use, and none of them twice."""

import importlib
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from anywidget import AnyWidget

from svckit import widgets

ROOT = Path(__file__).parents[3]
OXLINT = shutil.which("oxlint", path=str(Path(sys.executable).parent)) or "oxlint"
JOINED = ("-A", "all", "-D", "no-undef", "-D", "no-redeclare")

for module in pkgutil.walk_packages(widgets.__path__, "svckit.widgets."):
    importlib.import_module(module.name)


def views(kind: type[AnyWidget] = AnyWidget) -> Iterator[type[AnyWidget]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("svckit.") and isinstance(
            vars(each).get("_esm"), str
        ):  # not that of a widget
            yield each
        yield from views(each)


def lint(folder: Path, *rules: str) -> subprocess.CompletedProcess[str]:
    config = folder / ".oxlintrc.json"
    shutil.copy(ROOT / config.name, config)
    command = [OXLINT, *rules, "--format=unix", "--config", config.name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_each_view_has_every_name_that_it_uses(tmp_path: Path) -> None:
    scripts = {vars(view)["_esm"]: view.__name__ for view in views()}
    assert scripts
    for text, name in scripts.items():
        (tmp_path / f"{name}.js").write_text(text, "utf-8")
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
