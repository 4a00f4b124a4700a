"""Holding notebooks to the whole bar of executable documents: as they are stored, and as they run."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat.reader import NotJSONError
from nbformat.validator import NotebookValidationError

from svckit.notebook_bar import problems
from svckit.notebook_replay import replay
from svckit.notebook_shortfall import Shortfall

__all__ = ["check", "found"]


def found(paths: Iterable[Path]) -> Iterator[Path]:
    """The notebooks that are named, and those in folders that are, sorted; copies that Jupyter keeps are left out."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                each for each in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in each.parts
            )
        else:
            yield path


def check(path: Path) -> list[Shortfall]:
    """Say everything that is wrong with a notebook, as it is stored and when it is run again; nothing, for a good one.

    Raises:
        ModuleNotFoundError: nbval is not installed; it comes with the extra ``check``.
    """
    try:
        notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has few types
        nbformat.validate(notebook)
    except (NotJSONError, NotebookValidationError, OSError, ValueError, AttributeError) as broken:
        why = str(broken).partition("\n")[0]
        return [Shortfall(f"it cannot be read as a notebook: {why}", "unreadable")]
    return [*problems(notebook, path.resolve().parent), *replay(path, notebook)]
