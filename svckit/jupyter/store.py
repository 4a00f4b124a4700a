"""Running a notebook and storing its outputs so that they pass `svckit.jupyter.rules`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from svckit.jupyter.finding import Finding
from svckit.jupyter.rerun import ENVIRONMENT, SECONDS_A_CELL, report_failure
from svckit.jupyter.running import CellFailedError, run_cells
from svckit.jupyter.static_outputs import keep_static_renderings
from svckit.local_files import write_atomically

__all__ = ["METADATA", "run_to_text", "store"]

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
"""The metadata on the language of a notebook, without versions, which differ between machines."""


async def store(path: Path, seconds: int = SECONDS_A_CELL) -> list[Finding]:
    """Run a notebook in its folder, from first to last, and store the result of `run_to_text`.

    Returns:
        A finding if it was not run to its end; the file then stays as it was.
    """
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has few types
    try:
        text = await run_to_text(path, notebook, seconds)
    except (CellFailedError, RuntimeError) as error:
        return [report_failure(error, seconds, ", and stays as it was")]
    with write_atomically(path) as file:
        file.write(text.encode())
    return []


async def run_to_text(
    path: Path,
    notebook: Any,
    seconds: int = SECONDS_A_CELL,
    variables: Mapping[str, str] = ENVIRONMENT,
) -> str:
    """Run a notebook with some variables, by default those of `ENVIRONMENT`, and return the text to store.

    It contains the outputs that readers see, and nothing that differs between runs or machines: no views or state of
    widgets (their HTML or text stays), no timings, no versions.

    Raises:
        svckit.jupyter.running.CellFailedError: a cell raised an error or exceeded the time limit.
    """
    async for _ in run_cells(notebook, path.resolve().parent, seconds, variables):
        pass
    notebook.metadata.update(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code" and not cell.source.strip():  # Jupyter does not run empty cells
            cell.update(execution_count=None, outputs=[])
    keep_static_renderings(notebook)
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]
