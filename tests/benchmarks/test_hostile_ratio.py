"""The served fake withstands bad and large input: memory stays flat, others are not delayed, stderr stays silent."""

import sys

import pytest

pytest.importorskip("resource", reason="limits and memory of processes are read as on Linux")

from . import hostile_ratio
from .hostile_ratio import MB, Figures, Size

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.mark.wide  # tests/fakes/doors attacks in smaller steps
def test_small_attacks_are_withstood(capsys, monkeypatch):
    monkeypatch.setattr(hostile_ratio, "DELAY_LIMIT", 1e9)  # so small a body is read in no time
    monkeypatch.setattr(hostile_ratio, "PEAK_LIMIT", 5.0)  # of 2 MiB
    monkeypatch.setattr(hostile_ratio, "GROWTH_LIMIT", 8.0)
    code = hostile_ratio.main(Size(MB, 30 * MB, 100, 30 * MB, 30 * MB))
    assert code == 0, capsys.readouterr().out


def test_report_names_the_bounds(capsys):
    assert hostile_ratio.report("a body", Figures(3.0, 3.0, 64))
    assert not hostile_ratio.report("a body", Figures(3.1, 0, 0))
    assert not hostile_ratio.report("a body", Figures(0, 3.1, 0))
    assert not hostile_ratio.report("a body", Figures(0, 0, 65))
    assert "a body: others waited 3.00 times json.loads (at most 3.0)" in capsys.readouterr().out


@pytest.mark.long
def test_large_attacks_are_withstood(capsys):
    code = hostile_ratio.main()
    assert code == 0, capsys.readouterr().out
