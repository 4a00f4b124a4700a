"""The first page of a learner on a hub: the first lesson, with the board on top."""

import json
from pathlib import Path
from typing import Any

from svckit.course.progress import FILE, load_progress
from svckit.course.scoreboard import Board
from svckit.local_files import write_atomically

__all__ = ["put_board"]

CELL: dict[str, Any] = {
    "cell_type": "code",
    "id": "board",
    "metadata": {},
    "execution_count": None,
    "source": "from svckit import course\n\ncourse.board()",
}


def put_board(notebook: Path) -> None:
    """Show the board in the first cell of a learner's notebook, with the progress that is beside it.

    Raises:
        ValueError: the notebook or the progress is not one, or the progress is somebody else's.
    """
    board = Board(load_progress(notebook.with_name(FILE)))
    shown = {"text/html": board._repr_html_(), "text/plain": repr(board)}
    top = CELL | {"outputs": [{"output_type": "display_data", "data": shown, "metadata": {}}]}
    page = json.loads(notebook.read_bytes())
    page["cells"] = [top, *(cell for cell in page["cells"] if cell.get("id") != CELL["id"])]
    with write_atomically(notebook) as file:
        file.write(json.dumps(page, indent=1, ensure_ascii=False).encode())
