"""IDs and secrets that are the same in each run under one seed."""

from collections import Counter
from hashlib import blake2b
from typing import Annotated

from pydantic import Field

from fakes.persistence import Saved

__all__ = ["Ids", "IdsData"]


class IdsData(Saved):
    """The counters in a snapshot, to continue with the same IDs and secrets."""

    seed: int | str
    counts: dict[str, Annotated[int, Field(ge=0)]]


class Ids:
    """The issuer of IDs, by counting, and of secrets, by hashing the count with the seed.

    Anyone who knows the seed can compute the secrets: a number catches a client that makes one up, but does not protect
    real data. Secrets that nobody may guess need a random text as the seed.

    Examples:
        >>> ids = Ids(seed=0)
        >>> ids.next("file"), ids.next("file"), ids.next("post")
        ('file-1', 'file-2', 'post-1')
        >>> ids.secret("at") == Ids(seed=0).secret("at")
        True
    """

    __slots__ = ("counts", "seed")

    def __init__(self, seed: int | str = 0) -> None:
        self.seed = seed
        self.counts: Counter[str] = Counter()

    def next(self, kind: str) -> str:
        """Return the next readable ID of a kind: ``file-1``, ``file-2``, …"""
        self.counts[kind] += 1
        return f"{kind}-{self.counts[kind]}"

    def secret(self, kind: str) -> str:
        """Return the next opaque secret of a kind: ``<kind>_`` and 40 hexadecimal digits."""
        self.counts[kind] += 1
        return self._secret(kind, self.counts[kind])

    def has_issued(self, kind: str, secret: str) -> bool:
        """Return whether a secret was issued; this computes all secrets of its kind, so call it rarely."""
        return any(self._secret(kind, count) == secret for count in range(1, self.counts[kind] + 1))

    def _secret(self, kind: str, count: int) -> str:
        digest = blake2b(f"{self.seed}:{kind}:{count}".encode(), digest_size=20)
        return f"{kind}_{digest.hexdigest()}"

    def dump(self) -> IdsData:
        """Return the counters for a snapshot."""
        return IdsData.model_construct(seed=self.seed, counts=dict(self.counts))

    def load(self, data: IdsData) -> None:
        """Continue from saved counters."""
        self.seed, self.counts = data.seed, Counter(data.counts)
