"""A class on one server of worlds, each with a request a second: what was acknowledged is there after a crash."""

import asyncio
from contextlib import ExitStack

import pytest

from tests.benchmarks.class_load import EACH, Server, find_lost, work_all


@pytest.mark.long
def test_a_class_loses_nothing_when_the_server_is_killed(tmp_path):
    folder = tmp_path / "worlds"
    with ExitStack() as stack:
        server = Server(stack, folder)
        learners = {f"learner-{number}": server.admit(f"learner-{number}") for number in range(250)}
        asyncio.run(work_all([*learners.values()], 2 * EACH))
        assert {len(learner.times) for learner in learners.values()} == {2 * EACH}
        assert {learner.saved for learner in learners.values()} == {f"name {2 * EACH - 1}"}
        server.kill()
    assert find_lost(folder, learners) == {}
