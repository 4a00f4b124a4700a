"""Read from the sources, without running them, which module imports which, where, and whether in a circle."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("svckit", "fakes")


@dataclass(frozen=True)
class Import:
    """One import of one of our modules by another."""

    importer: str
    imported: str
    function: str | None  # the outermost function it happens in; None at module level, TYPE_CHECKING included
    line: int

    def __str__(self) -> str:
        inside = f" in {self.function}()" if self.function else ""
        return f"{self.importer}:{self.line}{inside} imports {self.imported}"


def modules(root: Path) -> dict[str, Path]:
    """Return every module of our packages under `root` by its dotted name."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(sources: Mapping[str, Path]) -> list[Import]:
    """Return every import of ours, in functions and under TYPE_CHECKING too."""
    found = []
    for importer, path in sources.items():
        package = importer if path.name == "__init__.py" else importer.rpartition(".")[0]
        for node, function in _imports_in(ast.parse(path.read_text(encoding="utf-8")), None):
            found += [
                Import(importer, imported, function, node.lineno)
                for imported in _targets(node, package, sources)
                if imported.partition(".")[0] in PACKAGES
            ]
    return found


def cycles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of modules that import each other in a circle (strongly connected components)."""
    below: dict[str, set[str]] = {}
    for importer, imported in edges:
        below.setdefault(importer, set()).add(imported)

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            new = below.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return seen

    reach = {module: reachable(module) for module in below}
    groups = {
        frozenset(other for other in reach[module] if module in reach.get(other, ()))
        for module in below
        if module in reach[module]
    }
    return sorted(sorted(group) for group in groups)


def _imports_in(
    node: ast.AST, function: str | None
) -> Iterator[tuple[ast.Import | ast.ImportFrom, str | None]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, function
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _imports_in(child, function or child.name)
        else:
            yield from _imports_in(child, function)


def _targets(node: ast.Import | ast.ImportFrom, package: str, sources: Mapping[str, Path]) -> Iterator[str]:
    """Name what is imported: `from package import name` is the module `package.name` where there is one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    parts = package.split(".")
    above = parts[: len(parts) - node.level + 1] if node.level else []
    base = ".".join([*above, *filter(None, [node.module])])
    for alias in node.names:
        name = f"{base}.{alias.name}"
        yield name if name in sources else base
