"""The rate of the resource API, of which the description shows none: counted only where one is assumed or set."""

from datetime import datetime
from math import ceil
from typing import Annotated

from pydantic import Field

from fakes import rulebook
from fakes.clock import Clock
from fakes.http.errors import Refusal
from fakes.parts.limiter import WINDOW
from fakes.parts.settings import DomainSettings
from fakes.persistence import Instant, Saved
from fakes.rulebook.rules import Rules

__all__ = ["ApiRate", "ApiRateData"]

PER_MINUTE = 6000


class ApiRateData(Saved):
    """Counted calls as a snapshot has them."""

    opened: Instant | None
    calls: Annotated[int, Field(ge=0)]


class ApiRate:
    """Holds the calls of the domain's applications to a rate: so many in a minute that opens with the first of them.

    Another figure opens another minute, so what was called before it was set counts under no alternative.

    Examples:
        >>> import httpx
        >>> from fakes import FakeService
        >>> fake = FakeService.sample(now="2026-06-01T09:00:00+09:00", assume={"api.rate-limit": "per-minute"})
        >>> fake.settings.api_calls_per_minute = 1
        >>> with httpx.Client(transport=fake.transport()) as http:
        ...     bearer = {"Authorization": "Bearer " + fake.access_token()}
        ...     user = fake.facts["base_url"] + "/users/u-003"
        ...     [http.patch(user, headers=bearer, json={}).status_code for _ in range(2)]
        [200, 429]
    """

    def __init__(self, settings: DomainSettings, *, clock: Clock, rules: Rules) -> None:
        self._settings = settings
        self._clock = clock
        self._rules = rules
        self._opened: datetime | None = None
        self._calls = 0
        self._figure: int | None = None

    def admit(self) -> None:
        """Count a call, unless there is neither a rate nor a figure to hold it to.

        Raises:
            Refused: it is assumed that there is a rate, and the minute's calls were made.
        """
        figure = self._settings.api_calls_per_minute
        if figure is not None or self._rules.look_up(rulebook.api.RATE_LIMIT) != "none":
            self._count(figure or PER_MINUTE)

    def _count(self, figure: int) -> None:
        now = self._clock.now()
        if figure != self._figure:
            self._figure, self._opened = figure, None
        if self._opened is None or now - self._opened >= WINDOW:
            self._opened, self._calls = now, 0
        if self._calls >= figure and self._rules.choice(rulebook.api.RATE_LIMIT) == "per-minute":
            reset = ceil((WINDOW - (now - self._opened)).total_seconds())
            raise Refusal(
                "too_many",
                f"{figure} calls of the resource API were made in this minute, which ends in {reset} seconds; "
                "fake.settings.api_calls_per_minute, or apiCallsPerMinute by PATCH /domain, sets another figure",
            )
        self._calls += 1

    def dump(self) -> ApiRateData:
        """The counted calls as a snapshot has them."""
        return ApiRateData.model_construct(opened=self._opened, calls=self._calls)

    def load(self, data: ApiRateData) -> None:
        """Replace the counted calls by saved ones."""
        self._opened, self._calls = data.opened, data.calls
        self._figure = self._settings.api_calls_per_minute or PER_MINUTE
