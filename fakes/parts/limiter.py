"""The rate limiter of the notification endpoint."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated, Self, TypeVar

from pydantic import Field

from fakes import rulebook
from fakes.clock import Clock
from fakes.persistence import Instant, Saved
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models import limits

__all__ = ["RateData", "RateLimiter", "RateState"]

WINDOW = timedelta(minutes=1)

Judged = TypeVar("Judged")


@dataclass(frozen=True, slots=True)
class RateState:
    """The values of the four rate headers: calls used, the limit, calls left, and whole seconds until the reset."""

    used: int
    limit: int
    remaining: int
    reset: int


class CountData(Saved):
    """Calls counted in both windows in a snapshot."""

    window: list[Instant]
    last_minute: list[Instant]


class RateData(CountData):
    """The counted calls in a snapshot.

    Attributes:
        other: the count under the other alternative of the rule for refused calls; None if it is the same.
    """

    limit: Annotated[int, Field(ge=1)]
    other: CountData | None = None


@dataclass
class WindowCount:
    """The calls in a fixed window and in a sliding one."""

    window: list[datetime] = field(default_factory=list)
    last_minute: deque[datetime] = field(default_factory=deque)

    @classmethod
    def of(cls, data: CountData) -> Self:
        """Return the saved counts."""
        return cls(list(data.window), deque(data.last_minute))

    def dump(self) -> CountData:
        """Return the counts for a snapshot."""
        return CountData.model_construct(window=list(self.window), last_minute=list(self.last_minute))

    def copy(self) -> "WindowCount":
        """Return an independent copy."""
        return WindowCount(self.window.copy(), self.last_minute.copy())

    def note(self, now: datetime) -> None:
        """Count a call."""
        if not self.window or now - self.window[0] >= WINDOW:
            self.window = []
        self.window.append(now)
        while self.last_minute and now - self.last_minute[0] >= WINDOW:
            self.last_minute.popleft()
        self.last_minute.append(now)

    def count(self, window: str, now: datetime) -> tuple[int, datetime | None]:
        """Return the number of calls in a window of a kind now, and the time of the first; None if there are none."""
        calls: Sequence[datetime] = self.window if window == "fixed" else self.last_minute
        if window == "fixed":
            earlier = 0 if calls and now - calls[0] < WINDOW else len(calls)
        else:
            earlier = bisect_left(calls, True, key=lambda call: now - call < WINDOW)
        return len(calls) - earlier, calls[earlier] if earlier < len(calls) else None


class RateLimiter:
    """The rate limiter of one domain: 120 calls a minute for all webhooks together.

    A fixed window and a sliding one agree for the first minute. A tally of all calls and one without calls refused
    with 400 agree until one is refused. Where they differ, assumptions decide.

    Examples:
        >>> limiter = RateLimiter(clock=Clock("2026-06-01T09:00:00Z"), rules=Rules())
        >>> limiter.admits([])
        True
        >>> limiter.count()
        RateState(used=1, limit=120, remaining=119, reset=60)
    """

    def __init__(self, *, clock: Clock, rules: Rules, limit: int = limits.NOTIFICATIONS_PER_MINUTE) -> None:
        self.limit = limit
        self._clock = clock
        self._rules = rules
        self._tally = WindowCount()
        # The tally under the other alternative of the rule for refused calls, only to know what responses rest on;
        # None while it is the same.
        self._other: WindowCount | None = None

    def admits(self, deciding: list[Rule]) -> bool:
        """Return whether one more call is within the rate now, and list the assumptions that decided it."""
        self._rules.follow(rulebook.notifications.RATE)
        return self._judge(lambda state: state.remaining > 0, deciding)

    def is_exhausted(self) -> bool:
        """Return whether one more call is beyond the rate now; this does not count as use of a rule."""
        return self._look().remaining == 0

    def dump(self) -> RateData:
        """Return the counted calls for a snapshot."""
        other, tally = None if self._other is None else self._other.dump(), self._tally.dump()
        return RateData.model_construct(
            limit=self.limit, window=tally.window, last_minute=tally.last_minute, other=other
        )

    def load(self, data: RateData) -> None:
        """Replace the counted calls with saved ones."""
        self.limit, self._tally = data.limit, WindowCount.of(data)
        self._other = None if data.other is None else WindowCount.of(data.other)

    def count(self) -> RateState:
        """Count a call and return the state of the rate."""
        now = self._clock.now()
        self._tally.note(now)
        if self._other is not None:
            self._other.note(now)
            if self._other == self._tally:
                self._other = None
        return self.state()

    def note_refusal(self) -> None:
        """Count a call refused with 400, if those count; only the next responses rest on that."""
        other = self._other = self._other or self._tally.copy()
        counted = self._rules.look_up(rulebook.notifications.REFUSED_CALLS) == "counted"
        (self._tally if counted else other).note(self._clock.now())

    def state(self) -> RateState:
        """Return the state of the rate without counting a call."""
        return self._judge(lambda state: state)

    def until_reset(self) -> int:
        """Return the seconds until the reset for an error message; no response rests on it."""
        return self._look().reset

    def _look(self) -> RateState:
        """Return the state of the rate; this does not count as use of a rule."""
        window = self._rules.look_up(rulebook.notifications.WINDOW)
        return self._compute_state(self._tally, window, self._clock.now())

    def _judge(self, judge: Callable[[RateState], Judged], deciding: list[Rule] | None = None) -> Judged:
        """Return the outcome of a state, and note and list the assumptions that would change it."""
        deciding = [] if deciding is None else deciding
        rules, now = self._rules, self._clock.now()
        chosen = rules.look_up(rulebook.notifications.WINDOW)
        outcomes = {
            window: judge(self._compute_state(self._tally, window, now)) for window in ("fixed", "sliding")
        }
        if outcomes["fixed"] != outcomes["sliding"]:
            deciding.append(rulebook.notifications.WINDOW)
        outcome = outcomes[chosen]
        if self._other is not None and judge(self._compute_state(self._other, chosen, now)) != outcome:
            deciding.append(rulebook.notifications.REFUSED_CALLS)
        for rule in deciding:
            rules.choice(rule)
        return outcome

    def _compute_state(self, tally: WindowCount, window: str, now: datetime) -> RateState:
        used, first = tally.count(window, now)
        until_reset = WINDOW if first is None else first + WINDOW - now
        return RateState(used, self.limit, max(0, self.limit - used), ceil(until_reset.total_seconds()))
