"""The alternatives of assumptions: which to try, and how a test ends under each."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from fakes.engine.parts_by_name import PartsByName
from fakes.rulebook.rule import RULEBOOK
from svckit.display.suggestions import nearest

__all__ = ["SweepOutcome", "alternatives", "try_alternatives", "vary"]

Fake = TypeVar("Fake", bound=PartsByName)


@dataclass(frozen=True, slots=True)
class SweepOutcome:
    """The outcome of a test under one alternative; ``broke_with`` is None if it passed."""

    rule_id: str
    alternative: str
    broke_with: str | None


def try_alternatives(test: Callable[[Fake], object], make: Callable[[], Fake]) -> Iterator[SweepOutcome]:
    """Run a test with the fake as it is, then yield its outcome under each alternative it relied on.

    Args:
        test: takes a fake and raises if it fails; it must pass with the fake as it is.
        make: creates a new fake for each run.

    Examples:
        >>> from fakes import FakeService
        >>> list(try_alternatives(lambda fake: None, FakeService.sample))
        []
    """
    fake = make()
    test(fake)
    for rule_id, alternative in alternatives([fake]):
        yield _try_alternative(test, make(), rule_id, alternative)


def alternatives(fakes: Iterable[PartsByName], *rule_ids: str) -> list[tuple[str, str]]:
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
        if (rule.id in rule_ids if rule_ids else rule.used and rule.provenance != "observed")
        for alternative in rule.alternatives
        if alternative != rule.chosen
    ]
    return list(dict.fromkeys(found))


def vary(fake: PartsByName, assumed: Mapping[str, str]) -> None:
    """Choose alternatives for a fake as if it had been created with them: a reset keeps them."""
    fake.rules.choose(assumed)
    fake._beginning["assume"] |= assumed


def _try_alternative(
    test: Callable[[Fake], object], fake: Fake, rule_id: str, alternative: str
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
