"""Checks of what is chosen for rules and deviations."""

from collections.abc import Mapping

from fakes.rulebook.deviations import DEVIATIONS, ID_TOKEN
from fakes.rulebook.rule import RULEBOOK
from svckit.display.suggestions import nearest
from svckit.extras import needing

__all__ = ["can_choose", "check_alternative", "check_mapping", "check_value", "no_such_rule"]


def no_such_rule(rule_id: str) -> ValueError:
    """Return the error for an ID that no rule has, with the nearest assumptions.

    Examples:
        >>> print(no_such_rule("file.rwa"))
        'file.rwa' is not a rule of this fake; did you mean file.raw or file.name or file.query?
    """
    known = [rule.id for rule in RULEBOOK.values() if rule.alternatives]
    hint = nearest(rule_id, known, "fake.rules or the reference page “Rules”")
    return ValueError(f"{rule_id!r} is not a rule of this fake; {hint}")


def check_alternative(rule_id: str, alternative: str) -> None:
    """Check that an alternative belongs to an assumption.

    Raises:
        ValueError: the rule is unknown or documented, or the alternative is unknown.

    Examples:
        >>> check_alternative("file.raw", "accept")
        Traceback (most recent call last):
        ...
        ValueError: 'accept' is not an alternative of file.raw; choose from: refused, accepted
    """
    rule = RULEBOOK.get(rule_id)
    if rule is None or not rule.alternatives:
        if rule_id in DEVIATIONS:
            raise ValueError(
                f"{rule_id!r} has no alternatives, as it is not an assumption; {DEVIATIONS[rule_id].recommend()} "
                "departs from the service's description"
            )
        if rule is None:
            raise no_such_rule(rule_id)
        raise ValueError(
            f"{rule_id!r} is documented, so it has no alternatives; fake.rules, or the admin call GET /rules, "
            "lists the assumptions"
        )
    if alternative not in rule.alternatives:
        raise ValueError(
            f"{alternative!r} is not an alternative of {rule_id}; choose from: {', '.join(rule.alternatives)}"
        )


def check_value(deviation_id: str, value: str) -> None:
    """Check that a value belongs to a deviation.

    Raises:
        ValueError: the deviation or the value is unknown.
        ModuleNotFoundError: it needs a package of an extra that is not installed.

    Examples:
        >>> check_value("file.stored", "200")
    """
    deviation = DEVIATIONS.get(deviation_id)
    if deviation is None:
        is_assumed = deviation_id in RULEBOOK and RULEBOOK[deviation_id].alternatives
        where = "it is an assumption: assume={…}" if is_assumed else nearest(deviation_id, DEVIATIONS)
        raise ValueError(f"{deviation_id!r} is not a deviation of this fake; {where}")
    if value not in deviation.values:
        raise ValueError(
            f"{value!r} is not a value of the deviation {deviation_id}; choose from: {', '.join(deviation.values)}"
        )
    if deviation is ID_TOKEN:
        with needing(f"the deviation {deviation_id}", "jwt"):
            import cryptography  # noqa: F401 - they sign; said now, and not only once a code is used up
            import jwt  # noqa: F401


def can_choose(deviation_id: str, value: str) -> bool:
    """Return whether the packages that a value of a deviation needs are installed."""
    try:
        check_value(deviation_id, value)
    except ModuleNotFoundError:
        return False
    return True


def check_mapping(assume: object, policy: str | None) -> None:
    """Check that alternatives are given as a mapping.

    Raises:
        TypeError: they are not.

    Examples:
        >>> check_mapping({"file.raw": "accepted"}, None)
    """
    if not isinstance(assume, Mapping):
        raise TypeError(
            "assume must be a mapping of rule IDs to alternatives, such as "
            f"{{{str(assume)!r}: {policy or '…'!r}}}; given {assume!r}"
        )
