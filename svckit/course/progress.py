"""Progress: the tries of a learner, in a file beside the notebooks."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from svckit.course.learners import FILE, current_learner
from svckit.local_files import write_atomically

if TYPE_CHECKING:
    from fakes.lessons import Feedback

__all__ = ["FILE", "Progress", "Try", "current_progress", "load_progress", "read_progress", "record"]


class Try(BaseModel):
    """One check of an exercise; the learner's code is not kept."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)
    exercise: str
    at: datetime
    solved: bool
    goals: int
    """How many goals were reached."""
    mistake: str = ""


class Progress(BaseModel):
    """All tries of one learner."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    name: str = ""
    group: str = ""
    seed: int = 0
    tries: list[Try] = []

    def of(self, exercise: str) -> list[Try]:
        """Return the tries of an exercise, oldest first."""
        return [attempt for attempt in self.tries if attempt.exercise == exercise]

    def is_solved(self, exercise: str) -> bool:
        """Return whether an exercise was solved in any try."""
        return any(attempt.solved for attempt in self.of(exercise))


_unnamed = Progress()
"""The tries in this process while nobody has said who learns."""


def read_progress(path: Path) -> Progress:
    """Read a progress file.

    Raises:
        ValueError: the file is not a progress file.
    """
    try:
        return Progress.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ValueError(
            f"{path} is not a file of progress ({error.error_count()} problems, first: {error.errors()[0]['msg']}); "
            "move it away to start again"
        ) from None


def load_progress(path: Path) -> Progress:
    """Return the progress in a file, or new progress without a file.

    If nobody is named here, the learner is the one of the file. A file without a name becomes the learner's.

    Raises:
        ValueError: the file is not a progress file, or another learner's.
    """
    learner = current_learner()
    named = {"name": learner.name, "group": learner.group, "seed": learner.seed} if learner else {}
    progress = read_progress(path) if path.exists() else Progress()
    if not progress.name:
        return progress.model_copy(update=named)
    if learner is not None and (progress.name, progress.group) != (learner.name, learner.group):
        raise ValueError(
            f"{path.resolve()} holds the progress of {progress.name}, not of {learner.name}; work in another folder, "
            "or move the file away"
        )
    return progress


def current_progress() -> Progress:
    """Return the progress of the current learner: from the file in this folder, or of this process.

    Raises:
        ValueError: the file is not a progress file, or another learner's.
    """
    path = Path(FILE)
    return _unnamed if current_learner() is None and not path.exists() else load_progress(path)


def record(exercise: str, feedback: "Feedback", path: Path | None = None) -> None:
    """Add a try to the progress in a file, or to the current one, whose file is written if it is known who learns."""
    progress = current_progress() if path is None else load_progress(path)
    progress.tries.append(
        Try(
            exercise=exercise,
            at=datetime.now(UTC).replace(microsecond=0),
            solved=feedback.solved,
            goals=sum(goal.reached is True for goal in feedback.goals),
            mistake=feedback.mistake,
        )
    )
    if progress is not _unnamed:
        with write_atomically(path or Path(FILE)) as file:
            file.write(progress.model_dump_json(indent=1).encode())
    from svckit.course.attending import report

    report(exercise, progress)
