"""Running a notebook and storing its outputs so that they pass `svckit.jupyter.rules`."""

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
"""The metadata on the language of a notebook, without versions, which differ between machines."""


def store(path: Path, seconds: int = SECONDS_A_CELL) -> None:
    """Run a notebook in its folder, from first to last, and store the result of `run_to_text`.

    Raises:
        svckit.jupyter.lab.CellFailedError: a cell raised an error or exceeded the time limit; the file stays as it was.
    """
    text = run_to_text(path.resolve(), seconds)
    with write_atomically(path) as file:
        file.write(text.encode())


def run_to_text(path: Path, seconds: int = SECONDS_A_CELL) -> str:
    """Run a notebook with the variables of `ENVIRONMENT`, and return the text to store.

    It contains the outputs that readers see, and nothing that differs between runs or machines: no views or state of
    widgets (their HTML or text stays), no timings, no versions.

    Raises:
        svckit.jupyter.lab.CellFailedError: a cell raised an error or exceeded the time limit.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has few types
    notebook.cells = list(execute(path, seconds, ENVIRONMENT))
    notebook.metadata.update(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code" and not cell.source.strip():  # Jupyter does not run empty cells
            cell.update(execution_count=None, outputs=[])
    keep_static_renderings(notebook)
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]
