"""Lay out the help of the command."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["Command", "make_app"]


class _PlainFlags:
    """Show no type beside a flag, which takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with `--help`."""
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc] - of the command that this is mixed into
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params


class Command(_PlainFlags, TyperCommand):
    """A command."""


class _Group(_PlainFlags, TyperGroup):
    """A command with subcommands."""


class _App(typer.Typer):
    def command(self, name: str | None = None, *, cls: type[TyperCommand] = Command, **settings: Any) -> Any:
        return super().command(name, cls=cls, **settings)


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
