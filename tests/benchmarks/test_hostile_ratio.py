"""The served fake withstands bad and large input: memory stays flat, others are not delayed, stderr stays silent."""

import sys

import pytest

pytest.importorskip("resource", reason="limits and memory of processes are read as on Linux")

from . import hostile_ratio

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.mark.long
def test_large_attacks_are_withstood(capsys):
    code = hostile_ratio.main()
    assert code == 0, capsys.readouterr().out
