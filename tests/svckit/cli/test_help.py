"""The help of each command reads as one text, as wide as the terminal, and ends with an example."""

import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from svckit.cli import app

WIDTH = 80


def list_commands(command: Any, name: str = "svckit") -> Iterator[tuple[str, Any]]:
    for each, subcommand in getattr(command, "commands", {}).items():
        yield f"{name} {each}", subcommand
        yield from list_commands(subcommand, f"{name} {each}")


COMMANDS = dict(list_commands(typer.main.get_command(app)))


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", WIDTH)


@pytest.mark.parametrize("name", COMMANDS)
def test_its_example_calls_it_and_a_flag_has_no_type(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name_of_file in ("client.py", "people.csv", "people.xlsx", "traffic.har"):
        Path(name_of_file).touch()
    Path("notebooks").mkdir()
    command = COMMANDS[name]
    label, _, example = (command.epilog or "").partition(": ")
    call, words = shlex.split(example.partition("   ")[0]), name.split()
    assert (label, call[: len(words)]) == ("Example", words)
    command.make_context(name, call[len(words) :])
    shown = CliRunner().invoke(app, [*words[1:], "--help"]).stdout
    assert f"Example: {name}" in shown
    assert "<bool>" not in shown


def test_a_paragraph_is_broken_only_where_the_terminal_ends() -> None:
    lines = [line.strip() for line in CliRunner().invoke(app, ["conformance", "--help"]).stdout.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("Without a throw-away user"))
    paragraph = lines[start : lines.index("", start)]
    for line, following in pairwise(paragraph):
        assert len(f" {line} {following.split()[0]} ") > WIDTH - 1


def test_no_text_is_cut_by_markdown() -> None:
    """Text in angle brackets, asterisks or underscores would be markup."""
    assert "svckit course board class/*.json" in CliRunner().invoke(app, ["course", "board", "--help"]).stdout
