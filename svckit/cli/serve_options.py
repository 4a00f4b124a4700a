"""The options of `svckit serve`, which `svckit run` takes too."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from svckit.cli.reporting import blame, file_option
from svckit.cli.serve_variables import name_variable
from svckit.extras import check_fakes

__all__ = ["ServeOptions", "takes_serve_options"]


def read_word(text: str) -> str:
    """Read a product word in the names of headers.

    Raises:
        typer.BadParameter: it is not valid in a header's name.
    """
    from svckit.models.signature import HEADER_WORD, LONGEST_WORD, is_header_word

    if not is_header_word(text):
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

    with blame(None):
        return OwnData.read(path)


@dataclass
class ServeOptions:
    """The values of the options of `svckit serve`, as its command line reads them."""

    host: Annotated[str, typer.Option(help="Listen on this host name or IP address of the machine.")] = (
        "127.0.0.1"
    )
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, metavar="INTEGER", help="Listen on this port; 0 for any free one."),
    ] = 8000
    now: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT",
            help="Stop the clock at this instant, such as 2026-06-01T09:00:00+09:00, until it is moved.",
            show_default="runs with the system clock",
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="INTEGER",
            help="Seed of IDs, secrets and sample data; whoever knows it can compute the secrets.",
            show_default="0, with random secrets if there are --worlds",
        ),
    ] = None
    users: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            metavar="INTEGER",
            help="Number of sample users, up to 1,000,000.",
            show_default="20, or none if --data has users",
        ),
    ] = None
    data: Annotated[
        Any,
        typer.Option(
            parser=read_data,
            metavar="FILE",
            help="Begin with users of your own, instead of the sample: JSON, a list of user records or an object of "
            "users, files, rooms, customProperties, applications, bots and webhooks; or CSV, whose columns are fields "
            "such as userName.lastName.",
        ),
    ] = None
    redirect_uri: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            help="Register this redirect URL for the sample's application, instead of its own; can be repeated.",
        ),
    ] = None
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE=ALTERNATIVE",
            help="Choose another alternative of an assumption; can be repeated. The admin call GET /rules lists them.",
        ),
    ] = None
    assume_from: Annotated[
        Path | None,
        file_option(
            "Behave as measured in this file, which `svckit observe` writes; --assume wins.", exists=True
        ),
    ] = None
    refuse_assumptions: Annotated[
        bool,
        typer.Option(
            "--refuse-assumptions",
            help="Respond with 500 if a response would rest on an assumption, and name it.",
        ),
    ] = False
    deviate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Depart from a documented rule for clients that need it; can be repeated. The admin call GET /rules "
            "lists the deviations.",
        ),
    ] = None
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the state in this file, and resume from it; with --worlds a folder, with a file for each world.",
        ),
    ] = None
    header_word: Annotated[
        str | None,
        typer.Option(
            parser=read_word,
            metavar="WORD",
            help="Send events with this product word in the names of their headers: X-WORD-Signature.",
            show_default="SERVICE",
        ),
    ] = None
    auto_login: Annotated[
        str | None,
        typer.Option(
            metavar="USER",
            help="Log in this user, by ID or login ID, at each authorization request, without a login screen.",
        ),
    ] = None
    origins: Annotated[
        bool,
        typer.Option(
            "--origins",
            help="Serve each area at an origin of its own, as services do: api, auth, storage, hooks and admin at "
            "--port and the next four. Recommended: on a single origin, a client that follows the redirect of a "
            "download itself keeps its bearer token, which it loses between hosts.",
        ),
    ] = False
    base_path: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Serve the resource API under this path, such as /v1.0; / for none.",
            show_default="/api, or / with --origins",
        ),
    ] = None
    forwarded: Annotated[
        bool,
        typer.Option(
            "--forwarded",
            help="Let X-Forwarded-Proto, -Host and -Prefix decide the URLs in responses; only behind a proxy that "
            "sets them.",
        ),
    ] = False
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Let web pages of this origin call the fake, such as http://localhost:3000; * for any; can be "
            "repeated.",
        ),
    ] = None
    stubs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Respond to calls that are not described as this JSON file says, or as the ready file `common`; can "
            "be repeated.",
        ),
    ] = None
    worlds: Annotated[
        bool,
        typer.Option(
            "--worlds",
            help="Serve many independent fakes: the admin calls /worlds create, list and delete them, and their URLs "
            "start with /w/ and their name.",
        ),
    ] = False
    tls_cert: Annotated[Path | None, file_option("Serve https with this certificate (PEM).", exists=True)] = (
        None
    )
    tls_key: Annotated[Path | None, file_option("Key of the certificate (PEM).", exists=True)] = None
    named: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            envvar=name_variable("as"),  # else it would be named after the field
            metavar="KEY=URL",
            help="Serve an area at the host that a program has as a literal, such as "
            "base_url=https://www.example.com/v1.0; the others are auth_url, upload_url, webhook_url and admin_url; "
            "can be repeated. The port is an HTTPS proxy too, with a certificate of this run.",
        ),
    ] = None

    def of_sample(self) -> dict[str, Any]:
        """Return the options that `fakes.serving.open_sample` takes as they are."""
        names = ("users", "seed", "now", "state", "auto_login", "header_word", "worlds")
        return {name: getattr(self, name) for name in names}


def takes_serve_options(
    *without: str, **defaults: object
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of `svckit serve`, as an argument ``options``.

    Args:
        without: the fields of `ServeOptions` that are not options of the command, and keep their defaults.
        defaults: defaults of its own.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        # typer reads the options from the signature, and their types from the annotations; both are set below.
        @wraps(command)
        def read(*arguments: Any, **given: Any) -> None:
            options = {parameter.name: given.pop(parameter.name) for parameter in shared}
            command(*arguments, **given, options=ServeOptions(**options))

        hints, fields_of = get_type_hints(ServeOptions, include_extras=True), fields(ServeOptions)
        parameters = signature(command).parameters.values()
        own = [parameter for parameter in parameters if parameter.name != "options"]
        shared = [
            Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=defaults.get(field.name, field.default),
                annotation=hints[field.name],
            )
            for field in fields_of
            if field.name not in without
        ]
        read.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *shared)}
        read.__signature__ = Signature([*own, *shared])  # type: ignore[attr-defined]
        return read

    return decorate
