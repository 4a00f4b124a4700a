"""The pytest fixture ``svc``: a session with the target of ``--svckit-target``.

The fakes come from the fixture ``fake_service`` of `svckit.fakes_plugin`, which a conftest may override. Every pytest
run of an environment loads this module, so it imports next to nothing.
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
    """Check that the profile of a real service is configured, before any test runs."""
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
    """A substitute for `svckit.fakes_plugin` in a run that has not loaded it."""

    @pytest.fixture
    def fake_service(self) -> None:
        """Fail, as the service is not a fake."""
        pytest.fail(
            "svc needs the plugin svckit.fakes_plugin, which this run has not loaded: leave out -p no:svckit, or, "
            "if plugin autoloading is disabled, add -p svckit.fakes_plugin",
            pytrace=False,
        )


@pytest.fixture
def svc(request: pytest.FixtureRequest) -> "Iterator[Session]":
    """Provide a session with a fresh fake, a served fake, or a real service, with one sign-in per run.

    ``svc.fake`` is the fake, served or not, so ``svc.fake.clock`` moves its time; it is ``None`` for a real service. A
    test that also takes ``fake_service`` gets the same fake, and is skipped for a real service; a conftest that
    overrides ``fake_service`` gives ``svc`` its fake. A real service keeps whatever the tests change.
    """
    target = request.config.getoption("svckit_target", "fake")
    if target == "real":
        if "fake_service" in request.fixturenames:
            pytest.skip(
                "fake_service beside svc is the fake that svc talks to; with --svckit-target=real it talks to none; "
                "a test for a real service must take svc alone"
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
    """Provide the one session with a real service."""
    with closing(_connect(request.config.getoption("svckit_profile"))) as svc:
        yield svc


def _connect(target: Any) -> "Session":
    from svckit.session.connect import connect

    return connect(target)


def _connect_served(served: Any) -> "Session":
    """Connect to a fake over TCP, with the fake's clock."""
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
