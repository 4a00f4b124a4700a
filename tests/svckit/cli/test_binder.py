"""Binder's environment runs every notebook, and Jupyter has the project's settings there."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from svckit.jupyter.rerun import ENVIRONMENT

ROOT = Path(__file__).parents[3]
SETTINGS = ROOT / "svckit" / "jupyter" / "labconfig" / "default_setting_overrides.json"
pytestmark = [pytest.mark.long, pytest.mark.skipif(os.name == "nt", reason="Binder runs Linux")]


class Binder:
    """A copy of the project, and an environment made for it as Binder does: from the lock, then with `postBuild`."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        shutil.copytree(ROOT, self.checkout, ignore=shutil.ignore_patterns(".*", "build", "__pycache__"))
        spec = spec_from_file_location("run", self.checkout / "binder" / "run.py")
        assert spec
        assert spec.loader
        script = module_from_spec(spec)
        spec.loader.exec_module(script)
        environment = script.Environment("environment", "requirements.txt")
        environment.install()
        pip = [sys._base_executable, "-m", "pip", "--python", environment.python, "install", "-q", "pip"]
        subprocess.run(pip, check=True)
        unset = ("PYTHONPATH", "JUPYTER_CONFIG_PATH", "JUPYTER_PATH")
        self._variables = {name: value for name, value in os.environ.items() if name not in unset} | {
            **ENVIRONMENT,  # which notebooks are stored under
            "HOME": str(folder),
            "PATH": os.pathsep.join([str(environment.bin), os.environ["PATH"]]),
        }
        self.run("binder/postBuild")

    def run(self, *command: str) -> str:
        """What a command prints; a failure tells all that it has said."""
        done = subprocess.run(
            command,
            cwd=self.checkout,
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def binder(tmp_path_factory: pytest.TempPathFactory) -> Binder:
    return Binder(tmp_path_factory.mktemp("binder"))


def test_the_packages_agree(binder: Binder) -> None:
    binder.run("python", "-m", "pip", "check")


def test_jupyter_has_the_settings(binder: Binder) -> None:
    read = (
        "import json; from jupyterlab_server.settings_utils import ConfigManager;"
        "print(json.dumps(ConfigManager(config_dir_name='labconfig').get('default_setting_overrides')))"
    )
    assert json.loads(binder.run("python", "-c", read)) == json.loads(SETTINGS.read_text(encoding="utf-8"))
    listed = binder.run("jupyter", "server", "extension", "list")
    assert re.search(r"svckit\.jupyter\.static_outputs\s+\S*OK", listed)


def test_every_notebook_runs_as_it_is_stored(binder: Binder) -> None:
    # Once each, and without the options of `pyproject.toml`, which name plugins that readers do not need.
    options = ["-c", os.devnull, "--rootdir=.", "-p", "no:cacheprovider", "--nbval"]
    binder.run("python", "-m", "pytest", *options, "notebooks")
