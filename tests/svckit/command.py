"""The command `svckit` in this process, at a terminal that breaks no line."""

from typer.testing import CliRunner, Result

from svckit.cli import app

TERMINAL = {"COLUMNS": "400", "NO_COLOR": "1"}


def run_command(*arguments: object, stdin: str | bytes = "", **variables: str) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], input=stdin, env=TERMINAL | variables)
