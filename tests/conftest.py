"""What holds for all tests: no example of a property is held to a time, and long tests may take an hour.

On a busy machine the time of an example says nothing of it.
"""

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

LONG = 3600
"""Seconds; the limit of other tests is in `pyproject.toml`."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give tests that are marked as long a limit of their own, where there are limits."""
    if config.pluginmanager.hasplugin("timeout"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.timeout(LONG))
