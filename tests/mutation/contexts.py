"""A pytest plugin that has coverage note, for each line, the test files that run it."""

from collections.abc import Generator

import coverage
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Name the file of the test as what runs now."""
    measuring = coverage.Coverage.current()
    if measuring is not None:
        measuring.switch_context(item.location[0])
    return (yield)
