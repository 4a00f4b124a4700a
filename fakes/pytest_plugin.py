"""The pytest plugin: a fresh fake for each test, one that is served, and tests that run under every assumption.

    @pytest.mark.assumption_sweep
    def test_my_client(fake_service): ...

runs once as the fake is, and once under each alternative of each assumption, or of those whose rule IDs the marker is
given: ``assumption_sweep("token.refresh-reuse")``. The report of a test that fails, or whose fixtures do, ends with the
last exchanges of the fakes that it was given or had in a variable. The fixture ``svc``, a session, comes from
`svckit.pytest_plugin`.

Every pytest run of an environment loads this module, so it imports next to nothing.
"""

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fakes.doors.served import Served
    from fakes.journal import Entry
    from fakes.service import FakeService

__all__ = [
    "fake_service",
    "pytest_addoption",
    "pytest_configure",
    "pytest_generate_tests",
    "pytest_runtest_makereport",
    "pytest_runtest_setup",
    "served_fake",
]

NOW = "2026-06-01T09:00:00+09:00"
SWEEP = "assumption_sweep"
FAKE = "_svckit_fake"
TARGETS = ("fake", "served", "real")
LAST = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the options that say what the fixture ``svc`` talks to."""
    group = parser.getgroup("svckit", "svckit, a toolkit for a workplace-chat service, and its fake")
    group.addoption(
        "--svckit-target",
        choices=TARGETS,
        default="fake",
        help="what the fixture svc talks to: a fake in process (the default), the same served over TCP, "
        "or the real service of a profile; fake_service in the same test is that fake",
    )
    group.addoption(
        "--svckit-profile",
        metavar="NAME",
        default=None,
        help="the profile of the real service; without it, the environment variable SVCKIT_PROFILE names it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and hold the options to each other."""
    config.addinivalue_line(
        "markers",
        f"{SWEEP}(*rule_ids): run the test as the fake is and under each alternative of all or some assumptions",
    )
    real, profile = config.getoption("svckit_target") == "real", config.getoption("svckit_profile")
    if real and not (profile or os.environ.get("SVCKIT_PROFILE")):
        raise pytest.UsageError("--svckit-target=real needs --svckit-profile=NAME, or SVCKIT_PROFILE set")
    if profile and not real:
        raise pytest.UsageError("--svckit-profile names a real service, so it goes with --svckit-target=real")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a marked test one run for each alternative; skip it where its session talks to another fake, or to none."""
    names = metafunc.fixturenames
    marker = metafunc.definition.get_closest_marker(SWEEP)
    if marker is None:
        return
    if _slip(marker, names) is not None:
        return
    target = metafunc.config.getoption("svckit_target")
    if "svc" in names and target != "fake":
        why = f"{SWEEP} takes a new fake for each alternative, and --svckit-target={target} has none"
        metafunc.parametrize(
            FAKE, [pytest.param(None, marks=pytest.mark.skip(reason=why), id=SWEEP)], indirect=True
        )
        return
    from fakes.sweeping import alternatives

    tried = alternatives(*marker.args)
    runs: list[dict[str, str]] = [{}, *({rule_id: choice} for rule_id, choice in tried)]
    ids = ["as it is", *(f"{rule_id}={choice}" for rule_id, choice in tried)]
    metafunc.parametrize(FAKE, runs, indirect=True, ids=ids)


def _slip(marker: pytest.Mark, names: Iterable[str]) -> str | None:
    """What is wrong with the marker of a test that takes these fixtures."""
    if FAKE not in names:
        return "the test has to take fake_service or svc, whose assumptions are tried"
    if marker.kwargs:
        return f'it takes rule IDs, such as {SWEEP}("api.unauthorized"); given {marker.kwargs}'
    from fakes.sweeping import alternatives

    try:
        alternatives(*marker.args)
    except ValueError as unknown:
        return str(unknown)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose marker is wrong, and no other."""
    marker = item.get_closest_marker(SWEEP)
    if marker is None or FAKE in getattr(getattr(item, "callspec", None), "params", {}):
        return
    wrong = _slip(marker, getattr(item, "fixturenames", ()))
    if wrong is not None:
        pytest.fail(f"{item.nodeid}, marker {SWEEP}: {wrong}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a test that failed what its fakes were asked last, with secrets masked."""
    report = yield
    if report.failed:
        frames = call.excinfo.traceback if call.excinfo else ()
        variables = (pair for frame in frames for pair in frame.locals.items())
        for name, fake in fakes_of(chain(getattr(item, "funcargs", {}).items(), variables)):
            entries = fake.journal.latest(LAST)
            title = f"{name}: the last {len(entries)} of {len(fake.journal)} exchanges"
            report.sections.append((title, "\n".join(map(line, entries))))
    return report


@pytest.fixture
def _svckit_fake(request: pytest.FixtureRequest) -> "FakeService | None":
    """The fake of a test: the one its session talks to, if it has one; none where that talks to a real service."""
    target = request.config.getoption("svckit_target")
    if "svc" in request.fixturenames and target != "fake":
        served = request.getfixturevalue("served_fake") if target == "served" else None
        return served and served.fake
    from fakes.service import FakeService

    return FakeService.sample(now=NOW, assume=getattr(request, "param", None))


@pytest.fixture
def fake_service(_svckit_fake: "FakeService | None") -> "FakeService":
    """A fresh fake whose clock stands at 2026-06-01T09:00:00+09:00.

    A test that takes ``svc`` as well gets the fake which that session talks to, ``svc.fake``, also where it is served;
    it is skipped where the session is on a real service. ``served_fake`` is that one with ``--svckit-target=served``,
    and otherwise a fake of its own.
    """
    if _svckit_fake is None:
        pytest.skip(
            "fake_service beside svc is the fake that svc talks to, and with --svckit-target=real that is no fake; "
            "a test for a real service takes svc alone"
        )
    return _svckit_fake


@pytest.fixture(scope="session")
def _svckit_server() -> "Iterator[Served[FakeService]]":
    """One server for the whole run."""
    from fakes.service import FakeService

    try:
        server = FakeService.sample(now=NOW).serve()
    except ModuleNotFoundError as missing:
        raise pytest.fail.Exception(str(missing), pytrace=False) from None
    with server as served:
        yield served


@pytest.fixture
def served_fake(_svckit_server: "Served[FakeService]") -> "Served[FakeService]":
    """A fake served over TCP, as fresh as `fake_service`; ``served_fake.facts`` has its addresses."""
    _svckit_server.fake.reset()
    return _svckit_server


def fakes_of(named: Iterable[tuple[str, Any]]) -> "Iterator[tuple[str, FakeService]]":
    """The fakes among arguments and variables, or behind those of ours, each once, by the first name it has."""
    service: Any = sys.modules.get("fakes.service")
    if service is None:  # then there is no fake
        return
    seen: list[object] = []
    for name, value in named:
        if (
            name.startswith("_") or name == "self"
        ):  # a fixture of ours, behind one that the test knows; our own code
            continue
        ours = type(value).__module__.partition(".")[0] in ("fakes", "svckit")
        fake = (
            value
            if isinstance(value, service.FakeService)
            else getattr(value, "fake", None)
            if ours
            else None
        )
        if isinstance(fake, service.FakeService) and fake not in seen and len(fake.journal):
            seen.append(fake)
            yield name, fake


def line(entry: "Entry") -> str:
    """An exchange on one line."""
    rests = f"  assumed: {', '.join(entry.assumed)}" if entry.assumed else ""
    broken = f"  injected: {entry.injected}" if entry.injected else ""
    return f"{entry.number:>5}  {entry.status or '---'}  {entry.method:<6} {entry.url}{rests}{broken}"
