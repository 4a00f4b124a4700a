"""An environment with nothing but the wheel of this checkout and what it depends on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..tools import UV, clean_environment, run

ROOT = Path(__file__).parents[2]


KEYS = ("base_url", "auth_url", "upload_url", "webhook_url", "client_id", "client_secret", "redirect_uri")


def describe(facts, **more):
    """Describe a served fake in variables, as the profile `work`."""
    values = {key: facts[key] for key in KEYS} | more
    return {f"SVCKIT_WORK_{key.upper()}": value for key, value in values.items()}


class Installed:
    """A virtual environment with the wheel; its commands know nothing of the checkout.

    Attributes:
        scripts: the folder of its commands.
    """

    def __init__(self, folder):
        self._venv = folder / "venv"
        self.scripts = self._venv / ("Scripts" if os.name == "nt" else "bin")
        run(UV, "venv", "-q", "--python", sys.executable, self._venv)
        run(UV, "build", "-q", "--wheel", "--out-dir", folder, ROOT)
        (wheel,) = folder.glob("*.whl")
        wanted = f"svckit-toolkit[arrow,check,lab,serve] @ {wheel.as_uri()}"
        locked = ["-c", ROOT / "binder" / "requirements.txt"]
        self.install(wanted, *locked)

    def install(self, *what):
        """Install more into it."""
        run(UV, "pip", "install", "-q", "--python", self._python, *what)

    @property
    def _python(self):
        return self.scripts / "python"

    def start(self, *command, cwd, **variables):
        """Start `python COMMAND`, or a command of the environment such as `svckit`; output is text in pipes."""
        first, *others = map(str, command)
        is_command = first == Path(first).name and (self.scripts / first).exists()
        program = [self.scripts / first] if is_command else [self._python, first]
        path = os.pathsep.join([str(self.scripts), os.environ["PATH"]])
        return subprocess.Popen(
            [*program, *others],
            cwd=cwd,
            env=clean_environment(PATH=path) | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command, cwd, stdin="", **variables):
        """Run a command to its end; return what it printed, or fail with all that it said."""
        running = self.start(*command, cwd=cwd, **variables)
        printed, said = running.communicate(stdin)
        assert running.returncode == 0, f"{command} ended with {running.returncode}:\n{printed}\n{said}"
        return printed


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The environment, made once."""
    return Installed(tmp_path_factory.mktemp("installed"))
