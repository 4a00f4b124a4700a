"""Running a project in processes of their own, each in a copy of its folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from pydantic import TypeAdapter

from fakes.lessons import Feedback, Said, grade, said
from svckit.course.catalogue import PROJECT
from svckit.course.channel import Ended, describe_end
from svckit.course.far_function import connect_to
from svckit.course.project_clients import Client

__all__ = ["SECONDS", "SuiteRun", "run_client", "run_suites"]

SECONDS = 120
"""The time limit for each process."""
PROGRAM = """
import sys
sys.path.insert(0, "")
import hr_sync
client, receive = (vars(hr_sync)[name] for name in ("sync", "receive"))

def sync(*given):
    report = client(*given)
    return {name: getattr(report, name) for name in ("changed", "unchanged", "problems") if hasattr(report, name)}
"""
"""What calls a client, and passes on its report."""


class SuiteRun(NamedTuple):
    """A run of the learner's tests with one client.

    Attributes:
        run: the tests that were run.
        failed: the lines with which pytest explains a failed test, or a file that could not be imported, by name.
        slept: the seconds that tests slept, by name.
        ended: why the run has no outcomes, in words; empty if it has.
    """

    run: Sequence[str] = ()
    failed: Mapping[str, Sequence[str]] = {}
    slept: Mapping[str, float] = {}
    ended: str = ""

    @property
    def passed(self) -> bool:
        """True if there are tests, and all passed."""
        return bool(self.run) and not self.failed and not self.ended


def run_client(folder: Path, seed: int, earlier: list[str]) -> Feedback | Said:
    """Grade the client of a project by its traffic, or say why it has none."""
    try:
        with connect_to(SECONDS, folder) as code:
            defined = code.ask("define", PROGRAM, ["sync", "receive"])
            if isinstance(defined, tuple):
                name, text = defined
                return said("lacks" if name == "KeyError" else "imported", error=name, text=text)
            sync, receive = defined
            client = Client(lambda *given: SimpleNamespace(**sync(*given)), receive)
            return grade(PROJECT.load(), client, seed, earlier)
    except (Ended, Exception) as error:  # noqa: BLE001 - whatever a check meets in what the client says
        return said("stopped", text=describe_end(error))


def run_suites(folder: Path, suites: Sequence[Sequence[str]]) -> list[SuiteRun]:
    """Run the learner's tests again and again in a new process, and if it ends early, in another.

    Args:
        folder: the project.
        suites: for each run the source of a client, empty for the learner's own, and options of pytest.
    """
    runs: list[SuiteRun] = []
    while len(runs) < len(suites):
        try:
            with connect_to(SECONDS, folder) as code:
                while len(runs) < len(suites):
                    runs.append(RUN.validate_python(code.ask("test", *suites[len(runs)])))
        except (Ended, Exception) as error:  # noqa: BLE001 - whatever the tests do to the process
            runs.append(SuiteRun(ended=describe_end(error)))
    return runs


RUN = TypeAdapter(SuiteRun)
