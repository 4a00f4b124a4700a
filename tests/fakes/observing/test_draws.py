"""Services drawn at random, under clocks of several offsets: all that traffic shows is found, and nothing else."""

import tomllib

import pytest

from fakes import FakeService, observe

from .traffic import draw_service


def check(seed, **most):
    service = draw_service(seed, **most)
    observation = observe(service.record())
    assume, deviations = service.list_revealed()
    results = {each.id: each.value for each in observation if each.result in ("alternative", "refuted")}
    assert (results, observation.deviations) == (assume, deviations), (seed, service)
    assert observation.unexplained == 0, (seed, service)
    fake = FakeService.sample(assume_from=tomllib.loads(observation.to_toml()))
    assert fake.rules.deviations.chosen == deviations
    assert all(fake.rules[name].chosen == value for name, value in observation.assume.items())


@pytest.mark.parametrize("seed", range(4))
def test_finds_all_that_shows_and_nothing_else(seed):
    check(seed, alternatives=3, deviations=3, others=2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(300))
def test_finds_all_of_ten_that_shows_and_nothing_else(seed):
    check(seed, alternatives=10, deviations=3, others=4)
