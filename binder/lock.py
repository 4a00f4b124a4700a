"""Write the locks beside this file from `pyproject.toml`.

    python3 binder/run.py python -m binder.lock [--upgrade]

Each pin has the checksums of its files, which are checked when it is installed. Pins that still fit stay, unless
`--upgrade` moves them to newer releases. `dev-requirements.txt` comes first; a package that another lock has as well
has the same version there, but for `peers-requirements.txt`.
"""

import subprocess
import sys
from pathlib import Path

from binder.lite.packages import ON_THE_PAGE, PYTHON

HERE = Path(__file__).resolve().parent
COMMAND = "python3 binder/run.py python -m binder.lock"
DEVELOPMENT = "dev-requirements.txt"
INSTALLER = "uv-requirements.txt"
PEERS = "peers-requirements.txt"  # on its own: moto takes no python-dateutil as new as the others
READERS = [f"--extra={extra}" for extra in ("check", "jwt", "lab", "requests", "serve")]  # what notebooks use
LOCKS = {
    DEVELOPMENT: ["--all-extras", "--group=test"],
    "docs-requirements.txt": ["--all-extras", "--group=test", "--group=docs"],
    "requirements.txt": [*READERS, "--group=binder"],  # Binder reads this name
    "lite-requirements.txt": ["--group=lite"],
    PEERS: ["--extra=requests", "--extra=serve", "--group=peers"],
    INSTALLER: ["--group=installer"],
    "lite-wheels.txt": ["--group=lite-wheels"],
}
UNIVERSAL = ["--universal", "--python-version=3.11"]
FORMS = {
    PEERS: ["--python-version=3.11"],  # the benchmark runs on Linux
    # For Pyodide, whatever its version: uv knows older ones only, and pip fetches the wheels (binder/lite/packages.py).
    "lite-wheels.txt": [
        f"--python-version={PYTHON}",
        "--python-platform=wasm32-pyodide2025",
        *(f"--no-emit-package={name}" for name in ON_THE_PAGE),
    ],
}


def write(lock: str, contents: list[str], options: list[str]) -> None:
    """Write one lock; unless it has a form of its own, it is for every system and for Python 3.11 or newer."""
    shared = [] if lock in {DEVELOPMENT, PEERS} else [f"--constraints={HERE / DEVELOPMENT}"]
    form = [
        *FORMS.get(lock, UNIVERSAL),
        f"--excludes={HERE / 'excluded.txt'}",
        "--generate-hashes",
        "--no-annotate",
        f"--custom-compile-command={COMMAND}",
    ]
    uv = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", *form, *contents, *shared, *options]
    project = [] if lock == INSTALLER else ["pyproject.toml"]
    subprocess.run([*uv, *project, "-o", HERE / lock], cwd=HERE.parent, check=True)


if __name__ == "__main__":
    for name, contents in LOCKS.items():
        write(name, contents, sys.argv[1:])
