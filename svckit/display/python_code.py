"""Write values and calls as Python source."""

import ast
from textwrap import indent
from typing import Any

__all__ = ["Code", "add_imports", "write_call", "write_value"]

LONGEST_LINE = 100
IMPORTS = {
    "httpx": "import httpx",
    "os": "import os",
    "svckit": "import svckit",
    "Path": "from pathlib import Path",
    "places": "from svckit import places",
}


class Code(str):
    """An expression in source code, as opposed to a text."""

    __slots__ = ()


def write_value(value: Any) -> str:
    """Return a value as a Python literal, strings in double quotes.

    Args:
        value: a JSON value, a tuple, or `Code`, which stays as it is.

    Examples:
        >>> print(write_value({"name": "Mina", "tags": ["it's", None], "token": Code('os.environ["TOKEN"]')}))
        {"name": "Mina", "tags": ["it's", None], "token": os.environ["TOKEN"]}
    """
    match value:
        case Code():
            return str(value)
        case str() if "'" not in value and '"' not in value:
            return f'"{repr(value)[1:-1]}"'
        case list():
            return f"[{', '.join(map(write_value, value))}]"
        case tuple():
            return f"({', '.join(map(write_value, value))})"
        case dict():
            return f"{{{', '.join(f'{write_value(n)}: {write_value(v)}' for n, v in value.items())}}}"
        case _:
            return repr(value)


def write_call(function: str, *args: Any, **kwargs: Any) -> str:
    """Return a call as Python source, with an argument per line if it is long.

    Args:
        function: what is called, such as ``svc.users.update``.
        *args: the values of its arguments.
        **kwargs: the values of its keywords.

    Examples:
        >>> print(write_call("svc.users.update", "u-001", nick_name="Mina", task=None))
        svc.users.update("u-001", nick_name="Mina", task=None)
        >>> print(write_call("svc.run", Code(write_call("refresh", "a" * 50, "b" * 50))))
        svc.run(
            refresh(
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
            ),
        )
    """
    given = [*map(write_value, args), *(f"{name}={write_value(value)}" for name, value in kwargs.items())]
    line = f"{function}({', '.join(given)})"
    if len(line) <= LONGEST_LINE or not given:
        return line
    return "\n".join([f"{function}(", *(indent(f"{argument},", "    ") for argument in given), ")"])


def add_imports(code: str) -> str:
    """Put the imports that some code needs in front of it.

    Args:
        code: statements that use ``httpx``, ``os``, ``Path``, ``places`` or ``svckit``.

    Examples:
        >>> print(add_imports('svc.files.upload("a.txt", to=places.drive("u-001"))'))
        from svckit import places
        <BLANKLINE>
        svc.files.upload("a.txt", to=places.drive("u-001"))
    """
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    lines = [line for name, line in IMPORTS.items() if name in used]
    return "\n".join([*lines, *([""] if lines else []), code])
