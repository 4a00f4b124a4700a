"""Find cells whose result or output is suppressed, so that nobody can compare it."""

import ast
import re
from itertools import takewhile

__all__ = ["find_hiding"]

CAPTURE = re.compile(r"%%capture\b")
PYTHON_MAGIC = re.compile(r"%%(?:time|timeit|prun)\b")
"""Cell magics whose body is Python."""
SILENCED = re.compile(r"^\s*%(?:time|timeit|prun)\b.*;\s*$")
"""Line magics whose output a semicolon suppresses."""


def find_hiding(source: str) -> str | None:
    """Return what hides the output of a cell: ``%%capture``, or a semicolon after its last expression.

    Examples:
        >>> find_hiding("figure.plot();")
        'a semicolon at its end'
        >>> find_hiding("_ = figure.plot()"), find_hiding("x = 1;"), find_hiding("'a;'  # b;")
        (None, None, None)
    """
    lines = source.strip().splitlines()
    magics = list(takewhile(lambda line: line.startswith("%%"), lines))
    if any(map(CAPTURE.match, magics)):
        return "%%capture"
    body = lines[len(magics) :]
    if not body or not all(map(PYTHON_MAGIC.match, magics)):
        return None
    if SILENCED.match(body[-1]) or _ends_in_hidden_expression("\n".join(body)):
        return "a semicolon at its end"
    return None


def _ends_in_hidden_expression(source: str) -> bool:
    if ";" not in source:
        return False
    from IPython.core.displayhook import DisplayHook  # always installed where notebooks run
    from IPython.core.inputtransformer2 import TransformerManager

    python = TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]
    try:
        last = ast.parse(python).body[-1]
    except (SyntaxError, IndexError):
        return False
    return isinstance(last, ast.Expr) and bool(DisplayHook.semicolon_at_end_of_expression(python))  # type: ignore[no-untyped-call]
