"""The pytest plugin: a new fake for each test, a served fake, and tests repeated under other assumptions.

    @pytest.mark.fake(users=3)
    @pytest.mark.assumption_sweep
    def test_my_client(fake_service): ...

creates a fake of three users for the test (see `fakes.testing.configured_fakes`). It runs the test with that fake, then
under each alternative of the assumptions it relied on, or of the rules that the marker names:
``assumption_sweep("token.refresh-reuse")`` (see `fakes.testing.swept_tests`). A conftest may override the fixture
``fake_service``: its fake is then used by ``svc``, a session of `svckit.pytest_plugin`, and by the sweep. The report of
a failed test or fixture ends with the last requests to the fakes among the test's fixtures and variables.

Every pytest run in the environment loads this module, so it imports next to nothing, and `fakes` only for a test that
uses one of these. A project may have a `fakes` of its own, and a marker ``fake`` that it declares itself.
"""

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import pytest

from svckit.extras import ForeignFakes, check_fakes, find_foreign_fakes

if TYPE_CHECKING:
    from fakes.doors.served import Served
    from fakes.parts.facts import Facts
    from fakes.parts.journal_entry import JournalEntry
    from fakes.service import FakeService

__all__ = [
    "fake_service",
    "pytest_addoption",
    "pytest_configure",
    "pytest_report_teststatus",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "served_fake",
    "svckit_world",
]

