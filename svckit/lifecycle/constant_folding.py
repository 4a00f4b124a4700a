"""Evaluation of string expressions in Python code by reading it; nothing is run.

An unknown part, such as an argument of a function, is a `HOLE` in the string.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["HOLE", "UNKNOWN", "Client", "Folding", "Known", "Pieces", "TextPiece", "Value"]
__all__ += ["callee_name", "join_path", "name_of", "plain"]

HOLE = "\0"
"""The placeholder for an unknown part of a string."""

JOINED = frozenset({"urljoin", "URL", "Path", "PurePosixPath", "joinpath", "str"})
"""Calls that return their arguments joined by slashes."""
KEPT = frozenset({"strip", "rstrip", "lstrip", "encode", "as_posix", "geturl"})
"""Methods that keep a path, except for its ends."""
PERCENT = re.compile(r"%(?:\((\w+)\))?[-+ #0-9.*]*[a-zA-Z]|%%")
BRACES = re.compile(r"\{\{|\}\}|\{([^{}!:.\[]*)[^{}]*\}")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text, and the lines of the literal it comes from."""

    text: str
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Client:
    """An object whose calls are relative to a base URL."""

    base: tuple[TextPiece, ...]


Pieces = tuple[TextPiece, ...]
Value = Pieces | Client | list[Pieces]
Known = dict[str, Value]
"""The known values of names, and of attributes as they are written."""
UNKNOWN: Pieces = (TextPiece(HOLE),)
SLASH: Pieces = (TextPiece("/"),)


class Folding:
    """An evaluator of string expressions from the known values of names.

    Args:
        known: the known values of names.
    """

    def __init__(self, known: Known) -> None:
        self._known = known

    def value(self, node: ast.AST) -> Value:
        """Return the value of an expression: a client, a list of strings, or a string."""
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "base_url":
                    return Client(self.pieces(keyword.value, []))
        if isinstance(node, ast.Name | ast.Attribute):
            return self._known.get(name_of(node) or "", UNKNOWN)
        if isinstance(node, ast.List | ast.Tuple):
            return [self.pieces(each, []) for each in node.elts]
        return self.pieces(node, [])

    def is_string(self, node: ast.AST | None) -> bool:
        """Return whether an expression is a string that is at least partly known."""
        match node:
            case ast.Name() | ast.Attribute():
                value = self._known.get(name_of(node) or "", UNKNOWN)
                return isinstance(value, tuple) and value != UNKNOWN
            case ast.BinOp(left=left, op=ast.Add() | ast.Div(), right=right):
                return self.is_string(left) or self.is_string(right)
            case ast.BinOp(left=left, op=ast.Mod()):
                return self.is_string(left)
            case ast.Call():
                return self._is_string_call(node)
        return isinstance(node, ast.JoinedStr) or _is_literal(node)

    def _is_string_call(self, node: ast.Call) -> bool:
        name, receiver = callee_name(node), node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "join" and self.is_string(receiver):
            return len(node.args) == 1
        if name in {"format", "replace", *KEPT}:
            return self.is_string(receiver)
        return name in {"join", *JOINED} and any(map(self.is_string, [receiver, *node.args]))

    def pieces(self, node: ast.AST, opaque: list[ast.AST]) -> Pieces:
        """Return the parts of a string; add the unknown expressions in it to ``opaque``."""
        found: Value = UNKNOWN
        match node:
            case ast.Constant(value=str(text)):
                found = (TextPiece(text, node.lineno, node.end_lineno or node.lineno),)
            case ast.Name() | ast.Attribute():
                found = self._known.get(name_of(node) or "", UNKNOWN)
            case ast.JoinedStr(values=values):
                found = self._joined_str(node, values, opaque)
            case ast.BinOp(left=left, op=operator, right=right) if self.is_string(node):
                found = self._fold_operator(left, operator, right, opaque)
            case ast.Call() if self.is_string(node):
                found = self._call(node, opaque)
            case _:
                opaque.append(node)
        return found if isinstance(found, tuple) else UNKNOWN

    def _fold_operator(
        self, left: ast.expr, operator: ast.operator, right: ast.expr, opaque: list[ast.AST]
    ) -> Pieces:
        """Evaluate ``a + b``, ``a / b`` or ``a % b``."""
        first = self.pieces(left, opaque)
        if isinstance(operator, ast.Mod):
            given = right.elts if isinstance(right, ast.Tuple) else [right]
            return _fill_pattern(first, PERCENT, [self.pieces(each, opaque) for each in given], {})
        second = self.pieces(right, opaque)
        return first + second if isinstance(operator, ast.Add) else join_path([first, second])

    def _joined_str(self, node: ast.JoinedStr, values: Sequence[ast.expr], opaque: list[ast.AST]) -> Pieces:
        """Evaluate an f-string; its parts have their own lines in newer Pythons only."""
        found: list[TextPiece] = []
        for value in values:
            if isinstance(value, ast.FormattedValue):
                found += self.pieces(value.value, opaque)
            elif isinstance(value, ast.Constant):
                found.append(TextPiece(str(value.value), node.lineno, node.end_lineno or node.lineno))
        return tuple(found)

    def _call(self, node: ast.Call, opaque: list[ast.AST]) -> Pieces:
        """Evaluate a method of a string, or a function that joins strings."""
        name = callee_name(node)
        arguments = [
            self.pieces(each, opaque) for each in node.args if not isinstance(each, ast.List | ast.Tuple)
        ]
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "format" and receiver is not None:
            named = {each.arg: self.pieces(each.value, opaque) for each in node.keywords if each.arg}
            return _fill_pattern(self.pieces(receiver, opaque), BRACES, arguments, named)
        if name == "join" and receiver is not None:
            return self._join(receiver, node, opaque)
        if name == "replace" and receiver is not None and len(arguments) == 2:
            old, new = plain(arguments[0]), plain(arguments[1])
            pieces = self.pieces(receiver, opaque)
            if HOLE in old or not old:
                return pieces
            return tuple(TextPiece(each.text.replace(old, new), each.first, each.last) for each in pieces)
        if name in KEPT and receiver is not None:
            return self.pieces(receiver, opaque)
        owner = [] if receiver is None or name != "joinpath" else [self.pieces(receiver, opaque)]
        return join_path([*owner, *arguments])

    def _join(self, receiver: ast.AST, node: ast.Call, opaque: list[ast.AST]) -> Pieces:
        """Evaluate ``"/".join([…])`` or ``posixpath.join(…)``."""
        if self.is_string(receiver):
            value = self.value(node.args[0])
            parts = value if isinstance(value, list) else [UNKNOWN]
            if isinstance(node.args[0], ast.List | ast.Tuple):
                opaque += [each for each in node.args[0].elts if not self.is_string(each)]
            return _join_pieces(self.pieces(receiver, opaque), parts)
        return join_path([self.pieces(each, opaque) for each in node.args])


