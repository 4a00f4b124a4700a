"""A fake, and another that stands for the network, for the doors that catch whole libraries."""

import pytest

from fakes import FakeService

NOW = "2026-06-01T09:00:00+09:00"


@pytest.fixture
def fake():
    return FakeService.sample(now=NOW)


@pytest.fixture
def served():
    """Another fake, which listens on this machine."""
    with FakeService.sample(now=NOW).serve() as served:
        yield served
