"""What the tests of callbacks share: a fake, a message, and a receiver that keeps what comes."""

from collections.abc import Callable, Mapping
from typing import Any

from fakes import FakeService

NOW = "2026-06-01T09:00:00+09:00"
TEXT = {"type": "text", "text": "hello"}
AttemptResult = list[tuple[dict[str, str], bytes]]


def make(**options: Any) -> FakeService:
    """A fake whose clock stands."""
    return FakeService.sample(now=NOW, **options)


def keep(came: AttemptResult, status: int | None = None) -> Callable[[Mapping[str, str], bytes], int | None]:
    def receiver(headers: Mapping[str, str], body: bytes) -> int | None:
        came.append((dict(headers), body))
        return status

    return receiver
