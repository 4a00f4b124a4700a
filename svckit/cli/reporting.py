"""Helpers of the subcommands: arguments, output and errors."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from svckit.display.terminal import escape_controls, json_text
from svckit.errors import ServiceError, Unauthorized
from svckit.extras import needing

if TYPE_CHECKING:
    from svckit.profiles.resolution import Configuration

__all__ = [
    "AsJson",
    "blame",
    "check_profile",
    "complete_profile",
    "file_option",
    "report_errors",
    "require_extra",
    "show",
    "show_json",
]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON data.")]
_COLORS = re.compile("\x1b\\[[0-9;]*m")


def file_option(words: str, **settings: Any) -> Any:
    """Return an option that names a file, with its help text, and what else `typer.Option` takes."""
    return typer.Option(metavar="FILE", dir_okay=False, help=words, **settings)


def show(text: object, *, err: bool = False) -> None:
    """Print text from others safely, without colors and with control characters as escapes."""
    typer.echo(escape_controls(_COLORS.sub("", str(text))), err=err)


def show_json(**data: Any) -> None:
    """Print an object as JSON for people, with escapes where the encoding of the output lacks characters."""
    text = json_text(data)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2)
    typer.echo(text)


@contextmanager
def report_errors() -> Iterator[None]:
    """Print the message of an error without a traceback, and exit with code 1."""
    try:
        yield
    except (ServiceError, ValueError) as error:
        # The advice is for Python code.
        words = str(error).replace("and call again.", "and run the command again.")
        for advice in (Unauthorized.advice, Unauthorized.advice_without_session):
            words = words.replace(advice, "Run the command again.")
        show("\n".join([words, *getattr(error, "__notes__", [])]), err=True)
        raise typer.Exit(1) from None


@contextmanager
def blame(parameter: str | None) -> Iterator[None]:
    """Name the option or argument that an error in the block is about, and exit with code 2."""
    try:
        yield
    except (ValueError, OSError, ModuleNotFoundError) as error:
        raise typer.BadParameter(str(error), param_hint=parameter) from None


@contextmanager
def require_extra(what: str, extra: str) -> Iterator[None]:
    """Name the extra that a missing package comes with, without a traceback, and exit with code 1."""
    try:
        with needing(what, extra):
            yield
    except ModuleNotFoundError as error:
        sys.exit(str(error))


def complete_profile(incomplete: str) -> list[str]:
    """List the profiles that the shell can complete a name to."""
    from svckit.profiles.resolution import Configuration

    try:
        names = Configuration.load().names
    except ValueError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def check_profile(name: str, configuration: "Configuration") -> str:
    """Return the name of a profile, or exit with code 2 if there is no such profile."""
    with blame("PROFILE"):
        configuration.check_known(name)
    return name
