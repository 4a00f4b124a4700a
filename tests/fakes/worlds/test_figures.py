"""A thousand worlds in one process: what a fresh one costs."""

import time
import tracemalloc
from itertools import count

import httpx
import pytest

from fakes import FakeService, Worlds

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


@pytest.mark.long
def test_a_call_of_a_thousand_worlds_of_a_folder_takes_little_more_time_than_of_a_hundred(tmp_path):
    def prepare(number):
        worlds = Worlds(users=3, now="2026-06-01T09:00:00+09:00", state=tmp_path / str(number))
        bearers = {f"w{each}": worlds.create(f"w{each}").access_token() for each in range(number)}
        return worlds, bearers

    def measure(worlds, bearers):
        """The time of a call, of 1,000 calls round robin."""
        names = list(bearers) * (COUNT // len(bearers))
        with httpx.Client(transport=worlds.transport()) as http:
            before = time.process_time()
            for name in names:
                headers = {"Authorization": f"Bearer {bearers[name]}"}
                url = f"https://api.fake.test/w/{name}/users/u-001"
                assert http.patch(url, json={}, headers=headers).status_code == 200
            return (time.process_time() - before) / len(names)

    few, many = prepare(100), prepare(COUNT)
    measure(*few), measure(*many)
    taken = [(measure(*few), measure(*many)) for _ in range(5)]
    of_few, of_many = map(min, zip(*taken, strict=True))
    for worlds, _ in (few, many):
        worlds.close()
    assert of_many <= 1.5 * of_few