def _is_literal(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def callee_name(node: ast.Call) -> str | None:
    """Return the last part of the callee's name."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def name_of(node: ast.AST) -> str | None:
    """Return a name, or an attribute of one, as it is written."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute) if (owner := name_of(value)) is not None:
            return f"{owner}.{attribute}"
    return None


def plain(pieces: Pieces) -> str:
    """Return the text of the pieces."""
    return "".join(piece.text for piece in pieces)


def _join_pieces(separator: Pieces, parts: Sequence[Pieces]) -> Pieces:
    found: list[TextPiece] = []
    for number, part in enumerate(parts):
        found += [*(separator if number else ()), *part]
    return tuple(found)


def join_path(parts: Sequence[Pieces]) -> Pieces:
    """Join parts of a path with one slash between them."""
    found: list[TextPiece] = []
    for part in parts:
        if found and not found[-1].text.endswith("/") and not plain(part).startswith("/"):
            found += SLASH
        elif found and found[-1].text.endswith("/") and plain(part).startswith("/"):
            last = found.pop()
            found.append(TextPiece(last.text.rstrip("/"), last.first, last.last))
        found += part
    return tuple(found)


def _fill_pattern(
    pieces: Pieces, places: re.Pattern[str], given: Sequence[Pieces], named: dict[str, Pieces]
) -> Pieces:
    """Fill the placeholders of a pattern, by position or by name."""
    return tuple(_fill(pieces, places, iter(given), list(given), named))


def _fill(
    pieces: Pieces,
    places: re.Pattern[str],
    following: Iterator[Pieces],
    given: list[Pieces],
    named: dict[str, Pieces],
) -> Iterator[TextPiece]:
    for piece in pieces:
        end = 0
        for place in places.finditer(piece.text):
            yield TextPiece(piece.text[end : place.start()], piece.first, piece.last)
            end = place.end()
            name = place[1] or ""
            if place[0] in ("%%", "{{", "}}"):
                yield TextPiece(place[0][0], piece.first, piece.last)
            elif name.isdigit():
                yield from given[int(name)] if int(name) < len(given) else UNKNOWN
            elif name:
                yield from named.get(name, UNKNOWN)
            else:
                yield from next(following, UNKNOWN)
        yield TextPiece(piece.text[end:], piece.first, piece.last)
