"""`svckit conformance`."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from svckit.cli.reporting import check_profile, complete_profile, require_extra

__all__ = ["conformance"]

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent / "tests" / "conformance"
CARRIED = PACKAGE / "_conformance"  # private, so that type checkers count no tests as ours


def conformance(
    profile: Annotated[
        str,
        typer.Argument(metavar="PROFILE", help="Name of the profile.", autocompletion=complete_profile),
    ],
    user: Annotated[str, typer.Option(metavar="ID", help="ID of the user who signs in; nothing changes it.")],
    own_sign_in: Annotated[
        bool,
        typer.Option(
            "--own-sign-in",
            help="Sign in for this run alone, and run the cases that renew tokens; saved tokens stay as they are.",
        ),
    ] = False,
    throw_away_user: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Also run the cases that write: to this user's fields, profile status and drive.",
        ),
    ] = None,
    throw_away_webhook: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Also post messages to this webhook of the profile.",
        ),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="Also print each case, and what the run says of every other rule."),
    ] = False,
) -> None:
    """Compare a real service with the fake's rules, and write assumptions.toml.

    Without a throw-away user, only the cases run that leave the service as it is. Saved tokens are not
    renewed to try that out, because a refresh token may work only once: with --own-sign-in, those cases run too.
    Prints what differs from the description or the assumptions, and which small differences were accepted.
    Writes conformance-shapes.json, the shapes of responses without values, beside it.
    Exit code 1 means that the service does something else than its description says.
    """
    from svckit.profiles.resolution import Configuration

    check_profile(profile, Configuration.load())
    if throw_away_webhook and not throw_away_user:
        raise typer.BadParameter("needs --throw-away-user as well", param_hint="--throw-away-webhook")
    with require_extra("`svckit conformance`", "check"):
        import pytest  # noqa: F401
    folder = CHECKOUT if CHECKOUT.is_dir() else CARRIED
    options = ["--svckit-target=real", f"--svckit-profile={profile}", f"--svckit-user={user}"]
    options += ["-vv"] if verbose else ["--tb=no", "-rN"]  # as the findings say what the failures are
    if own_sign_in:
        options.append("--svckit-own-sign-in")
    if throw_away_user:
        options += ["--svckit-writes", f"--svckit-throw-away-user={throw_away_user}"]
    if throw_away_webhook:
        options.append(f"--svckit-throw-away-webhook={throw_away_webhook}")
    suite = [str(folder), "-c", str(folder / "installed.ini"), f"--rootdir={folder.parents[1]}"]
    # In a process of its own, as pytest rewrites what it imports; -P: it has the secrets of a real service, and must
    # not import a module that lies in the current folder.
    done = subprocess.run([sys.executable, "-P", "-m", "pytest", *suite, *options], check=False)  # noqa: S603
    raise typer.Exit(done.returncode)
