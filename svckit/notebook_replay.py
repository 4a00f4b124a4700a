"""Running a stored notebook again, and comparing every output with the stored one, to the letter."""

import os
import re
import subprocess
import sys
from pathlib import Path

__all__ = ["ENVIRONMENT", "replay"]

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""What a notebook is run and stored under, so that its outputs are the same everywhere."""

SECONDS_A_CELL = 120
ANSI = re.compile(r"\x1b\[[0-9;]*m")
FAILED = re.compile(r"^_{2,} (?:.*::)?(Cell \d+) _{2,}$", re.MULTILINE)
END = re.compile(r"^=+ .*", re.MULTILINE | re.DOTALL)


def replay(notebook: Path) -> list[str]:
    """Run a notebook with nbval where it lies, in a process of its own, and say what came out otherwise.

    The file itself is never written. The process has the variables of `ENVIRONMENT`, this Python's kernel, and
    nothing of the pytest configuration around the notebook.

    Args:
        notebook: the file.

    Returns:
        Of each cell that failed, its number (from 0, as nbval counts code cells) and nbval's words; nothing, where
        everything came out as it is stored.

    Raises:
        ModuleNotFoundError: nbval is not installed; it comes with the extra ``check``.
    """
    import nbval  # type: ignore[import-untyped] # noqa: F401  # it ships no types; only that it is there matters

    options = ["-p", "no:cacheprovider", "-p", "nbval.plugin", "--nbval", "--nbval-current-env"]
    options += [
        f"--nbval-cell-timeout={SECONDS_A_CELL}",
        "-q",
        "--no-header",
        "-c",
        os.devnull,
        "--rootdir=.",
    ]
    environment = {**os.environ, **ENVIRONMENT, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(  # noqa: S603 - this Python, on a name that cannot be taken for an option
        [sys.executable, "-m", "pytest", *options, f"./{notebook.name}"],
        cwd=notebook.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 0:
        return []
    _, *failed = FAILED.split(ANSI.sub("", run.stdout))
    if not failed:  # no cell, but the notebook or the kernel
        return [f"it could not be replayed: {(run.stdout + run.stderr).strip()}"]
    return [
        f"{cell} does not produce what is stored:\n{END.sub('', words).strip()}"
        for cell, words in zip(failed[::2], failed[1::2], strict=True)
    ]
