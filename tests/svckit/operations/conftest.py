"""What is uploaded in ranges, as each kind of source."""

import pytest

from .ranges import SOURCES, Make


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest) -> Make:
    return SOURCES[request.param]
