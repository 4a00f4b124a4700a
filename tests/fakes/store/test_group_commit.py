"""Group commit: nobody goes on before a commit that began after they came, and few commits do for many."""

import asyncio
import threading

import pytest

from fakes.store.group_commit import GroupCommit


class Log:
    """What is saved by commits, which can be held up."""

    def __init__(self):
        self.pending, self.saved, self.commits = [], [], 0
        self.begun, self.may_go_on = threading.Semaphore(0), threading.Semaphore(0)
        self.fails = False

    def has_changes(self):
        return self.pending != self.saved or self.fails

    def commit(self):
        taken, self.commits = list(self.pending), self.commits + 1
        self.begun.release()
        self.may_go_on.acquire()
        if self.fails:
            raise OSError("no space is left")
        self.saved = taken


async def act(log, group, name):
    log.pending.append(name)
    await group.settle()
    assert name in log.saved


def test_who_comes_during_a_commit_waits_for_the_next_together():
    log = Log()

    async def run():
        group = GroupCommit(log.commit, log.has_changes)
        first = asyncio.create_task(act(log, group, "first"))
        await asyncio.to_thread(log.begun.acquire)
        others = [asyncio.create_task(act(log, group, str(number))) for number in range(100)]
        await asyncio.sleep(0)  # they come, while the first commit is under way
        log.may_go_on.release()
        await first
        assert not any(other.done() for other in others)
        log.may_go_on.release()
        await asyncio.gather(*others)

    asyncio.run(run())
    assert log.commits == 2


def test_each_who_comes_alone_has_a_commit():
    log = Log()

    async def run():
        group = GroupCommit(log.commit, log.has_changes)
        for number in range(3):
            log.may_go_on.release()
            await act(log, group, str(number))

    asyncio.run(run())
    assert log.commits == 3


def test_failed_commit_reaches_all_who_waited():
    log = Log()

    async def run():
        group = GroupCommit(log.commit, log.has_changes)
        log.fails = True
        log.may_go_on.release()
        told = await asyncio.gather(*(group.settle() for _ in range(3)), return_exceptions=True)
        assert [str(error) for error in told] == ["no space is left"] * 3
        log.fails = False
        log.may_go_on.release()
        await act(log, group, "later")

    asyncio.run(run())


def test_who_gives_up_waiting_takes_nobody_along():
    log = Log()

    async def run():
        group = GroupCommit(log.commit, log.has_changes)
        impatient, patient = (asyncio.create_task(act(log, group, name)) for name in ("impatient", "patient"))
        await asyncio.to_thread(log.begun.acquire)
        impatient.cancel()
        log.may_go_on.release()
        await patient
        with pytest.raises(asyncio.CancelledError):
            await impatient

    asyncio.run(run())


def test_reader_waits_only_for_a_running_commit():
    log = Log()

    async def run():
        group = GroupCommit(log.commit, log.has_changes)
        await group.settle()
        assert log.commits == 0
        first = asyncio.create_task(act(log, group, "first"))
        await asyncio.to_thread(log.begun.acquire)
        log.saved = (
            log.pending
        )  # as if nothing were left, while what the second has read is not on the disk yet
        second = asyncio.create_task(group.settle())
        await asyncio.sleep(0)
        assert not second.done()
        log.may_go_on.release()
        log.may_go_on.release()
        await asyncio.gather(first, second)

    asyncio.run(run())
