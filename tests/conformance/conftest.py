"""The targets the suite runs on. This is the one place that knows what is behind the addresses."""

import os
import ssl
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib import import_module

import httpx
import pytest

from fakes import FakeService, Worlds
from fakes.doors.asgi import AsgiDoor
from fakes.doors.layout import Layout
from fakes.http.addresses import BaseURLs
from fakes.parts.facts import Facts

from . import real
from .against_real import NAME, AgainstReal
from .coverage import cited
from .doors import AsyncDoor, HeldToHeaders, RequestsDoor, SyncDoor, WireDoor
from .real import MayWrite
from .receiving import ReceivingServer
from .remote import NOW, InProcess, Remote

MOUNTED = "http://fake.example"
KINDS = (
    "in-process",
    "in-process-async",
    "httpx2",
    "httpx2-async",
    "responses",
    "asgi",
    "world",
    "tcp",
    "tls",
)
KINDS_OF = {"fake": KINDS, "served": ("tcp", "tls"), "real": ("real",)}  # by --svckit-target


def pytest_addoption(parser):
    group = parser.getgroup("conformance", "the suite against a real service")
    group.addoption(
        "--svckit-user", metavar="ID", help="the ID of the user who signs in: the one that is read"
    )
    group.addoption(
        "--svckit-own-sign-in",
        action="store_true",
        help="sign in for this run alone; the saved tokens are neither used nor changed",
    )
    group.addoption(
        "--svckit-writes",
        action="store_true",
        help="also run the cases that write to a throw-away user, and to a throw-away webhook where one is named",
    )
    group.addoption(
        "--svckit-throw-away-user", metavar="ID", help="the ID of a user whom --svckit-writes may change"
    )
    group.addoption(
        "--svckit-throw-away-webhook",
        metavar="NAME",
        help="a webhook of the profile whose room --svckit-writes may post to",
    )
    group.addoption(
        "--svckit-shapes",
        metavar="FILE",
        default="conformance-shapes.json",
        help="where the shapes of its answers are written to (%(default)s)",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "documented(*rule_ids): the documented rules that the case tries")
    config.addinivalue_line(
        "markers", "assumed(*names): what the case rests on where the description is silent"
    )
    config.addinivalue_line(
        "markers", "every_door: run the case through every door of the fake also where `wide` is left out"
    )
    config.addinivalue_line("markers", "wide: a door passes on what the case is about; in process proves it")
    config.addinivalue_line("markers", "safe: the case leaves nothing changed in a service")
    config.addinivalue_line("markers", "writes(kind): the case changes something of one kind in a service")
    real_one = config.getoption("svckit_target") == "real"
    if real_one and not config.getoption("svckit_user", None):
        raise pytest.UsageError(
            "--svckit-target=real needs --svckit-user=ID here: the service does not say who has signed in"
        )
    may_write = what_may_be_written(config, real_one)
    if real_one:
        config.pluginmanager.register(AgainstReal(config.getoption("svckit_shapes"), may_write), NAME)


def what_may_be_written(config, real_one):
    """The throw-away user and webhook of the options; None where nothing is to be written."""
    writes = config.getoption("svckit_writes", False)
    user, webhook = (config.getoption(f"svckit_throw_away_{what}", None) for what in ("user", "webhook"))
    if writes and not real_one:
        raise pytest.UsageError("--svckit-writes goes with --svckit-target=real; a fake is written to anyhow")
    if writes and not user:
        raise pytest.UsageError(
            "--svckit-writes needs --svckit-throw-away-user=ID: a user of the service whose fields, profile status "
            "and drive may be changed"
        )
    if (user or webhook) and not writes:
        raise pytest.UsageError("a throw-away user or webhook is written to with --svckit-writes only")
    return MayWrite(user, webhook) if writes else None


def pytest_generate_tests(metafunc):
    if "target" in metafunc.fixturenames:
        services = metafunc.config.getoption("svckit_target")
        kinds = KINDS_OF[services]
        # To collect what `-m` leaves out anyhow, a third of all tests, takes seconds in each worker.
        narrow = services == "fake" and "not wide" in metafunc.config.option.markexpr
        metafunc.parametrize(
            "target", KINDS[:1] if narrow and not is_for_doors(metafunc.definition) else kinds, indirect=True
        )


