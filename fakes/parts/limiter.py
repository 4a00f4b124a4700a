"""The rate limiter of the notification endpoint."""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
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
    """

    fixed: list[datetime] = field(default_factory=list)
    sliding: deque[datetime] = field(default_factory=deque)

    @classmethod
    def of(cls, data: TallyData) -> Self:
        """Return a saved tally."""
        return cls(list(data.window), deque(data.last_minute))

    def dump(self) -> TallyData:
        """Return the tally for a snapshot."""
        return TallyData.model_construct(window=list(self.fixed), last_minute=list(self.sliding))

    def copy(self) -> "Tally":
        """Return an independent copy."""
        return Tally(self.fixed.copy(), self.sliding.copy())

    def hit(self, now: datetime) -> None:
        """Count a call."""
        if not self.fixed or now - self.fixed[0] >= MINUTE:
            self.fixed = []
        self.fixed.append(now)
        while self.sliding and now - self.sliding[0] >= MINUTE:
            self.sliding.popleft()
        self.sliding.append(now)

    def stats(self, kind: str, limit: int, now: datetime) -> RateLimit:
        """Return the state of the rate in a window, ``fixed`` or ``sliding``, now."""
        calls: Sequence[datetime] = self.fixed if kind == "fixed" else self.sliding
        if kind == "fixed":
            ended = len(calls) if calls and now - calls[0] >= MINUTE else 0  # all at once
        else:
            ended = bisect_right(calls, now - MINUTE)
        used = len(calls) - ended
        until_reset = calls[ended] + MINUTE - now if used else MINUTE
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
        self.limit = limits.NOTIFICATIONS_PER_MINUTE
        self._clock = clock
        self._rules = rules
        self._tally = Tally()
        # The tally under the other alternative of the rule for refused calls, only to know what responses rest on;
        # None while it is the same.
        self._other: Tally | None = None

    def test(self) -> tuple[bool, list[Rule]]:
        """Return whether one more call is within the rate now, and the assumptions that decided it."""
        self._rules.follow(rulebook.notifications.RATE)
        state, others = self._compare()
        rests_on = [rule for rule, other in others.items() if (other.remaining > 0) != (state.remaining > 0)]
        for rule in rests_on:
            self._rules.choice(rule)
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
        other = self._other = self._other or self._tally.copy()
        counted = self._rules.look_up(rulebook.notifications.REFUSED_CALLS) == "counted"
        (self._tally if counted else other).hit(self._clock.now())

    def stats(self) -> RateLimit:
        """Return the state of the rate, without counting a call."""
        state, others = self._compare()
        for rule, other in others.items():
            if other != state:
                self._rules.choice(rule)
        return state

    def peek(self) -> RateLimit:
        """Return the state of the rate, on which no response rests."""
        return self._compare()[0]

    def _compare(self) -> tuple[RateLimit, dict[Rule, RateLimit]]:
        """Return the state of the rate, and what it would be under the other alternative of each assumption."""
        kind, now = self._rules.look_up(rulebook.notifications.WINDOW), self._clock.now()
        others = {rulebook.notifications.WINDOW: self._tally.stats(OTHER_KIND[kind], self.limit, now)}
        if self._other is not None:
            others[rulebook.notifications.REFUSED_CALLS] = self._other.stats(kind, self.limit, now)
        return self._tally.stats(kind, self.limit, now), others

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
