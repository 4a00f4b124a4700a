"""A pytest plugin that fails a test that computes for too long.

It counts the seconds in which the test's process computes, so that on a busy machine the same tests pass. Those that
only wait are for pytest-timeout.
"""

import signal
from collections.abc import Generator

import pytest

MOST = 60
"""Seconds for each of setup, call and teardown."""
AGAIN = 5
"""Seconds until a test that caught the failure, as hypothesis does to try it once more, fails again."""


def fail(*_: object) -> None:
    """Fail the test that runs, as the handler of a signal."""
    pytest.fail(f"it computed for more than {MOST} seconds")


def pytest_configure() -> None:
    """Have the timer that counts computing call `fail`."""
    signal.signal(signal.SIGPROF, fail)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Set the timer while a part of a test runs."""
    signal.setitimer(signal.ITIMER_PROF, MOST, AGAIN)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


pytest_runtest_setup = pytest_runtest_teardown = pytest_runtest_call
