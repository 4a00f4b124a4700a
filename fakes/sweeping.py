"""Try a test under every alternative of every assumption it rests on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fakes.cards import card, counted
from fakes.nearest import nearest
from fakes.rules import RULEBOOK
from fakes.service import FakeService

__all__ = ["Outcome", "Sweep", "sweep"]

Maker = Callable[..., FakeService]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a test fared under one alternative: ``broke_with`` is None where it passed."""

    rule_id: str
    alternative: str
    broke_with: str | None


class Sweep:
    """The outcomes of a sweep; true where the test held under all of them."""

    def __init__(self, outcomes: tuple[Outcome, ...]) -> None:
        self.outcomes = outcomes

    @property
    def broken(self) -> tuple[Outcome, ...]:
        """The alternatives under which the test broke."""
        return tuple(outcome for outcome in self.outcomes if outcome.broke_with is not None)

    def __bool__(self) -> bool:
        return not self.broken

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        lines = [f"  {o.rule_id} = {o.alternative}: {o.broke_with or 'holds'}" for o in self.outcomes]
        return "\n".join([f"<Sweep: {self._title()}>", *lines])

    def _repr_html_(self) -> str:
        rows = ((o.rule_id, o.alternative, o.broke_with or "holds") for o in self.outcomes)
        return card(f"Sweep: {self._title()}", ("assumption", "alternative", "outcome"), rows)

    def _title(self) -> str:
        return f"{counted(len(self), 'alternative')}, {len(self.broken)} broke the test"


def sweep(test: Callable[[FakeService], object], make: Maker = FakeService.sample) -> Sweep:
    """Run a test once as the fake is, and once under each alternative of the assumptions that run rested on.

    Args:
        test: takes a fake and raises where it fails; it must pass as the fake is.
        make: makes a new fake for each run; it must pass ``assume=`` on to `FakeService.sample`.

    Examples:
        >>> import httpx
        >>> def test(fake):
        ...     with httpx.Client(transport=fake.transport()) as http:
        ...         assert http.get(fake.facts["base_url"] + "/nowhere").status_code == 404
        >>> sweep(test)
        <Sweep: 2 alternatives, 1 broke the test>
          api.error-body = oauth2: holds
          api.unmatched = 501: AssertionError
    """
    fake = make()
    test(fake)
    used = [rule for rule in fake.rules if rule.used and rule.alternatives]
    return Sweep(
        tuple(
            _outcome(test, make, rule.id, alternative)
            for rule in used
            for alternative in rule.alternatives[1:]
        )
    )


def alternatives(*rule_ids: str) -> list[tuple[str, str]]:
    """Every assumption, or those of the IDs that are given, with every alternative that is not its default.

    Raises:
        ValueError: an ID is that of no rule, or of a documented one.

    Examples:
        >>> alternatives("api.unauthorized")
        [('api.unauthorized', '403')]
        >>> alternatives("token.refreshed")
        Traceback (most recent call last):
        ...
        ValueError: the rule token.refreshed is documented, so it has no alternatives
    """
    assumptions = [rule.id for rule in RULEBOOK.values() if rule.alternatives]
    for rule_id in rule_ids:
        if rule_id not in RULEBOOK:
            raise ValueError(f"{rule_id!r} is no rule of this fake; {nearest(rule_id, assumptions)}")
        if rule_id not in assumptions:
            raise ValueError(f"the rule {rule_id} is documented, so it has no alternatives")
    chosen = [RULEBOOK[rule_id] for rule_id in rule_ids or assumptions]
    return [(rule.id, choice) for rule in chosen for choice in rule.alternatives[1:]]


def _outcome(test: Callable[[FakeService], object], make: Maker, rule_id: str, alternative: str) -> Outcome:
    try:
        test(make(assume={rule_id: alternative}))
    except Exception as broken:  # noqa: BLE001 - whatever a test raises is its verdict
        first_line = str(broken).partition("\n")[0]
        return Outcome(rule_id, alternative, ": ".join(filter(None, (type(broken).__name__, first_line))))
    return Outcome(rule_id, alternative, None)
