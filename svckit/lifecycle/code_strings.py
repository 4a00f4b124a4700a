"""The strings that Python code builds, and the HTTP methods they are sent with.

Names are followed from one assignment to the next. After a branch that may not run, the values assigned in it are
unknown.
"""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from svckit.lifecycle.constant_folding import (
    HOLE,
    UNKNOWN,
    Client,
    Folding,
    Known,
    Pieces,
    Value,
    callee_name,
    join_path,
    name_of,
    plain,
)

__all__ = ["ASSIGNED", "METHODS", "Text", "texts"]

METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
ASSIGNED = "="
"""In place of a method: the string is assigned to a name, and the uses of the name show its method."""
WORD = re.compile(r"[\w-]+")
WITH_METHOD = frozenset({"request", "stream", "build_request"})


@dataclass(frozen=True, slots=True)
class Text:
    """A string that code builds.

    Attributes:
        pieces: the parts, each with the first and the last line of the literal it comes from.
        method: the HTTP method of the call that it is an argument of, in lower case; empty if unknown; `ASSIGNED` if
            it is assigned to a name.
        line: the first line of the expression.
    """

    pieces: Pieces
    method: str
    line: int

    def __str__(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def line_of(self, start: int, end: int, lines: Sequence[str]) -> int:
        """Return the line of the code on which a part of the string is complete.

        Args:
            start: the start of the part.
            end: the end of the part.
            lines: the lines of the code.
        """
        part, piece = "", self.pieces[0]
        place = 0
        for each in self.pieces:
            inside = each.text[max(0, start - place) : max(0, end - place)]
            if inside.strip(HOLE + "/"):
                part, piece = each.text[: end - place], each
            place += len(each.text)
        if piece.text.count("\n") == piece.last - piece.first:  # a literal without escapes
            return piece.first + part.count("\n")
        word = WORD.findall(part)[-1:]
        numbers = range(piece.first, piece.last + 1)
        return next((each for each in numbers if word and word[0] in lines[each - 1]), piece.first)


def texts(tree: ast.AST, known: Known) -> list[Text]:
    """Return all strings of a module in source order; add the values of its names to ``known``.

    Examples:
        >>> code = 'base = "/users/" + user' + chr(10) + 'http.delete(f"{base}/mail")'
        >>> [(str(text).replace(HOLE, "…"), text.method) for text in texts(ast.parse(code), {})]
        [('/users/…', '='), ('/users/…/mail', 'delete')]
    """
    reader = _StringVisitor(known)
    reader.visit(tree)
    return reader.found


class _StringVisitor(ast.NodeVisitor):
    """A visitor that reads a module from its first statement to its last."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.found: list[Text] = []

    def visit(self, node: ast.AST) -> None:
        """Read a statement or an expression, with everything in it."""
        match node:
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                self._assign([target], value)
            case ast.AugAssign(target=target, op=operator, value=value):
                self._assign([target], ast.copy_location(ast.BinOp(target, operator, value), node))
            case ast.With() | ast.AsyncWith():
                self._with(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node)
            case ast.ClassDef():
                outside, self.known = self.known, dict(self.known)
                self._all(node.body)
                self.known = outside
            case ast.expr() if Folding(self.known).is_string(node):
                self._note(node, "")
            case ast.Call():
                self._call(node)
            case _ if not self._visit_branches(node):
                self.generic_visit(node)

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # -- values of names ---------------------------------------------------------------------------------------

    def _assign(self, targets: Iterable[ast.expr], given: ast.expr) -> None:
        if Folding(self.known).is_string(given):
            self._note(given, ASSIGNED)
        else:
            self.visit(given)
        value = Folding(self.known).value(given)
        for target in targets:
            self._bind(target, value)

    def _bind(self, target: ast.AST, value: Value) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._bind(each, UNKNOWN)
        elif (name := name_of(target)) is not None:
            owner, _, attribute = name.rpartition(".")
            if attribute == "base_url" and isinstance(value, tuple):
                self.known[owner] = Client(value)
            self.known[name] = value

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, Folding(self.known).value(item.context_expr))
        self._all(node.body)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Read a function, with unknown arguments; attributes that it sets, such as those of ``self``, stay known."""
        self._all(
            [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]
        )
        outside = self.known
        given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        self.known = {name: value for name, value in outside.items() if name not in given}
        self._all(node.body if isinstance(node.body, list) else [node.body])
        outside |= {name: value for name, value in self.known.items() if "." in name}
        self.known = outside

    def _visit_branches(self, node: ast.AST) -> bool:
        """Read a statement with optional blocks, and return whether it is one."""
        match node:
            case (
                ast.If(test=first, body=body, orelse=orelse) | ast.While(test=first, body=body, orelse=orelse)
            ):
                self.visit(first)
                self._branches(body, orelse)
            case ast.For(target=target, iter=first) | ast.AsyncFor(target=target, iter=first):
                self.visit(first)
                self._bind(target, UNKNOWN)
                self._branches(node.body, node.orelse)
            case ast.Try() | ast.TryStar():
                self._branches([*node.body, *node.orelse], *(handler.body for handler in node.handlers))
                self._all(node.finalbody)
            case ast.Match(subject=first, cases=cases):
                self.visit(first)
                self._branches(*(each.body for each in cases))
            case _:
                return False
        return True

    def _branches(self, *blocks: Iterable[ast.AST]) -> None:
        """Read blocks that may or may not run; names they assign differently are unknown after them."""
        before = self.known
        after = [before]
        for block in blocks:
            self.known = dict(before)
            self._all(block)
            after.append(self.known)
        self.known = before
        for name in {name for known in after for name in known}:
            if any(known.get(name) != before.get(name) for known in after):
                before.pop(name, None)

    # -- uses of strings -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> None:
        self.visit(node.func)
        method = self._method(node)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        client = None if owner is None else Folding(self.known).value(owner)
        base = client.base if isinstance(client, Client) and method is not None else None
        for argument in [*node.args, *(each.value for each in node.keywords)]:
            if Folding(self.known).is_string(argument):
                self._note(argument, method or "", base)
            else:
                self.visit(argument)

    def _method(self, node: ast.Call) -> str | None:
        """Return the HTTP method of a call; empty if unknown, None if it is not an HTTP call."""
        name = callee_name(node)
        if name in METHODS:
            return name
        if name in WITH_METHOD:
            given = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "method")]
            words = (plain(Folding(self.known).pieces(each, [])).lower() for each in given)
            return next((word for word in words if word in METHODS), "")
        return None

    def _note(self, node: ast.AST, method: str, base: Pieces | None = None) -> None:
        opaque: list[ast.AST] = []
        pieces = Folding(self.known).pieces(node, opaque)
        if base is not None and "://" not in plain(pieces):
            pieces = join_path([base, pieces])
        if any(piece.text.strip(HOLE) for piece in pieces):
            self.found.append(Text(pieces, method, getattr(node, "lineno", 0)))
        for each in opaque:
            if each is not node:
                self.visit(each)
