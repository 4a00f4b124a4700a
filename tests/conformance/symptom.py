"""How a case fails: the statement at which it does, and the status of a response that it did not ask for."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from _pytest._code import Source

from .target import UNTELLING, Unexpected

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Symptom:
    """How a case fails.

    Attributes:
        statement: the one in the case's own module that was last reached.
        status: of the response, where it is the status that the case did not ask for.
    """

    statement: str
    status: int | None = None

    @classmethod
    def of(cls, excinfo):
        """The symptom of an exception, as pytest has it."""
        entries = [each for each in excinfo.traceback if is_case(Path(each.path))]
        statement = statement_at(str(entries[-1].path), entries[-1].lineno) if entries else ""
        return cls(statement, excinfo.value.status if excinfo.errisinstance(Unexpected) else None)

    @property
    def kind(self):
        """What has the same cause at the same statement; None for a status that may have any."""
        if self.status is None:
            return "compared"
        if self.status < 400:
            return "taken"
        return None if self.status in UNTELLING or self.status >= 500 else "refused"

    def is_like(self, other):
        """Whether it is the same, but for the status."""
        return self.statement == other.statement and self.kind is not None and self.kind == other.kind


def is_case(path):
    return path.parent == HERE and path.name.startswith("test_")


@lru_cache
def statement_at(path, line):
    """A statement, whichever of its lines is given, without line breaks."""
    return " ".join(str(Source(Path(path).read_text(encoding="utf-8")).getstatement(line)).split())
