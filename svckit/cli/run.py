"""`svckit run`."""

import json
import os
import re
import signal
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from svckit.cli.reporting import file_option, show
from svckit.cli.serve import serving
from svckit.cli.serve_options import ServeOptions, takes_serve_options

__all__ = ["run"]

HOST = re.compile(r"[a-z0-9._:-]+")
OWNER_ONLY = 0o600
NOT_RUN = 126
NOT_FOUND = 127
"""The exit codes of shells for a command that cannot be run, and for one that does not exist."""
OF_A_SIGNAL = 128
"""What shells add to the number of the signal that ended a program."""


@takes_serve_options("host", port=0)
def run(
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND", help="The program to run, with its arguments.")
    ],
    options: ServeOptions,
    pass_through: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST",
            help="Let requests to this host leave the machine, past the fake; can be repeated.",
        ),
    ] = None,
    har: Annotated[
        Path | None, file_option("Write what it sent to this file in the end, as HAR, masked.")
    ] = None,
    facts: Annotated[
        Path | None,
        file_option(
            "Write the facts to this file before it starts: what `svckit serve` prints, with the admin URL and key."
        ),
    ] = None,
) -> None:
    """Run a program whose requests reach a fake, although its hosts are literals.

    Starts a fake, on this machine only, and sets what the program's environment needs: a proxy, files of CAs, and for
    Node, Java and PHP their own variables. Hosts that are not named with --as are https://api.fake.test,
    https://auth.fake.test, https://storage.fake.test, https://hooks.fake.test and https://admin.fake.test.

    Prints on stderr in the end what was sent, and why requests were refused; passes signals on; and exits with the code
    of the program, or with 127 if it does not exist.

    The options that are not listed first are those of `svckit serve`.
    """
    hosts = [host.lower() for host in pass_through or ()]
    for host in hosts:
        if not HOST.fullmatch(host):
            raise typer.BadParameter(
                f"{host!r} is not a host; give the name alone, such as www.example.org",
                param_hint="--pass-through",
            )
    for name in ("SIGTERM", "SIGHUP"):  # while it starts; then they are the program's
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, leave)
    with serving("`svckit run`", options, always_named=True) as served:
        from fakes.proxy import Command, make_environment
        from fakes.serving import wait_for_stop

        environment = make_environment(served, os.environ, hosts)
        write_json(facts, served.facts.to_wire(), "--facts")
        write_json(har, {}, "--har")  # before the program runs in vain
        try:
            with Command(command, environment) as running:
                wait_for_stop(served, running.ended)
                code = running.wait()
        except OSError as error:
            show(f"The command cannot be run: {error}", err=True)
            raise typer.Exit(NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_RUN) from None
        journal = served.fake.journal
        write_json(har, journal.to_har(), "--har")
        title, *sent = repr(journal).splitlines()
        reasons = [
            f"{entry.status}: {entry.reason}" + (f"; allowed with {entry.remedy}" if entry.remedy else "")
            for entry in journal.latest()
            if entry.reason
        ]
        told = [title.strip("<>"), *sent, *dict.fromkeys(reasons), *served.refusals.explain()]
        show("\n".join(told), err=True)
    raise typer.Exit(code)


def leave(number: int, _frame: FrameType | None) -> None:
    """Leave at a signal by an exception, so that the folder of the run is deleted."""
    raise SystemExit(OF_A_SIGNAL + number)


def write_json(path: Path | None, data: Any, option: str) -> None:
    """Write data to the file of an option, if it is set; only its owner can read it.

    Raises:
        typer.BadParameter: it cannot be written.
    """
    if path is None:
        return
    from svckit.local_files import write_atomically

    try:
        with write_atomically(path) as file:
            if os.name == "posix":
                os.fchmod(file.fileno(), OWNER_ONLY)  # facts have secrets
            file.write(json.dumps(data, indent=2).encode())
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}", param_hint=option) from None
