"""Random calls to fifty worlds at once lead to what they lead to in worlds that are alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import Worlds

from ..caller import NOW
from ..calls_at_random import SEQUENCES
from ..keys import private_key
from ..player import Player

WORLDS = [f"world-{number}" for number in range(50)]


def play_in(worlds, name, steps):
    """Play steps in a world, through the door of all worlds: what the service sent, what it stores, and its journal."""
    world = worlds.create(name, seed=WORLDS.index(name) % 3)
    world.transport = worlds.transport
    seen = Player(world).play(steps)
    return seen, world.snapshot(), [entry.record() for entry in world.journal]


def play_in_all(worlds, play):
    """Play in all worlds at once; the results by name."""
    with ThreadPoolExecutor(10) as pool:
        return dict(zip(WORLDS, pool.map(play, WORLDS), strict=True))


def hold_apart(sequences):
    steps = {name: sequences[number % len(sequences)] for number, name in enumerate(WORLDS)}
    private_key()  # which threads would make several of
    worlds = Worlds(now=NOW)
    together = play_in_all(worlds, lambda name: play_in(worlds, name, steps[name]))
    assert len(worlds.journal) == 0
    for name in WORLDS:
        assert together[name] == play_in(Worlds(now=NOW), name, steps[name])


SOME = st.lists(SEQUENCES, min_size=3, max_size=10)


@settings(max_examples=2, deadline=None)
@given(sequences=SOME)
def test_fifty_worlds_at_once_are_like_fifty_alone(sequences):
    hold_apart(sequences)


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(sequences=SOME)
def test_fifty_worlds_stay_apart_for_very_many_calls(sequences):
    hold_apart(sequences)
