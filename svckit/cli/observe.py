"""`svckit observe`."""

from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import report_errors, show

__all__ = ["observe"]


def observe(
    traffic: Annotated[
        Path,
        typer.Argument(
            metavar="TRAFFIC.har",
            exists=True,
            dir_okay=False,
            help="HAR file of a browser, a proxy or svckit.",
        ),
    ],
) -> None:
    """Compare recorded traffic with the fake's rules, and write assumptions.toml.

    The file holds IDs of rules, statuses, a date and the number of requests; no values of the traffic.
    """
    from fakes.observing.findings import observe

    with report_errors():
        try:
            found = observe(traffic)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="TRAFFIC.har") from None
        Path("assumptions.toml").write_text(found.to_toml(), encoding="utf-8")
    show(repr(found))
