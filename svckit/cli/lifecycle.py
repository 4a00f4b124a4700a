"""`svckit lifecycle` and `svckit lifecycle scan`."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from svckit.lifecycle import table
from svckit.lifecycle_scan import Unreadable, Use, scan

__all__ = ["app"]

SCAN_EXAMPLE = "Example: svckit lifecycle scan notebooks client.py --on 2026-12-05"

app = typer.Typer(help="What the service has retired or will, and where code still uses it.")

OnDay = Annotated[
    datetime | None,
    typer.Option(
        "--on",
        metavar="DATE",
        formats=["%Y-%m-%d"],
        help="As of this day, such as 2026-12-05.",
        show_default="today",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON data.")]


@app.callback(invoke_without_command=True, epilog="Example: svckit lifecycle --on 2026-12-05")
def lifecycle(context: typer.Context, on: OnDay = None, as_json: AsJson = False) -> None:
    """List what the service has retired or will, with the days that are left."""
    if context.invoked_subcommand is not None:
        if on is not None or as_json:
            raise typer.BadParameter(f"options of {context.invoked_subcommand} are written after it")
        return
    found = table(on)
    if as_json:
        typer.echo(json.dumps({"on": str(found.today), "lifecycle": list(found.records())}, indent=2))
    else:
        typer.echo(repr(found))


@app.command("scan", epilog=SCAN_EXAMPLE)
def scanned(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", exists=True, help="Python files, notebooks, or folders of them."),
    ],
    on: OnDay = None,
    as_json: AsJson = False,
) -> None:
    """Find uses of retired features in Python files and notebooks; they are read, not run.

    Exit code 1 says that something is used that has ended, or that a file could not be read.
    """
    uses: list[Use] = []
    problem: str | None = None
    try:
        uses.extend(scan(paths, table(on).today))
    except Unreadable as broken:
        problem = str(broken)
    if as_json:
        typer.echo(json.dumps({"uses": [{**use.record(), "ended": use.ended} for use in uses]}, indent=2))
    else:
        for use in uses:
            typer.echo(use)
        ended = sum(use.ended for use in uses)
        times = "1 use" if len(uses) == 1 else f"{len(uses)} uses"
        typer.echo(f"{times} of retired features, {ended} of them ended")
    if problem is not None:
        typer.echo(problem, err=True)
    if problem is not None or any(use.ended for use in uses):
        raise typer.Exit(1)
