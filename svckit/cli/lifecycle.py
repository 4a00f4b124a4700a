"""`svckit lifecycle` and `svckit lifecycle scan`."""

from datetime import date
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING, Annotated

import typer

from svckit.cli.layout import make_app
from svckit.cli.reporting import AsJson, show, show_json
from svckit.display.card import quantity

if TYPE_CHECKING:
    from svckit.models.lifecycle import LifecycleStatus

__all__ = ["app"]

SCAN_EXAMPLE = "Example: svckit lifecycle scan notebooks client.py --on 2026-12-05"

app: typer.Typer = make_app(
    help="List retired and retiring features of the service and find code that still uses them."
)


def parse_day(text: str) -> date:
    """Parse a date.

    Raises:
        typer.BadParameter: it is not a date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date; write it like 2026-12-05") from None


OnDay = Annotated[
    date | None,
    typer.Option(
        metavar="DATE",
        parser=parse_day,
        help="As of this date, such as 2026-12-05.",
        show_default="today",
    ),
]


@app.callback(invoke_without_command=True, epilog="Example: svckit lifecycle --on 2026-12-05")
def lifecycle(context: typer.Context, on: OnDay = None, as_json: AsJson = False) -> None:
    """List the features that the service has retired or will retire, with the days left."""
    if context.invoked_subcommand is not None:
        if on is not None or as_json:
            raise typer.BadParameter(f"put the options of {context.invoked_subcommand} after it")
        return
    from svckit.retirements import table

    features = table(on)
    if as_json:
        show_json(on=str(features.today), lifecycle=list(features.records()))
    else:
        typer.echo("\n".join([features.title, *map(format_feature, features)]))


def format_feature(feature: "LifecycleStatus") -> str:
    """Format a feature in a few lines that fit a terminal."""
    on = "" if feature.date is None or feature.status == "retired" else f"on {feature.date}: "
    when = ", no date yet" if feature.status == "planned" else f" ({on}{feature.date_wording})"
    replacement = f"replacement: {feature.replacement}" if feature.replacement else "no replacement"
    told = fill(f"{feature.status}{when}; {replacement}", 72)
    return indent(feature.item, "  ") + "\n" + indent(told, "      ")


@app.command("scan", epilog=SCAN_EXAMPLE)
def scan_paths(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH", exists=True, help="Python files, notebooks, or folders of them."),
    ],
    on: OnDay = None,
    as_json: AsJson = False,
) -> None:
    """Find uses of retired and retiring features in Python files and notebooks; they are read, not run.

    Exit code 1 means that code uses a retired feature, or that a file could not be read.
    """
    from svckit.lifecycle.scan import Unreadable, Use, list_files, scan
    from svckit.retirements import table

    if next(list_files(paths), None) is None:
        raise typer.BadParameter("no Python files or notebooks found", param_hint="PATH...")
    uses: list[Use] = []
    problem: str | None = None
    try:
        uses.extend(scan(paths, table(on).today))
    except Unreadable as error:
        problem = str(error)
    if as_json:
        show_json(uses=[{**use.record(), "retired": use.is_retired} for use in uses])
    else:
        for use in uses:
            show(use)
        retired = sum(use.is_retired for use in uses)
        typer.echo(f"{quantity(len(uses), 'use')} of retired or retiring features, {retired} of them retired")
    if problem is not None:
        show(problem, err=True)
    if problem is not None or any(use.is_retired for use in uses):
        raise typer.Exit(1)
