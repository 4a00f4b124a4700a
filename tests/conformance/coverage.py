"""Which cases each rule has: ``python -m tests.conformance.coverage``."""

import os
from pathlib import Path

import pytest

import fakes.rulebook  # noqa: F401 - declares the rules
from fakes.rulebook.rule import RULEBOOK

HERE = Path(__file__).parent
ALONE = [f"--rootdir={HERE.parents[1]}", f"--confcutdir={HERE}", "-oaddopts=", "--import-mode=importlib"]
ALONE += [
    "--disable-plugin-autoload",
    "-psvckit.fakes_plugin",
    "-psvckit.pytest_plugin",
    "-pno:cacheprovider",
]
"""Options for a run of the suite without what it does not need, which takes longer to load."""


def cited(item, mark):
    """What a case cites by a mark, each once."""
    return list(dict.fromkeys(key for each in item.iter_markers(mark) for key in each.args))


def case_name(item, target):
    """The name of a case, the same on every target."""
    function, _, ids = item.name.partition("[")
    case = ids.removesuffix("]").removeprefix(f"{target}-").removesuffix(f"-{target}")
    return f"{item.path.stem}::{function}" + ("" if case == target else f"[{case}]")


class Listing:
    """A pytest plugin that notes the cases of each rule.

    Attributes:
        by_rule: the names of its cases, for each rule, and for what is assumed besides.
        through_every_door: the sections of the documented rules of which a case goes through every door.
        without_rule: the names of cases that cite nothing.
    """

    def __init__(self):
        self.by_rule = {}
        self.through_every_door = set()
        self.without_rule = {}

    def pytest_collection_finish(self, session):
        for item in session.items:
            callspec = getattr(item, "callspec", None)
            if callspec is None or "target" not in callspec.params:
                continue
            name, documented = case_name(item, callspec.params["target"]), cited(item, "documented")
            rules = [*documented, *cited(item, "assumed")]
            for rule_id in rules:
                self.by_rule.setdefault(rule_id, {})[name] = True
            if not rules:
                self.without_rule[name] = True
            if item.get_closest_marker("every_door"):
                self.through_every_door.update(RULEBOOK[rule_id].section for rule_id in documented)


def collect():
    """Collect the suite without running it."""
    listing = Listing()
    os.environ.pop("PYTEST_ADDOPTS", None)  # xdist would collect in processes without the plugin
    if (
        pytest.main(["--collect-only", "-pno:terminal", *ALONE, "-mnot wide", str(HERE)], plugins=[listing])
        != 0
    ):
        raise SystemExit("the suite cannot be collected; run pytest on it to see why")
    return listing


def main():
    """Print each rule with its cases; fail where a documented one has none, where a case cites none, and where no case
    of endpoints goes through every door."""
    listing = collect()
    for rule_id, cases in listing.by_rule.items():
        print("\n- ".join([f"\n## {rule_id}: {len(cases)} cases\n", *cases]))
    documented = [rule for rule in RULEBOOK.values() if not rule.alternatives]
    endpoints = {rule.section for rule in documented if rule.section.startswith("Endpoints")}
    missing = [f"NO CASE: {rule.id}" for rule in documented if rule.id not in listing.by_rule]
    missing += [f"NO RULE: {name}" for name in listing.without_rule]
    missing += [f"NO DOORS: {section}" for section in sorted(endpoints - listing.through_every_door)]
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
