"""Which cases each section of the service's description has: ``python tests/conformance/coverage.py``."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALONE = [f"--rootdir={HERE.parents[1]}", f"--confcutdir={HERE}", "-oaddopts=", "--import-mode=importlib"]
ALONE += [
    "--disable-plugin-autoload",
    "-psvckit.fakes_plugin",
    "-psvckit.pytest_plugin",
    "-pno:cacheprovider",
]
"""Options for a run of the suite without what it does not need, which takes longer to load."""


def placed(items):
    """The cases among collected tests: their names, sections and assumptions, each once."""
    found = {}
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec is not None and "target" in callspec.params:
            name = case_name(item, callspec.params["target"])
            found[name] = tuple(cited(item, "section")), tuple(cited(item, "assumed"))
    return found


def cited(item, mark):
    """What a case cites by a mark, each once."""
    return list(dict.fromkeys(key for each in item.iter_markers(mark) for key in each.args))


class Listing:
    """A pytest plugin that notes, for each collected case, the sections and assumptions it cites."""

    def __init__(self):
        self.by_section = {}
        self.by_assumption = {}
        self.through_every_door = set()
        self.unplaced = []
        self.cases = {}

    def pytest_collection_finish(self, session):
        self.cases = placed(session.items)
        for item in session.items:
            if item.get_closest_marker("every_door"):
                self.through_every_door.update(cited(item, "section"))
        for name, (sections, assumptions) in self.cases.items():
            if not sections:
                self.unplaced.append(name)
            for found, groups in ((sections, self.by_section), (assumptions, self.by_assumption)):
                for key in found:
                    groups.setdefault(key, {})[name] = assumptions


def case_name(item, target):
    """The name of a case, the same on every target."""
    function, _, ids = item.name.partition("[")
    case = ids.removesuffix("]").removeprefix(f"{target}-").removesuffix(f"-{target}")
    return f"{item.path.stem}::{function}" + ("" if case == target else f"[{case}]")


def named(case):
    """The function of a case, with and without its module."""
    qualified = case.partition("[")[0]
    return qualified, qualified.partition("::")[2]


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
    """Print each section with its cases; fail where one has none, where a case cites none or has no rule,
    and where no case of endpoints goes through every door."""
    sys.path.insert(0, str(HERE))
    from description import ASSUMPTIONS, SECTIONS
    from rule_ids import DOCUMENTED, documented_by

    listing = collect()
    lines, empty = [], []
    for name in SECTIONS:
        cases = listing.by_section.get(name, {})
        documented = sum(1 for assumptions in cases.values() if not assumptions)
        lines.append(f"\n## {name}: {len(cases)} cases, {documented} of them documented\n")
        for case, assumptions in cases.items():
            resting = "; ".join(ASSUMPTIONS[key] for key in assumptions)
            lines.append(f"- {case}" + (f"  (assumed: {resting})" if resting else ""))
        if not cases:
            empty.append(f"EMPTY section: {name}")
    endpoints = {name for name in SECTIONS if name.startswith("Endpoints")}
    empty += [f"NO DOORS: {name}" for name in sorted(endpoints - listing.through_every_door)]
    empty += [f"EMPTY assumption: {key}" for key in ASSUMPTIONS if key not in listing.by_assumption]
    functions = {each for case in listing.cases for each in named(case)}
    empty += [f"NO CASE: {each}" for found in DOCUMENTED.values() for each in found if each not in functions]
    empty += [
        f"NO RULE: {case}"
        for case, (_, resting) in listing.cases.items()
        if not resting and not documented_by(case)
    ]
    empty += [f"UNPLACED case: {name}" for name in listing.unplaced]
    print("\n".join([*lines, *empty]))
    return 1 if empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
