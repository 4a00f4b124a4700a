"""Try a test under each alternative of the assumptions it relies on."""

from collections.abc import Callable, Iterator

from fakes.engine.alternatives import SweepOutcome, sweep_steps
from fakes.service import FakeService
from svckit.display.card import quantity, render_table

__all__ = ["Sweep", "sweep"]

Maker = Callable[..., FakeService]


class Sweep:
    """The outcomes of a sweep; true if the test passed under all alternatives."""

    def __init__(self, outcomes: tuple[SweepOutcome, ...]) -> None:
        self.outcomes = outcomes

    @property
    def broken(self) -> tuple[SweepOutcome, ...]:
        """The alternatives under which the test broke."""
        return tuple(outcome for outcome in self.outcomes if outcome.broke_with is not None)

    def __bool__(self) -> bool:
        return not self.broken

    def __iter__(self) -> Iterator[SweepOutcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        lines = [f"  {o.rule_id} = {o.alternative}: {o.broke_with or 'holds'}" for o in self.outcomes]
        return "\n".join([f"<Sweep: {self._title()}>", *lines])

    def _repr_html_(self) -> str:
        rows = ((o.rule_id, o.alternative, o.broke_with or "holds") for o in self.outcomes)
        return render_table(f"Sweep: {self._title()}", ("assumption", "alternative", "outcome"), list(rows))[
            0
        ]

    def _title(self) -> str:
        return f"{quantity(len(self), 'alternative')}, {len(self.broken)} broke the test"


def sweep(test: Callable[[FakeService], object], make: Maker = FakeService.sample) -> Sweep:
    """Run a test with the fake as it is, then under each alternative of the assumptions it relied on.

    A test relied on an assumption if a response in the first run rested on it. Alternatives are tried one at a time.
    So a rule that only matters under an alternative of another rule is not varied: two assumptions would have to be
    wrong at once, and pairs are never tried.

    Args:
        test: takes a fake and raises if it fails; it must pass with the fake as it is.
        make: creates a new fake for each run.

    Returns:
        A report of the runs.

    Raises:
        TypeError: the test is not a function.

    Examples:
        >>> import httpx
        >>> def test(fake):
        ...     bearer = {"Authorization": "Bearer " + fake.access_token()}
        ...     with httpx.Client(transport=fake.transport(), headers=bearer) as http:
        ...         assert http.get(fake.facts["base_url"] + "/nowhere").status_code == 404
        >>> sweep(test)
        <Sweep: 3 alternatives, 1 broke the test>
          api.error-body = oauth2: holds
          api.unmatched = 501: AssertionError
          api.unmatched = 405: holds
    """
    if not callable(test):
        raise TypeError(f"sweep takes a test, a function that is called with a fake; given {test!r}")
    return Sweep(tuple(sweep_steps(test, make)))
