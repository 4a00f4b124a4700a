"""A fake behind a proxy: what reaches it, what is refused, and what remains afterwards."""

import socket
import ssl
import sys
from asyncio.selector_events import BaseSelectorEventLoop
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest

from fakes import FakeService
from fakes.proxy import NamedHosts, check_names, make_environment
from fakes.proxy.authority import CA_VARIABLES

from ...loopback import PATIENCE, local_client, open_socket

NAMED = {"auth_url": "https://auth.example.com", "base_url": "https://www.example.com/v1.0"}
USER = "https://www.example.com/v1.0/users/u-001"


@pytest.fixture(params=["uvloop", "asyncio"])
def served(request, monkeypatch):
    if request.param == "asyncio":
        monkeypatch.setitem(sys.modules, "uvloop", None)
        monkeypatch.delattr(BaseSelectorEventLoop, "add_reader")  # as on Windows, whose loop has none
    else:
        pytest.importorskip("uvloop")
    with NamedHosts(FakeService.sample(), named=NAMED) as served:
        yield served


def trusting(served):
    return ssl.create_default_context(cafile=served.authority.ca_file)


def read_all(connection):
    return b"".join(iter(lambda: connection.recv(65536), b""))


def ask(served, head):
    """Send a head; return all that comes until the connection is closed."""
    with open_socket(served.url) as connection:
        connection.sendall(head)
        return read_all(connection)


def test_connect(served):
    with httpx.Client(proxy=served.url, verify=trusting(served), timeout=PATIENCE) as http:
        assert http.patch(USER, json={}).status_code == 401
        assert http.get("https://storage.fake.test/x").status_code == 401
    assert served.fake.journal[0].url == USER


def test_tls_with_the_name_of_a_host(served):
    with (
        open_socket(served.url) as plain,
        trusting(served).wrap_socket(plain, server_hostname="www.example.com") as secured,
    ):
        secured.sendall(
            b"PATCH /v1.0/users/u-001 HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n"
        )
        assert read_all(secured).startswith(b"HTTP/1.1 401 ")
    assert served.fake.journal[0].url == USER


