"""Clients that close their half of the connection after the request, such as ``nc -N``: they get the response."""

import asyncio
import ssl
from contextlib import suppress

import pytest
import trustme

from fakes import FakeService
from fakes.doors.connection import HTTPConnection

from ...loopback import exchange, open_socket
from ..caller import NOW, make

pytestmark = pytest.mark.usefixtures("either")
BODY = b'{"nickName":"Mina"}'


@pytest.fixture
def hold(monkeypatch):
    """A function that lets a fake save each change only after the client has closed its half."""
    closed = asyncio.Event()
    received = HTTPConnection.eof_received

    def eof_received(self):
        closed.set()
        return received(self)

    def hold(fake):
        fake.settle = closed.wait
        return fake

    monkeypatch.setattr(HTTPConnection, "eof_received", eof_received)
    return hold


@pytest.fixture
def fake(hold):
    return hold(make())


def make_request(fake, version=b"1.1", start=b"PATCH /api/users/u-001", extra=b"", body=BODY):
    bearer = fake.facts["admin_key"] if b"/admin" in start else fake.access_token()
    head = b"%b HTTP/%b\r\nHost: x\r\nAuthorization: Bearer %b\r\n" % (start, version, bearer.encode())
    kind = b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
    return head + kind + extra + b"\r\n" + body


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_change_is_saved_and_answered(fake, version):
    with fake.serve() as served:
        got = exchange(served.url, make_request(fake, version))
    assert got.startswith(b"HTTP/1.1 200")
    assert b'"nickName":"Mina"' in got


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_admin_call_succeeds(fake, version):
    with fake.serve() as served:
        got = exchange(served.url, make_request(fake, version, b"GET /admin/clock", body=b""))
    assert got.startswith(b"HTTP/1.1 200")
    assert got.endswith(b'{"now":"%b","standing":true}' % NOW.encode())


@pytest.mark.parametrize("extra", [b"", b"Proxy-Connection: close\r\n"])  # which the other parser reads
def test_every_pipelined_request_succeeds(fake, extra):
    with fake.serve() as served:
        got = exchange(served.url, make_request(fake) + make_request(fake, extra=extra) + make_request(fake))
    assert got.count(b"HTTP/1.1 200") == 3


@pytest.mark.parametrize("count", [0, 1])
def test_an_incomplete_request_ends_with_the_connection(fake, count):
    with fake.serve() as served:
        got = exchange(served.url, make_request(fake) * count + make_request(fake)[:-1])
        assert served.running
    assert got.count(b"HTTP/1.1 200") == count


def test_a_delay_is_waited_for(hold):
    fake = hold(FakeService.sample())
    fake.faults.delay("users.update", seconds=0.01)
    with fake.serve() as served:
        assert exchange(served.url, make_request(fake)).startswith(b"HTTP/1.1 200")


def test_silence_until_the_client_disconnects_ends(fake):
    fake.faults.read_timeout("users.update", times=1)
    with fake.serve() as served:
        assert exchange(served.url, make_request(fake)) == b""


def test_tls_ends_for_both(fake, tmp_path, caplog):
    authority, context = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(context)
    file = tmp_path / "server.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(file)
    with (
        fake.serve(tls=(file, file)) as served,
        open_socket(served.url) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as client,
    ):
        client.sendall(make_request(fake))
        with suppress(OSError):
            client.unwrap()
    assert caplog.records == []
