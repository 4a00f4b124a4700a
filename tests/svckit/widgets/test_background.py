"""Work beside the notebook where there are no threads: at once, in turns of an event loop, cancelled."""

import asyncio
from collections.abc import Generator

from svckit.widgets.base.background import Work


def steps(done: list[str]) -> Generator[None, None, None]:
    try:
        for name in "ab":
            done.append(name)
            yield
    finally:
        done.append("end")


async def end(work: Work) -> None:
    async with asyncio.timeout(10):
        while work.is_running:
            await asyncio.sleep(0)


def test_at_once_where_there_are_no_threads(no_threads: None) -> None:
    done: list[str] = []
    work = Work(steps(done))
    work.start()
    work.wait()
    assert (done, work.is_running) == (["a", "b", "end"], False)


def test_in_turns_with_an_event_loop_where_there_are_no_threads(no_threads: None) -> None:
    done: list[str] = []

    async def beside() -> None:
        work = Work(steps(done))
        work.start()
        await asyncio.sleep(0)
        done.append("meanwhile")
        await end(work)

    asyncio.run(beside())
    assert done.index("meanwhile") < done.index("end")


def test_what_is_cancelled_ends_after_the_step_under_way(no_threads: None) -> None:
    done: list[str] = []

    async def beside() -> None:
        work = Work(steps(done))
        work.start()
        work.stop()
        assert work.is_set()
        await end(work)

    asyncio.run(beside())
    assert done == ["a", "end"]
