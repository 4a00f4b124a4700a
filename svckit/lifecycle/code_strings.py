"""Strings in Python code, evaluated from one expression at a time; nothing is run.

Literals, f-strings, ``+``, ``.format`` and ``urljoin`` are evaluated. Any other part of an expression, such as a
variable, is a `HOLE` in the string.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from string import Formatter
from typing import NamedTuple

__all__ = ["HOLE", "Piece", "Text", "find_texts"]

HOLE = "\0"
"""The placeholder for an unknown part of a string."""

METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
WITH_METHOD = frozenset({"request", "stream", "build_request"})
TEMPLATES = (ast.Constant, ast.JoinedStr, ast.BinOp)
"""The expressions whose ``.format`` is evaluated."""
WORD = re.compile(r"[\w-]+")

Elsewhere = list[tuple[ast.AST, str]]
"""Nodes that are not part of a string, but may hold strings, with the method of the call they are arguments of."""


class Piece(NamedTuple):
    """Part of a string, with the first and last line of the literal it comes from."""

    text: str
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """A string in code.

    Attributes:
        pieces: the parts, in order.
        method: the HTTP method of the call it is an argument of, in lower case; empty if unknown.
    """

    pieces: Sequence[Piece]
    method: str = ""

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def line_of(self, start: int, end: int, lines: Sequence[str]) -> int:
        """Return the line of code at which a part of the string is complete.

        Args:
            start: the start of the part.
            end: the end of the part.
            lines: all lines of the code.
        """
        last, part, place = self.pieces[0], "", 0  # ``last`` is the piece that completes the part
        for piece in self.pieces:
            if piece.text[max(0, start - place) : max(0, end - place)].strip(HOLE + "/"):
                last, part = piece, piece.text[: end - place]
            place += len(piece.text)
        if last.text.count("\n") == last.last - last.first:  # a literal without escaped line ends
            return last.first + part.count("\n")
        word = WORD.findall(part)[-1:]
        numbers = range(last.first, last.last + 1)
        return next((number for number in numbers if word and word[0] in lines[number - 1]), last.first)


def find_texts(node: ast.AST, method: str = "") -> Iterator[Text]:
    """Yield all strings of a module.

    Args:
        node: the module, or an expression in it.
        method: the HTTP method of the call that the expression is an argument of.

    Examples:
        >>> [text] = find_texts(ast.parse('http.delete(f"{base}/users/" + user + "/mail")'))
        >>> str(text).replace(HOLE, "…"), text.method
        ('…/users/…/mail', 'delete')
    """
    elsewhere: Elsewhere = []
    pieces = list(_evaluate(node, elsewhere))
    if any(piece.text.strip(HOLE) for piece in pieces):
        yield Text(pieces, method)
    for other, its_method in elsewhere:
        yield from find_texts(other, its_method)


def _evaluate(node: ast.AST, elsewhere: Elsewhere) -> Iterator[Piece]:
    """Yield the pieces of a string, a hole for what is none, and collect what else may hold strings."""
    match node:
        case ast.Constant(value=str(text), lineno=first, end_lineno=last):
            yield Piece(text, first, last or first)
        case ast.JoinedStr(values=values, lineno=first, end_lineno=last):
            for value in values:
                for piece in _evaluate(value, elsewhere):  # which has lines of its own in newer Pythons only
                    yield piece._replace(first=first, last=last or first)
        case ast.FormattedValue(value=field):
            yield from _evaluate(field, elsewhere)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _evaluate(left, elsewhere)
            yield from _evaluate(right, elsewhere)
        case ast.Call(func=ast.Attribute(value=template, attr="format")) if isinstance(template, TEMPLATES):
            yield from _fill_fields(template, node, elsewhere)
        case ast.Call(args=[base, *others]) if _name_callee(node) == "urljoin":
            yield from _evaluate(base, elsewhere)
            for other in others:
                yield Piece("/")
                yield from _evaluate(other, elsewhere)
        case _:
            yield Piece(HOLE)
            elsewhere += _list_parts(node)


def _list_parts(node: ast.AST) -> Elsewhere:
    """List the parts of an expression that is not a string, with the method of a call."""
    method = _find_method(node) if isinstance(node, ast.Call) else ""
    children = ast.iter_child_nodes(node)
    return [(child.value if isinstance(child, ast.keyword) else child, method) for child in children]


def _fill_fields(template: ast.AST, call: ast.Call, elsewhere: Elsewhere) -> Iterator[Piece]:
    """Yield the pieces of ``template.format(…)``."""
    given: dict[str | None, ast.AST] = {str(place): value for place, value in enumerate(call.args)}
    given |= {keyword.arg: keyword.value for keyword in call.keywords}
    places = count()
    for piece in list(_evaluate(template, elsewhere)):
        try:
            fields = list(Formatter().parse(piece.text))
        except ValueError:  # a single brace
            fields = [(piece.text, None, None, None)]
        for literal, name, _, _ in fields:
            yield Piece(literal, piece.first, piece.last)
            if name is not None:
                value = given.get(name or str(next(places)))
                yield from [Piece(HOLE)] if value is None else _evaluate(value, elsewhere)


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
