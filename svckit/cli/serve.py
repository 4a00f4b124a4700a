"""`svckit serve`."""

import errno
import json
import os
import signal
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import typer

from svckit.cli.reporting import blame, require_extra, show
from svckit.cli.serve_options import ServeOptions, takes_serve_options
from svckit.cli.serve_variables import check_variables
from svckit.extras import check_fakes, importing_many

__all__ = ["KEY_VARIABLE", "serve", "serving"]

KEY_VARIABLE = "SVCKIT_ADMIN_KEY"


@takes_serve_options()
def serve(context: typer.Context, options: ServeOptions) -> None:
    """Serve the fake over HTTP, to any program, until stopped.

    Prints one line when it accepts connections: a JSON object of URLs, IDs and credentials. With --as it has proxy_url
    and ca_file, too; lines for a hosts file, for programs that use no proxy, are printed on stderr.

    SVCKIT_ADMIN_KEY sets the key of admin calls; by default it is random. It is required with a --host that other
    machines can reach. SVCKIT_SERVE_<OPTION> sets an option, such as SVCKIT_SERVE_AUTO_LOGIN; spaces separate several
    values.

    With --state, each response is sent only after the changes it acknowledges are on the disk. The next start resumes
    from them, its --data and the chosen alternatives, with a new journal. The file holds the fake's secrets in the
    clear; only its owner can read it. Uploads of more than 1 MiB are in a folder beside it: copy both.

    With --worlds, the other options are those of new worlds too, and without a --seed their secrets are random.
    Processes may share the folder of --state: one at a time has a world; the others respond with 421, until it is no
    longer in use there. The fake that has the worlds is not saved.
    """
    check_variables(context.command.params)
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with serving("`svckit serve`", options) as served:
        from fakes.serving import wait_for_stop

        print_ready_line(json.dumps(served.facts.to_wire()))
        if options.named:
            show(served.explain_fallback(), err=True)
        show(f"Serving the fake at {served.url}; Ctrl-C stops it.", err=True)
        failed = not wait_for_stop(served, stop)
    if failed:
        typer.echo("The server stopped unexpectedly.", err=True)
        raise typer.Exit(1)


