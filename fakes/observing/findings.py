"""Findings about each rule from traffic: what it shows of the rule, as a table and as a file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fakes.observing.learning import DAMAGED, INCOMPLETE, find_why_undecidable, learn_bearers, make_fake
from fakes.observing.recording import read_recorded
from fakes.observing.replaying import Played, Twin
from fakes.observing.searching import Search
from fakes.observing.shapes import STATUS
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


# What a response contains is described by these. All other documented rules say what is accepted, which the status
# alone shows.
CONTENTS = frozenset(
    {
        "auth.failure-screen",
        "auth.login-screen",
        "auth.redirect",
        "file.content",
        "file.location",
        "file.stored",
        "file.upload-url",
        "notification.parameters",
        "notification.rate",
        "notification.success",
        "notification.webhook-url",
        "status.must-be-enabled",
        "status.not-used",
        "status.registered",
        "token.issued",
        "token.refreshed",
        "user.forbidden-word",
        "user.messenger",
        "user.partial",
        "user.permission",
        "user.read-only",
    }
)
# Of the responses that rest on these, only those with the status are described by them.
RESPONSE_STATUS = {"notification.rate": 429}


def judge(search: Search) -> Iterator[Finding]:
    """Yield a finding for each rule, and for each deviation that fits."""
    refuting = _list_refuting(search)
    for rule in RULEBOOK.values():
        yield _judge_rule(rule, search, refuting)
    for deviation in DEVIATIONS.values():
        if (value := search.chosen.get(deviation.id)) and deviation.id not in search.undecided:
            seen = sum(deviation.id in played.deviations for played in search.best.played)
            yield Finding(deviation.id, "deviation", value, seen=seen, statuses=(), section=deviation.section)


def _list_refuting(search: Search) -> list[frozenset[Rule]]:
    """Return, for each response, the rules that it contradicts: those that govern a part in which it differs."""
    best = search.best
    wrong = [number for number, played in enumerate(best.played) if played.differing]
    used = {rule for number in wrong for rule in best.played[number].used if rule.alternatives}
    governed = {rule: search.list_governed(rule) for rule in used}
    refuting = [frozenset[Rule]()] * len(best.played)
    for number in wrong:
        played = best.played[number]
        own = {rule: governed[rule][number] & played.differing for rule in played.used if rule in governed}
        rest = played.differing.difference(*own.values())
        documented = (rule for rule in played.used if rest and not rule.alternatives)
        refuting[number] = frozenset(
            {
                *(rule for rule, parts in own.items() if parts),
                *(rule for rule in documented if _describes(rule, played) or not played.succeeds_alike),
            }
        )
    return refuting


def _describes(rule: Rule, played: Played) -> bool:
    """Return whether a documented rule describes what the twin's response contains."""
    return rule.id in CONTENTS and RESPONSE_STATUS.get(rule.id) in (None, played.shape.get(STATUS))


def _judge_rule(rule: Rule, search: Search, refuting: list[frozenset[Rule]]) -> Finding:
    best = search.best
    numbers = [number for number, played in enumerate(best.played) if rule in played.used]
    right = [number for number in numbers if best.matches(number)]
    described = [number for number in numbers if _describes(rule, best.played[number])] or numbers
    wrong = [number for number in described if rule in refuting[number]]
    result: Result = "not seen"
    value: str | None = None
    if wrong and not any(map(best.matches, described)):
        result, right = "refuted", wrong
    elif not rule.alternatives:
        result = "confirmed" if numbers else "not seen"
        right = right or numbers
    elif rule.id in best.first and _is_decided(rule, search):
        value = search.get(rule.id)
        result = "confirmed" if value == rule.alternatives[0] else "alternative"
    statuses = tuple(sorted({search.traffic[number].status for number in right}))
    seen = len(right) or int(value is not None)
    return Finding(rule.id, result, value, seen=seen, statuses=statuses, section=rule.section)


def _is_decided(rule: Rule, search: Search) -> bool:
    """Return whether every other alternative explains less."""
    others = (other for other in rule.alternatives if other != search.get(rule.id))
    return rule.id not in search.undecided and all(
        search.costs[rule.id, other] > search.best.cost for other in others
    )


