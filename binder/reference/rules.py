"""The page of the fake's rules."""

from binder.reference.markdown import code, codes, page, prose, slug, table
from fakes.http.own_headers import OWN_HEADERS
from fakes.rulebook.deviations import DEVIATIONS, Deviation
from fakes.rulebook.rule import RULEBOOK, Rule

INTRO = """\
Everything that the fake does is a rule. A *documented* rule follows the description of the service. An *assumed* rule
fills a gap in it: it has alternatives, of which the first is the default. *Deviations*, below them, depart from
documented rules on request; the last table has the headers in which responses say what they rest on. The section that
a rule cites is a heading of the description, which is not part of this project.

On the site, the field above a table filters its rows; `svc.explore("rules")` does so in a notebook, and
`svckit.frames.rules(fake)` is a frame of them.

Choose alternatives with `svckit.connect(assume={"api.unauthorized": "403"})`, `FakeService.sample(assume=…)`,
`svckit serve --assume`, or the [admin call](admin.md) `PATCH /rules`.
"""
DEVIATING = """\
A *deviation* departs from documented rules, because real clients need what the description decides differently.
None applies unless you choose it, with `FakeService.sample(deviations={"file.stored": "200"})`,
`svckit serve --deviate file.stored=200` or `PATCH /rules`. Each response that one shapes has the header
`X-Fake-Deviates`. They are impossible with `assumptions="refuse"`.
"""
HEADERS = """\
The fake says in headers of its own how it came to a response; the service has none of them. The entry of the call in
`fake.journal`, and in `GET /journal`, has most of it as well. A stub cannot send these headers.
"""


def write() -> str:
    """Return the page."""
    documented = sum(rule.provenance == "documented" for rule in RULEBOOK.values())
    count = f"There are {len(RULEBOOK)} rules: {documented} documented, {len(RULEBOOK) - documented} assumed."
    return page(
        "Rules",
        INTRO,
        count,
        "## All rules",
        table(("rule", "what it says", "alternatives"), map(describe, RULEBOOK.values())),
        "## Deviations from documented rules",
        DEVIATING,
        table(
            ("deviation", "what it does", "needed by"),
            map(describe_deviation, DEVIATIONS.values()),
        ),
        "## Headers of the fake",
        HEADERS,
        table(
            ("header", "meaning", "in the journal entry"),
            [(code(name), prose(own.meaning), codes(own.recorded)) for name, own in OWN_HEADERS.items()],
        ),
    )


def describe(rule: Rule) -> tuple[str, ...]:
    """Return a rule as a row, which links lead to."""
    default, *others = rule.alternatives or ("",)
    alternatives = [f"{code(default)} (default)", *map(code, others)] if default else []
    return (
        f'<a id="{slug(rule.id)}"></a>{code(rule.id)}<br>*{rule.provenance}*, {rule.section}',
        prose(rule.text),
        ", ".join(alternatives),
    )


def describe_deviation(deviation: Deviation) -> tuple[str, ...]:
    """Return a deviation as a row."""
    name = code(f"{deviation.id}={'|'.join(deviation.values)}")
    return (
        f"{name}<br>from {codes(deviation.departs_from)}, {deviation.section}",
        prose(deviation.text),
        prose(deviation.need),
    )
