"""Notebooks as they are stored, and the command that checks them."""

from functools import partial
from pathlib import Path

import nbformat
from nbformat import v4

from ..command import run_command

run = partial(run_command, "check")


def store(path: Path, *cells: tuple[str, str], leaves: str = "") -> Path:
    """A notebook whose cells printed what stands beside them, and which may name the files that it leaves."""
    written = [
        v4.new_code_cell(
            source,
            id=f"c{number}",
            execution_count=number,
            outputs=[v4.new_output("stream", name="stdout", text=printed)] if printed else [],
        )
        for number, (source, printed) in enumerate(cells, 1)
    ]
    path.parent.mkdir(exist_ok=True)
    metadata = {"svckit": {"leaves": [leaves]}} if leaves else {}
    nbformat.write(v4.new_notebook(cells=written, metadata=metadata), path)
    return path
