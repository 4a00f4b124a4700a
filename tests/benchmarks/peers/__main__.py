"""Compare svckit with other libraries doing the same work, and write the ratios to a CSV file.

Run it with ``python3 binder/run.py --peers python -m tests.benchmarks.peers [--small] [FILE]``; the first time, that
makes an environment with the libraries. It needs Linux, and takes about a quarter of an hour; with ``--small`` a few
minutes, for figures that mean nothing. Run it on an idle machine: the file says how idle it was. The sides of a
comparison take turns. CPU time is counted, and instructions where valgrind is installed; the ratio is the median of
those of single rounds, and their quartiles show its spread.
"""

import csv
import os
import platform
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

from . import calls, frames, served, starting
from .sampling import Row

FILE = "notebooks/explain/data/performance.csv"


def measure(small: bool) -> Iterator[Row]:
    """Yield all rows."""
    rounds = 2 if small else 11
    yield from calls.measure(rounds, 5 if small else 300)
    yield from served.measure(2 * rounds, 5 if small else 100)
    yield from starting.measure(rounds)
    yield from frames.measure(rounds, 1000 if small else 100_000)


def describe_machine() -> dict[str, str | int]:
    """Return what figures depend on: the date, the processor, its cores, the Python, and how idle the machine is."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "cpu": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "idle": f"{measure_idleness():.2f}",
    }


def measure_idleness(seconds: float = 5) -> float:
    """Return the share of the processors' time that nobody uses: 1 on an idle machine, on which to measure."""

    def read() -> list[int]:
        return [*map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])]

    before = read()
    sleep(seconds)
    passed = [after - earlier for earlier, after in zip(before, read(), strict=True)]
    return passed[3] / sum(passed[:8])


def main(*arguments: str) -> None:
    """Write the file."""
    (file,) = [each for each in arguments if each != "--small"] or [FILE]
    machine = describe_machine()
    print(f"{machine['idle']} of the processors' time was idle before the run")
    with Path(file).open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, [*Row._fields, *machine], lineterminator="\n")
        writer.writeheader()
        for row in measure("--small" in arguments):
            writer.writerow(row._asdict() | machine)
            print(
                f"{row.topic}, {row.case}: {row.ratio:.2f} of {row.peer} ({row.lower:.2f} to {row.upper:.2f})"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
