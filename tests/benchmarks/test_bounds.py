"""A report says whether a bound holds."""

from .bounds import report


def test_a_report_names_the_bound(capsys):
    assert report("sync", 1.10, limit=1.10)
    assert not report("sync", 1.101, limit=1.10)
    assert "sync: 1.101 times (at most 1.10)" in capsys.readouterr().out
