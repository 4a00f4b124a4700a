"""Strings in Python code, evaluated from one expression at a time; nothing is run.

Literals, f-strings, ``+``, ``.format`` and ``urljoin`` are evaluated. Any other part of an expression, such as a
variable, is a `HOLE` in the string.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import count
from string import Formatter
from typing import NamedTuple

__all__ = ["HOLE", "Text", "find_texts"]

HOLE = "\0"
"""The placeholder for an unknown part of a string."""

METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
WITH_METHOD = frozenset({"request", "stream", "build_request"})
TEMPLATES = (ast.Constant, ast.JoinedStr, ast.BinOp)
"""The expressions whose ``.format`` is evaluated."""
WORD = re.compile(r"[\w-]+")

Elsewhere = list[tuple[ast.AST, str]]
"""Nodes that are not part of a string, but may hold strings, with the method of the call they are arguments of."""


class Text(NamedTuple):
    """A string in code.

    Attributes:
        content: the string.
        first, last: the lines of the expression.
        method: the HTTP method of the call it is an argument of, in lower case; empty if unknown.
    """

    content: str
    first: int
    last: int
    method: str = ""

    def line_of(self, end: int, lines: Sequence[str]) -> int:
        """Return the line of code that has the last word before a place in the string; the first if it is cut.

        Args:
            end: the place.
            lines: all lines of the code.
        """
        before = self.content[:end]
        word = WORD.findall(before)[-1]
        numbers = range(self.first, self.last + 1)
        found = [number for number in numbers for _ in range(lines[number - 1].count(word))]
        # A word that the string has three times is in the line where the code has it for the third time.
        return found[: before.count(word)][-1] if found else self.first


def find_texts(node: ast.AST, method: str = "") -> Iterator[Text]:
    """Yield all strings of a module.

    Args:
        node: the module, or an expression in it.
        method: the HTTP method of the call that the expression is an argument of.

    Examples:
        >>> [text] = find_texts(ast.parse('http.delete(f"{base}/users/" + user + "/mail")'))
        >>> text.content.replace(HOLE, "…"), text.method
        ('…/users/…/mail', 'delete')
    """
    elsewhere: Elsewhere = []
    content = "".join(_evaluate(node, elsewhere))
    if isinstance(node, ast.expr) and content.strip(HOLE):
        yield Text(content, node.lineno, node.end_lineno or node.lineno, method)
    for other, its_method in elsewhere:
        yield from find_texts(other, its_method)


def _evaluate(node: ast.AST, elsewhere: Elsewhere) -> Iterator[str]:
    """Yield the parts of a string, or a hole if it is not one, and collect what else may hold strings."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=values):
            for value in values:
                yield from _evaluate(value, elsewhere)
        case ast.FormattedValue(value=value):
            yield from _evaluate(value, elsewhere)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _evaluate(left, elsewhere)
            yield from _evaluate(right, elsewhere)
        case ast.Call(func=ast.Attribute(value=template, attr="format")) if isinstance(template, TEMPLATES):
            yield from _fill_fields("".join(_evaluate(template, elsewhere)), node, elsewhere)
        case ast.Call(args=[_, *_]) if _name_callee(node) == "urljoin":
            yield "/".join("".join(_evaluate(part, elsewhere)) for part in node.args)
        case _:
            yield HOLE
            elsewhere += _list_parts(node)


def _list_parts(node: ast.AST) -> Elsewhere:
    """List the parts of an expression that is not a string, with the method of a call."""
    method = _find_method(node) if isinstance(node, ast.Call) else ""
    children = ast.iter_child_nodes(node)
    return [(child.value if isinstance(child, ast.keyword) else child, method) for child in children]


def _fill_fields(template: str, call: ast.Call, elsewhere: Elsewhere) -> Iterator[str]:
    """Yield the parts of ``template.format(…)``."""
    given: dict[str | None, ast.AST] = {str(place): value for place, value in enumerate(call.args)}
    given |= {keyword.arg: keyword.value for keyword in call.keywords}
    places = count()
    try:
        fields = list(Formatter().parse(template))
    except ValueError:  # a single brace
        fields = [(template, None, None, None)]
    for literal, name, _, _ in fields:
        yield literal
        if name is not None:
            value = given.get(name or str(next(places)))
            yield from [HOLE] if value is None else _evaluate(value, elsewhere)


def _name_callee(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _find_method(call: ast.Call) -> str:
    """Return the HTTP method of a call such as ``http.get(…)`` or ``request("GET", …)``; empty if unknown."""
    names = [_name_callee(call)]
    if names[0] in WITH_METHOD:
        given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "method")]
        names = [str(value.value).lower() for value in given if isinstance(value, ast.Constant)]
    return next((name for name in names if name in METHODS), "")
