"""The course: lessons with exercises that are graded by what the learner's code sends.

    from svckit import course
    course.learner("Mina", group="spring")    # data of your own, and your progress is kept
    feedback = course.check(post_all)          # run the exercise of this name, and say what happened
    course.board()                             # what is solved, and what comes next

Names load on first use, so that the command line starts without the fake.
"""

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from svckit.extras import check_fakes

if TYPE_CHECKING:
    from svckit.course.checking import check
    from svckit.course.learners import Learner, learner
    from svckit.course.prediction import Prediction, predict
    from svckit.course.scoreboard import Board, board
    from svckit.course.trainer import Classroom, classroom

__all__ = ["Board", "Classroom", "Learner", "Prediction", "board", "check", "classroom", "learner", "predict"]

_HOMES = {
    **dict.fromkeys(("Board", "board"), "svckit.course.scoreboard"),
    **dict.fromkeys(("Classroom", "classroom"), "svckit.course.trainer"),
    **dict.fromkeys(("Learner", "learner"), "svckit.course.learners"),
    **dict.fromkeys(("Prediction", "predict"), "svckit.course.prediction"),
    "check": "svckit.course.checking",
}


def __getattr__(name: str) -> Any:
    from svckit.display.lazy_names import load_name

    if name in _HOMES:
        check_fakes()
    return load_name(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)


def _attend() -> None:
    """Take the seat of a learner, if this is a notebook of a class, whose spawner or shell has chosen a profile."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and os.environ.get("SVCKIT_PROFILE", "fake") not in ("", "fake"):
        with suppress(ImportError):  # of somebody else's fakes, which every name here reports
            check_fakes()
            import_module("svckit.course.attending").attend(shell)


_attend()
