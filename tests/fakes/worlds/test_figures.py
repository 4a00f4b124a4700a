"""A thousand worlds in one process: what a fresh one costs."""

import time
import tracemalloc

import pytest

from fakes import Worlds

COUNT = 1000


@pytest.mark.long
def test_a_fresh_world_takes_little_memory_and_time():
    Worlds().create("first")  # loads what all share
    worlds = Worlds()
    before = time.process_time()
    for number in range(COUNT):
        worlds.create(f"world-{number}")
    assert time.process_time() - before <= COUNT / 1000  # a millisecond each
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
