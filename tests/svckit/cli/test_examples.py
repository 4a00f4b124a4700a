"""The example below the help of each command."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from svckit.cli import app


def list_commands(command: Any, name: str = "svckit") -> Iterator[tuple[str, Any]]:
    for each, subcommand in getattr(command, "commands", {}).items():
        yield f"{name} {each}", subcommand
        yield from list_commands(subcommand, f"{name} {each}")


COMMANDS = dict(list_commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_it_calls_its_own_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name_of_file in ("client.py", "people.csv", "people.xlsx", "traffic.har"):
        Path(name_of_file).touch()
    Path("notebooks").mkdir()
    command = COMMANDS[name]
    label, _, example = (command.epilog or "").partition(": ")
    call, words = shlex.split(example.partition("   ")[0]), name.split()
    assert (label, call[: len(words)]) == ("Example", words)
    assert f"Example: {name}" in CliRunner().invoke(app, [*words[1:], "--help"]).stdout
    command.make_context(name, call[len(words) :])