@dataclass(frozen=True, eq=False, repr=False)
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

    findings: tuple[Finding, ...]
    requests: int
    source: str
    date: str
    unexplained: int
    left_out: dict[str, int]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, rule_id: str) -> Finding:
        return next(finding for finding in self.findings if finding.id == rule_id)

    @property
    def assume(self) -> dict[str, str]:
        """The measured alternatives by rule ID, for ``FakeService.sample(assume=…)``."""
        return {
            finding.id: finding.value for finding in self if finding.value and finding.result != "deviation"
        }

    @property
    def deviations(self) -> dict[str, str]:
        """The measured deviations, for ``FakeService.sample(deviations=…)``."""
        return {
            finding.id: finding.value for finding in self if finding.value and finding.result == "deviation"
        }

    def to_toml(self) -> str:
        """Return the measured rules as the text of ``assumptions.toml``."""
        rules = {
            finding.id: MeasuredRule(
                result=finding.result, value=finding.value, seen=finding.seen, statuses=list(finding.statuses)
            )
            for finding in self
            if finding.result != "deviation" and finding.result != "not seen"  # noqa: PLR1714 - mypy needs both
            if RULEBOOK[finding.id].alternatives
        }
        deviations = {
            finding.id: MeasuredDeviation(value=finding.value, seen=finding.seen)
            for finding in self
            if finding.value and finding.result == "deviation"
        }
        measured = Measured(source=self.source, date=self.date, rules=rules, deviations=deviations)
        return f"# what real traffic showed, written by svckit observe\n{measured.to_toml()}"

    def list_rows(self) -> list[tuple[str, ...]]:
        """Return the rows of the table: all that was seen."""
        return [
            (
                finding.id,
                finding.result,
                finding.value or "",
                str(finding.seen),
                " ".join(map(str, finding.statuses)),
                finding.section,
            )
            for finding in self
            if finding.result != "not seen"
        ]

    def _title(self) -> str:
        newest = f"newest of {self.date}" if self.date else ""
        unexplained = f"{self.unexplained} unexplained" if self.unexplained else ""
        return ", ".join(filter(None, (self.source, newest, unexplained)))

    def __repr__(self) -> str:
        lines = ["  " + "  ".join(filter(None, row[:3])) for row in self.list_rows() if row[1] != "confirmed"]
        confirmed = [RULEBOOK[finding.id] for finding in self if finding.result == "confirmed"]
        assumed = sum(bool(rule.alternatives) for rule in confirmed)
        found = (
            f"{quantity(assumed, 'assumption')} and {quantity(len(confirmed) - assumed, 'documented rule')}"
        )
        lines += [f"  left out: {quantity(number, 'request')} {why}" for why, number in self.left_out.items()]
        return "\n".join([f"<Observation: {self._title()}, {found} confirmed>", *lines])

    def _repr_html_(self) -> str:
        columns = ("rule", "result", "value", "requests", "statuses", "section")
        return render_table(f"Observed: {self._title()}", columns, self.list_rows())[0]


def observe(traffic: Any, *, progress: bool | None = None) -> Observation:
    """Compare recorded traffic with the rules: which it confirms, refutes, or shows another alternative of.

    The requests are sent to a fake that learns its users from the traffic, under each alternative of the rules that
    its responses rest on. A rule counts as measured only if every other alternative would explain fewer responses.
    Requests that nothing can be told from are left out: their credentials were never accepted, or the recording lacks
    what they refer to, as codes and upload URLs are masked in a trace.

    Args:
        traffic: the path of a HAR file, its JSON, or a trace of a session.
        progress: whether to show a bar, or lines in a log; by default if anyone is watching and it takes more than a
            second.

    Returns:
        The findings, which hold no values of the traffic but statuses, its date and the number of requests.

    Raises:
        ValueError: it is not a HAR archive, or none of its entries can be read.
        OSError: the file cannot be read.

    Examples:
        >>> import svckit
        >>> svc = svckit.connect(now="2026-06-01T09:00:00+09:00", assume={"api.not-found": "400"})
        >>> with svc.trace() as t:
        ...     user = svc.users.read("u-001")
        >>> observe(t).source
        'trace, 1 request'
    """
    entries, damaged = read_recorded(traffic)
    left_out, recorded = Counter({DAMAGED: damaged}), []
    for call, why in find_why_undecidable(entries):
        left_out[why] += 1
        recorded += [] if why else [call]
    fake, known = make_fake(recorded)
    search = Search(Twin(fake, known, learn_bearers(recorded, fake)), recorded, progress=progress)
    left_out[INCOMPLETE] += len(recorded) - len(search.traffic)
    del left_out[""]
    kind = "trace" if hasattr(traffic, "to_har") else "HAR"  # a file may be named after its host
    return Observation(
        findings=tuple(judge(search)),
        requests=len(search.traffic),
        source=f"{kind}, {quantity(len(search.traffic), 'request')}",
        date=max((call.at.date().isoformat() for call in search.traffic), default=""),
        unexplained=sum(not search.best.matches(number) for number in range(len(search.traffic))),
        left_out=dict(+left_out),  # without the reasons that none was left out for
    )
