"""The page of the `svckit` command, from its own help."""

from typing import Any

import typer

from binder.reference.markdown import code, fence, page, prose, table
from svckit import cli

INTRO = """\
`python3 binder/run.py svckit …` runs the command in a clone; `pip install 'svckit-toolkit[serve]'` (or one of
the extras `check`, `keyring` and `lab`) installs it. Its exit code is 0 for success, 1 for failure, and 2 for
arguments that name something missing or impossible. `svckit --install-completion` lets the shell complete it.
"""
TYPES = {"int": "INTEGER", "float": "NUMBER", "Path": "PATH"}


def write() -> str:
    """Return the page."""
    return page("Command line", INTRO, *describe(typer.main.get_command(cli.app), "svckit"))


def describe(command: Any, name: str) -> list[str]:
    """Return the parts of the page about a command and its subcommands."""
    words, *examples = (command.epilog or "").partition("Example: ")[::2]
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    usage = " ".join([name, *map(describe_argument, arguments)])
    inner = getattr(command, "commands", {})
    usage += " [OPTIONS] COMMAND" if inner else " [OPTIONS]"
    blocks = [
        f"## {name}",
        *map(prose, (command.help or "").split("\n\n")),
        prose(words),
        fence(usage, "bash"),
    ]
    rows = [
        (describe_name(each), prose(each.help or ""), describe_default(each))
        for each in command.params
        if not getattr(each, "hidden", False)
    ]
    blocks.append(table(("argument or option", "meaning", "default"), rows))
    blocks += [f"Example: {code(each.partition('   ')[0])}" for each in examples if each]
    for each, subcommand in inner.items():
        blocks += describe(subcommand, f"{name} {each}")
    return blocks


def describe_argument(argument: Any) -> str:
    """Return an argument as usage shows it: in brackets unless required, with dots if there can be several."""
    name = argument.metavar or argument.name.upper()
    shown = name if argument.required else f"[{name}]"
    return f"{shown}..." if argument.nargs == -1 else shown


def describe_name(parameter: Any) -> str:
    """Return the name of an argument or the spellings of an option, with the name of its value."""
    if parameter.param_type_name == "argument":
        return code(parameter.metavar or parameter.name.upper())
    spelled = ", ".join(map(code, [*parameter.opts, *parameter.secondary_opts]))
    if parameter.is_flag:
        return spelled
    kind = getattr(parameter.type_descriptor.annotation, "__name__", "text")
    return f"{spelled} {code(parameter.metavar or TYPES.get(kind, 'TEXT'))}"


def describe_default(parameter: Any) -> str:
    """Return the default of an argument or an option, as the help gives it."""
    if parameter.required:
        return "required"
    if isinstance(parameter.show_default, str):
        return prose(parameter.show_default)
    shown = not getattr(parameter, "is_flag", False) and parameter.default not in (None, (), [])
    return code(parameter.default) if shown else ""
