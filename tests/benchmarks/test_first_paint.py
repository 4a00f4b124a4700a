"""The benchmark of first pictures runs, and has a line for every explorer."""

import pytest

from svckit.widgets.explorers.explorer_panel import EXPLORERS

from .first_paint import main


def test_every_explorer_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(users=20) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]
    assert named == list(EXPLORERS)
