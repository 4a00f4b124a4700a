"""The page of the fake's rules."""

from binder.reference.markdown import code, codes, page, prose, table
from fakes import rulebook
from fakes.http.own_headers import OWN_HEADERS
from fakes.rulebook.deviations import DEVIATIONS, Deviation
from fakes.rulebook.rule import RULEBOOK, Rule

INTRO = """\
Everything that the fake does is a rule. A *documented* rule follows the description of the service. An
*assumed* rule fills a gap in it: it has alternatives, of which the first is the default. Each section of this
page belongs to one part of the service; the last two are about *deviations*, which depart from documented rules
on request, and about the headers in which responses say what they rest on. The section that a rule cites is a
heading of the description, which is not part of this project.

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
    blocks = [INTRO, count]
    for name in rulebook.__all__:
        module = getattr(rulebook, name)
        own = [value for value in vars(module).values() if isinstance(value, Rule)]
        title = (module.__doc__ or "").partition("\n")[0].partition(":")[0].removesuffix(".")
        blocks += [f"## {title}", *map(describe, own)]
    blocks += [
        "## Deviations from documented rules",
        DEVIATING.rstrip(),
        *map(describe_deviation, DEVIATIONS.values()),
        "## Headers of the fake",
        HEADERS.rstrip(),
        table(
            ("header", "meaning", "in the journal entry"),
            [(code(name), prose(own.meaning), codes(own.recorded)) for name, own in OWN_HEADERS.items()],
        ),
    ]
    return page("Rules", *blocks)


def describe_deviation(deviation: Deviation) -> str:
    """Return the part of the page about one deviation."""
    departed = ", ".join(map(code, deviation.departs_from))
    lines = [
        f"### {deviation.id}={'|'.join(deviation.values)}",
        f"Departs from {departed}, section “{deviation.section}”",
        prose(deviation.text),
        f"Needed by: {prose(deviation.need)}",
    ]
    return "\n\n".join(lines)


def describe(rule: Rule) -> str:
    """Return the part of the page about one rule."""
    kind = f"*{rule.provenance.capitalize()}*, section “{rule.section}”"
    lines = [f"### {rule.id}", kind, prose(rule.text)]
    if rule.alternatives:
        default, *others = rule.alternatives
        lines.append(f"Alternatives: {code(default)} (default), {', '.join(map(code, others))}")
    return "\n\n".join(lines)
