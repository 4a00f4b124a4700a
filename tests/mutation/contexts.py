"""A pytest plugin that has coverage note, for each line, the test files that run it."""

from collections.abc import Generator

import coverage
import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Name the file of the test as what runs now: the one it was collected from, also of a state machine.

    Its location would be where hypothesis defines it, on this machine.
    """
    measuring = coverage.Coverage.current()
    if measuring is not None:
        measuring.switch_context(item.path.relative_to(item.config.rootpath).as_posix())
    return (yield)
