"""The use of the notification rate limit, from the headers of the last response (section "Limits")."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from svckit.display.card import render_fields
from svckit.models import limits
from svckit.models.notification import RateLimit

__all__ = ["RateGauge"]


@dataclass(slots=True)
class RateGauge:
    """The four rate headers and the time since; a 429 response may lack them.

    Examples:
        >>> gauge, now = RateGauge(), datetime.fromisoformat("2026-06-01T09:00:00+09:00")
        >>> gauge.record_success(RateLimit(used=30, limit=120, remaining=90, reset=60), now)
        >>> gauge.describe(now + timedelta(seconds=20))
        '30 of 120 used, 90 left; reset in 40 s'
        >>> gauge.record_refusal(40, now + timedelta(seconds=20))
        >>> gauge.describe(now + timedelta(seconds=20))
        '120 of 120 used, none left (429 too many request); reset in 40 s'
        >>> gauge.describe(now + timedelta(seconds=90))
        'reset since; up to 120 a minute'
        >>> RateGauge(urls=2).average
        '60 a minute on average for each of 2 URLs; only the total is limited'
    """

    limit: int = limits.NOTIFICATIONS_PER_MINUTE
    used: int | None = None
    is_refused: bool = False
    resets_at: datetime | None = None
    updated_at: datetime | None = None
    """The time of the last response."""
    urls: int = 0
    """The number of known webhook URLs of the domain."""

    def _repr_html_(self) -> str:
        return render_fields(self, self.__dataclass_fields__)

    def record_success(self, reported: RateLimit | None, now: datetime) -> None:
        """Record the rate that a success reports."""
        self.is_refused = False
        if reported is not None:
            self.limit, self.used, self.updated_at = reported.limit, reported.used, now
            self.resets_at = _add_seconds(now, reported.reset)

    def record_refusal(self, reset: int | None, now: datetime) -> None:
        """Record a 429, with the seconds until the reset if known."""
        self.is_refused, self.used, self.updated_at = True, self.limit, now
        if reset is not None:
            self.resets_at = _add_seconds(now, reset)
        elif self.seconds_left(now) == 0:  # of a rate window before this one
            self.resets_at = None

    def seconds_left(self, now: datetime) -> int | None:
        """Return the whole seconds until the reset; ``None`` if unknown."""
        return None if self.resets_at is None else max(0, ceil((self.resets_at - now).total_seconds()))

    @property
    def average(self) -> str:
        """The average rate per URL, in words; empty if no other URLs are known to share the limit."""
        if not 1 < self.urls <= limits.WEBHOOKS_PER_DOMAIN:
            return ""
        rate = limits.average_per_url(self.urls, self.limit)
        return f"{rate} a minute on average for each of {self.urls} URLs; only the total is limited"

    def describe(self, now: datetime) -> str:
        """Describe the use of the limit in a sentence."""
        if self.used is None:
            return "not known before the first response"
        left = self.seconds_left(now)
        if left == 0:
            return f"reset since; up to {self.limit} a minute"
        remaining = (
            "none left (429 too many request)" if self.is_refused else f"{self.limit - self.used} left"
        )
        return f"{self.used} of {self.limit} used, {remaining}; " + (
            "the service did not say when it is reset" if left is None else f"reset in {left} s"
        )

    def view(self, now: datetime, *, standing: bool) -> dict[str, Any]:
        """Return the data for the browser, which counts the seconds down unless the clock stands still."""
        left = self.seconds_left(now)
        return {
            "used": 0 if self.used is None or left == 0 else self.used,
            "limit": self.limit,
            "refused": self.is_refused and left != 0,
            "left": left,
            "standing": standing,
            "words": self.describe(now),
            "average": self.average,
        }


def _add_seconds(now: datetime, seconds: int) -> datetime | None:
    """Return the time this many seconds later; ``None`` if dates do not reach that far."""
    try:
        return now + timedelta(seconds=seconds)
    except OverflowError:
        return None
