"""What a subcommand does with an error that its message explains."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from svckit.configuration import Configuration
from svckit.errors import ServiceError, Unauthorized, UnusableProfile
from svckit.models.extras import needing

__all__ = ["failing", "known", "lacking", "named"]


@contextmanager
def failing() -> Iterator[None]:
    """Print the message of an error, without a traceback, and end with exit code 1."""
    try:
        yield
    except (ServiceError, ValueError) as error:
        words = str(error).replace(Unauthorized.advice, "Run the command again.")  # it is advice for Python
        typer.echo("\n".join([words, *getattr(error, "__notes__", [])]), err=True)
        raise typer.Exit(1) from None


@contextmanager
def lacking(what: str, extra: str) -> Iterator[None]:
    """Say which extra what is missing comes with, without a traceback, and end with exit code 1."""
    try:
        with needing(what, extra):
            yield
    except ModuleNotFoundError as missing:
        sys.exit(str(missing))


def named(incomplete: str) -> list[str]:
    """The profiles that the shell completes a name to."""
    try:
        names = Configuration.load().names
    except ValueError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def known(name: str, configuration: Configuration) -> str:
    """The name of a profile, if there is one; else end with exit code 2."""
    try:
        configuration.check_known(name)
    except UnusableProfile as unknown:
        raise typer.BadParameter(str(unknown), param_hint="PROFILE") from None
    return name
