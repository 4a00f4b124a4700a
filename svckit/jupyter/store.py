"""Running a notebook and storing what it shows, as the bar of `svckit.jupyter.rules` wants it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat

from svckit.jupyter.lab import execute
from svckit.jupyter.rerun import ENVIRONMENT, SECONDS_A_CELL
from svckit.jupyter.static_outputs import keep_static_renderings
from svckit.local_files import write_atomically

__all__ = ["METADATA", "run_to_text", "store"]

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""What a notebook's file says of its language: no versions, which differ from one machine to the next."""


def store(path: Path, seconds: int = SECONDS_A_CELL) -> None:
    """Run a notebook where it lies, from first to last, and store it as `run_to_text` gives it.

    Raises:
        svckit.jupyter.lab.CellFailedError: a cell raised or took longer than `seconds`; the file stays as it was.
    """
    text = run_to_text(path.resolve(), seconds)
    with write_atomically(path) as file:
        file.write(text.encode())


def run_to_text(path: Path, seconds: int = SECONDS_A_CELL) -> str:
    """Run a notebook under the variables of `ENVIRONMENT`, and return its file's text as it is to be stored.

    That is what a reader sees, and nothing that differs from one run or machine to the next: no views or state of
    widgets (their HTML or text stays), no timings, no versions.

    Raises:
        svckit.jupyter.lab.CellFailedError: a cell raised or took longer than `seconds`.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has few types
    with _set_environment():
        notebook.cells = list(execute(path, seconds))
    notebook.metadata.update(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code" and not cell.source.strip():  # which Jupyter does not run
            cell.update(execution_count=None, outputs=[])
    keep_static_renderings(notebook)
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]


@contextmanager
def _set_environment() -> Iterator[None]:
    """What kernels that begin in the block inherit."""
    before = dict(os.environ)
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name in ENVIRONMENT:
            if name in before:
                os.environ[name] = before[name]
            else:
                del os.environ[name]
