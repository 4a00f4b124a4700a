"""`svckit serve`."""

import errno
import json
import os
import signal
import sys
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from svckit.cli.reporting import integer_option, require_extra, show
from svckit.cli.serve_host import blame, check_files, check_layout, read_admin_key
from svckit.cli.serve_variables import check_variables
from svckit.extras import check_fakes, importing_many

__all__ = ["serve"]


def existing_file(text: str) -> Any:
    """Return an option that names a file, with its help text."""
    return typer.Option(metavar="FILE", dir_okay=False, exists=True, help=text)


def complete_assumption(incomplete: str) -> list[str]:
    """List the alternatives that the shell can complete ``--assume`` to, without the defaults."""
    from fakes import FakeService

    rules = FakeService.sample(users=1).rules
    pairs = (f"{rule.id}={other}" for rule in rules for other in rule.alternatives[1:])
    return [pair for pair in pairs if pair.startswith(incomplete)]


def read_word(text: str) -> str:
    """Read a product word in the names of headers.

    Raises:
        typer.BadParameter: it is not valid in a header's name.
    """
    from svckit.models.signature import HEADER_WORD, LONGEST_WORD, is_token

    if not is_token(text):
        raise typer.BadParameter(
            f"{text!r} is not valid in a header's name; give the product word, such as {HEADER_WORD} in "
            f"X-{HEADER_WORD}-Signature, with up to {LONGEST_WORD} characters"
        )
    return text


def read_data(path: str) -> Any:
    """Read a file of data.

    Raises:
        typer.BadParameter: it cannot be read, or is not valid.
    """
    check_fakes()
    from fakes.parts.own_data import OwnData

    try:
        return OwnData.read(path)
    except (OSError, ValueError) as wrong:
        raise typer.BadParameter(str(wrong)) from None


def complete_deviation(incomplete: str) -> list[str]:
    """List the values that the shell can complete ``--deviate`` to."""
    from fakes import FakeService

    deviations = FakeService.sample(users=1).rules.deviations
    pairs = (f"{deviation.id}={value}" for deviation in deviations for value in deviation.values)
    return [pair for pair in pairs if pair.startswith(incomplete)]


