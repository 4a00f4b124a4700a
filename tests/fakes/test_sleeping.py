"""A clock that moves instead of waiting when a thread sleeps."""

import asyncio
import sys
import threading
import time
from datetime import timedelta
from time import sleep as imported_sleep
from types import ModuleType

import anyio
import pytest

from fakes.clock import Clock

from .caller import NOW

REAL = time.sleep, asyncio.sleep
LONG = 10_000_000
"""Seconds that no test could really wait."""


def elapsed(clock):
    return (clock.now() - Clock(NOW).now()).total_seconds()


def run_in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def test_sleeping_moves_the_clock_and_returns_at_once():
    clock = Clock(NOW)
    with clock.sleeping() as same:
        time.sleep(LONG)
        time.sleep(0)
        asyncio.run(asyncio.sleep(0.5))
        anyio.run(anyio.sleep, 0.5)
    assert same is clock
    assert elapsed(clock) == LONG + 1
    assert (time.sleep, asyncio.sleep) == REAL


def test_running_clock_moves_too():
    clock = Clock()
    before = clock.now()
    with clock.sleeping():
        time.sleep(LONG)
        asyncio.run(asyncio.sleep(LONG))
    assert timedelta(seconds=2 * LONG) <= clock.now() - before < timedelta(seconds=2 * LONG + 3600)
    assert not clock.standing


def test_other_threads_wait_as_before():
    clock, came = Clock(NOW), []

    def wait():
        time.sleep(0.001)
        came.append(asyncio.run(asyncio.sleep(0.001, "result")))

    with clock.sleeping():
        run_in_thread(wait)
    assert (came, elapsed(clock)) == (["result"], 0)


def test_threads_can_each_have_a_clock():
    """One ends while the other still sleeps; each clock moves only for its own thread."""
    one, other, entered = Clock(NOW), Clock(NOW), []

    def sleep():
        with other.sleeping():
            time.sleep(20)
            entered.append(True)

    with one.sleeping():
        run_in_thread(sleep)
        time.sleep(10)
    assert entered
    assert (elapsed(one), elapsed(other)) == (10, 20)
    assert (time.sleep, asyncio.sleep) == REAL


def test_nested_blocks_move_the_inner_clock_and_restore_the_outer_one():
    outer, inner = Clock(NOW), Clock(NOW)
    with outer.sleeping():
        with inner.sleeping(), inner.sleeping():
            time.sleep(10)
        time.sleep(5)
    assert (elapsed(outer), elapsed(inner)) == (5, 10)


def test_real_functions_are_back_after_an_error():
    clock = Clock(NOW)
    with pytest.raises(ZeroDivisionError), clock.sleeping():
        raise ZeroDivisionError
    assert (time.sleep, asyncio.sleep) == REAL
    assert elapsed(clock) == 0


def test_names_imported_by_modules_move_the_clock_too(monkeypatch):
    module = ModuleType("client")
    exec("from time import sleep\nfrom asyncio import sleep as pause\ndef wait(): sleep(10)", vars(module))
    monkeypatch.setitem(sys.modules, "client", module)
    clock = Clock(NOW)
    with clock.sleeping():
        module.wait()
        from time import sleep as imported_meanwhile
    imported_meanwhile(0)
    assert elapsed(clock) == 10
    assert module.sleep is imported_sleep is REAL[0]


@pytest.mark.parametrize(
    ("seconds", "error"), [(-1, ValueError), (float("nan"), ValueError), ("1", TypeError), (None, TypeError)]
)
def test_what_cannot_be_slept_is_an_error_as_before(seconds, error):
    clock = Clock(NOW)
    with clock.sleeping(), pytest.raises(error):
        time.sleep(seconds)
    assert elapsed(clock) == 0


def test_task_that_is_due_first_continues_first():
    clock, order = Clock(NOW), []

    async def work(name, *delays):
        for delay in delays:
            result = await asyncio.sleep(delay, (name, delay))
            order.append(result)

    async def main():
        await asyncio.gather(work("slow", 60, 60), work("fast", 10, 10, 30), work("same", 60))

    with clock.sleeping():
        asyncio.run(main())
    assert order == [("fast", 10), ("fast", 10), ("fast", 30), ("slow", 60), ("same", 60), ("slow", 60)]
    assert elapsed(clock) == 120


def test_cancelled_task_does_not_hold_up_the_others():
    clock = Clock(NOW)

    async def main():
        first = asyncio.create_task(asyncio.sleep(10))
        second = asyncio.create_task(asyncio.sleep(LONG))
        await REAL[1](0)
        first.cancel()
        await second

    with clock.sleeping():
        asyncio.run(main())
    assert elapsed(clock) == LONG


def test_endless_sleep_waits_to_be_cancelled():
    clock = Clock(NOW)

    async def main():
        forever = asyncio.create_task(asyncio.sleep(float("inf")))
        await asyncio.sleep(10)
        forever.cancel()
        assert isinstance((await asyncio.gather(forever, return_exceptions=True))[0], asyncio.CancelledError)

    with clock.sleeping():
        asyncio.run(main())
    assert elapsed(clock) == 10
