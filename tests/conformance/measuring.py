"""What a run says of the rules, as the file of measured assumptions that a fake can be made from."""

from fakes.rulebook.assumptions_file import Measured, MeasuredDeviation, MeasuredRule
from fakes.rulebook.rule import RULEBOOK


def measure(findings, deviations, requests, day):
    """The assumptions that a run confirms or refutes beyond doubt, and the deviations that the service has."""
    return Measured(
        source=f"conformance, {requests} request{'' if requests == 1 else 's'}",
        date=day.isoformat(),
        rules={rule_id: rule for found in findings for rule_id, rule in of_finding(found)},
        deviations={name: MeasuredDeviation(value=value, seen=seen) for name, value, seen in deviations},
    )


def of_finding(found):
    """The measured rule of a finding; none where it is documented, was not tried, or may be another one."""
    alternatives = RULEBOOK[found.rules[0]].alternatives
    if not alternatives:
        return
    if found.standing == "confirmed":
        yield found.rules[0], MeasuredRule(result="confirmed", value=alternatives[0], seen=found.held)
    elif found.standing == "refuted":
        like = found.like[0] if len(found.like) == 1 else None
        result = "refuted" if like is None else "alternative"
        yield found.rules[0], MeasuredRule(result=result, value=like, seen=len(found.broken))
