"""Ratios of what the sides of a comparison cost, with their spread."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import quantiles
from typing import NamedTuple

OURS = "svckit"


class Row(NamedTuple):
    """What svckit costs, in terms of what a peer costs for the same work.

    Attributes:
        topic: what was compared, such as ``"calls"``.
        case: the work that both did.
        peer: the library.
        cost: what was counted.
        ratio: the median of the ratios of single rounds; below 1, svckit costs less.
        lower: their first quartile.
        upper: their third quartile.
        rounds: how many rounds there were, in which the sides took turns.
    """

    topic: str
    case: str
    peer: str
    cost: str
    ratio: float
    lower: float
    upper: float
    rounds: int


def compare(
    topic: str, case: str, costs: Mapping[str, Sequence[float]], cost: str = "CPU time"
) -> Iterator[Row]:
    """Yield a row for each peer, from what each side cost in each round."""
    ours = costs[OURS]
    for peer in (side for side in costs if side != OURS):
        theirs = costs[peer]
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        lower, ratio, upper = quantiles(ratios, n=4, method="inclusive")
        yield Row(topic, case, peer, cost, *(round(figure, 3) for figure in (ratio, lower, upper)), len(ours))
