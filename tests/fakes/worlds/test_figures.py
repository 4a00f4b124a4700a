"""A thousand worlds in one process: what a fresh one costs."""

import time
import tracemalloc
from itertools import count

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
