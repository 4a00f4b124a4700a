"""The first page of a learner on a hub: the first lesson, with the board on top."""

from pathlib import Path

import nbformat

from svckit.course.progress import FILE, load_progress
from svckit.course.scoreboard import Board
from svckit.local_files import write_atomically

__all__ = ["put_board"]

BOARD = "from svckit import course\n\ncourse.board()"


def put_board(notebook: Path) -> None:
    """Show the board in the first cell of a learner's notebook, with the progress that is beside it.

    Raises:
        ValueError: the progress is somebody else's.
    """
    board = Board(load_progress(notebook.with_name(FILE)))
    page = nbformat.read(notebook, as_version=4)
    cell = next((cell for cell in page.cells if cell.source == BOARD), None)
    if cell is None:
        cell = nbformat.v4.new_code_cell(BOARD)
        page.cells.insert(0, cell)
    shown = {"text/html": board._repr_html_(), "text/plain": repr(board)}
    cell.outputs = [nbformat.v4.new_output("display_data", shown)]
    with write_atomically(notebook) as file:
        file.write(nbformat.writes(page).encode())
