"""Run one of the project's commands in an environment that is made on first use.

    python3 binder/run.py svckit lab
    python3 binder/run.py pytest

Why a script: it is the one thing that works alike wherever there is Python 3.11, pip and git. It needs
no make, no uv, no ensurepip (Debian leaves that out) and no right to write into the system's Python.
pip fetches uv into `.venv`, and uv installs what `requirements.txt` beside this file names, in seconds.
`.venv` belongs to this script: whenever the lock, `pyproject.toml` or the Python changes, or an
installation was interrupted, the next run makes it anew.
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
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCK = HERE / "requirements.txt"
STAMP = VENV / "installed"


def wanted() -> str:
    """Name what `.venv` is made from: the lock, the project's settings, this Python and this folder."""
    inputs = LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes()
    return hashlib.sha256(inputs + f"{sys.version} {VENV}".encode()).hexdigest()


def install() -> None:
    """Make `.venv` from nothing; the stamp comes last, so a half-made one is never taken for whole."""
    print("Installing svckit and its tools into .venv (once, well under a minute) …", flush=True)
    # Started from inside `.venv` (it is activated): the Python it was made from does the work.
    outer = sys._base_executable if Path(sys.prefix) == VENV else sys.executable
    pip = [outer, "-m", "pip", "--python", PYTHON, "--disable-pip-version-check", "install", "-q"]
    packages = ["--no-deps", "-r", LOCK, "-e", ROOT]  # the lock is complete: nothing else is looked for
    subprocess.run([outer, "-m", "venv", "--without-pip", "--clear", VENV], check=True)
    subprocess.run([*pip, "uv"], check=True)
    uv = [BIN / "uv", "pip", "install", "-q", "--system-certs", "--python", PYTHON, *packages]
    if subprocess.run(uv, check=False).returncode:  # it reads no pip.conf, so it may not find an index
        print("uv could not, for the reason above; pip tries, which takes a minute or two …", flush=True)
        subprocess.run([*pip, *packages], check=True)
    STAMP.write_text(wanted())


def main(command: list[str]) -> None:
    """Install unless that is done, then become `command`."""
    if sys.version_info < (3, 11):
        sys.exit(f"svckit needs Python 3.11 or newer; this is {sys.version.split()[0]}: {sys.executable}")
    if not command:
        sys.exit(__doc__)
    try:
        if not STAMP.exists() or STAMP.read_text() != wanted():
            install()
    except subprocess.CalledProcessError:
        sys.exit("The installation did not finish; see the reason above. Fix it and run this again.")
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run this again and it starts over.")
    program = shutil.which(command[0], path=str(BIN))
    if not program:
        sys.exit(
            f"There is no {command[0]!r} in .venv; there are svckit, pytest, ruff, oxlint, mypy, python, uv, jupyter."
        )
    if os.name == "nt":  # os.exec on Windows gives the prompt back before the command has ended
        sys.exit(subprocess.call([program, *command[1:]]))
    os.execv(program, [program, *command[1:]])


if __name__ == "__main__":
    main(sys.argv[1:])