@contextmanager
def serving(what: str, options: ServeOptions, *, always_named: bool = False) -> Iterator[Any]:
    """Serve a fake as the options say, inside the ``with`` block.

    Args:
        what: the command, for errors.
        options: the options.
        always_named: whether it is served at named hosts even without ``--as``: at those of a fake in process.

    Raises:
        typer.BadParameter: an option is not valid.
        typer.Exit: it cannot be served, or no longer.
    """
    with require_extra(what, "serve"), importing_many():
        check_fakes()
        from fakes.clock import Clock
        from fakes.http.errors import Refusal
        from fakes.persistence import NotSaved
        from fakes.rulebook.assumptions_file import read_measured
        from fakes.rulebook.refusing import Policy
        from fakes.rulebook.rules import Rules
        from fakes.serving import open_sample, read_stubs, register_redirects
    host, port, state = options.host, options.port, options.state
    tls = check_files(state, options.tls_cert, options.tls_key, worlds=options.worlds)
    choices = parse_choices(options.assume or [])
    deviations = parse_choices(options.deviate or [], "--deviate", "NAME=VALUE, such as file.stored=200")
    policy: Policy | None = "refuse" if options.refuse_assumptions else None
    # Each option is tried alone, so that an error names it; all are used together below.
    with blame("--now"):
        Clock(options.now)
    with blame("--assume"):
        Rules(choices)
    with blame("--assume-from"):
        measured = None if options.assume_from is None else read_measured(options.assume_from)
    check_layout(port, origins=options.origins, base_path=options.base_path, cors=options.cors or [])
    named = read_names(options) if options.named or always_named else None
    with blame("--deviate"):
        Rules(policy=policy or "allow", deviations=deviations, measured=measured)
    with blame("--redirect-uri"):
        data = register_redirects(options.data, options.redirect_uri or [])
    with blame("--stubs"):
        stubbed = read_stubs(options.stubs or [])
    key = read_admin_key(host, is_guessable=not options.worlds or options.seed is not None)
    was_served = False
    try:
        with (
            require_extra(what, "serve"),
            open_sample(
                key,
                assume=choices,
                assume_from=None if measured is None else measured.model_dump(),
                assumptions=policy,
                deviations=deviations,
                stubs=stubbed,
                data=data,
                **options.of_sample(),
            ) as fake,
            make_server(fake, options, tls, named) as served,
        ):
            was_served = True
            yield served
    except Refusal as error:
        raise typer.BadParameter(str(error), param_hint="--auto-login") from None
    except ValueError as error:  # only options that are checked against a state file are left
        raise typer.BadParameter(str(error), param_hint="--state" if state else None) from None
    except NotSaved as error:
        show(str(error) if was_served else f"The fake cannot be served: {error.why}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        show(f"The fake cannot be served: {explain_refusal(error, host, port, state)}", err=True)
        raise typer.Exit(1) from None


def make_server(
    fake: Any, options: ServeOptions, tls: tuple[Path, Path] | None, named: Mapping[str, str] | None
) -> Any:
    """Return what serves a fake: at named hosts if there are such, else as the options say."""
    cors = options.cors or []
    if named is not None:
        from fakes.proxy import NamedHosts

        return NamedHosts(fake, options.port, options.host, named=named, cors=cors)
    return fake.serve(
        options.port,
        options.host,
        tls=tls,
        origins=options.origins,
        base_path=options.base_path,
        forwarded=options.forwarded,
        cors=cors,
    )


def read_names(options: ServeOptions) -> dict[str, str]:
    """Return the base URLs of ``--as``, by their keys in the facts.

    Raises:
        typer.BadParameter: one is not valid, or another option contradicts them.
    """
    from fakes.proxy import check_names

    named = parse_choices(
        options.named or [], "--as", "KEY=URL, such as base_url=https://www.example.com/v1.0"
    )
    with blame("--as"):
        check_names(named)
    others = {
        "--origins": options.origins,
        "--base-path": options.base_path is not None,
        "--forwarded": options.forwarded,
        "--tls-cert": options.tls_cert is not None,
    }
    for option, is_set in others.items():
        if is_set:
            raise typer.BadParameter(
                "each area is at a host of its own, under the path of its --as KEY=URL, with a certificate of this "
                f"run; omit {option}",
                param_hint=option,
            )
    return named


def print_ready_line(line: str) -> None:
    """Print the ready line.

    Raises:
        typer.Exit: standard output is closed.
    """
    try:
        print(line, flush=True)
    except OSError as error:
        if error.errno not in (errno.EPIPE, errno.EINVAL):  # the latter on Windows
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tries again when it exits
        typer.echo(
            "Nothing is served: standard output was closed before the line with the URLs could be printed.",
            err=True,
        )
        raise typer.Exit(1) from None


def explain_refusal(refused: OSError, host: str, port: int, state: Path | None) -> str:
    """Say why the system refused to serve, and which option to change if one is known."""
    if refused.errno == errno.EADDRINUSE:
        port_in_use = "" if str(port) in str(refused) else f"port {port}; "
        return f"{refused} ({port_in_use}--port 0 takes any free port)"
    if refused.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine; set another with --host"
    if state is not None and str(refused.filename) == str(state):
        return f"the state file {state} cannot be opened: {refused.strerror}; set another with --state"
    return str(refused)


def parse_choices(
    arguments: list[str],
    option: str = "--assume",
    form: str = "RULE=ALTERNATIVE, such as api.unauthorized=403",
) -> dict[str, str]:
    """Parse choices into a mapping by rule ID.

    Raises:
        typer.BadParameter: one is not written in the form of the option.

    Examples:
        >>> parse_choices(["api.unauthorized=403", "file.part-name=Filedata-only"])
        {'api.unauthorized': '403', 'file.part-name': 'Filedata-only'}
    """
    choices = {}
    for argument in arguments:
        rule_id, _, alternative = argument.partition("=")
        if not rule_id or not alternative:
            raise typer.BadParameter(f"{argument!r} is not written as {form}", param_hint=option)
        choices[rule_id] = alternative
    return choices


def check_files(
    state: Path | None, tls_cert: Path | None, tls_key: Path | None, *, worlds: bool = False
) -> tuple[Path, Path] | None:
    """Check the options that name files, and return the certificate with its key.

    Raises:
        typer.BadParameter: a certificate or key lacks the other, or the folder of the state file does not exist.
    """
    if (tls_cert is None) != (tls_key is None):
        raise typer.BadParameter(
            "a certificate needs its key, and a key its certificate: set both or neither"
        )
    if state is not None and not state.absolute().parent.is_dir():
        folder = state.absolute().parent
        raise typer.BadParameter(
            f"there is no folder {folder}; create it first, or name a file in an existing folder",
            param_hint="--state",
        )
    if worlds and state is not None and state.exists() and not state.is_dir():
        raise typer.BadParameter(f"{state} is a file, and --worlds needs a folder", param_hint="--state")
    return None if tls_cert is None or tls_key is None else (tls_cert, tls_key)


def check_layout(port: int, *, origins: bool, base_path: str | None, cors: Collection[str]) -> None:
    """Check the options that decide the URLs.

    Raises:
        typer.BadParameter: one is impossible.
    """
    from fakes.doors.cors import check_origins
    from fakes.doors.layout import check_base_path, check_ports

    with blame("--port"):
        check_ports(port if origins else 0)
    with blame("--base-path"):
        check_base_path("/" if base_path is None else base_path, alone=origins)
    with blame("--cors"):
        check_origins(cors)


def read_admin_key(host: str, *, is_guessable: bool = True) -> str:
    """Read the key of admin calls from the environment, or make a random one.

    Args:
        host: the host to listen on.
        is_guessable: whether the other secrets follow from a seed, which is worth a warning if others reach the host.

    Raises:
        typer.BadParameter: the key cannot be sent in a header, or is missing though other machines can reach the host,
            or there is no such host.
    """
    key = os.environ.get(KEY_VARIABLE, "")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise typer.BadParameter(
            f"{KEY_VARIABLE} must be visible ASCII characters, because it is sent in a header"
        )
    from svckit.addresses import is_loopback

    check_host(host)
    if not is_loopback(host):
        if not key:
            raise typer.BadParameter(
                f"other machines can reach {host}: to listen there, set {KEY_VARIABLE} to an admin key of your own; "
                "nothing was started",
                param_hint="--host",
            )
        if is_guessable:
            typer.echo(
                f"Warning: other machines can reach {host}. The sample users' passwords and the other secrets of a "
                "fake follow from its seed, so whoever can reach it can use it; put no real data in it.",
                err=True,
            )
    from secrets import token_urlsafe

    return key or token_urlsafe(32)


def check_host(host: str) -> None:
    """Check that a host name resolves.

    Raises:
        typer.BadParameter: it does not.
    """
    from socket import getaddrinfo

    try:
        getaddrinfo(host or None, 0)
    except (OSError, UnicodeError):
        raise typer.BadParameter(
            f"{host!r} is not a known host; use an address of this machine, such as 127.0.0.1",
            param_hint="--host",
        ) from None
