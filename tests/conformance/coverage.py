"""Which cases each section of the service's description has: ``python tests/conformance/coverage.py``."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COLLECT = ["--collect-only", "-p", "no:terminal", "-p", "no:cacheprovider", f"--rootdir={HERE.parents[1]}"]


class Listing:
    """A pytest plugin that notes, for each collected case, the sections and assumptions it cites."""

    def __init__(self):
        self.by_section = {}
        self.by_assumption = {}
        self.unplaced = []

    def pytest_collection_finish(self, session):
        for item in session.items:
            callspec = getattr(item, "callspec", None)
            if callspec is None or "target" not in callspec.params:
                continue
            name = case_name(item, callspec.params["target"])
            sections = [name for mark in item.iter_markers("section") for name in mark.args]
            assumptions = [key for mark in item.iter_markers("assumed") for key in mark.args]
            if not sections:
                self.unplaced.append(name)
            for found, groups in ((sections, self.by_section), (assumptions, self.by_assumption)):
                for key in found:
                    groups.setdefault(key, {})[name] = tuple(assumptions)


def case_name(item, target):
    """The name of a case, the same on every target."""
    function, _, ids = item.name.partition("[")
    case = ids.removesuffix("]").removeprefix(f"{target}-").removesuffix(f"-{target}")
    return f"{item.path.stem}::{function}" + ("" if case == target else f"[{case}]")


def collect():
    """Collect the suite without running it."""
    listing = Listing()
    if pytest.main([*COLLECT, str(HERE)], plugins=[listing]) != 0:
        raise SystemExit("the suite cannot be collected; run pytest on it to see why")
    return listing


def main():
    """Print each section with its cases; fail where one has none, and where a case cites none."""
    sys.path.insert(0, str(HERE))
    from description import ASSUMPTIONS, SECTIONS

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
    empty += [f"EMPTY assumption: {key}" for key in ASSUMPTIONS if key not in listing.by_assumption]
    empty += [f"UNPLACED case: {name}" for name in listing.unplaced]
    print("\n".join([*lines, *empty]))
    return 1 if empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