def test_handshake_byte_by_byte(served):
    """TLS is told by the first byte, and gets all of them."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting(served).wrap_bio(incoming, outgoing, server_hostname="www.example.com")
    with open_socket(served.url) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with pytest.raises(ssl.SSLWantReadError):
            tls.do_handshake()
        for byte in outgoing.read():
            connection.sendall(bytes([byte]))
        while tls.version() is None:
            received = connection.recv(65536)
            assert received
            incoming.write(received)
            with suppress(ssl.SSLWantReadError):
                tls.do_handshake()
    assert tls.version() == "TLSv1.3"


def test_connections_at_once_that_are_kept(served):
    with httpx.Client(proxy=served.url, verify=trusting(served), timeout=PATIENCE) as http:
        with ThreadPoolExecutor(20) as pool:
            got = list(pool.map(lambda _: http.patch(USER, json={}).status_code, range(200)))
        assert got == [401] * 200
    assert len(served.fake.journal) == 200


@pytest.mark.parametrize("authority", ["www.example.com:80", "WWW.Example.com:8080"])
def test_tunnel_without_tls_at_any_port(served, authority):
    with open_socket(served.url) as connection:
        connection.sendall(f"CONNECT {authority} HTTP/1.0\r\n\r\n".encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET / HTTP/1.0\r\nHost: www.example.com\r\n\r\n")
        assert read_all(connection).startswith(b"HTTP/1.1 404 ")


def test_url_as_the_target(served):
    """Some clients send a proxy https URLs without CONNECT."""
    got = ask(served, f"PATCH {USER} HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n".encode())
    assert got.startswith(b"HTTP/1.1 401 ")
    assert served.fake.journal[0].url == USER


def test_admin_interface_needs_no_certificate(served):
    facts = served.facts
    with local_client(headers={"Authorization": f"Bearer {facts['admin_key']}"}) as http:
        assert http.get(f"{facts['admin_url']}/rules").status_code == 200
    assert facts["proxy_url"] == served.url
    assert facts["upload_url"] == "https://storage.fake.test"


@pytest.mark.parametrize("target", ["CONNECT www.example.org:443", "GET http://www.example.org/"])
def test_refused_host(served, target):
    got = ask(
        served, f"{target} HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n".encode()
    ).decode()
    assert got.startswith("HTTP/1.1 403 ")
    assert "--as base_url=https://www.example.org" in got
    assert "--pass-through www.example.org" in got
    assert served.refusals.hosts == {"www.example.org": 1}
    assert len(served.fake.journal) == 0


def test_refusal_says_nothing_that_a_client_wrote_into_a_header(served):
    got = ask(served, b"CONNECT a\xffb<c>:443 HTTP/1.1\r\n\r\n")
    assert got.startswith(b"HTTP/1.1 403 a?b?c? is not led")


@pytest.mark.parametrize(
    "sent", [b"CONNECT www.example.com:443 HTTP/1.1\r\n\r\nearly", b"CONNECT " + b"x" * 200_000]
)
def test_connect_that_no_client_sends(served, sent):
    with suppress(ConnectionError):  # it may arrive as the end, too
        assert ask(served, sent) == b""


def test_client_that_does_not_trust_it(served):
    with (
        httpx.Client(proxy=served.url, timeout=PATIENCE) as http,
        pytest.raises(httpx.ConnectError, match="CERTIFICATE"),
    ):
        http.get(USER)
    with local_client() as http:  # the alert has arrived before
        http.get(f"{served.url}/admin")
    assert "does not trust the certificate" in served.refusals.explain()[0]


def test_it_stops_while_a_client_has_sent_nothing(served):
    with open_socket(served.url) as silent:
        served.__exit__(None, None, None)
        silent.settimeout(PATIENCE)
        with suppress(ConnectionError):
            assert silent.recv(1) == b""
    served.__enter__()


def test_its_folder_has_no_key_and_goes_away():
    fake = FakeService.sample()
    with NamedHosts(fake, named=NAMED) as served:
        make_environment(served, {})
        written = [path for path in served.folder.rglob("*") if path.is_file()]
        assert {path.name for path in written} == {"ca.pem", "bundle.pem", "trusted.p12", "svckit.ini"}
        assert not [path for path in written if b"PRIVATE KEY" in path.read_bytes()]
    assert not served.folder.exists()


def test_environment_keeps_what_was_there(monkeypatch, tmp_path):
    import trustme

    own = trustme.CA().cert_pem.bytes()
    company = tmp_path / "company.pem"
    company.write_bytes(own)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(company))
    with NamedHosts(FakeService.sample(), named=NAMED) as served:
        before = {
            "NODE_OPTIONS": "--no-warnings",
            "PHP_INI_SCAN_DIR": "/etc/php",
            "https_proxy": "http://proxy",
        }
        environment = make_environment(served, before, ["www.example.org"])
        bundle = served.authority.bundle.read_bytes()
        assert {environment[name] for name in CA_VARIABLES} == {str(served.authority.bundle)}
        assert own in bundle
        assert served.authority.ca_file.read_bytes() in bundle
    assert environment["NODE_OPTIONS"].startswith("--no-warnings --require ")
    assert environment["PHP_INI_SCAN_DIR"].startswith("/etc/php")
    assert environment["https_proxy"] == environment["HTTPS_PROXY"] != "http://proxy"
    assert environment["NO_PROXY"] == "localhost,127.0.0.1,::1,www.example.org"
    assert "[::1]|www.example.org" in environment["JAVA_TOOL_OPTIONS"]


@pytest.mark.parametrize("url", ["http://localhost:8000", "https://127.0.0.1", "https://[::1]"])
def test_hosts_of_this_machine_cannot_be_named(url):
    with pytest.raises(ValueError, match="without a proxy"):
        check_names({"base_url": url})
