"""Runs of pytest inside the tests, with our plugins alone."""

from contextlib import closing

import pytest

import fakes.testing.configured_fakes
import fakes.testing.shared_worlds
import fakes.testing.swept_tests  # noqa: F401 - the same
from fakes import FakeService
from svckit.profiles.credentials import Credentials
from svckit.profiles.profiles import Profile
from svckit.session.connect import connect
from svckit.sign_in.account import Account  # noqa: F401 - the same

PLUGINS = ("svckit.fakes_plugin", "svckit.pytest_plugin")


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """Load what the inner runs load: they take that back, and then others would get a second copy."""
    with FakeService.sample().serve() as served:
        facts = served.facts
        with closing(
            connect(Profile.from_facts(facts), credentials=Credentials.from_facts(facts), sign_in="form")
        ) as svc:
            svc.users.read("u-001")
    with closing(connect()) as svc:
        svc.users.update("u-001", nick_name="Mina")


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """A function that runs a test file with our plugins alone."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("SVCKIT_PROFILE", raising=False)

    def run(source: str, *options: str, process: bool = False, without: str = "") -> pytest.RunResult:
        pytester.makepyfile(source)
        plugins = [option for name in PLUGINS if name != without for option in ("-p", name)]
        start = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
        return start(*plugins, "-p", "no:cacheprovider", "--strict-markers", *options)

    return run
