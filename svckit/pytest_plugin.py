"""The pytest fixture ``svc``: a session on what ``--svckit-target`` says.

The fakes come from the fixture ``fake_service``, which `fakes.pytest_plugin` has and a conftest may override. Every
pytest run of an environment loads this module, so it imports next to nothing.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from svckit.session.session import Session

__all__ = ["pytest_configure", "svc"]


def pytest_configure(config: pytest.Config) -> None:
    """Hold the profile of a real service to those that are described, before any test is run."""
    if config.getoption("svckit_target", None) is None:
        config.pluginmanager.register(WithoutFakes())
        return
    profile = config.getoption("svckit_profile") or os.environ.get("SVCKIT_PROFILE")
    if config.getoption("svckit_target") != "real" or not profile:
        return
    from svckit.errors import UnusableProfile
    from svckit.profiles.resolution import Configuration

    try:
        Configuration.load().profile(profile)
    except UnusableProfile as unusable:
        raise pytest.UsageError(str(unusable)) from None


class WithoutFakes:
    """What stands in for `fakes.pytest_plugin` where a run has not loaded it."""

    @pytest.fixture
    def fake_service(self) -> None:
        """Fail: there is no fake."""
        pytest.fail(
            "svc needs the plugin fakes.pytest_plugin, which this run has not loaded: leave out -p no:svckit, or, "
            "where plugins are not loaded by themselves, add -p fakes.pytest_plugin",
            pytrace=False,
        )


@pytest.fixture
def svc(request: pytest.FixtureRequest) -> "Iterator[Session]":
    """A session on a fresh fake; on one that is served; or on a real service, where one signs in once.

    ``svc.fake`` is the fake, whether it is served or not, so ``svc.fake.clock`` moves its time; it is None where the
    service is real. A test that takes ``fake_service`` too gets that same fake, and is skipped where the service is
    real; a conftest that overrides ``fake_service`` gives ``svc`` its fake. What a real service holds stays as tests
    leave it.
    """
    target = request.config.getoption("svckit_target", "fake")
    if target == "real":
        if "fake_service" in request.fixturenames:
            pytest.skip(
                "fake_service beside svc is the fake that svc talks to, and with --svckit-target=real that is no "
                "fake; a test for a real service takes svc alone"
            )
        yield request.getfixturevalue("_svckit_real_session")
        return
    fake = request.getfixturevalue("fake_service")
    with ExitStack() as opened:
        if target == "fake":
            session = _connect(fake)
        else:
            served = request.getfixturevalue("served_fake")
            session = _connect_served(served if served.fake is fake else opened.enter_context(fake.serve()))
        yield opened.enter_context(closing(session))


@pytest.fixture(scope="session")
def _svckit_real_session(request: pytest.FixtureRequest) -> "Iterator[Session]":
    """The one session on a real service."""
    with closing(_connect(request.config.getoption("svckit_profile"))) as svc:
        yield svc


def _connect(target: Any) -> "Session":
    from svckit.session.connect import connect

    return connect(target)


def _connect_served(served: Any) -> "Session":
    """A session that reaches its fake over TCP, and goes by its clock."""
    from svckit.profiles.credentials import Credentials
    from svckit.profiles.profiles import Profile
    from svckit.session.session import Session

    facts, fake = served.facts, served.fake
    session = Session(Profile.from_facts(facts), Credentials.from_facts(facts), fake=fake, clock=fake.clock)
    try:
        session.sign_in()
    except BaseException:
        session.close()
        raise
    return session
