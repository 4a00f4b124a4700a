"""The kind of all commands: how their help is laid out, and how their errors are told."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from svckit.cli.reporting import report_errors

__all__ = ["Command", "make_app"]


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with `--help`."""
        return _hide_types(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a `ServiceError` or `ValueError` is told by its message, without a traceback."""
        with report_errors():
            return super().invoke(ctx)


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _hide_types(super().get_params(ctx))


def _hide_types(params: list[Any]) -> list[Any]:
    """Show no type beside a flag, which takes no value."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params


class _App(typer.Typer):
    def command(self, *args: Any, **settings: Any) -> Any:
        return super().command(*args, **{"cls": Command, **settings})


def make_app(**settings: Any) -> typer.Typer:
    """Return an app whose help is as wide as the terminal.

    Args:
        settings: what else `typer.Typer` takes.
    """
    return _App(
        cls=_Group,
        pretty_exceptions_enable=False,  # a plain traceback shows no local variables, so no secrets
        rich_markup_mode="markdown",  # docstrings' lines are joined, and broken where the terminal ends
        **settings,
    )
