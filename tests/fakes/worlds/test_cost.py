"""What grows with the number of worlds, or with what they hold, counted in operations; and what a fresh one costs."""

import asyncio
import time
import tracemalloc
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import current_thread, main_thread

import httpx
import pytest

from fakes import FakeService, Worlds
from fakes.http.content import SPOOL_LIMIT
from fakes.http.errors import Refusal
from fakes.persistence import NotSaved
from fakes.store import state_file
from fakes.store.state_rows import dump_entry
from fakes.worlds import folder
from fakes.worlds import world as world_module

from ..caller import NOW
from .test_hosting import call_through

# What grows with the number of worlds, or with what they hold, counted in operations.


@pytest.mark.parametrize("in_folder", [False, True])
def test_a_full_world_measures_only_what_changed(in_folder, tmp_path, monkeypatch):
    measured = []
    monkeypatch.setattr(
        world_module, "dump_entry", lambda name, entry: measured.append(name) or dump_entry(name, entry)
    )
    worlds = Worlds(users=200, now=NOW, most_bytes=100_000, state=tmp_path if in_folder else None)
    world = worlds.create("mina")
    caller = call_through(worlds, world)
    for number in range(1, 30):
        caller.patch(f"u-{number:03d}", task="t")

    def refuse():
        measured.clear()
        with pytest.raises(NotSaved):
            caller.patch(nickName="x" * 100_000)
        return len(measured)

    refuse()
    assert refuse() == 0
    assert caller.patch(task="u").status_code == 200
    assert refuse() <= 3
    counted = world_module.HeldBytes(world.state)
    before = counted.count()
    world.restore(world.snapshot())
    assert before == counted.count() == world_module.HeldBytes(world.state).count()
    worlds.close()


def test_making_a_world_does_not_list_the_folder_each_time(opened, tmp_path, monkeypatch):
    for number in range(400):
        (tmp_path / f"world-early-{number}.db").touch()
    worlds, listed = opened(), []
    names = folder.WorldFolder.names
    monkeypatch.setattr(folder.WorldFolder, "names", lambda self: listed.append(1) or names(self))
    for number in range(20):
        worlds.create(f"new-{number}")
    assert len(listed) == 1


def test_worlds_that_other_processes_make_are_counted_now_and_then(opened):
    one, other = opened(most=20), opened(most=20)
    one.create("first")
    for number in range(12):
        other.create(f"other-{number}")
    with suppress(Refusal):
        for number in range(20):
            one.create(f"one-{number}")
    assert len(one.names()) == 20


def count_opened_files(worlds, names, bearers, monkeypatch):
    """The number of databases that are opened while all worlds are read in turn."""
    opened = []
    start = state_file.Database
    monkeypatch.setattr(
        state_file, "Database", lambda *path, **known: opened.append(path) or start(*path, **known)
    )
    with httpx.Client(transport=worlds.transport()) as http:
        for _ in range(2):
            for name in names:
                headers = {"Authorization": f"Bearer {bearers[name]}"}
                url = f"https://api.fake.test/w/{name}/users/u-001"
                assert http.patch(url, json={}, headers=headers).status_code == 200
    monkeypatch.undo()
    return len(opened)


def test_reading_worlds_in_turn_opens_no_file_again(opened, monkeypatch):
    worlds, names = opened(), [f"world-{number}" for number in range(40)]
    bearers = {name: worlds.create(name).access_token() for name in names}
    assert count_opened_files(worlds, names, bearers, monkeypatch) == 0


def test_as_many_worlds_can_be_open_as_the_process_may_have_files():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, before[1]))
        most = folder.find_most_open()
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert limit > 300
        assert most >= (limit - folder.OTHER_FILES) // folder.FILES_EACH
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are listed only on Linux")
def test_large_uploads_to_many_worlds_close_files(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 2)
    worlds, large, counts = opened(), b"x" * (SPOOL_LIMIT + 1), []
    callers = [call_through(worlds, worlds.create(f"world-{number}")) for number in range(6)]
    for caller in callers:
        stored = [caller.upload(content=large)["fileId"] for _ in range(3)]
        counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert counts[2:] == [counts[2]] * 4
    for caller in callers:
        assert caller.download(stored[0]).content == large  # each world has the same IDs


def test_files_are_closed_in_a_thread_while_an_event_loop_runs(opened, monkeypatch):
    monkeypatch.setattr(folder, "find_most_open", lambda: 1)
    worlds, other, closed = opened(), opened(), []
    close = folder.WorldFile.close
    monkeypatch.setattr(
        folder.WorldFile, "close", lambda self: closed.append(current_thread()) or close(self)
    )

    async def create():
        for name in ("a", "b", "c"):
            worlds.create(name)
        assert worlds.find("b").name == "b"  # whether it was closed by now or not
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(create())
    assert closed
    assert main_thread() not in closed
    assert other.find("a").name == "a"
    with pytest.raises(Refusal, match="another process"):
        other.find("b")


# A thousand worlds in one process: what a fresh one costs.

COUNT, ROUNDS = 1000, 50


@pytest.mark.long
def test_a_fresh_world_takes_little_memory():
    Worlds().create("first")  # loads what all share
    worlds = Worlds()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(COUNT):
            worlds.create(f"world-{number}")
        assert tracemalloc.get_traced_memory()[0] - before <= COUNT * 40 * 1024
    finally:
        tracemalloc.stop()
    assert len(worlds.names()) == COUNT


@pytest.mark.long
def test_a_fresh_world_takes_little_more_time_than_a_fake():
    worlds, numbers = Worlds(), count()

    def measure(make):
        before = time.process_time()
        for _ in range(COUNT // ROUNDS):
            make()
        return time.process_time() - before

    taken = [
        (measure(lambda: worlds.create(f"world-{next(numbers)}")), measure(FakeService.sample))
        for _ in range(ROUNDS)
    ]
    of_worlds, of_fakes = map(min, zip(*taken, strict=True))
    assert of_worlds <= 5 * of_fakes  # 0.4 and 0.14 ms on one machine
