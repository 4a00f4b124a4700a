"""The environment variables that set the options of `svckit serve`."""

import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import typer

from svckit.cli.layout import Command
from svckit.profiles.variables import PREFIX, TAKEN

__all__ = ["PREFIX_OF_OPTIONS", "VariableCommand", "check_variables", "name_variable"]

PREFIX_OF_OPTIONS = f"{PREFIX}{TAKEN}"
"""The start of their names, which the command gets as its ``auto_envvar_prefix``."""


def name_variable(option: str) -> str:
    """Return the variable that sets an option, given the name of the parameter.

    Examples:
        >>> name_variable("auto_login")
        'SVCKIT_SERVE_AUTO_LOGIN'
    """
    return f"{PREFIX_OF_OPTIONS}_{option.upper()}"


class VariableCommand(Command):
    """A command whose errors name the environment variable that set an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options.

        Raises:
            typer.BadParameter: one is not valid.
        """
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as wrong:
            name = (wrong.param and wrong.param.name) or ""
            source = ctx.get_parameter_source(name)
            if source is not None and source.name == "ENVIRONMENT":
                from svckit.models.problems import shorten

                own = getattr(wrong.param, "envvar", None)  # as of --as
                variable = own if isinstance(own, str) else name_variable(name)
                given = shorten(os.environ.get(variable, ""))
                wrong.message += f"; the environment variable {variable} is {given!r}"
            raise


def check_variables(options: Iterable[Any]) -> None:
    """Check that each variable for the command sets one of its options.

    Args:
        options: its parameters; variables call them as their options are called, such as ``as`` for ``--as``.

    Raises:
        typer.BadParameter: one does not, such as a misspelled one, which would otherwise have no effect.
    """
    words = [option.opts[0].removeprefix("--").replace("-", "_").upper() for option in options]
    for name in sorted(os.environ):
        prefix, _, word = name.partition(f"{PREFIX_OF_OPTIONS}_")
        if not prefix and word and word not in words and os.environ[name]:
            near = [name_variable(option) for option in get_close_matches(word, words, n=1)]
            suggestion = f"did you mean {near[0]}?" if near else "`svckit serve --help` names those that do"
            raise typer.BadParameter(
                f"the environment variable {name} sets no option of svckit serve; {suggestion}"
            )
