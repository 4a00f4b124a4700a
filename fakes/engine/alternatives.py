"""The alternatives of assumptions: which to try, and how a fake takes one."""

from collections.abc import Iterable, Mapping
from itertools import chain

from fakes.engine.parts_by_name import PartsByName
from fakes.rulebook.rule import RULEBOOK
from svckit.display.suggestions import nearest

__all__ = ["alternatives", "vary"]


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
