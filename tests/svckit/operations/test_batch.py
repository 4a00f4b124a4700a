"""Many operations at once, in threads and in tasks: the same cases."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from svckit.errors import Cancelled, InvalidInput
from svckit.http.messages import Operation
from svckit.operations.batch import (
    Batch,
    Cancel,
    Job,
    Outcome,
    Outcomes,
    run_tasks,
    run_threads,
)

from ...loopback import PATIENCE

Work = Callable[[int], Any]


def jobs(work: Work, count: int) -> list[Job[Any]]:
    def begin(number: int) -> Callable[[Cancel], Operation[Any]]:
        def operation(_: Cancel) -> Operation[Any]:
            return work(number)
            yield  # it sends nothing, and is an operation all the same

        return operation

    return [Job(f"job {number}", begin(number)) for number in range(count)]


def result(operation: Operation[Any]) -> Any:
    try:
        next(operation)
    except StopIteration as done:
        return done.value
    raise AssertionError("nothing is sent here")


@pytest.fixture
def run(way: str) -> Callable[[Batch[Any], int], None]:
    if way == "sync":
        return lambda batch, workers: run_threads(result, batch, workers)

    async def awaited(operation: Operation[Any]) -> Any:
        await asyncio.sleep(0)
        return result(operation)

    return lambda batch, workers: asyncio.run(run_tasks(awaited, batch, workers))


@pytest.mark.parametrize("workers", [1, 4, 50])
def test_outcomes_come_in_the_order_given(run: Any, workers: int) -> None:
    settled: list[str] = []
    batch = Batch(jobs(lambda n: n * n, 20), on_settled=lambda outcome: settled.append(outcome.label))
    run(batch, workers)
    assert [outcome.value for outcome in batch.outcomes] == [n * n for n in range(20)]
    assert sorted(settled) == sorted(outcome.label for outcome in batch.outcomes)
    assert not batch.was_cut_short


def test_one_that_fails_keeps_no_other_back(run: Any) -> None:
    batch = Batch(jobs(lambda n: 1 // (n - 3), 6))
    run(batch, 2)
    assert [outcome.state for outcome in batch.outcomes] == ["ok", "ok", "ok", "failed", "ok", "ok"]
    assert isinstance(batch.outcomes[3].error, ZeroDivisionError)


def test_an_operation_that_cannot_be_made_has_failed(run: Any) -> None:
    def begin(_: Cancel) -> Operation[None]:
        raise OSError("no such file")

    batch = Batch([Job("a.txt", begin)])
    run(batch, 4)
    assert str(batch.outcomes[0].error) == "no such file"


def test_what_is_cancelled_begins_no_more(run: Any) -> None:
    cancel = threading.Event()
    batch = Batch(jobs(lambda n: cancel.set() if n == 2 else n, 9), cancel=cancel)
    run(batch, 1)
    assert [outcome.state for outcome in batch.outcomes] == ["ok"] * 3 + ["not begun"] * 6
    assert batch.was_cut_short


def test_a_job_cancelled_under_way_cuts_the_batch_short(run: Any) -> None:
    def cancelled(_: int) -> None:
        raise Cancelled("stopped")

    batch = Batch(jobs(cancelled, 1))
    run(batch, 1)
    assert batch.was_cut_short


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "4"])
def test_workers_are_counted_from_one(run: Any, workers: Any) -> None:
    with pytest.raises(InvalidInput, match="workers must be a whole number from 1"):
        run(Batch(jobs(lambda n: n, 1)), workers)


def test_threads_work_side_by_side_and_no_more_than_asked() -> None:
    together = threading.Barrier(3, timeout=PATIENCE)
    names = set()

    def work(_: int) -> None:
        names.add(threading.current_thread().name)
        together.wait()

    batch = Batch(jobs(work, 9))
    run_threads(result, batch, 3)
    assert len(names) == 3
    assert len(Outcomes("", batch.outcomes).ok) == 9


def test_tasks_work_side_by_side_and_no_more_than_asked() -> None:
    running, most = 0, 0

    async def run(_: Operation[Any]) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    asyncio.run(run_tasks(run, Batch(jobs(lambda n: n, 9)), 3))
    assert most == 3


@pytest.mark.usefixtures("no_threads")
def test_where_no_threads_can_be_started_one_does_it_all() -> None:
    batch = Batch(jobs(lambda n: n, 5))
    run_threads(result, batch, 4)
    assert [outcome.value for outcome in batch.outcomes] == list(range(5))


def test_an_interrupt_keeps_what_was_done() -> None:
    def work(number: int) -> int:
        if number == 2:
            raise KeyboardInterrupt
        return number

    batch = Batch(jobs(work, 5))
    run_threads(result, batch, 1)
    states = [outcome.state for outcome in batch.outcomes]
    assert states == ["ok", "ok", "failed", "not begun", "not begun"]
    assert "may or may not have taken effect" in str(batch.outcomes[2].error)
    assert batch.was_cut_short


def test_a_cancelled_task_ends_its_workers() -> None:
    async def forever(_: Operation[Any]) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.create_task(run_tasks(forever, Batch(jobs(lambda n: n, 5)), 2))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


OUTCOMES = [Outcome("a.txt", 1), Outcome("b.txt", error=OSError("disk full")), Outcome("c.txt", begun=False)]


def test_outcomes_show_what_failed() -> None:
    found = Outcomes("upload", OUTCOMES)
    assert repr(found).splitlines() == [
        "upload: 1 of 3 done, 1 failed, 1 not begun",
        "  item   state      why",
        "  b.txt  failed     disk full",
        "  c.txt  not begun",
    ]
    assert repr(Outcomes("upload", OUTCOMES[:1])) == "upload: 1 of 1 done"
    many = repr(Outcomes("upload", OUTCOMES[1:2] * 12)).splitlines()
    assert (len(many), many[-1]) == (13, "  and 2 more")
    escaped = Outcomes("upload", [Outcome("<b>", error=OSError("<i>"))])._repr_html_()
    assert "<b>" not in escaped
    assert "<i>" not in escaped
    alone = Outcomes("upload", OUTCOMES[:1])._repr_html_()
    assert "1 of 1 done" in alone
    assert "<table" not in alone, "a table where there is nothing to list"


@pytest.mark.parametrize("outcomes", [OUTCOMES, OUTCOMES[:1], []])
def test_outcomes_as_a_frame(outcomes: list[Outcome[Any]]) -> None:
    frame = Outcomes("upload", outcomes).frame()
    assert list(frame.columns) == ["item", "state", "why"]
    assert {str(dtype) for dtype in frame.dtypes} == {"string"}
    assert frame["item"].tolist() == [outcome.label for outcome in outcomes]


def test_outcomes_are_a_sequence() -> None:
    found = Outcomes("upload", OUTCOMES)
    assert found[0] is OUTCOMES[0]
    assert found[1:] == tuple(OUTCOMES[1:])
    assert list(found) == OUTCOMES


def test_a_failed_assertion_is_no_outcome_and_stops_the_others(run: Any) -> None:
    def work(number: int) -> int:
        assert number != 2, "a test says so"
        return number

    batch = Batch(jobs(work, 9))
    with pytest.raises(AssertionError, match="a test says so"):
        run(batch, 1)
    assert [outcome.state for outcome in batch.outcomes] == ["ok", "ok", "failed", *["not begun"] * 6]
