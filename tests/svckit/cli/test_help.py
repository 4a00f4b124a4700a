"""The help of each command reads as one text, as wide as the terminal."""

from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from svckit.cli import app

WIDTH = 80


def list_commands(command: Any, *words: str) -> list[list[str]]:
    """Return the words of a command and of those in it."""
    inner = getattr(command, "commands", {})
    return [
        list(words),
        *(each for name, found in inner.items() for each in list_commands(found, *words, name)),
    ]


COMMANDS = list_commands(typer.main.get_command(app))


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", WIDTH)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_flag_has_no_type(words: list[str]) -> None:
    assert "<bool>" not in CliRunner().invoke(app, [*words, "--help"]).stdout


def test_a_paragraph_is_broken_only_where_the_terminal_ends() -> None:
    lines = [line.strip() for line in CliRunner().invoke(app, ["conformance", "--help"]).stdout.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("Without a throw-away user"))
    paragraph = lines[start : lines.index("", start)]
    for line, following in pairwise(paragraph):
        assert len(f" {line} {following.split()[0]} ") > WIDTH - 1


def test_no_text_is_cut_by_markdown() -> None:
    """Text in angle brackets, asterisks or underscores would be markup."""
    assert "svckit course board class/*.json" in CliRunner().invoke(app, ["course", "board", "--help"]).stdout
