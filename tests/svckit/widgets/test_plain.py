"""Tables as text."""

from svckit.widgets.base.html_text import columns


def test_wide_cells_are_cut_and_control_characters_are_harmless() -> None:
    lines = columns([("a\x1b[31m\nb", "x"), ("名" * 40, "y")], widest=10)
    assert lines == [r"a\x1b[31m…  x", "名名名名…   y"]
    assert columns([("  nested", "1"), ("flat", "2")]) == ["  nested  1", "flat      2"]


def test_a_cell_however_long_is_cut_at_once() -> None:
    assert columns([("ab" * 500_000, "x")], widest=6) == ["ababa…  x"]
    assert columns([("e\u0301" * 7, "x"), ("abcdef", "y")], widest=6) == ["e\u0301" * 5 + "…  x", "abcdef  y"]
