"""The texts of Python files and notebooks: strings that code builds, comments, commands and prose."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from svckit.lifecycle.code_strings import Text, find_texts

__all__ = ["Cell", "Unreadable", "read_cells"]

SHELL = frozenset({"bash", "sh", "script", "cmd", "system", "sx", "!"})
PYTHON = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "writefile"})
"""Cell magics that are followed by shell code, and by Python; others may be followed by anything."""
CELL_MAGIC = re.compile(r"\s*%%(\S+)")
COMMAND = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?(?:!(?!=)|%(?:sx|system)\s)")
TIMED = re.compile(r"^\s*%time(?:it)?\s")
MAGIC = re.compile(r"^\s*(?:[\w.,\s]+=\s*)?%|^\s*[\w.]+[?]{1,2}\s*$|^\s*[?]")
MISSHAPEN = "it is not a JSON object with a list of cells, each with a type and a source"
QUOTES = str.maketrans("", "", "\"'")
DELETES = re.compile(r"\bdelete\b", re.IGNORECASE)


class Unreadable(ValueError):
    """Files that are not the Python source or notebook that their names say."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook, or a Python file.

    Attributes:
        lines: its lines.
        number: the number of the cell, from 1, counting all cells; None for a file.
        id: the ID of the cell, if it has one.
        is_python: whether it is Python; any other is read line by line.
    """

    lines: Sequence[str]
    number: int | None = None
    id: str | None = None
    is_python: bool = True

    def texts(self) -> Iterator[Text]:
        """Yield all texts."""
        return _read_code(self.lines) if self.is_python else _read_prose(self.lines)


def read_cells(path: Path) -> list[Cell]:
    """Read the cells of a notebook, or a Python file as one.

    Raises:
        Unreadable: it is not a file of the kind that its name says.
    """
    try:
        if path.suffix != ".ipynb":
            with tokenize.open(path) as source:  # in the encoding that the file declares
                return [Cell(source.read().splitlines())]
        notebook = json.loads(path.read_text(encoding="utf-8"))
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        code = "code" if str(language).lower() == "python" else None
        return [
            Cell("".join(cell["source"]).splitlines(), number, cell.get("id"), cell["cell_type"] == code)
            for number, cell in enumerate(notebook["cells"], 1)
        ]
    except (TypeError, KeyError, AttributeError):
        raise Unreadable(f"{path} cannot be read as a notebook: {MISSHAPEN}") from None
    except (OSError, SyntaxError, ValueError) as error:
        kind = "notebook" if path.suffix == ".ipynb" else "Python source"
        # Python's message ends with the path, which would appear twice.
        reason = str(error).partition(" for ")[0] if isinstance(error, SyntaxError) else error
        raise Unreadable(f"{path} cannot be read as a {kind}: {reason}") from None


def _read_prose(lines: Sequence[str]) -> Iterator[Text]:
    """Yield lines as they are."""
    for number, line in enumerate(lines, 1):
        yield Text(line, number, number)


def _read_code(lines: Sequence[str]) -> Iterator[Text]:
    """Yield the texts of Python code, with the commands and magics of a notebook."""
    magic = next((CELL_MAGIC.match(line) for line in lines if line.strip()), None)
    if magic is not None and magic[1] not in PYTHON:
        yield from _find_commands(lines) if magic[1] in SHELL else _read_prose(lines)
        return
    code, shell = lines, [""] * len(lines)
    tree = _parse(code)
    if tree is None:
        code, shell = _split(lines)
        tree = _parse(code)
    if tree is None:
        yield from _read_prose(code)
    else:
        yield from find_texts(tree)
        yield from _find_comments(code)
    yield from _find_commands(shell)


def _parse(code: Sequence[str]) -> ast.Module | None:
    """Parse Python code; return None if it is invalid."""
    try:
        return ast.parse("\n".join(code))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _split(lines: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """Split a cell into Python code and commands, each with other lines in place of those of the other."""
    code, shell, continues = [], [], False
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        if continues or COMMAND.match(line):
            code.append("" if continues else f"{indent}pass")
            shell.append(line if continues else COMMAND.sub("", line))
            continues = line.rstrip().endswith("\\")
        else:
            timed = TIMED.sub(indent, line)
            code.append(f"{indent}pass" if MAGIC.match(timed) else timed)
            shell.append("")
    return code, shell


def _find_comments(code: Sequence[str]) -> Iterator[Text]:
    """Yield the comments, and the upper-case names, which may be values of an enumeration."""
    for token in tokenize.generate_tokens(io.StringIO("\n".join(code) + "\n").readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.NAME and token.string.isupper()):
            yield Text(token.string, token.start[0], token.end[0])


def _find_commands(lines: Sequence[str]) -> Iterator[Text]:
    """Yield the commands of shell code, without quotes; each goes on where a line ends with a backslash."""
    command, first = "", 1
    for number, line in enumerate(lines, 1):
        words = line.rstrip().translate(QUOTES)
        command += words.removesuffix("\\") + " "
        if not words.endswith("\\") or number == len(lines):
            yield Text(command, first, number, "delete" if DELETES.search(command) else "")
            command, first = "", number + 1
