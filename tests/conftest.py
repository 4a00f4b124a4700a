"""What holds for all tests: no example of a property is held to a time, and long tests may take an hour.

On a busy machine the time of an example says nothing of it.
"""

import atexit
import faulthandler
import gc
import os
from collections.abc import Generator
from functools import lru_cache
from time import monotonic

import pytest
from _pytest.doctest import DoctestModule
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import Phase, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("unhurried", deadline=None)
# For mutants, where it is enough to know that a test fails; to find the smallest example can take minutes.
settings.register_profile("unshrunk", deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "unhurried"))

BROWSER = "tests/browser/"
LONG = 3600
"""Seconds; the limit of other tests is in `pyproject.toml`."""
STUCK = 400
"""Seconds after which a process says where it hangs, as in compiled code, which no limit ends."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Start no workers for tests that are named, which run sooner without."""
    return None if config.args_source is pytest.Config.ArgsSource.TESTPATHS else 0


class OneBrowser(LoadScopeScheduling):
    """Run all tests in the browser in one process, as each would start a browser and a JupyterLab of its own."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser | None:
    """Keep the tests of a module together, and those in the browser, unless an option says otherwise."""
    return OneBrowser(config, log) if config.option.dist == "loadscope" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected, which stays until the end, from the garbage collector."""
    gc.disable()
    collected = yield
    gc.enable()
    gc.freeze()
    return collected


def pytest_sessionfinish() -> None:
    """Let the process end without the collection that IPython makes at its exit, through all that is left."""
    atexit.register(gc.freeze)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no examples in the tests, as `--doctest-modules` does in every module."""
    collectors = yield
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give tests that are marked as long a limit of their own, where there are limits."""
    if config.pluginmanager.hasplugin("timeout"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.timeout(LONG))


@lru_cache(maxsize=1)
def arm(minute: int, stderr: int) -> None:
    """Restart the timer once a minute: pytest would start and end its thread for each test, and most are shorter."""
    del minute
    faulthandler.dump_traceback_later(STUCK, file=stderr)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say where a test hangs, unless pytest does."""
    if not item.config.getini("faulthandler_timeout"):
        arm(int(monotonic() // 60), item.config.stash[fault_handler_stderr_fd_key])
