"""Tools that only a test or two use: uv fetches each into an environment of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from .loopback import PATIENCE

UV = shutil.which("uv", path=Path(sys.executable).parent) or "uv"


def run(*command: object, **options: Any) -> str:
    """What a command prints, on both outputs; a failure tells all of it."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": PATIENCE * 5} | options
    done = subprocess.run([*map(str, command)], text=True, check=False, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
    return str(done.stdout)


def tool(pin: str, *command: object) -> tuple[object, ...]:
    """The command that runs a program of a package, such as ``twine==7.0.0``, with its arguments."""
    return (UV, "tool", "run", "-q", "--from", pin, *command)


def clean_environment(**variables: str) -> dict[str, str]:
    """The environment without what leads to this checkout, and with other variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SVCKIT"))}
    return kept | variables
