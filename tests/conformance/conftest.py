"""The targets the suite runs on. This is the one place that knows what is behind the addresses."""

import ssl
from contextlib import ExitStack, contextmanager
from functools import partial

import httpx
import pytest
import trustme

from fakes import FakeService
from fakes.addresses import Addresses
from fakes.doors.asgi import AsgiDoor
from fakes.facts import Facts

from .doors import AsyncDoor, RequestsDoor, SyncDoor, WireDoor
from .in_process import InProcess
from .receiving import ReceivingServer
from .remote import Remote

NOW = "2026-06-01T09:00:00+09:00"
MOUNTED = "http://fake.example"


def pytest_configure(config):
    config.addinivalue_line("markers", "section(*names): sections of the service's description")
    config.addinivalue_line(
        "markers", "assumed(*keys): what the case rests on where the description is silent"
    )


def sample():
    return FakeService.sample(users=20, seed=0, now=NOW)


@contextmanager
def in_process(door):
    """The fake in this process, a new one for each case, through one of its doors."""
    yield partial(InProcess, door, NOW)


def through_httpx2(door):
    """A door for the fork of httpx; without it, its cases are skipped."""
    library = pytest.importorskip("httpx2")
    return lambda fake: door(fake.transport(client="httpx2"), library)


@contextmanager
def asgi():
    """The fake as an ASGI app."""
    fake = sample()
    facts = Facts.of(fake.state, Addresses.under(MOUNTED))
    door = AsyncDoor(httpx.ASGITransport(AsgiDoor(fake, MOUNTED)))
    with ReceivingServer() as receiving:
        yield partial(Remote, facts, door, receiving)
    door.close()


@contextmanager
def tcp():
    """The fake over TCP."""
    with sample().serve() as served, ReceivingServer() as receiving:
        door = WireDoor(httpx.HTTPTransport())
        yield partial(Remote, served.facts, door, receiving)
        door.close()


@contextmanager
def tls(folder):
    """The fake over TLS."""
    authority, trusting = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(trusting)
    issued = authority.issue_cert("127.0.0.1")
    files = (folder / "certificate.pem", folder / "key.pem")
    issued.cert_chain_pems[0].write_to_path(files[0])
    issued.private_key_pem.write_to_path(files[1])
    with sample().serve(tls=files) as served, ReceivingServer() as receiving:
        door = WireDoor(httpx.HTTPTransport(verify=trusting))
        yield partial(Remote, served.facts, door, receiving)
        door.close()


@pytest.fixture(scope="session")
def targets(tmp_path_factory):
    """A function that makes a target of a kind; what kinds share is opened when it is first needed."""
    kinds = {
        "in-process": lambda: in_process(lambda fake: SyncDoor(fake.transport())),
        "in-process-async": lambda: in_process(lambda fake: AsyncDoor(fake.transport())),
        "httpx2": lambda: in_process(through_httpx2(SyncDoor)),
        "httpx2-async": lambda: in_process(through_httpx2(AsyncDoor)),
        "responses": lambda: in_process(RequestsDoor),
        "asgi": asgi,
        "tcp": tcp,
        "tls": lambda: tls(tmp_path_factory.mktemp("tls")),
    }
    with ExitStack() as stack:
        opened = {}

        def make(kind):
            if kind not in opened:
                opened[kind] = stack.enter_context(kinds[kind]())
            return opened[kind]()

        yield make


@pytest.fixture(
    params=["in-process", "in-process-async", "httpx2", "httpx2-async", "responses", "asgi", "tcp", "tls"]
)
def target(request, targets):
    made = targets(request.param)
    yield made
    made.close()


@pytest.fixture
def me(target):
    """The headers of a call by the signed-in user."""
    return target.signed_in()
