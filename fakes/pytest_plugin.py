"""The pytest plugin: a fresh fake for each test, and tests that run under every assumption.

    @pytest.mark.assumption_sweep
    def test_my_client(fake_service): ...

runs once as the fake is, and once under each alternative of each assumption.
"""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fakes.service import FakeService

__all__ = ["fake_service", "pytest_configure", "pytest_generate_tests"]

NOW = "2026-06-01T09:00:00+09:00"
SWEEP = "assumption_sweep"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers", f"{SWEEP}: run the test as the fake is and under each alternative of each assumption"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a marked test one run for each alternative."""
    if "fake_service" not in metafunc.fixturenames or metafunc.definition.get_closest_marker(SWEEP) is None:
        return
    from fakes.sweeping import alternatives

    runs: list[dict[str, str]] = [{}, *({rule_id: choice} for rule_id, choice in alternatives())]
    names = ["as it is", *(f"{rule_id}={choice}" for rule_id, choice in alternatives())]
    metafunc.parametrize("fake_service", runs, indirect=True, ids=names)


@pytest.fixture
def fake_service(request: pytest.FixtureRequest) -> "FakeService":
    """A fresh fake whose clock stands at 2026-06-01T09:00:00+09:00."""
    from fakes.service import FakeService

    return FakeService.sample(now=NOW, assume=getattr(request, "param", None))
