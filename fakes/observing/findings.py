"""Findings about each rule from traffic, as a table and as a file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fakes.observing.learning import INCOMPLETE, find_why_untold, make_twin
from fakes.observing.recording import read_recorded
from fakes.observing.replaying import Twin
from fakes.observing.searching import Search
from fakes.observing.shapes import PARTS
from fakes.rulebook.assumptions_file import Measured, MeasuredDeviation, MeasuredRule
from fakes.rulebook.deviations import DEVIATIONS
from fakes.rulebook.rule import RULEBOOK, Rule
from svckit.display.card import quantity, render_table

__all__ = ["Finding", "Observation", "observe"]

Result = Literal["confirmed", "alternative", "deviation", "refuted", "not seen"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about one rule or deviation.

    Attributes:
        id: the rule or deviation.
        result: whether it was confirmed or refuted, which kind of value fits, or that the traffic cannot tell.
        value: the alternative or value that fits; None if none does, or if it is documented.
        seen: the number of requests that it rests on.
        statuses: the statuses of their responses.
        section: the section of the service's description.
    """

    id: str
    result: Result
    value: str | None
    seen: int
    statuses: tuple[int, ...]
    section: str


class Observation:
    """The findings of recorded traffic about the rules, in the order of the rulebook.

    Attributes:
        findings: a finding for each rule, and for each deviation that fits.
        requests: the number of requests that it rests on.
        source: the kind of traffic, and that number.
        date: the day of the newest request.
        unexplained: the number of requests whose responses nothing explains.
        left_out: the number of requests that nothing can be told from, by the reason.
    """

    def __init__(
        self,
        findings: Iterable[Finding],
        kind: str,
        requests: int,
        date: str,
        unexplained: int,
        left_out: Mapping[str, int],
    ) -> None:
        self.findings = tuple(findings)
        self.requests, self.source = requests, f"{kind}, {quantity(requests, 'request')}"
        self.date, self.unexplained = date, unexplained
        self.left_out = dict(left_out)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, rule_id: str) -> Finding:
        return next(each for each in self.findings if each.id == rule_id)

    @property
    def assume(self) -> dict[str, str]:
        """The measured alternatives by rule ID, for ``FakeService.sample(assume=…)``."""
        return {each.id: each.value for each in self if each.value and each.result != "deviation"}

    @property
    def deviations(self) -> dict[str, str]:
        """The measured deviations, for ``FakeService.sample(deviations=…)``."""
        return {each.id: each.value for each in self if each.value and each.result == "deviation"}

    def to_toml(self) -> str:
        """Return the measured rules as the text of ``assumptions.toml``."""
        rules = {
            each.id: MeasuredRule(
                result=each.result, value=each.value, seen=each.seen, statuses=list(each.statuses)
            )
            for each in self
            if each.result != "deviation" and each.result != "not seen"  # noqa: PLR1714 - mypy needs both
            if RULEBOOK[each.id].alternatives
        }
        deviations = {
            each.id: MeasuredDeviation(value=each.value, seen=each.seen)
            for each in self
            if each.value and each.result == "deviation"
        }
        measured = Measured(source=self.source, date=self.date, rules=rules, deviations=deviations)
        return f"# what real traffic showed, written by svckit observe\n{measured.to_toml()}"

    def list_rows(self) -> list[tuple[str, ...]]:
        """Return the rows of the table: all that was seen."""
        return [
            (
                each.id,
                each.result,
                each.value or "",
                str(each.seen),
                " ".join(map(str, each.statuses)),
                each.section,
            )
            for each in self
            if each.result != "not seen"
        ]

    def _title(self) -> str:
        unexplained = f", {self.unexplained} unexplained" if self.unexplained else ""
        return f"{self.source}, newest of {self.date}{unexplained}"

    def __repr__(self) -> str:
        lines = ["  " + "  ".join(filter(None, row[:3])) for row in self.list_rows() if row[1] != "confirmed"]
        confirmed = [RULEBOOK[each.id] for each in self if each.result == "confirmed"]
        assumed = sum(bool(rule.alternatives) for rule in confirmed)
        found = (
            f"{quantity(assumed, 'assumption')} and {quantity(len(confirmed) - assumed, 'documented rule')}"
        )
        lines += [f"  left out: {quantity(number, 'request')} {why}" for why, number in self.left_out.items()]
        return "\n".join([f"<Observation: {self._title()}, {found} confirmed>", *lines])

    def _repr_html_(self) -> str:
        columns = ("rule", "result", "value", "requests", "statuses", "section")
        return render_table(f"Observed: {self._title()}", columns, self.list_rows())[0]


def observe(traffic: Any) -> Observation:
    """Compare recorded traffic with the rules: which it confirms, refutes, or shows another alternative of.

    The requests are sent to a fake that learns its users from the traffic, under each alternative of the rules that
    its responses rest on. A rule counts as measured only if every other alternative would explain fewer responses.
    Requests that nothing can be told from are left out: their credentials were never accepted, or the recording lacks
    what they refer to, as codes and upload URLs are masked in a trace.

    Args:
        traffic: the path of a HAR file, its JSON, or a trace of a session.

    Returns:
        The findings, which hold no values of the traffic but statuses, its date and the number of requests.

    Raises:
        ValueError: it is not a HAR archive.
        OSError: the file cannot be read.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00", assume={"api.not-found": "400"})
        >>> with svc.trace() as t:
        ...     user = svc.users.read("u-001")
        >>> observe(t).source
        'trace, 1 request'
    """
    left_out: Counter[str] = Counter()
    recorded = []
    for each, why in find_why_untold(read_recorded(traffic)):
        left_out[why] += 1
        recorded += [] if why else [each]
    twin, known = make_twin(recorded)
    search = Search(Twin(twin, known), recorded)
    left_out[INCOMPLETE] += len(recorded) - len(search.traffic)
    del left_out[""]
    return Observation(
        _judge(search),
        "trace" if hasattr(traffic, "to_har") else "HAR",  # a file may be named after its host
        len(search.traffic),
        max((each.at.date().isoformat() for each in search.traffic), default=""),
        sum(not search.best.matches(number) for number in range(len(search.traffic))),
        +left_out,
    )


def _judge(search: Search) -> Iterator[Finding]:
    for rule in RULEBOOK.values():
        yield _judge_rule(rule, search)
    for deviation in DEVIATIONS.values():
        if (value := search.chosen.get(deviation.id)) and deviation.id not in search.undecided:
            seen = max((search.best.score - search.scores.get((deviation.id, None), 0)) // PARTS, 1)
            yield Finding(deviation.id, "deviation", value, seen, (), deviation.section)


def _judge_rule(rule: Rule, search: Search) -> Finding:
    best = search.best
    numbers = [number for number, used in enumerate(best.used) if rule in used]
    right = [number for number in numbers if best.matches(number)]
    result: Result = "not seen"
    value: str | None = None
    if numbers and not right:
        result, right = "refuted", numbers
    elif not rule.alternatives:
        result = "confirmed" if right else "not seen"
    elif rule.id in best.first and _is_decided(rule, search):
        value = search.get(rule.id)
        result = "confirmed" if value == rule.alternatives[0] else "alternative"
    statuses = tuple(sorted({search.traffic[number].status for number in right}))
    return Finding(rule.id, result, value, len(right) or int(value is not None), statuses, rule.section)


def _is_decided(rule: Rule, search: Search) -> bool:
    """Return whether every other alternative explains fewer responses."""
    others = (each for each in rule.alternatives if each != search.get(rule.id))
    fewer = (search.scores[rule.id, each] < search.best.score for each in others)
    return rule.id not in search.undecided and all(fewer)
