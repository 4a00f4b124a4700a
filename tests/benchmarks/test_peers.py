"""The comparison with other libraries runs, and its figures are kept. What they are, it is not for a test to say."""

import csv
import subprocess
import sys

import pytest

from .serving import ROOT

STORED = ROOT / "notebooks" / "explain" / "data" / "performance.csv"


def read(file):
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def test_stored_figures_say_where_and_when():
    for row in read(STORED):
        assert float(row["lower"]) <= float(row["ratio"]) <= float(row["upper"])
        # The figures of a small run mean nothing.
        assert row["cost"] == "instructions" or int(row["rounds"]) >= 11
        assert row["date"] and row["cpu"] and row["python"] and int(row["cores"])  # noqa: PT018 - of one row


@pytest.mark.long
@pytest.mark.skipif(
    sys.platform != "linux", reason="it reads the clocks and the memory of processes from Linux"
)
def test_all_peers_do_the_work(tmp_path):
    file = tmp_path / "performance.csv"
    command = ["binder/run.py", "--peers", "python", "-m", "tests.benchmarks.peers", "--small", file]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [[(row["topic"], row["peer"]) for row in read(each)] for each in (file, STORED)]
    assert found[0] == found[1]
