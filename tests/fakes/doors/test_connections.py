"""Requests as bytes: whichever package parses them, clients get the same responses, and the journal has the same."""

import re
import socket
import threading
from contextlib import contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from fakes import FakeService
from fakes.doors import served as door
from fakes.doors.framing import H11Connection

from ...loopback import PATIENCE

compiled = pytest.importorskip("fakes.doors.compiled_connection", exc_type=ImportError)

NOW = "2026-06-01T09:00:00+09:00"
TARGET = b"/api/users/u-001"
LAST = b"Connection: close\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


@pytest.fixture(scope="module")
def fakes():
    """Two fakes that differ in the connection."""
    return {kind: FakeService.sample(now=NOW) for kind in (H11Connection, compiled.HttpToolsConnection)}


def make_request(
    extra=LAST, *, start=b"PATCH " + TARGET + b" HTTP/1.1", host=b"Host: x\r\n", body=b"{}", length=None
):
    length = b"Content-Length: %d\r\n" % len(body) if length is None else length
    head = start + b"\r\n" + host + b"Authorization: Bearer TOKEN\r\nContent-Type: application/json\r\n"
    return head + length + extra + b"\r\n" + body


@contextmanager
def connect(fake, kind, monkeypatch):
    """A connection of one kind to a fake."""
    monkeypatch.setattr(door, "get_connection_class", lambda: kind)
    with fake.serve() as served:
        address = urlsplit(served.url)
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as client:
            yield client, served.url


def ask(fake, client, sent):
    """All that is answered until the connection is closed."""
    client.sendall(sent.replace(b"TOKEN", fake.access_token().encode()))
    try:
        return b"".join(iter(lambda: client.recv(65536), b""))
    except ConnectionResetError:  # it has bytes that were not read
        return b""


OFFER = b"Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
STARTS = {
    "in absolute form": b"PATCH http://h:9" + TARGET + b" HTTP/1.1",
    "with a fragment": b"PATCH " + TARGET + b"?a=%C3%A9#x HTTP/1.1",
    "twice a slash": b"PATCH //api//users/u-001 HTTP/1.1",
    "relative": b"PATCH api/users/u-001 HTTP/1.1",
    "not ASCII": b"PATCH /api/users/\xc3\xa9 HTTP/1.1",
    "any": b"OPTIONS * HTTP/1.1",
    "of a proxy": b"CONNECT h:443 HTTP/1.1",
    "an unknown method": b"BREW " + TARGET + b" HTTP/1.1",
    "an old version": b"PATCH " + TARGET + b" HTTP/1.0",
    "another version": b"PATCH " + TARGET + b" HTTP/2.0",
}
CASES = {
    **{name: make_request(start=start) for name, start in STARTS.items()},
    "an offer to upgrade, as Java makes it": make_request(OFFER),
    "no host": make_request(host=b""),
    "two hosts": make_request(host=b"Host: x\r\nHost: y\r\n"),
    "line feeds": make_request().replace(b"\r\n", b"\n"),
    "folded": make_request(b"X-A: a\r\n b\r\n" + LAST),
    "a zero byte": make_request(b"X-A: \0\r\n" + LAST),
    "two lengths": make_request(length=b"Content-Length: 2\r\nContent-Length: 3\r\n"),
    "one length twice": make_request(length=b"Content-Length: 2, 2\r\n"),
    "a coding": make_request(length=b"Transfer-Encoding: gzip, chunked\r\n", body=b"2\r\n{}\r\n0\r\n\r\n"),
    "chunks in capitals": make_request(length=CHUNKED.upper(), body=b"2\r\n{}\r\n0\r\n\r\n"),
    "a header for proxies": make_request(b"Proxy-Connection: close\r\n") + make_request(),
    "trailers": make_request(length=CHUNKED, body=b"2\r\n{}\r\n0\r\nAuthorization: none\r\n\r\n"),
    "pipelined": make_request(b"") + make_request(b"") + make_request(),
    "garbage after a request": make_request(b"") + b"garbage\r\n\r\n",
    "requests after the last": make_request() + make_request(),
    "too long a head": make_request(b"X-A: " + b"a" * 300_000 + b"\r\n" + LAST),
    "no end of trailers": make_request(length=CHUNKED, body=b"2\r\n{}\r\n0\r\nA: " + b"a" * 300_000),
}


@pytest.mark.parametrize("sent", CASES.values(), ids=CASES)
def test_responses_are_the_same(fakes, monkeypatch, sent):
    seen = []
    for kind, fake in fakes.items():
        fake.journal.clear()
        with connect(fake, kind, monkeypatch) as (client, url):
            found = re.findall(rb"HTTP/1.1 \d+|\{.*\}", ask(fake, client, sent).replace(url.encode(), b""))
        entries = [(entry.method, entry.url.replace(url, ""), entry.status) for entry in fake.journal]
        seen.append((found, entries))
    assert seen[0] == seen[1]


def test_other_parser_takes_over_after_requests(fakes, monkeypatch):
    kind, fake = list(fakes.items())[1]
    with connect(fake, kind, monkeypatch) as (_, url):
        http = HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
        names = set()
        for method in ("GET", "BREW", "GET"):
            http.request(method, "/api/users")
            assert http.getresponse().read().startswith(b"{")
            names.add(http.sock.getsockname())
        http.close()
    assert len(names) == 1
    assert [entry.method for entry in fake.journal][-3:] == ["GET", "BREW", "GET"]


def test_client_that_leaves_ends_the_first_of_several_requests(fakes, monkeypatch):
    kind, fake = list(fakes.items())[1]
    fake.faults.read_timeout("users.update", times=1)
    monkeypatch.setattr(door, "PATIENCE", 600)
    fake.journal.clear()
    with connect(fake, kind, monkeypatch) as (client, _):
        client.sendall(make_request(b"") * 2)
        while not len(fake.journal):
            threading.Event().wait(0.01)
    assert len(fake.journal) == 1
