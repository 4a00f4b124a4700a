"""The rate limit of the resource API. The description shows none, so it applies only where assumed or set."""

from collections.abc import Callable
from datetime import datetime
from math import ceil
from typing import Annotated

from pydantic import Field

from fakes import rulebook
from fakes.http.errors import Refusal
from fakes.parts.limiter import MINUTE
from fakes.parts.part import Part, Shared
from fakes.persistence import Instant, Saved

__all__ = ["ApiRate", "ApiRateData"]

PER_MINUTE = 6000


class ApiRateData(Saved):
    """The counted calls in a snapshot."""

    opened: Instant | None
    calls: Annotated[int, Field(ge=0)]


class ApiRate(Part):
    """The rate limiter of the domain's applications, for calls in a minute that begins with the first of them.

    Another limit begins another minute, so calls made before it was set never count.

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

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._ends: datetime | None = None  # when the minute ends; None before the first call
        self._calls = 0  # in this minute, but no more than the limit
        self._limit: int | None = None  # that the calls are counted for

    @property
    def is_in_force(self) -> bool:
        """True if a rate limit is assumed or set."""
        limit, chosen = self._settings.api_calls_per_minute, self._rules.look_up(rulebook.api.RATE_LIMIT)
        return limit is not None or chosen != "none"

    def admit(self, now: datetime, fails_anyway: Callable[[], bool]) -> None:
        """Count a call. Beyond the limit it is refused, or rests on the assumption that there is no limit.

        Args:
            now: the time of the call.
            fails_anyway: returns whether the response is the same with and without a rate limit.

        Raises:
            Refusal: a rate limit is assumed, and it is reached.
        """
        limit = self._settings.api_calls_per_minute or PER_MINUTE
        if limit != self._limit or self._ends is None or now >= self._ends:
            self._limit, self._ends, self._calls = limit, now + MINUTE, 0
        if self._calls < limit:
            self._calls += 1
            return
        choose = self._rules.look_up if fails_anyway() else self._rules.apply
        if choose(rulebook.api.RATE_LIMIT) == "per-minute":
            reset = ceil((self._ends - now).total_seconds())
            raise Refusal(
                "too_many",
                f"{limit} calls of the resource API were made in this minute, which ends in {reset} seconds; set "
                "another limit with fake.settings.api_calls_per_minute, or apiCallsPerMinute in PATCH /domain",
            )

    def dump(self) -> ApiRateData:
        """Return the counted calls for a snapshot."""
        opened = None if self._ends is None else self._ends - MINUTE
        return ApiRateData.model_construct(opened=opened, calls=self._calls)

    def load(self, data: ApiRateData) -> None:
        """Replace the counted calls with saved ones."""
        self._ends, self._calls = None if data.opened is None else data.opened + MINUTE, data.calls
        self._limit = self._settings.api_calls_per_minute or PER_MINUTE
