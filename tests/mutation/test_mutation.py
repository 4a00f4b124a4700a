"""Mutants are what they say, and tests catch them."""

import json
import signal
from contextlib import contextmanager

import coverage
import pytest

from . import computing
from .measuring import TABLE, branches, likely, measured
from .mutants import ROOT, Mutant, changes, drawn, mutant
from .running import Tree
from .survivors import EXPLAINED

SAMPLE, SEED, CAUGHT = 10, 7, 8
"""Of so few more may survive than of a hundred."""


def after(text: str, tmp_path) -> list[str]:
    """What becomes of a source, change by change."""
    path = tmp_path / "module.py"
    path.write_text(text, "utf-8")
    return [mutant(tmp_path, path, index).source for index in range(len(changes(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", ["(a <= b)"]),
        ("a is not b", ["(a is b)"]),
        ("a not in b", ["(a in b)"]),
        ("a and b or c", ["((a and b) and c)", "(a or b) or c"]),
        ("a + b * c", ["(a - b * c)", "a + (b // c)"]),
        ("not a", ["(a)"]),
        ("x = True", ["x = False"]),
        ("x = 5", ["x = 6"]),
        ("x = 'name'", ["x = 'namex'"]),
        ("x = 'some words'", []),
        ("x = a if b else c", ["x = (c if b else a)"]),
        ("x = call(a, b, c)", ["x = (call(b, a, c))"]),
        ("x = call(*a, b)", []),
        ("call(a)", ["pass"]),
        ("é = 'ü'; a.b = c", ["é = 'üx'; a.b = c", "é = 'ü'; pass"]),
        ("x += y", ["pass"]),
        ("def f() -> 'T':\n    return a", ["def f() -> 'T':\n    return None"]),
        ("def f():\n    raise a", ["def f():\n    pass"]),
        ("def f(a: 'int' = 1):\n    '''doc'''", ["def f(a: 'int' = 2):\n    '''doc'''"]),
        ("x: 'Literal[1]'", []),
        ("__all__ = ['a']", []),
        ("x = f'{a + b}'", []),
        ("x = Literal['a']", []),
        ("isinstance(x, int | None)", ["pass", "(isinstance(int | None, x))"]),
        ("if TYPE_CHECKING:\n    call(1)", []),
    ],
)
def test_the_changes_of_a_source(text, expected, tmp_path):
    assert after(text, tmp_path) == expected


def test_seeds_draw_mutants():
    under = ["svckit/models", "fakes/rulebook"]  # all modules would take seconds
    mutants = drawn(SEED, 50, under=under)
    assert [each.key for each in drawn(SEED, 50, under=under)] == [each.key for each in mutants]
    assert {each.key for each in drawn(SEED + 1, 50, under=under)} != {each.key for each in mutants}
    for each in mutants:
        compile(each.source, each.path, "exec")
    assert {each.path.partition("/")[0] for each in mutants} == {"fakes", "svckit"}


def test_likeliest_test_file_comes_first(tmp_path):
    data = coverage.CoverageData(str(tmp_path / "data"))
    for context, lines in {
        "": {},
        "all.py": {"a.py": [1, 2, 3], "b.py": [1, 2, 3]},
        "a.py": {"a.py": [1, 2]},
    }.items():
        data.set_context(context)
        data.add_lines({f"/root/{path}": numbers for path, numbers in lines.items()})
    data.write()
    found = coverage.Coverage(str(tmp_path / "data"), config_file=False)
    found.load()
    assert likely(found, "/root") == {"a.py": ["a.py", "all.py"], "b.py": ["all.py"]}


def test_table_names_files_from_the_root():
    table = json.loads(TABLE.read_text("utf-8"))
    named = {path for module, tests in table.items() for path in (module, *tests)}
    assert [path for path in named if path.startswith(("/", ".."))] == []


def compute_forever() -> None:
    """Stand for a test that does not end."""
    with contextmanager(computing.pytest_runtest_call)():
        while True:
            pass


@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="Windows has no timer for it")
def test_who_computes_for_too_long_fails(monkeypatch):
    monkeypatch.setattr(computing, "MOST", 0.01)
    before = signal.getsignal(signal.SIGPROF)
    computing.pytest_configure()
    try:
        with pytest.raises(pytest.fail.Exception):
            compute_forever()
    finally:
        signal.signal(signal.SIGPROF, before)


@pytest.mark.long
def test_what_tests_run_is_measured(tmp_path):
    found = measured(["tests/svckit/models/test_times.py", "tests/svckit/models/test_birthday.py"], tmp_path)
    percent = branches(found, tmp_path)
    assert 0 < percent["svckit"] < 100
    assert likely(found, str(ROOT))["svckit/models/times.py"][0] == "tests/svckit/models/test_times.py"


@pytest.mark.long
def test_only_what_matters_is_caught():
    source = "svckit/display/suggestions.py"
    with Tree.copied() as tree:
        text = (tree._root / source).read_text("utf-8")
        assert not tree.caught_by(Mutant(source, 1, "", "", "", text + "\n# a comment\n"))
        assert tree.caught_by(Mutant(source, 1, "", "", "", "raise ValueError\n" + text))
        assert not tree.caught_by(Mutant(source, 1, "", "", "", "while True: pass\n" + text), limits=(5, 5))


@pytest.mark.long
def test_most_of_a_sample_are_caught():
    with Tree.copied() as tree:
        sample = [each for each in drawn(SEED, SAMPLE) if each.key not in EXPLAINED]
        survivors = [str(each) for each in sample if not tree.caught_by(each, limits=(60, 60))]
    assert len(survivors) <= SAMPLE - CAUGHT, survivors
