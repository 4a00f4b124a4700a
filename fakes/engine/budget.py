"""Budgets of calls, which end loops that would go on forever."""

from threading import Lock

from fakes.http.messages import RequestHead
from svckit.display.card import quantity
from svckit.display.masking import mask

__all__ = ["BudgetSpent", "CallBudget"]


class BudgetSpent(BaseException):
    """A call that is one too many for `FakeService.budget`.

    It is not an `Exception`, like `KeyboardInterrupt`: a client that retries after ``except Exception`` would catch it,
    and go on forever.
    """


class CallBudget:
    """The number of calls that may still be made, as `FakeService.budget` yields it.

    Attributes:
        calls: how many calls it allows.
        used: how many have been made, including those that were one too many.

    Examples:
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00")
        >>> with fake.budget(calls=10) as budget:
        ...     token = fake.access_token()
        >>> budget, budget.left
        (<CallBudget: 0 of 10 calls used>, 10)
    """

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.used: int = 0
        self._first_refused = ""
        self._lock = Lock()

    @property
    def left(self) -> int:
        """The number of calls that may still be made."""
        return max(0, self.calls - self.used)

    def count(self, head: RequestHead) -> None:
        """Count a call; `check` then says whether it is one too many."""
        with self._lock:
            self.used += 1
            if self.used > self.calls and not self._first_refused:
                self._first_refused = f"{head.method} {mask(head.url)}"

    def check(self) -> None:
        """Check that no call was one too many.

        Raises:
            BudgetSpent: one was.
        """
        if self.used > self.calls:
            raise BudgetSpent(
                f"the budget of {quantity(self.calls, 'call')} was spent before {self._first_refused}; most likely a "
                "loop retries without waiting or without end: look at fake.journal, wait as long as the response says, "
                "and give up after a few attempts. If so many calls are right, give fake.budget() more"
            )

    def __repr__(self) -> str:
        return f"<CallBudget: {self.used} of {quantity(self.calls, 'call')} used>"
