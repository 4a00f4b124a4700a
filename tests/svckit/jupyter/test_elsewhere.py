"""A notebook is run under other hash seeds and time zones, as often as it takes to tell what matters."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from svckit.jupyter.finding import Finding
from svckit.jupyter.rerun import (
    ELSEWHERE,
    ENVIRONMENT,
    PORTABLE,
    replay_elsewhere,
)

DIFFERS = Finding("it produces something else:\nnow: b", "differs", 1, "c1", "show the same")
UNENDED = Finding("it does not end", "unended", 1, "c1", "make it end")
Runs = list[Mapping[str, str]]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[str], Runs]]:
    """A function that says what is told of a notebook, and how it was run, given what comes out where."""

    def checked(comes_out: Callable[[Mapping[str, str]], list[Finding]]) -> tuple[list[str], Runs]:
        runs: Runs = []

        async def replay(
            path: Path, notebook: Any, seconds: int, other: Mapping[str, str] | None = None
        ) -> Any:
            runs.append(dict(other or {}))
            return comes_out(runs[-1])

        monkeypatch.setattr("svckit.jupyter.rerun.replay", replay)
        return [str(found) for found in asyncio.run(replay_elsewhere(Path("a.ipynb"), None))], runs

    return checked


def test_a_good_one_is_run_twice_each_time_under_other_values(checked: Any) -> None:
    told, runs = checked(lambda _: [])
    assert told == []
    assert runs == [*ELSEWHERE]
    assert all(len({each[name] for each in (*ELSEWHERE, ENVIRONMENT)}) == 3 for name in PORTABLE)


def test_one_that_differs_everywhere_is_told_as_it_is_stored(checked: Any) -> None:
    told, runs = checked(lambda _: [DIFFERS])
    assert told == [str(DIFFERS)]
    assert runs == [ELSEWHERE[0], {}]


@pytest.mark.parametrize("name", PORTABLE)
@pytest.mark.parametrize("other", ELSEWHERE)
def test_the_variable_that_matters_is_named(checked: Any, name: str, other: Mapping[str, str]) -> None:
    told, runs = checked(lambda given: [DIFFERS] if given.get(name) == other[name] else [])
    condition = f"under {name}={other[name]}"
    assert told == [f"cell 1 (c1): it produces something else {condition}; {PORTABLE[name]}:\nnow: b"]
    assert len(runs) <= 5


def test_one_that_differs_now_and_then_is_told_so(checked: Any) -> None:
    told, _ = checked(lambda given: [DIFFERS] if given == ELSEWHERE[1] else [])
    (line,) = told
    assert line.startswith("cell 1 (c1): it produces something else in some runs; show what is the same")


def test_no_time_is_lost_with_one_that_does_not_end(checked: Any) -> None:
    told, runs = checked(lambda _: [UNENDED])
    assert told == [str(UNENDED)]
    assert len(runs) == 1
