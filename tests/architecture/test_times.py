"""No test of the default run measures time: on a busy machine it would fail by chance."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
APART = ("benchmarks", "strangers/clients")
"""Folders of programs that are no tests."""
MEASURING = {"perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "thread_time", "ratio"}
"""Functions that read a clock of the machine, and the one of `tests/work.py` that compares such times."""


def list_modules():
    names = (path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))
    return sorted(name for name in names if not name.startswith(APART))


def find_measuring(tree):
    """The tests that measure time, and are not marked as long."""
    for test in ast.walk(tree):
        if not isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef) or not test.name.startswith("test"):
            continue
        called = (call.func for call in ast.walk(test) if isinstance(call, ast.Call))
        names = {getattr(function, "id", getattr(function, "attr", "")) for function in called}
        if names & MEASURING and not any("mark.long" in ast.unparse(mark) for mark in test.decorator_list):
            yield test.name


def test_only_long_tests_measure_time():
    sources = {name: (TESTS / name).read_text(encoding="utf-8") for name in list_modules()}
    found = [
        f"{name}: {test}"
        for name, source in sources.items()
        if any(function in source for function in MEASURING)
        for test in find_measuring(ast.parse(source))
    ]
    assert found == [], "count steps instead (tests/work.py), or mark them as long"
