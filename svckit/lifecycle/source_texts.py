"""The texts of Python files and notebooks: strings that code puts together, comments, commands and prose."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from svckit.lifecycle.code_strings import Text, texts
from svckit.lifecycle.constant_folding import (
    HOLE,
    Known,
    TextPiece,
    plain,
)
from svckit.lifecycle.shell_commands import commands

__all__ = ["SourceFile", "Unreadable", "read_source"]

SHELL = frozenset({"bash", "sh", "script", "cmd", "system", "sx", "!"})
PYTHON = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "writefile"})
"""Cell magics below which there is shell code, and Python; below others there may be anything."""
CELL_MAGIC = re.compile(r"\s*%%(\S+)")
COMMAND = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?(?:!(?!=)|%(?:sx|system)\s)")
TIMED = re.compile(r"^\s*%time(?:it)?\s")
MAGIC = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?%|^\s*[\w.]+[?]{1,2}\s*$|^\s*[?]")
DELETES = re.compile(r"\bdelete\b", re.IGNORECASE)


class Unreadable(ValueError):
    """A file, or several, that is no Python source or no notebook, as its name says it is."""


class SourceFile:
    """A Python file, or a notebook, of which all cells are one text.

    Attributes:
        lines: the lines of the file, or of all cells.
    """

    def __init__(
        self, cells: Sequence[Mapping[str, Any]], *, is_notebook: bool, is_python: bool = True
    ) -> None:
        self.lines: list[str] = []
        self._is_notebook = is_notebook
        self._cells: list[tuple[int, Mapping[str, Any]]] = []
        for cell in cells:
            self._cells.append((len(self.lines), cell))
            self.lines += _text(cell).splitlines()
        self._is_python = is_python

    def place(self, number: int) -> tuple[int | None, str | None, int]:
        """The number and the id of the cell, from 1, and the line in it, of one of all lines."""
        if not self._is_notebook:
            return None, None, number
        found = [place for place in enumerate(self._cells, 1) if place[1][0] < number]
        cell, (before, content) = found[-1]
        return cell, content.get("id"), number - before

    def texts(self) -> Iterator[Text]:
        """Everything that is said, cell by cell."""
        known: Known = {}
        for before, cell in self._cells:
            lines = _text(cell).splitlines()
            if cell["cell_type"] == "code" and self._is_python:
                yield from _code(lines, before, known)
            else:
                yield from _prose(lines, before)


def read_source(path: Path) -> SourceFile:
    """Read a file.

    Raises:
        Unreadable: it is not what its name says.
    """
    try:
        if path.suffix == ".ipynb":
            notebook = json.loads(path.read_text(encoding="utf-8"))
            language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
            return SourceFile(
                notebook["cells"], is_notebook=True, is_python=str(language).lower() == "python"
            )
        with tokenize.open(path) as source:  # in the encoding that the file declares
            return SourceFile([{"cell_type": "code", "source": source.read()}], is_notebook=False)
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, AttributeError) as broken:
        kind = "notebook" if path.suffix == ".ipynb" else "Python source"
        why = (
            str(broken).partition(" for ")[0] if isinstance(broken, SyntaxError) else broken
        )  # or the path twice
        raise Unreadable(f"{path} cannot be read as a {kind}: {why}") from None


def _text(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _prose(lines: Sequence[str], before: int) -> Iterator[Text]:
    """Lines of which nothing is known."""
    for number, line in enumerate(lines, before + 1):
        yield Text((TextPiece(line, number, number),), "", number)


def _code(lines: Sequence[str], before: int, known: Known) -> Iterator[Text]:
    """Python code, with the commands and magics that a notebook may have in it."""
    magic = next((CELL_MAGIC.match(line) for line in lines if line.strip()), None)
    if magic is not None and magic[1] not in PYTHON:
        yield from _commands(lines, before, known) if magic[1] in SHELL else _prose(lines, before)
        return
    code, shell = lines, [""] * len(lines)
    tree = _parse(code)
    if tree is None:
        code, shell = _split(lines)
        tree = _parse(code)
    if tree is None:
        yield from _prose(code, before)
    else:
        yield from texts(ast.increment_lineno(tree, before), known)
        yield from _comments(code, before)
    yield from _commands(shell, before, known)


def _parse(code: Sequence[str]) -> ast.Module | None:
    """The code as Python reads it; None where it does not."""
    try:
        return ast.parse("\n".join(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _split(lines: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """The Python code and the commands, each with nothing in the place of the other."""
    code, shell, goes_on = [], [], False
    for line in lines:
        if goes_on or COMMAND.match(line):
            code.append("" if goes_on else _indent(line) + "pass")
            shell.append(line if goes_on else COMMAND.sub("", line))
            goes_on = line.rstrip().endswith("\\")
        else:
            timed = TIMED.sub(_indent(line), line)
            code.append(_indent(line) + "pass" if MAGIC.match(timed) else timed)
            shell.append("")
    return code, shell


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _comments(code: Sequence[str], before: int) -> Iterator[Text]:
    """The comments, and the names that may be those of a value, such as an enumeration's."""
    for token in tokenize.generate_tokens(io.StringIO("\n".join(code) + "\n").readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.NAME and token.string.isupper()):
            number = before + token.start[0]
            yield Text((TextPiece(token.string, number, number),), "", number)


def _commands(lines: Sequence[str], before: int, known: Known) -> Iterator[Text]:
    """Shell code, in which what is known of Python names is put in too, as IPython does."""
    variables = {name: plain(value) for name, value in known.items() if isinstance(value, tuple)}
    told = {name: value for name, value in variables.items() if HOLE not in value}
    for first, last, text in commands(lines, told):
        method = "delete" if DELETES.search(text) else "other"
        yield Text((TextPiece(text, before + first, before + last),), method, before + first)
