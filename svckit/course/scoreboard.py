"""The board: lessons with a learner's results, and the next step."""

import json
from itertools import takewhile
from pathlib import Path
from typing import Any

from svckit.course.catalogue import Lesson, list_lessons
from svckit.course.progress import FILE, Progress, current_progress, load_progress
from svckit.display.card import Shown, render_table
from svckit.local_files import write_atomically

__all__ = ["CELL", "Board", "board", "put_board"]

CELL: dict[str, Any] = {
    "cell_type": "code",
    "id": "board",
    "metadata": {},
    "execution_count": None,
    "source": "from svckit import course\n\ncourse.board()",
}
"""The cell that shows the board on the first page of a learner on a hub."""
COLUMNS = ("lesson", "title", "minutes", "goals", "tries", "hints", "state")


class Board(Shown):
    """The lessons with a learner's results, as a table."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.lessons: list[Lesson] = list_lessons()

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """A row for each lesson: number, title, minutes, goals, tries, hints and state."""
        return [self._describe(lesson) for lesson in self.lessons]

    @property
    def solved(self) -> int:
        """The number of solved lessons."""
        return sum(self.progress.is_solved(lesson.function) for lesson in self.lessons)

    @property
    def next_step(self) -> str:
        """The lesson to do next, in a sentence."""
        for lesson in self.lessons:
            if not self.progress.is_solved(lesson.function):
                return f"Next: lesson {lesson.number}, {lesson.title} ({lesson.minutes} minutes), {lesson.place}."
        return "All lessons are solved."

    def _describe(self, lesson: Lesson) -> tuple[str, ...]:
        tries, solved = self.progress.of(lesson.function), self.progress.is_solved(lesson.function)
        most = max((attempt.goals for attempt in tries), default=0)
        hints = sum(bool(attempt.mistake) for attempt in takewhile(lambda attempt: not attempt.solved, tries))
        state = "✓ solved" if solved else "… not yet" if tries else "– not started"
        figures = str(lesson.minutes), f"{most} of {lesson.goals}", str(len(tries)), str(hints)
        return lesson.number, lesson.title, *figures, state

    def _render(self) -> tuple[str, str]:
        who = f"{self.progress.name} ({self.progress.group})" if self.progress.group else self.progress.name
        html, text = render_table(f"Course: {who}" if who else "Course", COLUMNS, self.rows)
        return html + render_table(self.next_step, (), ())[0], f"{text}\n{self.next_step}"


def board() -> Board:
    """Show the lessons with your results, and what comes next.

    Examples:
        >>> from svckit import course
        >>> course.board().next_step
        'Next: lesson ...'
    """
    return Board(current_progress())


def put_board(notebook: Path) -> None:
    """Show the board in the first cell of a learner's notebook, with the progress that is beside it.

    Raises:
        ValueError: the notebook or the progress is not one, or the progress is somebody else's.
    """
    own = Board(load_progress(notebook.with_name(FILE)))
    shown = {"text/html": own._repr_html_(), "text/plain": repr(own)}
    top = CELL | {"outputs": [{"output_type": "display_data", "data": shown, "metadata": {}}]}
    page = json.loads(notebook.read_bytes())
    page["cells"] = [top, *(cell for cell in page["cells"] if cell.get("id") != CELL["id"])]
    with write_atomically(notebook) as file:
        file.write(json.dumps(page, indent=1, ensure_ascii=False).encode())
