"""Try a test under each alternative of the assumptions it relies on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from fakes.rulebook.rule import RULEBOOK
from fakes.service import FakeService
from svckit.display.card import quantity, render_table
from svckit.display.suggestions import nearest

__all__ = ["Sweep", "SweepOutcome", "alternatives", "sweep", "vary"]

Maker = Callable[..., FakeService]


@dataclass(frozen=True, slots=True)
class SweepOutcome:
    """The outcome of a test under one alternative; ``broke_with`` is None if it passed."""

    rule_id: str
    alternative: str
    broke_with: str | None


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
    fake = make()
    test(fake)
    return Sweep(tuple(_try_alternative(test, make(), *tried) for tried in alternatives([fake])))


def alternatives(fakes: Iterable[FakeService], *rule_ids: str) -> list[tuple[str, str]]:
    """List the alternatives to try, each with its rule: those that are not chosen.

    Args:
        fakes: the fakes of the previous run.
        rule_ids: the rules to vary; without any, the assumptions that the fakes relied on.

    Raises:
        ValueError: an ID is unknown, or is that of a documented rule.

    Examples:
        >>> alternatives([FakeService.sample()], "api.unauthorized")
        [('api.unauthorized', '403')]
        >>> alternatives([FakeService.sample()])
        []
        >>> alternatives([], "token.refreshed")
        Traceback (most recent call last):
        ...
        ValueError: the rule token.refreshed is documented, so it has no alternatives
    """
    assumptions = [rule.id for rule in RULEBOOK.values() if rule.alternatives]
    for rule_id in rule_ids:
        if rule_id not in RULEBOOK:
            raise ValueError(
                f"{rule_id!r} is not a rule of this fake; {nearest(rule_id, assumptions, 'fake.rules')}"
            )
        if rule_id not in assumptions:
            raise ValueError(f"the rule {rule_id} is documented, so it has no alternatives")
    found = [
        (rule.id, alternative)
        for rule in chain.from_iterable(fake.rules for fake in fakes)
        if (rule.id in rule_ids if rule_ids else rule.used)
        for alternative in rule.alternatives
        if alternative != rule.chosen
    ]
    return list(dict.fromkeys(found))


def vary(fake: FakeService, assumed: Mapping[str, str]) -> None:
    """Choose alternatives for a fake as if it had been created with them: a reset keeps them."""
    fake.rules.choose(assumed)
    fake._beginning["assume"] |= assumed


def _try_alternative(
    test: Callable[[FakeService], object], fake: FakeService, rule_id: str, alternative: str
) -> SweepOutcome:
    vary(fake, {rule_id: alternative})
    try:
        test(fake)
    except Exception as broken:  # noqa: BLE001 - any exception is a failed test
        first_line = str(broken).partition("\n")[0]
        return SweepOutcome(
            rule_id, alternative, ": ".join(filter(None, (type(broken).__name__, first_line)))
        )
    return SweepOutcome(rule_id, alternative, None)
