"""`svckit profiles`."""

from typing import Annotated

import typer

from svckit.cli.reporting import AsJson, check_profile, complete_profile, show, show_json

__all__ = ["profiles"]


def profiles(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROFILE", help="Names of profiles; by default all.", autocompletion=complete_profile
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List profiles and check them: each key, where it comes from, and what is missing."""
    from svckit.cli.profile_report import report_profiles  # loads the keyring
    from svckit.profiles.resolution import Configuration

    configuration = Configuration.load()
    wanted = [check_profile(name, configuration) for name in names] if names else None
    reports = list(report_profiles(configuration, wanted))
    if as_json:
        show_json(profiles=[report.to_json() for report in reports])
    else:
        show("\n\n".join(map(str, reports)))
        if not configuration.names:
            show(f"\n{configuration.where}")
    if any(report.problems or report.webhook_problems for report in reports):
        raise typer.Exit(1)
