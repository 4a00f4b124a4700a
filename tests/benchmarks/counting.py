"""What processes use, as it is counted: instructions by valgrind, memory by Linux."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from signal import SIGUSR1
from subprocess import PIPE, Popen
from time import clock_gettime

from tests.benchmarks.serving import ROOT

VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
COMPILING = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Variables of a process that keeps what it compiles; else each would compile what it imports."""


def count_instructions(
    *arguments: str, is_server: bool = False, variables: Mapping[str, str] = os.environ
) -> int:
    """Return what a Python with these arguments executes; a server is ended when it prints its first line."""
    command, variables = [*VALGRIND, sys.executable, *arguments], {**variables, "PYTHONHASHSEED": "0"}
    with Popen(command, cwd=ROOT, env=variables, stdout=PIPE, stderr=PIPE, text=True) as process:
        if is_server and process.stdout.readline():
            process.send_signal(SIGUSR1)
        errors = process.communicate()[1]
    found = re.search(r"I +refs: +([\d,]+)", errors)
    assert found is not None, errors
    assert is_server or process.returncode == 0, errors
    return int(found[1].replace(",", ""))


def read_memory(name: str, process: int | str = "self") -> int:
    """Return a figure of a process, in bytes, by its name in /proc, such as ``"VmRSS"``."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) * 1024


def read_cpu_time(process: int) -> float:
    """Return the seconds that a process has used, of user and system; others count them in steps of 10 ms."""
    return clock_gettime(~process << 3 | 2)  # clock_getcpuclockid of Linux, which Python lacks


def restart_peak(process: int | str = "self") -> None:
    """Have ``"VmHWM"`` of a process count from here on."""
    Path(f"/proc/{process}/clear_refs").write_text("5")
