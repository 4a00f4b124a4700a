"""The `svckit` command.

Each subcommand has a module that only reads its arguments; the module of the package that it is named after does the
work, or `fakes.serving` for `serve`. Exit codes: 0 for success, 1 for failure, 2 for arguments that name something
missing or impossible; `notify` has two more, and
`run` exits with those of its command.
"""

import sys
from io import TextIOWrapper
from typing import Annotated

from svckit import __version__
from svckit.extras import ForeignFakes, install_command

try:
    import typer
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "The svckit command, and its --help, needs typer. To post notifications, `pip install typer` is enough; each "
        "of the extras check, keyring, lab and serve has it, and lab has everything for Jupyter: "
        f"{install_command('lab')}",
        name=missing.name,
    ) from None

from svckit.cli.check import check
from svckit.cli.conformance import conformance
from svckit.cli.course import app as course
from svckit.cli.lab import lab
from svckit.cli.layout import make_app
from svckit.cli.lifecycle import app as lifecycle
from svckit.cli.login import login, logout
from svckit.cli.notify import notify
from svckit.cli.observe import observe
from svckit.cli.openapi import openapi
from svckit.cli.profiles import profiles
from svckit.cli.run import run
from svckit.cli.serve import serve
from svckit.cli.serve_variables import PREFIX_OF_OPTIONS, VariableCommand
from svckit.cli.users import app as users

__all__ = ["app", "main"]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"svckit {__version__}")
        raise typer.Exit


app: typer.Typer = make_app(no_args_is_help=True)


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """A Jupyter toolkit for a workplace-chat service, with the whole service as an in-process fake."""


app.command(epilog="Example: svckit lab --check   runs 00-start.ipynb and prints its output.")(lab)
app.command(epilog="Example: svckit login work")(login)
app.command(epilog="Example: svckit logout work")(logout)
app.command(epilog="Example: svckit profiles --json")(profiles)
app.command(epilog='Example: svckit notify "Build is green" --title CI --webhook alerts --wait')(notify)
app.command(
    epilog="Example: svckit serve --port 0 --now 2026-06-01T09:00:00+09:00 --state fake.db",
    cls=VariableCommand,
    context_settings={"auto_envvar_prefix": PREFIX_OF_OPTIONS},
)(serve)
app.command(
    epilog="Example: svckit run --as base_url=https://www.example.com/v1.0 -- node client.mjs",
    context_settings={"allow_interspersed_args": False},  # what follows the command is its own
)(run)
app.command(epilog="Example: svckit observe traffic.har   writes assumptions.toml.")(observe)
app.command(epilog="Example: svckit conformance work --user ID")(conformance)
app.command(epilog="Example: svckit openapi --out openapi.json")(openapi)
app.add_typer(lifecycle, name="lifecycle")
app.command(epilog="Example: svckit check notebooks")(check)
app.add_typer(course, name="course")
app.add_typer(users, name="users")


def main() -> None:
    """Run the command, as the console script `svckit` and `python -m svckit` do."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # which may have a code page without some characters
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except ForeignFakes as foreign:
        sys.exit(str(foreign))
