"""The `svckit` command.

Each subcommand has a module that only reads its arguments; the work is done by the module of the package that
it is named after. Exit codes: 0 done, 1 it failed, 2 it was asked for something that does not exist.
"""

import sys

try:
    import typer
except ModuleNotFoundError:
    sys.exit("The svckit command comes with an extra: pip install 'svckit[lab]'")

from svckit.cli.lab import lab

__all__ = ["app", "main"]

app = typer.Typer(
    help="A Jupyter toolkit for a workplace-chat service, with the whole service as an in-process fake.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a plain traceback shows no local variables, so no secrets
)


@app.callback()
def _svckit() -> None:
    """Keep `lab` a subcommand while it is the only one."""


app.command(epilog="Example: svckit lab --check   runs 00-start.ipynb and prints what it produced.")(lab)


def main() -> None:
    """Run the command: the console script `svckit`, and `python -m svckit`."""
    app()
