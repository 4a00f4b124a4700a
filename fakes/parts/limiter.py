"""The rate limiter of the notification endpoint."""

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from typing import Annotated, Self

from pydantic import Field

from fakes import rulebook
from fakes.clock import Clock
from fakes.persistence import Instant, Saved
from fakes.rulebook.rule import Rule
from fakes.rulebook.rules import Rules
from svckit.models import limits
from svckit.models.notification import RateLimit

__all__ = ["MINUTE", "RateData", "RateLimiter"]

MINUTE = timedelta(minutes=1)
OTHER_KIND = {"fixed": "sliding", "sliding": "fixed"}
"""The other kind of window, by the alternatives of the rule ``notification.window``."""


class TallyData(Saved):
    """A tally in a snapshot: the calls in the fixed window, and those in the sliding one."""

    window: list[Instant]
    last_minute: list[Instant]


class RateData(TallyData):
    """The counted calls in a snapshot.

    Attributes:
        other: the tally under the other alternative of the rule for refused calls; None if it is the same.
    """

    limit: Annotated[int, Field(ge=1)]
    other: TallyData | None = None


@dataclass
class Tally:
    """The counted calls, by both kinds of window.

    Calls at 09:00:00 and 09:00:50: at 09:01:05 a fixed window, which the first of them opened, has ended and counts 0;
    a sliding one, the last minute, counts 1.

    Attributes:
        calls: those of the minute before the latest; among them are all of the fixed window, which is never longer.
        fixed: how many of them, at the end, are in the fixed window.
    """

    calls: deque[datetime] = field(default_factory=deque)
    fixed: int = 0

    @classmethod
    def of(cls, data: TallyData) -> Self:
        """Return a saved tally."""
        return cls(deque(data.last_minute), len(data.window))

    def dump(self) -> TallyData:
        """Return the tally for a snapshot."""
        calls = list(self.calls)
        return TallyData.model_construct(window=calls[len(calls) - self.fixed :], last_minute=calls)

    def copy(self) -> "Tally":
        """Return an independent copy."""
        return Tally(self.calls.copy(), self.fixed)

    def hit(self, now: datetime) -> None:
        """Count a call."""
        calls, horizon = self.calls, now - MINUTE
        if self.fixed and calls[-self.fixed] <= horizon:
            self.fixed = 0
        while calls and calls[0] <= horizon:
            calls.popleft()
        calls.append(now)
        self.fixed += 1

    def stats(self, limit: int, now: datetime) -> dict[str, RateLimit]:
        """Return the state of the rate now, in each kind of window."""
        calls, horizon = self.calls, now - MINUTE
        sliding = len(calls) - bisect_right(calls, horizon)
        fixed = self.fixed if self.fixed <= sliding else 0  # else its first call is too old, and with it all
        state = self._state(sliding, limit, horizon)
        return {"sliding": state, "fixed": state if fixed == sliding else self._state(fixed, limit, horizon)}

    def _state(self, used: int, limit: int, horizon: datetime) -> RateLimit:
        until_reset = self.calls[-used] - horizon if used else MINUTE
        return RateLimit(used, limit, max(0, limit - used), ceil(until_reset.total_seconds()))


class RateLimiter:
    """The rate limiter of one domain: 120 calls a minute for all webhooks together.

    `test` whether one more call is within the rate, and `hit` to count it. Two assumptions can decide what they return:
    which kind of window counts (see `Tally`), and whether calls refused with 400 count. A response rests on one only
    where the other alternative would make a difference: never in the first minute, nor before a call is refused.

    Attributes:
        limit: the most calls in a window.

    Examples:
        >>> limiter = RateLimiter(clock=Clock("2026-06-01T09:00:00Z"), rules=Rules())
        >>> limiter.test()
        (True, [])
        >>> limiter.hit()
        RateLimit(used=1, limit=120, remaining=119, reset=60)
    """

    def __init__(self, *, clock: Clock, rules: Rules) -> None:
        self.limit: int = limits.NOTIFICATIONS_PER_MINUTE
        self._clock = clock
        self._rules = rules
        self._tally = Tally()
        # The tally under the other alternative of the rule for refused calls, only to know what responses rest on;
        # None while it is the same.
        self._other: Tally | None = None

    def test(self) -> tuple[bool, list[Rule]]:
        """Return whether one more call is within the rate now, and the assumptions that decided it."""
        self._rules.follow(rulebook.notifications.RATE)
        if self._other is None and len(self._tally.calls) < self.limit:  # so neither kind of window is full
            return True, []
        state, others = self._compare()
        rests_on = [rule for rule, other in others.items() if (other.remaining > 0) != (state.remaining > 0)]
        for rule in rests_on:
            self._rules.apply(rule)
        return state.remaining > 0, rests_on

    def hit(self) -> RateLimit:
        """Count a call and return the state of the rate."""
        now = self._clock.now()
        self._tally.hit(now)
        if self._other is not None:
            self._other.hit(now)
            if self._other == self._tally:
                self._other = None
        return self.stats()

    def hit_refused(self) -> None:
        """Count a call refused with 400, if those count; only the next responses rest on that."""
        self._other = self._other or self._tally.copy()
        if self._rules.look_up(rulebook.notifications.REFUSED_CALLS) == "counted":
            self._tally.hit(self._clock.now())
        else:
            self._other.hit(self._clock.now())

    def stats(self) -> RateLimit:
        """Return the state of the rate, without counting a call."""
        state, others = self._compare()
        for rule, other in others.items():
            if other != state:
                self._rules.apply(rule)
        return state

    def peek(self) -> RateLimit:
        """Return the state of the rate, on which no response rests."""
        return self._compare()[0]

    def _compare(self) -> tuple[RateLimit, dict[Rule, RateLimit]]:
        """Return the state of the rate, and what it would be under the other alternative of each assumption."""
        kind, now = self._rules.look_up(rulebook.notifications.WINDOW), self._clock.now()
        states = self._tally.stats(self.limit, now)
        others: dict[Rule, RateLimit] = {}
        if states["fixed"] is not states["sliding"]:
            others[rulebook.notifications.WINDOW] = states[OTHER_KIND[kind]]
        if self._other is not None:
            others[rulebook.notifications.REFUSED_CALLS] = self._other.stats(self.limit, now)[kind]
        return states[kind], others

    def dump(self) -> RateData:
        """Return the counted calls for a snapshot."""
        other, tally = None if self._other is None else self._other.dump(), self._tally.dump()
        return RateData.model_construct(
            limit=self.limit, window=tally.window, last_minute=tally.last_minute, other=other
        )

    def load(self, data: RateData) -> None:
        """Replace the counted calls with saved ones."""
        self.limit, self._tally = data.limit, Tally.of(data)
        self._other = None if data.other is None else Tally.of(data.other)
