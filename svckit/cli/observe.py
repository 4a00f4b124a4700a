"""`svckit observe`."""

from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import blame, show
from svckit.extras import check_fakes

__all__ = ["observe"]

WRITTEN = Path("assumptions.toml")
LARGE = 200_000  # bytes; a larger recording takes a while


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

    The file holds IDs of rules, statuses, a date and the number of requests; no values of the traffic. It replaces the
    one of an earlier run, unless that has rules which this traffic says nothing about. Exit code 1 means that nothing
    can be told from the traffic.
    """
    check_fakes()
    from fakes.observing.findings import observe
    from fakes.observing.recording import read_recorded, split_url
    from fakes.rulebook.assumptions_file import Measured, read_measured
    from svckit.local_files import write_atomically
    from svckit.profiles.keys import RENEW_ON_403

    try:
        before = read_measured(WRITTEN) if WRITTEN.exists() else Measured()
    except ValueError as error:
        raise typer.BadParameter(
            f"{error}. svckit replaces only what it wrote itself: move the file away, or run the command in "
            "another folder",
            param_hint=str(WRITTEN),
        ) from None
    with blame("TRAFFIC.har"):
        found = observe(traffic, progress=True if traffic.stat().st_size > LARGE else None)
    show(repr(found))
    if not found.requests:
        show(f"{traffic.name} has no request that tells about the service; nothing was written.", err=True)
        if hosts := sorted({split_url(call.url).hostname or "?" for call in read_recorded(traffic)[0]}):
            show(f"Its requests went to the hosts {', '.join(hosts)}.", err=True)
        raise typer.Exit(1)
    import tomllib

    text = found.to_toml()
    after = read_measured(tomllib.loads(text))
    lost = {*before.rules, *before.deviations} - {*after.rules, *after.deviations}
    if lost:
        raise typer.BadParameter(
            f"it has what this traffic says nothing about: {', '.join(sorted(lost))}; nothing was written. "
            "Move the file away, or run the command in another folder",
            param_hint=str(WRITTEN),
        )
    with write_atomically(WRITTEN) as file:
        file.write(text.encode())
    if found.assume.get("api.unauthorized") == "403":
        show(f"{RENEW_ON_403}.")
