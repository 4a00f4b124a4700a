"""Measure how many branches of both packages the tests take, and which test files run which module.

    python3 binder/run.py python -m tests.mutation.measuring [--write] [OPTION...]

runs the tests with coverage, which takes two to three times as long as without; OPTIONs go to pytest, such as ``-n 4
--dist loadscope``. The exit code is 1 where less than 95 % of the branches of a package are taken; with ``--write`` it
writes the table that mutants go by. Tests that compare times may fail under it; that is for other runs to see.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import coverage

from .mutants import PACKAGES, ROOT

TABLE = Path(__file__).with_name("likely.json")
TESTS = ["tests", *PACKAGES, "README.md", "--ignore=tests/benchmarks", "--ignore=tests/browser"]
MOST = 15  # test files for each module
LEAST = 95  # % of branches


def measured(arguments: list[str], folder: Path) -> coverage.Coverage:
    """Run the tests, and collect what they ran from all of their processes."""
    data = str(folder / "data")
    plugins = ["-p", "no:nbval", "-p", "no:cacheprovider", "-p", "tests.mutation.contexts"]
    command = [
        "coverage",
        "run",
        f"--data-file={data}",
        "-m",
        "pytest",
        "-q",
        "--tb=no",
        *plugins,
        *arguments,
    ]
    subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
    return collected(data)


def collected(data: str) -> coverage.Coverage:
    """What was measured into files of this name."""
    found = coverage.Coverage(data, config_file=str(ROOT / "pyproject.toml"))
    found.combine([data.rpartition("/")[0]], keep=True)
    found.save()
    return found


def branches(found: coverage.Coverage, folder: Path) -> dict[str, float]:
    """How many of the branches of each package the tests take, in per cent."""
    percent = {}
    for package in PACKAGES:
        found.json_report(outfile=str(folder / "report.json"), include=[str(ROOT / package / "*")])
        totals = json.loads((folder / "report.json").read_text("utf-8"))["totals"]
        percent[package] = 100 * totals["covered_branches"] / totals["num_branches"]
    return percent


def likely(found: coverage.Coverage, root: str) -> dict[str, list[str]]:
    """For each module the test files that run it; those that run most of it, and little else, come first."""
    data = found.get_data()
    runs = {
        path.removeprefix(f"{root}/"): Counter(
            test for tests in data.contexts_by_lineno(path).values() for test in tests if test
        )
        for path in sorted(data.measured_files())
    }
    everything = sum(runs.values(), Counter[str]())
    return {
        path: sorted(lines, key=lambda test: (-(lines[test] ** 2) / everything[test], test))[:MOST]
        for path, lines in runs.items()
    }


def main(*arguments: str) -> int:
    """Measure, and say how many branches are taken."""
    parser = argparse.ArgumentParser(prog="tests.mutation.measuring", description="Measure branch coverage.")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}, which mutants go by")
    given, options = parser.parse_known_args(arguments)
    with TemporaryDirectory() as folder:
        found = measured([*TESTS, *options], Path(folder))
        percent = branches(found, Path(folder))
        if given.write:
            TABLE.write_text(json.dumps(likely(found, str(ROOT)), indent=0) + "\n", "utf-8")
    for package, each in percent.items():
        print(f"{package}: {each:.1f} % of the branches")
    return int(min(percent.values()) < LEAST)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
