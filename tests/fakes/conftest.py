"""A fake for a test, and a client of it."""

from collections.abc import Iterator

import pytest

from fakes import FakeService

from .caller import Caller, calling, make


@pytest.fixture
def fake() -> FakeService:
    """A fake whose clock stands."""
    return make()


@pytest.fixture
def me(fake: FakeService) -> Iterator[Caller]:
    """A signed-in client of the test's fake."""
    with calling(fake) as caller:
        yield caller
