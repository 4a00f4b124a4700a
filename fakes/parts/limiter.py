"""The rate limiter of the notification endpoint."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated

from pydantic import Field

from fakes import rulebook
from fakes.clock import Clock
from fakes.rules import Rules
from fakes.saved import Instant, Saved
from svckit.models import limits

__all__ = ["RateData", "RateLimiter", "RateState"]

WINDOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class RateState:
    """What the four rate headers say: calls used, the limit, calls left, and whole seconds until the reset."""

    used: int
    limit: int
    remaining: int
    reset: int


class RateData(Saved):
    """Counted calls as a snapshot has them."""

    limit: Annotated[int, Field(ge=1)]
    window: list[Instant]
    last_minute: list[Instant]


class RateLimiter:
    """Counts the calls of one domain: 120 a minute, whichever webhook they go to.

    A fixed window and a sliding one agree for the first minute; where they differ, an assumption decides.

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
        self._window: list[datetime] = []
        self._last_minute: deque[datetime] = deque()
        # Only to know what later answers rest on; a refusal changes no state, so it is not saved.
        self._refused_at: datetime | None = None

    def admits(self) -> bool:
        """Whether one more call is within the rate now."""
        self._rules.follow(rulebook.notifications.RATE)
        return self._now().remaining > 0

    def dump(self) -> RateData:
        """The counted calls as a snapshot has them."""
        return RateData(limit=self.limit, window=self._window, last_minute=list(self._last_minute))

    def load(self, data: RateData) -> None:
        """Replace the counted calls by saved ones."""
        self.limit, self._window, self._last_minute = data.limit, data.window, deque(data.last_minute)
        self._refused_at = None

    def count(self) -> RateState:
        """Count a call and return where the rate stands."""
        self._note()
        return self.state()

    def _note(self) -> None:
        now = self._clock.now()
        if not self._window or now - self._window[0] >= WINDOW:
            self._window = []
        self._window.append(now)
        while self._last_minute and now - self._last_minute[0] >= WINDOW:
            self._last_minute.popleft()
        self._last_minute.append(now)

    def note_refused(self) -> None:
        """Count a call that was refused with 400, if those count: the next answers rest on that, this one does not."""
        self._refused_at = self._clock.now()
        if self._rules[rulebook.notifications.REFUSED_CALLS.id].chosen == "counted":
            self._note()

    def state(self) -> RateState:
        """Where the rate stands; counts nothing and changes nothing."""
        if self._refused_at is not None and self._clock.now() - self._refused_at < WINDOW:
            self._rules.choice(rulebook.notifications.REFUSED_CALLS)
        return self._now()

    def _now(self) -> RateState:
        now = self._clock.now()
        opened = self._window[0] if self._window else now
        fixed = self._state(self._window if now - opened < WINDOW else [], now)
        sliding = self._state([call for call in self._last_minute if now - call < WINDOW], now)
        if fixed == sliding or self._rules.choice(rulebook.notifications.WINDOW) == "fixed":
            return fixed
        return sliding

    def _state(self, calls: list[datetime], now: datetime) -> RateState:
        until_reset = calls[0] + WINDOW - now if calls else WINDOW
        remaining = max(0, self.limit - len(calls))
        return RateState(len(calls), self.limit, remaining, ceil(until_reset.total_seconds()))
