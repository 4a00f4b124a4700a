"""Strings in Python code, evaluated from one expression at a time; nothing is run.

Literals, f-strings, ``+``, ``.format`` and ``urljoin`` are evaluated. Any other part of an expression, such as a
variable, is a `HOLE` in the string.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import NamedTuple

__all__ = ["HOLE", "METHODS", "Piece", "Text", "find_texts"]

HOLE = "\0"
"""The placeholder for an unknown part of a string."""

METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
WITH_METHOD = frozenset({"request", "stream", "build_request"})
WORD = re.compile(r"[\w-]+")


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
        line: the first line of the expression.
    """

    pieces: Sequence[Piece]
    method: str
    line: int

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def line_of(self, start: int, end: int, lines: Sequence[str]) -> int:
        """Return the line of code at which a part of the string is complete.

        Args:
            start: the start of the part.
            end: the end of the part.
            lines: all lines of the code.
        """
        part, piece, place = "", self.pieces[0], 0
        for each in self.pieces:
            if each.text[max(0, start - place) : max(0, end - place)].strip(HOLE + "/"):
                part, piece = each.text[: end - place], each
            place += len(each.text)
        if piece.text.count("\n") == piece.last - piece.first:  # a literal without escaped line ends
            return piece.first + part.count("\n")
        word = WORD.findall(part)[-1:]
        numbers = range(piece.first, piece.last + 1)
        return next((each for each in numbers if word and word[0] in lines[each - 1]), piece.first)


def find_texts(tree: ast.AST) -> list[Text]:
    """Return all strings of a module, in the order of the code.

    Examples:
        >>> [text] = find_texts(ast.parse('http.delete(f"{base}/users/" + user + "/mail")'))
        >>> str(text).replace(HOLE, "…"), text.method
        ('…/users/…/mail', 'delete')
    """
    visitor = _StringVisitor()
    visitor.visit(tree)
    return visitor.texts


class _StringVisitor(ast.NodeVisitor):
    def __init__(self) -> None:
        self.texts: list[Text] = []
        self._method = ""

    def visit(self, node: ast.AST) -> None:
        if _is_string(node):
            pieces = list(_fold(node))
            if any(piece.text.strip(HOLE) for piece in pieces):
                self.texts.append(Text(pieces, self._method, getattr(node, "lineno", 0)))
            self._method = ""
            for part in _find_holes(node):
                self.visit(part)
        elif isinstance(node, ast.Call):
            self.visit(node.func)
            for argument in [*node.args, *(each.value for each in node.keywords)]:
                self._method = _find_method(node)
                self.visit(argument)
        else:
            self._method = ""
            self.generic_visit(node)


def _find_method(node: ast.Call) -> str:
    name = _callee(node)
    if name not in WITH_METHOD:
        return name if name in METHODS else ""
    given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "method")]
    words = (
        each.value.lower() for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )
    return next((word for word in words if word in METHODS), "")


def _callee(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_string(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_string(left) or _is_string(right)
        case ast.Call(func=ast.Attribute(value=owner, attr="format")):
            return _is_string(owner)
        case ast.Call() if _callee(node) == "urljoin":
            return any(map(_is_string, node.args))
    return False


def _fold(node: ast.AST) -> Iterator[Piece]:
    """Yield the pieces of a string."""
    match node:
        case ast.Constant(value=str(text), lineno=first, end_lineno=last):
            yield Piece(text, first, last or first)
        case ast.JoinedStr(values=values, lineno=first, end_lineno=last):
            for value in values:  # which have lines of their own in newer Pythons only
                match value:
                    case ast.Constant(value=str(text)):
                        yield Piece(text, first, last or first)
                    case _:
                        yield Piece(HOLE)
        case ast.BinOp(left=left, right=right) if _is_string(node):
            yield from _fold(left)
            yield from _fold(right)
        case ast.Call(func=ast.Attribute(value=owner, attr="format"), args=args) if _is_string(node):
            yield from _fill_fields(owner, [list(_fold(each)) for each in args])
        case ast.Call(args=args) if _is_string(node):
            yield from _join_url(args)
        case _:
            yield Piece(HOLE)


def _fill_fields(template: ast.AST, given: Sequence[Sequence[Piece]]) -> Iterator[Piece]:
    following = iter(given)
    for piece in _fold(template):
        try:
            fields = list(Formatter().parse(piece.text))
        except ValueError:  # a single brace
            fields = [(piece.text, None, None, None)]
        for literal, name, _, _ in fields:
            yield Piece(literal, piece.first, piece.last)
            if name == "":
                yield from next(following, ())
            elif name is not None and name.isdecimal():
                yield from given[int(name)] if int(name) < len(given) else ()
            elif name is not None:
                yield Piece(HOLE)


def _join_url(args: Sequence[ast.expr]) -> Iterator[Piece]:
    """Yield the base and what is below it, with one slash between them."""
    base, *rest = [list(_fold(each)) or [Piece("")] for each in args]  # an f-string may be empty
    yield from [*base[:-1], base[-1]._replace(text=base[-1].text.rstrip("/"))]
    for pieces in rest:
        yield Piece("/")
        yield from [pieces[0]._replace(text=pieces[0].text.lstrip("/")), *pieces[1:]]


def _find_holes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions in a string that are not part of it; there may be strings in them."""
    match node:
        case ast.Constant():
            return
        case ast.JoinedStr(values=values):
            yield from (each.value for each in values if isinstance(each, ast.FormattedValue))
        case ast.Call(func=func, args=args, keywords=keywords):
            owner = [func.value] if isinstance(func, ast.Attribute) and func.attr == "format" else []
            for each in [*owner, *args, *(keyword.value for keyword in keywords)]:
                yield from _find_holes(each) if _is_string(each) else [each]
        case ast.BinOp(left=left, right=right):
            for each in (left, right):
                yield from _find_holes(each) if _is_string(each) else [each]
