"""Run one of the project's commands in an environment that is made on first use.

    python3 binder/run.py svckit lab
    python3 binder/run.py pytest
    python3 binder/run.py --docs python -m binder.site
    python3 binder/run.py --lite python -m binder.lite
    python3 binder/run.py --peers python -m tests.benchmarks.peers

Why a script: it is the one thing that works alike wherever there is Python 3.11, pip and git. It needs
no make, no uv, no ensurepip (Debian leaves that out) and no right to write into the system's Python.
pip fetches uv into `.venv`, and uv installs what `dev-requirements.txt` beside this file names, in seconds. Both
compare what they fetched with the checksums there.
`.venv` belongs to this script: whenever the lock, `pyproject.toml` or the Python changes, or an
installation was interrupted, the next run makes it again. So do `.venv-docs`, which has Sphinx as well,
`.venv-lite`, which has JupyterLite, and `.venv-peers`, which has the libraries that svckit is measured against;
`--docs`, `--lite` and `--peers` run a command there.
"""

from __future__ import annotations  # lets an older Python get as far as being told that it is too old

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


class Environment:
    """A virtual environment in a folder of the checkout, made from a lock beside this script."""

    def __init__(self, folder: str, lock: str) -> None:
        self.folder = ROOT / folder
        self.lock = HERE / lock
        self.bin = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / ("python.exe" if os.name == "nt" else "python")
        self.stamp = self.folder / "installed"

    def wanted(self) -> str:
        """Name what it is made from: the lock, the project's settings, this Python and the folder."""
        inputs = self.lock.read_bytes() + (ROOT / "pyproject.toml").read_bytes()
        return hashlib.sha256(inputs + f"{sys.version} {self.folder}".encode()).hexdigest()

    def is_installed(self) -> bool:
        """Return whether it is complete and made from what is there now."""
        return self.stamp.exists() and self.stamp.read_text() == self.wanted()

    def install(self) -> None:
        """Make it from nothing; the stamp comes last, so a half-made one is never taken for whole."""
        where = self.folder.name
        print(f"Installing svckit and its tools into {where} (once, well under a minute) …", flush=True)
        # Started from inside an environment made here, which has no pip: the Python it was made from does the work.
        prefix = Path(sys.prefix)
        inside = prefix == self.folder or (prefix / self.stamp.name).exists()
        outer = sys._base_executable if inside else sys.executable
        pip = [outer, "-m", "pip", "--python", self.python, "--disable-pip-version-check", "install", "-q"]
        subprocess.run([outer, "-m", "venv", "--without-pip", "--clear", self.folder], check=True)
        subprocess.run([*pip, "--require-hashes", "-r", HERE / "uv-requirements.txt"], check=True)
        uv = [self.bin / "uv", "pip", "install", "-q", "--system-certs", "--python", self.python]
        # The lock is complete: nothing else is looked for. A folder has no checksum, so the project comes second.
        for what in (["--require-hashes", "-r", self.lock], ["-e", ROOT]):
            packages = ["--no-deps", *what]
            if subprocess.run(
                [*uv, *packages], check=False
            ).returncode:  # it reads no pip.conf: perhaps no index
                print(
                    "uv could not, for the reason above; pip tries, which takes a minute or two …", flush=True
                )
                subprocess.run([*pip, *packages], check=True)
        self.stamp.write_text(self.wanted())


MAIN = Environment(".venv", "dev-requirements.txt")
OTHERS = {
    "--docs": Environment(".venv-docs", "docs-requirements.txt"),
    "--lite": Environment(".venv-lite", "lite-requirements.txt"),
    "--peers": Environment(".venv-peers", "peers-requirements.txt"),
}


def main(command: list[str]) -> None:
    """Install unless that is done, then become `command`."""
    environment = MAIN
    if command and command[0] in OTHERS:
        environment, command = OTHERS[command[0]], command[1:]
    if sys.version_info < (3, 11):
        sys.exit(f"svckit needs Python 3.11 or newer; this is {sys.version.split()[0]}: {sys.executable}")
    if not command:
        sys.exit(__doc__)
    try:
        if not environment.is_installed():
            environment.install()
    except subprocess.CalledProcessError:
        sys.exit("The installation did not finish; see the reason above. Fix it and run this again.")
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run this again and it starts over.")
    program = shutil.which(command[0], path=str(environment.bin))
    if not program:
        where = environment.folder.name
        tools = "svckit, pytest, ruff, oxlint, mypy, python, uv, jupyter"
        sys.exit(f"There is no {command[0]!r} in {where}; in .venv there are {tools}.")
    # Images set this; each process, with all that it starts, would compile the libraries and the tests again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if os.name == "nt":  # os.exec on Windows gives the prompt back before the command has ended
        sys.exit(subprocess.call([program, *command[1:]]))
    os.execv(program, [program, *command[1:]])


if __name__ == "__main__":
    main(sys.argv[1:])
