"""The rate limiter of the notification endpoint."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from fakes import rulebook
from fakes.clock import Clock
from fakes.rules import Rules
from svckit.models import limits

__all__ = ["RateLimiter", "RateState"]

WINDOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class RateState:
    """What the four rate headers say: calls used, the limit, calls left, and whole seconds until the reset."""

    used: int
    limit: int
    remaining: int
    reset: int


class RateLimiter:
    """Counts the calls of one domain: 120 a minute, whichever webhook they go to.

    Examples:
        >>> limiter = RateLimiter(clock=Clock("2026-06-01T09:00:00Z"), rules=Rules())
        >>> limiter.admits()
        True
        >>> limiter.count()
        RateState(used=1, limit=120, remaining=119, reset=60)
    """

    def __init__(self, *, clock: Clock, rules: Rules, limit: int = limits.NOTIFICATIONS_PER_MINUTE) -> None:
        self.limit = limit
        self._clock = clock
        self._rules = rules
        self._calls: deque[datetime] = deque()

    def admits(self) -> bool:
        """Whether one more call is within the rate now."""
        self._rules.follow(rulebook.notifications.RATE)
        self._drop_ended()
        return len(self._calls) < self.limit

    def count(self) -> RateState:
        """Count a call and return where the rate stands."""
        self._calls.append(self._clock.now())
        return self.state()

    def state(self) -> RateState:
        """Where the rate stands; counts nothing."""
        self._drop_ended()
        used = len(self._calls)
        since = self._calls[0] if self._calls else self._clock.now()
        reset = ceil((since + WINDOW - self._clock.now()).total_seconds())
        return RateState(used, self.limit, max(0, self.limit - used), reset)

    def _drop_ended(self) -> None:
        """Forget what no longer counts: the whole window once its minute is over, or, sliding, each call by itself."""
        horizon = self._clock.now() - WINDOW
        if not self._calls or self._calls[0] > horizon:
            return
        if self._rules.choice(rulebook.notifications.WINDOW) == "fixed":
            self._calls.clear()
        else:
            while self._calls and self._calls[0] <= horizon:
                self._calls.popleft()
