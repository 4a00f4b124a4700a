"""The page of the fake's rules."""

from binder.reference.markdown import code, page, prose
from fakes import rulebook
from fakes.rulebook.rule import RULEBOOK, Rule

INTRO = """\
Everything that the fake does is a rule. A *documented* rule follows the description of the service. An
*assumed* rule fills a gap in it: it has alternatives, of which the first is the default. Each section of this
page belongs to one part of the service. The section that a rule cites is a heading of the description, which
is not part of this project.

Choose alternatives with `svckit.connect(assume={"api.unauthorized": "403"})`, `FakeService.sample(assume=…)`,
`svckit serve --assume`, or the [admin call](admin.md) `PATCH /rules`.
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
    return page("Rules", *blocks)


def describe(rule: Rule) -> str:
    """Return the part of the page about one rule."""
    kind = f"*{rule.provenance.capitalize()}*, section “{rule.section}”"
    lines = [f"### {rule.id}", kind, prose(rule.text)]
    if rule.alternatives:
        default, *others = rule.alternatives
        lines.append(f"Alternatives: {code(default)} (default), {', '.join(map(code, others))}")
    return "\n\n".join(lines)
