"""The `svckit` command.

Each subcommand only reads its arguments here; the work is done by the module that it is named after.
Exit codes: 0 done, 1 it failed, 2 it was asked for something that does not exist.
"""

import sys
from pathlib import Path
from typing import Annotated

try:
    import typer
except ModuleNotFoundError:
    sys.exit("The svckit command comes with an extra: pip install 'svckit[lab]'")

app = typer.Typer(
    help="A Jupyter toolkit for a workplace-chat service, with the whole service as an in-process fake.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a plain traceback shows no local variables, so no secrets
)


@app.callback()
def _svckit() -> None:
    """Keep `lab` a subcommand while it is the only one."""


@app.command(epilog="Example: svckit lab --check   runs 00-start.ipynb and prints what it produced.")
def lab(
    notebook: Annotated[
        Path, typer.Argument(help="A notebook's path, or the name of one of svckit's own.")
    ] = Path("00-start.ipynb"),
    check: Annotated[
        bool, typer.Option("--check", help="Run it without a screen and print what it produced.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address only.")] = False,
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Listen on this port only.", show_default="8888 or the next free one"
        ),
    ] = None,
) -> None:
    """Open JupyterLab on a notebook, on this machine only."""
    try:
        from svckit import lab as notebooks  # only this subcommand needs Jupyter
    except ModuleNotFoundError as missing:
        sys.exit(f"`svckit lab` needs {missing.name}: pip install 'svckit[lab]'")
    try:
        path = notebooks.find(notebook)
    except FileNotFoundError as missing:
        raise typer.BadParameter(str(missing), param_hint="NOTEBOOK") from None
    try:
        if check:
            for piece in notebooks.report(path):
                typer.echo(piece)
        else:
            notebooks.open_lab(path, browser=not no_browser, port=port)
    except notebooks.CellFailedError as failed:
        typer.echo(failed, err=True)
        raise typer.Exit(1) from None


def main() -> None:
    """Run the command: the console script `svckit`, and `python -m svckit`."""
    app()
