"""`svckit users apply`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.layout import make_app
from svckit.cli.reporting import require_extra, show

__all__ = ["app"]

CHOICE = "SVCKIT_PROFILE"

app: typer.Typer = make_app(help="Change many users.", no_args_is_help=True)


@app.callback(epilog="Example: svckit users apply people.csv")
def users() -> None:
    """Change many users."""


@app.command(epilog="Example: svckit users apply people.xlsx --dry-run")
def apply(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET", exists=True, dir_okay=False, help="CSV or Excel file with a row for each user."
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only read the users, and print what would be sent.")
    ] = False,
    skip_problems: Annotated[
        bool,
        typer.Option("--skip-problems", help="Leave out the fields with a problem, and send the others."),
    ] = False,
    encoding: Annotated[
        str, typer.Option(metavar="NAME", help="Encoding of a CSV file, such as cp932.")
    ] = "utf-8-sig",
    key: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Column that names the users: user_id, email or user_external_key."
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(metavar="HEADING=COLUMN", help="Column for a heading of the sheet; may be repeated."),
    ] = None,
    header: Annotated[int, typer.Option(min=1, metavar="ROW", help="Row of the headings.")] = 1,
) -> None:
    """Change users as a sheet says, in the profile of SVCKIT_PROFILE.

    The columns are those of svckit.frames.users; --columns maps other headings. What could not be changed goes to
    SHEET-problems.xlsx. After a crash, run the command again: it compares first, and sends only what still differs.
    Exit code 1 means that something is left to do.
    """
    with require_extra("svckit users", "lab"):
        from svckit import frames
        from svckit.edits.applied import Applied
        from svckit.edits.changes import Changes
        from svckit.edits.report import write_report
    from svckit.profiles.resolution import FAKE, Configuration
    from svckit.session.connect import connect

    if Configuration.load().chosen == FAKE and not os.environ.get(CHOICE):
        raise typer.BadParameter(
            f"no profile was chosen: set {CHOICE}; {CHOICE}={FAKE} tries it with the in-process fake, which ends with "
            "the command",
            param_hint=CHOICE,
        )
    report = sheet.with_name(f"{sheet.stem}-problems.xlsx")
    with _explain_open_files(), connect() as svc:
        names = dict(_split(pair) for pair in columns) if columns else None
        people = frames.read_users(sheet, columns=names, key=key, encoding=encoding, header=header)
        changes = svc.users.diff(people)
        show(changes)
        left: Changes | Applied = changes
        is_blocked = bool(changes.problems) and not skip_problems
        if dry_run or not is_blocked:
            left = svc.users.apply(changes, dry_run=dry_run, skip_problems=True)
            show(f"Without --skip-problems nothing would be sent; with it: {left}" if is_blocked else left)
        if len(left.problems_frame()):
            write_report(left, report)
            show(f"What could not be changed is in {report}.", err=True)
            raise typer.Exit(1)
        report.unlink(missing_ok=True)
        if isinstance(left, Applied) and left.failed:  # of a dry run
            raise typer.Exit(1)


@contextmanager
def _explain_open_files() -> Iterator[None]:
    """Say what to do about a sheet or a report that Excel has open, which Windows locks."""
    try:
        yield
    except PermissionError as error:
        name = error.filename2 or error.filename
        raise ValueError(
            f"{name}: {error.strerror}; if it is open in Excel, close it, and run the command again"
        ) from None


def _split(pair: str) -> tuple[str, str]:
    heading, _, column = pair.rpartition("=")
    if not heading:
        raise typer.BadParameter(f"write HEADING=COLUMN; given {pair!r}", param_hint="--columns")
    return heading, column