def is_for_doors(function):
    """Whether a test, or a row of its tables, is marked to go through every door."""
    tables = (mark.args[1] for mark in function.iter_markers("parametrize") if len(mark.args) > 1)
    marks = [mark for table in tables for row in table for mark in getattr(row, "marks", ())]
    return any(mark.name == "every_door" for mark in [*marks, *function.iter_markers()])


@pytest.hookimpl(tryfirst=True)  # before `-m` is looked at
def pytest_collection_modifyitems(config, items):
    """Mark as `wide` what goes through another door than in process, unless that door could break it."""
    if config.getoption("svckit_target") == "fake":
        for item in items:
            kind = item.callspec.params.get("target") if hasattr(item, "callspec") else None
            if kind in KINDS[1:] and not item.get_closest_marker("every_door"):
                item.add_marker("wide")


def through_httpx2(door):
    """A door for the fork of httpx; without it, its cases are skipped."""
    return lambda fake: door(fake.transport(client="httpx2"), pytest.importorskip("httpx2"))


DOORS = {
    "in-process": lambda fake: SyncDoor(fake.transport()),
    "in-process-async": lambda fake: AsyncDoor(fake.transport()),
    "httpx2": through_httpx2(SyncDoor),
    "httpx2-async": through_httpx2(AsyncDoor),
    "responses": RequestsDoor,
}
"""The doors in process, each of a new fake for each case."""


def sample():
    return FakeService.sample(users=20, seed=0, now=NOW)


def mounted(fake):
    """The door of an ASGI app."""
    return AsyncDoor(httpx.ASGITransport(AsgiDoor(fake, Layout(MOUNTED))))


@contextmanager
def asgi():
    """The fake as an ASGI app."""
    fake = sample()
    yield Facts.of(fake.state, BaseURLs.under(MOUNTED)), mounted(fake)


@contextmanager
def world():
    """A world of the fake as an ASGI app."""
    worlds = Worlds(now=NOW)
    yield Facts.of(worlds.create("mina").state, BaseURLs.under(MOUNTED + "/w/mina")), mounted(worlds)


@contextmanager
def tcp():
    """The fake over TCP."""
    with sample().serve() as served:
        yield served.facts, WireDoor(httpx.HTTPTransport())


@contextmanager
def tls(folder):
    """The fake over TLS."""
    authority, trusting = import_module("trustme").CA(), ssl.create_default_context()
    authority.configure_trust(trusting)
    issued = authority.issue_cert("127.0.0.1")
    files = (folder / "certificate.pem", folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(files[0])
    issued.private_key_pem.write_to_path(files[1])
    with sample().serve(tls=files) as served:
        yield served.facts, WireDoor(httpx.HTTPTransport(verify=trusting))


@pytest.fixture(scope="session")
def targets(tmp_path_factory, request):
    """A function that makes a target of a kind; what its targets share is opened when the first is needed."""
    shared = {"asgi": asgi, "world": world, "tcp": tcp, "tls": lambda: tls(tmp_path_factory.mktemp("tls"))}
    with ExitStack() as stack:

        @cache
        def receiving():
            return stack.enter_context(ReceivingServer())

        @cache
        def opened(kind):
            if kind == "real":
                return stack.enter_context(a_real_one(request.config))
            if kind in DOORS:
                return partial(InProcess, DOORS[kind], receiving())
            facts, door = stack.enter_context(shared[kind]())
            stack.callback(door.close)
            return partial(Remote, facts, HeldToHeaders(door), receiving())

        yield lambda kind: opened(kind)()


def a_real_one(config):
    """The service of the profile that the options name."""
    profile = config.getoption("svckit_profile") or os.environ["SVCKIT_PROFILE"]
    run = config.pluginmanager.get_plugin(NAME)
    own = config.getoption("svckit_own_sign_in")
    return real.real(profile, config.getoption("svckit_user"), run, own=own)


@pytest.fixture
def target(request, targets):
    made = targets(request.param)
    with made.kept(cited(request.node, "writes")):
        yield made
    made.close()


@pytest.fixture
def me(target):
    """The headers of a call by the signed-in user."""
    return target.signed_in()
