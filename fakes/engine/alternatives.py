"""The alternatives of assumptions: which to try, how a fake takes one, and the steps of a sweep over them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, TypeVar

from fakes.engine.engine import Engine
from fakes.rulebook.choices import no_such_rule
from fakes.rulebook.rule import RULEBOOK

__all__ = ["SweepOutcome", "alternatives", "sweep_steps", "vary"]

Fake = TypeVar("Fake", bound=Engine)


class SweepOutcome(NamedTuple):
    """The outcome of a test under one alternative; ``broke_with`` is None if it passed."""

    rule_id: str
    alternative: str
    broke_with: str | None = None


def alternatives(fakes: Iterable[Engine], *rule_ids: str) -> list[tuple[str, str]]:
    """List the alternatives to try, each with its rule: those that are not chosen.

    Args:
        fakes: the fakes of the previous run.
        rule_ids: the rules to vary; without any, the assumptions that the fakes relied on and that were not measured.

    Raises:
        ValueError: an ID is unknown, or is that of a documented rule.

    Examples:
        >>> from fakes import FakeService
        >>> alternatives([FakeService.sample()], "api.unauthorized")
        [('api.unauthorized', '403')]
        >>> alternatives([FakeService.sample()])
        []
        >>> alternatives([], "token.refreshed")
        Traceback (most recent call last):
        ...
        ValueError: the rule token.refreshed is documented, so it has no alternatives
    """
    for rule_id in rule_ids:
        if rule_id not in RULEBOOK:
            raise no_such_rule(rule_id)
        if not RULEBOOK[rule_id].alternatives:
            raise ValueError(f"the rule {rule_id} is documented, so it has no alternatives")
    found = [
        (rule.id, alternative)
        for rule in chain.from_iterable(fake.rules for fake in fakes)
        if (rule.id in rule_ids if rule_ids else rule.used and rule.provenance != "observed")
        for alternative in rule.alternatives
        if alternative != rule.chosen
    ]
    return list(dict.fromkeys(found))


def vary(fake: Engine, assumed: Mapping[str, str]) -> None:
    """Choose alternatives for a fake as if it had been created with them: a reset keeps them."""
    fake.rules.choose(assumed)
    fake._beginning["assume"] |= assumed


def sweep_steps(test: Callable[[Fake], object], make: Callable[[], Fake]) -> Iterator[SweepOutcome]:
    """Run a test with a fake as it is, then under each alternative of the assumptions it relied on, one at a time.

    Args:
        test: takes a fake and raises if it fails; it must pass with the fake as it is.
        make: creates a new fake for each run.

    Returns:
        The outcomes; each run is made when its outcome is asked for.
    """
    fake = make()
    test(fake)
    for rule_id, alternative in alternatives([fake]):
        varied = make()
        vary(varied, {rule_id: alternative})
        try:
            test(varied)
        except Exception as broken:  # noqa: BLE001 - any exception is a failed test
            said = str(broken).partition("\n")[0]
            broke_with = ": ".join(filter(None, (type(broken).__name__, said)))
            yield SweepOutcome(rule_id, alternative, broke_with)
        else:
            yield SweepOutcome(rule_id, alternative)
