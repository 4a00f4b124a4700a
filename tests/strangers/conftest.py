"""Fakes that strangers' clients reach in process and over TCP, changed by settings alone."""

from contextlib import ExitStack

import pytest

from fakes import FakeService

from .running import in_process, serving

collect_ignore = ["openid"]  # programs for an environment of their own


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    """Call servers on this machine directly: strangers' clients use the proxies of the environment."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def stack():
    """What is open until a test has ended."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(params=[in_process, serving], ids=["in-process", "served"])
def start(request, stack):
    """Return a function that starts a fake with settings, those of `FakeService.sample`, in process or served."""

    def begin(**settings):
        return stack.enter_context(request.param(FakeService.sample(**settings)))

    return begin


@pytest.fixture
def serve(stack):
    """Return a function that serves a fake, laid out by the options of `FakeService.serve`."""

    def begin(fake=None, **layout):
        return stack.enter_context(serving(fake or FakeService.sample(), **layout))

    return begin
