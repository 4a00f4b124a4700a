"""A fake for a test, and a client of it."""

from collections.abc import Iterator

import pytest

from fakes import FakeService

from .admin import Admin
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


@pytest.fixture
def admin(fake: FakeService) -> Admin:
    """A caller of the admin interface of the test's fake."""
    return Admin(fake)
