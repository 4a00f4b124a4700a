"""Tables as text."""

from svckit.widgets.plain import columns


def test_wide_cells_are_cut_and_control_characters_are_harmless() -> None:
    lines = columns([("a\x1b[31m\nb", "x"), ("名" * 40, "y")], widest=10)
    assert lines == ["a [31m b   x", "名名名名…  y"]
    assert columns([("  nested", "1"), ("flat", "2")]) == ["  nested  1", "flat      2"]