MARKER = "fake"
SWEEP = "assumption_sweep"
FAKES = ("fake_service", "served_fake", "svc", "svckit_world")
TAKES_NO_FAKE = f"the test must take {', '.join(FAKES[:-1])} or {FAKES[-1]}"
SETTING = "svckit_fake"
TARGETS = ("fake", "served", "real")
LAST = 10
LABEL = "svckit_assumption"
"""The report property that names the alternative."""
PASSED = "alternative"
"""The phase of reports for alternatives that passed: with "call", ``--lf`` would forget those that failed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the target of the fixture ``svc``, and the setting for fakes."""
    parser.addini(
        SETTING,
        type="linelist",
        default=[],
        help="arguments of FakeService.sample for fake_service and svc, one line of TOML each, such as users = 3; "
        "the marker fake(users=3) sets them for one test",
    )
    group = parser.getgroup("svckit", "svckit, a toolkit for a workplace-chat service, and its fake")
    group.addoption(
        "--svckit-target",
        choices=TARGETS,
        default="fake",
        help="the target of the fixture svc: a fake in process (the default), a fake served over TCP, or the real "
        "service of a profile; fake_service in the same test is the same fake",
    )
    group.addoption(
        "--svckit-assume-from",
        metavar="FILE",
        default=None,
        help="what was measured of a real service, for the fakes of all tests, as assume_from in the setting "
        f"{SETTING}: the file assumptions.toml that `svckit observe` writes",
    )
    group.addoption(
        "--svckit-profile",
        metavar="NAME",
        default=None,
        help="the profile of the real service; by default the environment variable SVCKIT_PROFILE names it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, and check that the options agree."""
    sweeps = "run the test, then repeat it under each alternative of the assumptions it relied on, or of these rules"
    makes = "create the fake of the test with these arguments of FakeService.sample"
    config.addinivalue_line("markers", f"{SWEEP}(*rule_ids): {sweeps}")
    config.addinivalue_line("markers", f"{MARKER}(**arguments): {makes}")
    real, profile = config.getoption("svckit_target") == "real", config.getoption("svckit_profile")
    if real and not (profile or os.environ.get("SVCKIT_PROFILE")):
        raise pytest.UsageError("--svckit-target=real needs --svckit-profile=NAME, or SVCKIT_PROFILE set")
    if profile and not real:
        raise pytest.UsageError("--svckit-profile names a real service, so it needs --svckit-target=real")
    if config.getini(SETTING) or config.getoption("svckit_assume_from"):
        try:
            check_fakes()
        except ForeignFakes as foreign:
            raise pytest.UsageError(str(foreign)) from None
        from fakes.testing.configured_fakes import check_setting

        check_setting(config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a marked test, also under the alternatives; leave other tests to pytest."""
    marker = item.get_closest_marker(SWEEP)
    if (
        marker is None
        or item.config.getoption("setuponly", False)
        or _find_mistake(item, marker) is not None
        or _is_elsewhere(item)
    ):
        return None
    from fakes.testing.swept_tests import run_swept

    run_swept(cast("pytest.Function", item), nextitem, marker.args)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test with a wrong marker; skip a sweep whose target has no new fake for each run."""
    is_marked = any(own.name == MARKER for own in item.own_markers)
    if is_marked and _takes_no_fake(item) and not _is_another(item.config):
        pytest.fail(f"{item.nodeid}, marker {MARKER}: {TAKES_NO_FAKE}, which it configures", pytrace=False)
    marker = item.get_closest_marker(SWEEP)
    if marker is None:
        return
    mistake = _find_mistake(item, marker)
    if mistake is not None:
        pytest.fail(f"{item.nodeid}, marker {SWEEP}: {mistake}", pytrace=False)
    if _is_elsewhere(item):
        target = item.config.getoption("svckit_target")
        pytest.skip(
            f"{SWEEP} needs a new fake for each alternative, which --svckit-target={target} does not have"
        )


def _takes_no_fake(item: pytest.Item, *fixtures: str) -> bool:
    return not set(fixtures or FAKES).intersection(getattr(item, "fixturenames", ()))


def _is_another(config: pytest.Config) -> bool:
    """Return whether the marker `fake` is the project's, which declares its own, or has a `fakes` of its own."""
    declared = [line.partition(":")[0].partition("(")[0].strip() for line in config.getini("markers")]
    return declared.count(MARKER) > 1 or find_foreign_fakes() is not None


def _find_mistake(item: pytest.Item, marker: pytest.Mark) -> str | None:
    """Return a description of the mistake in the marker of a test, or None."""
    if _takes_no_fake(item, "fake_service", "svc"):
        return "the test must take fake_service or svc, whose assumptions are varied"
    if marker.kwargs:
        return f'its arguments are rule IDs, such as {SWEEP}("api.unauthorized"); given {marker.kwargs}'
    defined = item.session._fixturemanager.getfixturedefs("fake_service", item)
    if defined and defined[-1].scope != "function":
        return f'each run needs a new fake, but fake_service has scope="{defined[-1].scope}"; give it scope="function"'
    try:
        check_fakes()
        from fakes.engine.alternatives import alternatives

        alternatives([], *marker.args)
    except (ForeignFakes, ValueError) as wrong:
        return str(wrong)
    return None


def _is_elsewhere(item: pytest.Item) -> bool:
    """Return whether the session of a test uses a server."""
    return "svc" in getattr(item, "fixturenames", ()) and item.config.getoption("svckit_target") != "fake"


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Name the alternative of a report, and count passed alternatives separately from tests."""
    label = next((value for name, value in getattr(report, "user_properties", ()) if name == LABEL), None)
    if label is None:
        return None
    if report.failed:
        is_call = report.when == "call"
        return ("failed", "F", f"FAILED[{label}]") if is_call else ("error", "E", f"ERROR[{label}]")
    return ("alternatives passed", ",", f"PASSED[{label}]") if report.when == PASSED else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the last requests to the fakes to the report of a failed test, with secrets masked."""
    report = yield
    if report.failed:
        frames = call.excinfo.traceback if call.excinfo else ()
        variables = (pair for frame in frames for pair in frame.locals.items())
        for name, fake in fakes_of(chain(getattr(item, "funcargs", {}).items(), variables)):
            entries = fake.journal.latest(LAST)
            title = f"{name}: the last {len(entries)} of {len(fake.journal)} requests"
            report.sections.append((title, "\n".join(map(format_entry, entries))))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_assertrepr_compare(
    op: str, left: object, right: object
) -> Generator[None, list[list[str]], list[list[str]]]:
    """Explain a comparison with a secret of a fake by its masked repr, without the difference of the texts."""
    explained = yield
    hides = any(getattr(side, "is_shown_masked", False) is True for side in (left, right))
    return [[f"{left!r} {op} {right!r}"]] if hides else explained


@pytest.fixture
def fake_service(request: pytest.FixtureRequest) -> "FakeService":
    """A new fake whose clock stands at 2026-06-01T09:00:00+09:00.

    The marker ``fake(users=3)`` configures it for one test, the setting ``svckit_fake`` for all; both take any argument
    of `FakeService.sample`. In a test that also takes ``svc``, it is the fake of that session, ``svc.fake``, even if
    served; the test is skipped if the session uses a real service. With ``--svckit-target=served``, ``served_fake``
    serves the same fake, otherwise a separate one.
    """
    if "svc" in request.fixturenames and request.config.getoption("svckit_target") == "served":
        fake: FakeService = request.getfixturevalue("served_fake").fake
        return fake
    with _needing_fakes():
        from fakes.testing.configured_fakes import make_configured

    return make_configured(request.config, request.node)


@pytest.fixture(scope="session")
def _svckit_server(request: pytest.FixtureRequest) -> "Iterator[Served[FakeService]]":
    """The server that the tests of a run share."""
    from fakes.testing.configured_fakes import make_configured

    with _serve(make_configured(request.config)) as served:
        yield served


@pytest.fixture
def served_fake(request: pytest.FixtureRequest) -> "Iterator[Served[FakeService]]":
    """A fake served over TCP, as new as `fake_service` and configured alike; ``served_fake.facts`` has its URLs."""
    with _needing_fakes():
        from fakes.testing.configured_fakes import is_configured, make_configured

    if is_configured(request.node):
        with _serve(make_configured(request.config, request.node)) as served:
            yield served
        return
    shared: Served[FakeService] = request.getfixturevalue("_svckit_server")
    shared.fake.reset()
    yield shared


@pytest.fixture(scope="session")
def _svckit_worlds(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> "Iterator[Facts]":
    """The facts of the server whose worlds all tests of a run share."""
    with _needing_fakes():
        from fakes.testing.shared_worlds import share_server

        with share_server(request.config, tmp_path_factory.getbasetemp()) as facts:
            yield facts


@pytest.fixture
def svckit_world(request: pytest.FixtureRequest, _svckit_worlds: "Facts") -> "Iterator[Facts]":
    """The facts of a new fake served over TCP, for code in any language; the fake is deleted after the test.

    All tests share one server, in all processes of a run with xdist. The marker ``fake`` can set users, seed, now,
    assume and data.
    """
    from fakes.testing.shared_worlds import create_world

    with create_world(_svckit_worlds, request.node) as facts:
        yield facts


def _serve(fake: "FakeService") -> "Served[FakeService]":
    with _needing_fakes():
        return fake.serve()


@contextmanager
def _needing_fakes() -> Iterator[None]:
    """Fail with a sentence where the fakes are another project's, or what a server needs is missing."""
    try:
        check_fakes()
        yield
    except (ForeignFakes, ModuleNotFoundError) as missing:
        raise pytest.fail.Exception(str(missing), pytrace=False) from None


def fakes_of(variables: Iterable[tuple[str, Any]]) -> "Iterator[tuple[str, FakeService]]":
    """Yield the fakes in arguments and variables, or behind our objects there, each once with its first name."""
    service: Any = sys.modules.get("fakes.service")
    if service is None or find_foreign_fakes():  # no fake was created
        return
    seen: list[object] = []
    for name, value in variables:
        if name.startswith("_") or name == "self":  # internal fixtures, and our own methods
            continue
        fake = value
        if not isinstance(value, service.FakeService):
            ours = type(value).__module__.startswith(("fakes.", "svckit."))
            fake = getattr(value, "fake", None) if ours else None
        if isinstance(fake, service.FakeService) and fake not in seen and len(fake.journal):
            seen.append(fake)
            yield name, fake


def format_entry(entry: "JournalEntry") -> str:
    """Format a journal entry on one line."""
    rests = f"  assumed: {', '.join(entry.assumed)}" if entry.assumed else ""
    broken = f"  injected: {entry.injected}" if entry.injected else ""
    return f"{entry.number:>5}  {entry.status or '---'}  {entry.method:<6} {entry.url}{rests}{broken}"
