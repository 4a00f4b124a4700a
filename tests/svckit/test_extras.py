"""What a missing package's error says to do, which depends on where Python runs; and what imports leave behind."""

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import svckit
from svckit import extras
from svckit.extras import importing_many, needing


def explain(package: str) -> str:
    with pytest.raises(ModuleNotFoundError) as caught, needing("svckit.frames"):
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    assert caught.value.name == package
    return str(caught.value)


def test_elsewhere_it_names_the_distribution(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "svckit"
    package.mkdir(parents=True)
    for module in (svckit, extras):
        shutil.copy(module.__file__, package)
    program = "import svckit.extras as it; print(it.__file__, it.install_command('lab'))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{package / 'extras.py'} pip install 'svckit-toolkit[lab]'\n"


@pytest.mark.parametrize("package", ["pandas", "uvicorn"])
def test_in_a_browser_it_does_not_say_to_install_anything(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    message = explain(package)
    assert message.startswith(f"svckit.frames needs {package}, which this site does not have for the browser")
    assert "in JupyterLab on a computer" in message
    assert "pip" not in message
    assert ("--mirror" in message) == (package == "pandas")


def test_a_package_of_no_extra_keeps_the_error_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert explain("colour") == "No module named 'colour'"


def test_where_nothing_is_imported_no_object_is_taken_as_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 0)  # as in a program that froze nothing
    gc.disable()
    try:
        young: list[object] = []
        with importing_many():
            pass
        assert any(found is young for found in gc.get_objects(generation=0))
    finally:
        gc.enable()
