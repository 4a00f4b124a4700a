"""Small changes to the source, each of which some test should notice.

They come from the syntax tree, and replace one expression or statement in the text, so that all else stays as it is.
"""

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("fakes", "svckit")
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.Gt: ast.GtE,
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
}
COMPARED |= {other: one for one, other in COMPARED.items()}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TYPES = ("Literal", "TypeVar", "TypeAlias", "Annotated", "cast")  # in these, what changes is for mypy to see


@dataclass(frozen=True)
class Mutant:
    """A change to a file.

    Attributes:
        path: of the file, from the root.
        line: where it is.
        code: what stands on that line.
        before: the text that is replaced, on one line.
        after: what stands there instead, on one line.
        source: the whole file with the change.
    """

    path: str
    line: int
    code: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by wherever it stands in the file."""
        return self.path, self.code, f"{self.before} → {self.after}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} → {self.after}"


def drawn(seed: int, number: int, root: Path = ROOT, under: Sequence[str] = PACKAGES) -> list[Mutant]:
    """Draw mutants of the modules under some paths, the same for the same source, paths and seed."""
    paths = sorted({path for place in under for path in modules(root / place)})
    choice = random.Random(seed)
    places = [(path, index) for path in paths for index in range(len(changes(path.read_text("utf-8"))))]
    return [mutant(root, path, index) for path, index in choice.sample(places, min(number, len(places)))]


def modules(place: Path) -> list[Path]:
    """Return the modules under a path, or the one that it is."""
    return [place] if place.is_file() else list(place.rglob("*.py"))


def mutant(root: Path, path: Path, index: int) -> Mutant:
    """Make the mutant of a file that has this number."""
    text = path.read_text("utf-8")
    old, new = changes(text)[index]
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: old.lineno - 1])) + old.col_offset
    end = sum(map(len, lines[: (old.end_lineno or 0) - 1])) + (old.end_col_offset or 0)
    after = ast.unparse(new)
    within = f"({after})" if isinstance(new, ast.expr) and not isinstance(new, ast.Constant) else after
    content = text.encode()
    source = (content[:start] + within.encode() + content[end:]).decode()
    before, after = (" ".join(each.split()) for each in (content[start:end].decode(), after))
    code = lines[old.lineno - 1].decode().strip()
    return Mutant(path.relative_to(root).as_posix(), old.lineno, code, before, after, source)


def changes(text: str) -> list[tuple[ast.expr | ast.stmt, ast.AST]]:
    """All changes to a source, in its order: a node, and what stands there instead."""
    return [(node, new) for node in nodes(ast.parse(text)) for new in instead(node)]


def nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """The expressions and statements that run, without annotations, docstrings, and the inside of f-strings."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or name in ("annotation", "returns", "decorator_list"):
                continue
            if isinstance(child, ast.JoinedStr) or is_for_types(child):
                continue  # in an f-string, Python 3.11 does not say where what stands
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            yield from nodes(child)


def is_for_types(node: ast.AST) -> bool:
    """Whether it is a docstring, or is there for type checkers or for whoever imports."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    if isinstance(node, ast.If):
        return ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    named = (
        node.value if isinstance(node, ast.Subscript) else node.func if isinstance(node, ast.Call) else None
    )
    return (isinstance(named, ast.Name) and named.id in TYPES) or (
        isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) in TYPES
    )


def instead(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """What can stand in place of a node."""
    match node:
        case ast.Compare(ops=[op]):
            yield ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
        case ast.BoolOp(op=op):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), node.values)
        case ast.BinOp(op=op) if type(op) in COUNTED and not is_union(node):
            yield ast.BinOp(node.left, COUNTED[type(op)](), node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Constant(value=value):
            yield from (ast.Constant(other) for other in others(value))
        case ast.Call(func=ast.Name(id="min" | "max")):
            pass  # in any order of arguments the same
        case ast.Call(args=[first, second, *rest]) if not {type(first), type(second)} & {ast.Starred}:
            yield ast.Call(node.func, [second, first, *rest], node.keywords)
        case ast.stmt():
            yield from statements_instead(node)


def others(value: object) -> Iterator[bool | int | str]:
    """Another constant; of a text only where it is a name, as other texts are for people to read."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str) and value.replace("-", "_").isidentifier():
        yield f"{value}x"


def statements_instead(node: ast.stmt) -> Iterator[ast.stmt]:
    """What can stand in place of a statement: nothing, where it does something, or a return of nothing."""
    match node:
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            yield ast.Pass()


def is_union(node: ast.BinOp) -> bool:
    """Whether an expression may be a union of types, as in ``isinstance(x, int | None)``."""
    sides = partial(map, ast.unparse, (node.left, node.right))
    return isinstance(node.op, ast.BitOr) and any(
        side[:1].isupper() or side in ("None", "int", "str") for side in sides()
    )
