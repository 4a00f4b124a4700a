"""The texts of Python files and notebooks: strings that code builds, comments, commands and prose."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from svckit.lifecycle.code_strings import Piece, Text, find_texts

__all__ = ["SourceFile", "Unreadable", "read_source"]

SHELL = frozenset({"bash", "sh", "script", "cmd", "system", "sx", "!"})
PYTHON = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "writefile"})
"""Cell magics that are followed by shell code, and by Python; others may be followed by anything."""
CELL_MAGIC = re.compile(r"\s*%%(\S+)")
COMMAND = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?(?:!(?!=)|%(?:sx|system)\s)")
TIMED = re.compile(r"^\s*%time(?:it)?\s")
MAGIC = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?%|^\s*[\w.]+[?]{1,2}\s*$|^\s*[?]")
QUOTES = str.maketrans("", "", "\"'")
DELETES = re.compile(r"\bdelete\b", re.IGNORECASE)


class Unreadable(ValueError):
    """Files that are not the Python source or notebook that their names say."""


class SourceFile:
    """A Python file, or a notebook, with all its cells as one text.

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
            self.lines += _join_source(cell).splitlines()
        self._is_python = is_python

    def place(self, number: int) -> tuple[int | None, str | None, int]:
        """Return the number, from 1, and the ID of the cell with a line, and the line number in it."""
        if not self._is_notebook:
            return None, None, number
        earlier = [place for place in enumerate(self._cells, 1) if place[1][0] < number]
        cell, (before, content) = earlier[-1]
        return cell, content.get("id"), number - before

    def texts(self) -> Iterator[Text]:
        """Yield all texts, cell by cell."""
        for before, cell in self._cells:
            lines = _join_source(cell).splitlines()
            if cell["cell_type"] == "code" and self._is_python:
                yield from _read_code(lines, before)
            else:
                yield from _read_prose(lines, before)


def read_source(path: Path) -> SourceFile:
    """Read a file.

    Raises:
        Unreadable: it is not a file of the kind that its name says.
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
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, AttributeError) as error:
        kind = "notebook" if path.suffix == ".ipynb" else "Python source"
        reason = (
            str(error).partition(" for ")[0] if isinstance(error, SyntaxError) else error
        )  # or the path would appear twice
        raise Unreadable(f"{path} cannot be read as a {kind}: {reason}") from None


def _join_source(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _read_prose(lines: Sequence[str], before: int) -> Iterator[Text]:
    """Yield lines as they are."""
    for number, line in enumerate(lines, before + 1):
        yield Text([Piece(line, number, number)], "", number)


def _read_code(lines: Sequence[str], before: int) -> Iterator[Text]:
    """Yield the texts of Python code, with the commands and magics of a notebook."""
    magic = next((CELL_MAGIC.match(line) for line in lines if line.strip()), None)
    if magic is not None and magic[1] not in PYTHON:
        yield from _find_commands(lines, before) if magic[1] in SHELL else _read_prose(lines, before)
        return
    code, shell = lines, [""] * len(lines)
    tree = _parse(code)
    if tree is None:
        code, shell = _split(lines)
        tree = _parse(code)
    if tree is None:
        yield from _read_prose(code, before)
    else:
        yield from find_texts(ast.increment_lineno(tree, before))
        yield from _find_comments(code, before)
    yield from _find_commands(shell, before)


def _parse(code: Sequence[str]) -> ast.Module | None:
    """Parse Python code; return None if it is invalid."""
    try:
        return ast.parse("\n".join(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _split(lines: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """Split a cell into Python code and commands, with blank lines in place of the other."""
    code, shell, continues = [], [], False
    for line in lines:
        if continues or COMMAND.match(line):
            code.append("" if continues else _indent(line) + "pass")
            shell.append(line if continues else COMMAND.sub("", line))
            continues = line.rstrip().endswith("\\")
        else:
            timed = TIMED.sub(_indent(line), line)
            code.append(_indent(line) + "pass" if MAGIC.match(timed) else timed)
            shell.append("")
    return code, shell


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _find_comments(code: Sequence[str], before: int) -> Iterator[Text]:
    """Yield the comments, and the upper-case names, which may be values of an enumeration."""
    for token in tokenize.generate_tokens(io.StringIO("\n".join(code) + "\n").readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.NAME and token.string.isupper()):
            number = before + token.start[0]
            yield Text([Piece(token.string, number, number)], "", number)


def _find_commands(lines: Sequence[str], before: int) -> Iterator[Text]:
    """Yield the commands of shell code, each on one line and without quotes."""
    first, parts = 1, []
    for number, line in enumerate(lines, 1):
        parts.append(line.rstrip().removesuffix("\\").translate(QUOTES))
        if line.rstrip().endswith("\\") and number < len(lines):
            continue
        command = " ".join(parts)
        method = "delete" if DELETES.search(command) else "other"
        yield Text([Piece(command, before + first, before + number)], method, before + first)
        first, parts = number + 1, []
