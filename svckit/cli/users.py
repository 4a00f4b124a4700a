"""`svckit users apply`."""

from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import report_errors, require_extra, show

__all__ = ["app"]

app = typer.Typer(help="Change many users.", no_args_is_help=True)


@app.callback(epilog="Example: svckit users apply people.csv")
def users() -> None:
    """Change many users."""


@app.command(epilog="Example: svckit users apply people.xlsx --dry-run")
def apply(
    sheet: Annotated[
        Path,
        typer.Argument(
            metavar="SHEET", exists=True, dir_okay=False, help="CSV or Excel file with a column user_id."
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only read the users, and print what would be sent.")
    ] = False,
    skip_problems: Annotated[
        bool,
        typer.Option("--skip-problems", help="Leave out the users with a problem, and change the others."),
    ] = False,
) -> None:
    """Change users as a sheet says, in the profile of SVCKIT_PROFILE.

    The columns are those of svckit.frames.users. Problems go to SHEET-problems.xlsx, and SHEET.journal keeps which
    users are done, so that the command can be run again after a crash. Exit code 1 means that something is left to do.
    """
    with require_extra("svckit users", "lab"):
        from svckit import frames
        from svckit.edits.report import write_report
    from svckit.session.connect import connect

    with report_errors(), connect() as svc:
        changes = svc.users.diff(frames.read_users(sheet))
        show(changes)
        if changes.problems:
            report = sheet.with_name(f"{sheet.stem}-problems.xlsx")
            write_report(changes, report)
            show(f"The problems are in {report}.", err=True)
            if not skip_problems:
                raise typer.Exit(1)
        journal = None if dry_run else sheet.with_name(f"{sheet.name}.journal")
        done = svc.users.apply(changes, dry_run=dry_run, skip_problems=skip_problems, journal=journal)
        show(done)
        if done.failed or done.skipped:
            raise typer.Exit(1)