def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="Listen on this host name or IP address of the machine.")
    ] = "127.0.0.1",
    port: Annotated[
        int, integer_option(least=0, most=65535, text="Listen on this port; 0 for any free one.")
    ] = 8000,
    now: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT",
            help="Stop the clock at this instant, such as 2026-06-01T09:00:00+09:00, until it is moved.",
            show_default="runs with the system clock",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        integer_option(
            text="Seed of IDs, secrets and sample data; whoever knows it can compute the secrets.",
            show_default="0, with random secrets if there are --worlds",
        ),
    ] = None,
    users: Annotated[
        int | None,
        integer_option(
            least=1,
            most=1_000_000,
            text="Number of sample users.",
            show_default="20, or none if --data has users",
        ),
    ] = None,
    data: Annotated[
        Any,
        typer.Option(
            parser=read_data,
            metavar="FILE",
            help="Begin with users of your own, instead of the sample: JSON, a list of user records or an object of "
            "users, files, rooms and customProperties; or CSV, whose columns are fields such as userName.lastName.",
        ),
    ] = None,
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=ALTERNATIVE",
            help="Choose another alternative of an assumption; can be repeated. The admin call GET /rules lists them.",
            autocompletion=complete_assumption,
        ),
    ] = None,
    assume_from: Annotated[
        Path | None,
        existing_file("Behave as measured in this file, which `svckit observe` writes; --assume wins."),
    ] = None,
    refuse_assumptions: Annotated[
        bool,
        typer.Option(
            "--refuse-assumptions",
            help="Respond with 500 if a response would rest on an assumption, and name it.",
        ),
    ] = False,
    deviate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Depart from a documented rule for clients that need it; can be repeated. The admin call GET /rules "
            "lists the deviations.",
            autocompletion=complete_deviation,
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the state in this file, and resume from it; with --worlds a folder, with a file for each world.",
        ),
    ] = None,
    header_word: Annotated[
        str | None,
        typer.Option(
            parser=read_word,
            metavar="WORD",
            help="Send events with this product word in the names of their headers: X-WORD-Signature.",
            show_default="SERVICE",
        ),
    ] = None,
    auto_login: Annotated[
        str | None,
        typer.Option(
            metavar="USER",
            help="Log in this user, by ID or login ID, at each authorization request, without a login screen.",
        ),
    ] = None,
    origins: Annotated[
        bool,
        typer.Option(
            "--origins",
            help="Serve each area at an origin of its own, as services do: api, auth, storage, hooks and admin at "
            "--port and the next four. Recommended: on a single origin, a client that follows the redirect of a "
            "download itself keeps its bearer token, which it loses between hosts.",
        ),
    ] = False,
    base_path: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Serve the resource API under this path, such as /v1.0; / for none.",
            show_default="/api, or / with --origins",
        ),
    ] = None,
    forwarded: Annotated[
        bool,
        typer.Option(
            "--forwarded",
            help="Let X-Forwarded-Proto, -Host and -Prefix decide the URLs in responses; only behind a proxy that "
            "sets them.",
        ),
    ] = False,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Let web pages of this origin call the fake, such as http://localhost:3000; * for any; can be "
            "repeated.",
        ),
    ] = None,
    stubs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Respond to calls that are not described as this JSON file says, or as the ready file `common`; can "
            "be repeated.",
        ),
    ] = None,
    worlds: Annotated[
        bool,
        typer.Option(
            "--worlds",
            help="Serve many independent fakes: the admin calls /worlds create, list and delete them, and their URLs "
            "start with /w/ and their name.",
        ),
    ] = False,
    tls_cert: Annotated[Path | None, existing_file("Serve https with this certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, existing_file("Key of the certificate (PEM).")] = None,
) -> None:
    """Serve the fake over HTTP, to any program, until stopped.

    Prints one line when it accepts connections: a JSON object of URLs, IDs and credentials.

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
    with require_extra("`svckit serve`", "serve"), importing_many():
        check_fakes()
        from fakes.clock import Clock
        from fakes.http.errors import Refusal
        from fakes.persistence import NotSaved
        from fakes.rulebook.assumptions_file import read_measured
        from fakes.rulebook.refusing import Policy
        from fakes.rulebook.rules import Rules
        from fakes.serving import read_stubs, serve_sample, wait_for_stop
    check_variables(option.name for option in context.command.params if option.name)
    tls = check_files(state, tls_cert, tls_key, worlds=worlds)
    choices = parse_choices(assume or [])
    deviations = parse_choices(deviate or [], "--deviate", "NAME=VALUE, such as file.stored=200")
    policy: Policy | None = "refuse" if refuse_assumptions else None
    # Each option is tried alone, so that an error names it; all are used together below.
    with blame("--now"):
        Clock(now)
    with blame("--assume"):
        Rules(choices)
    with blame("--assume-from"):
        measured = None if assume_from is None else read_measured(assume_from)
    check_layout(port, origins=origins, base_path=base_path, cors=cors or [])
    with blame("--deviate"):
        Rules(policy=policy or "allow", deviations=deviations, measured=measured)
    with blame("--stubs"):
        stubbed = read_stubs(stubs or [])
    key, stop = read_admin_key(host, is_guessable=not worlds or seed is not None), Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    was_served = False
    try:
        with serve_sample(
            key,
            port,
            host,
            users=users,
            seed=seed,
            now=now,
            assume=choices,
            assume_from=None if measured is None else measured.model_dump(),
            assumptions=policy,
            deviations=deviations,
            state=state,
            tls=tls,
            auto_login=auto_login,
            header_word=header_word,
            origins=origins,
            base_path=base_path,
            forwarded=forwarded,
            cors=cors or [],
            stubs=stubbed,
            data=data,
            worlds=worlds,
        ) as served:
            was_served = True
            print_ready_line(json.dumps(served.facts.to_wire()))
            show(f"Serving the fake at {served.url}; Ctrl-C stops it.", err=True)
            failed = not wait_for_stop(served, stop)
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
    if failed:
        typer.echo("The server stopped unexpectedly.", err=True)
        raise typer.Exit(1)


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
