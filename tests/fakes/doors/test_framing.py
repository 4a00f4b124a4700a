"""Requests as bytes have one outcome, whichever package parses them, and none could be read in two ways."""

import random
import re
import socket
from http.client import HTTPConnection
from threading import Event
from urllib.parse import urlsplit

import h11
import pytest

from fakes.doors import served as door
from fakes.doors.connection import LONGEST
from fakes.doors.framing import H11Connection, StrictConnection

from ...loopback import PATIENCE, open_socket
from ..caller import make
from . import raw_requests as raw

compiled = pytest.importorskip("fakes.doors.compiled_connection", exc_type=ImportError)

RESET = "reset"


class Server:
    """A served fake whose connections are of one kind."""

    def __init__(self, served):
        self.fake, self.url = served.fake, served.url
        self._token = self.fake.access_token().encode()

    def read(self, sent):
        """All that comes until either side has closed the connection."""
        self.fake.journal.clear()
        got = []
        with open_socket(self.url) as client:
            try:
                client.sendall(sent.replace(b"TOKEN", self._token))
                client.shutdown(socket.SHUT_WR)
                got += iter(lambda: client.recv(65536), b"")
            except ConnectionError:  # the fake closed it before it had read everything
                got.append(RESET.encode())
        return b"".join(got).decode()

    def ask(self, sent):
        """The statuses of all responses, and the methods that the fake recorded."""
        statuses = re.findall(rf"HTTP/1.1 (\d+)|({RESET})", self.read(sent))
        return [status or reset for status, reset in statuses], [entry.method for entry in self.fake.journal]

    def tell(self, sent):
        """The statuses and bodies of all responses, and what the fake recorded, wherever it is served."""
        found = re.findall(r"HTTP/1.1 (\d+)|(\{.*\})", self.read(sent).replace(self.url, ""))
        entries = [
            (entry.method, entry.url.replace(self.url, ""), entry.status) for entry in self.fake.journal
        ]
        return [status for status, _ in found if status], [body for _, body in found if body], entries


@pytest.fixture(scope="module")
def servers():
    """A fake for each kind of connection."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "get_connection_class", lambda: H11Connection)
        with make().serve() as one:
            patch.setattr(door, "get_connection_class", lambda: compiled.HttpToolsConnection)
            with make().serve() as other:
                yield {"h11": Server(one), "httptools": Server(other)}


@pytest.fixture(params=["h11", "httptools"])
def server(request, servers):
    return servers[request.param]


def cases(table):
    return pytest.mark.parametrize("sent", table.values(), ids=table)


@cases(raw.ACCEPTED)
def test_request_is_accepted(servers, sent):
    (statuses, bodies, entries), other = (server.tell(sent) for server in servers.values())
    assert len(statuses) == len(entries) == 2
    assert statuses[0] != "400"
    assert other == (statuses, bodies, entries)


@cases(raw.LAST_ONES)
def test_request_is_the_last(server, sent):
    statuses, methods = server.ask(sent)
    assert statuses in (["200"], ["200", RESET])
    assert methods == ["PATCH"]


@cases(raw.REFUSED)
def test_request_is_refused(server, sent):
    statuses, methods = server.ask(sent)
    assert statuses in (["400"], ["400", RESET], [RESET])
    assert methods == []


@cases(raw.BROKEN)
def test_broken_body_reaches_no_handler(server, sent):
    statuses, methods = server.ask(sent)
    assert statuses in ([], ["400"], ["400", RESET], [RESET])
    assert methods == []


@cases(raw.SECOND_REFUSED)
def test_second_request_is_refused(server, sent):
    statuses, methods = server.ask(sent)
    assert statuses == ["200", "400"]
    assert methods == ["PATCH"]


def read(pieces):
    """What h11 finds in the pieces of one request."""
    connection, events, body = StrictConnection(h11.SERVER, LONGEST), [], b""
    try:
        for piece in pieces:
            connection.receive_data(piece)
            while (event := connection.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Data):
                    body += event.data
                else:
                    events.append(event)
    except h11.RemoteProtocolError:
        events.append("refused")
    return events, body


@cases(raw.ACCEPTED | raw.LAST_ONES | raw.REFUSED)
def test_outcome_does_not_depend_on_the_packets(sent):
    size = len(sent) // 300 + 1
    assert read([sent]) == read(sent[at : at + size] for at in range(0, len(sent), size))


def test_other_parser_takes_over_after_requests(servers):
    server = servers["httptools"]
    server.fake.journal.clear()
    http = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    names = set()
    for method in ("GET", "BREW", "GET"):
        http.request(method, "/api/users")
        assert http.getresponse().read().startswith(b"{")
        names.add(http.sock.getsockname())
    http.close()
    assert len(names) == 1
    assert [entry.method for entry in server.fake.journal] == ["GET", "BREW", "GET"]


def test_client_that_leaves_ends_the_first_of_several_requests(monkeypatch):
    monkeypatch.setattr(door, "PATIENCE", 600)
    monkeypatch.setattr(door, "get_connection_class", lambda: compiled.HttpToolsConnection)
    fake = make()
    fake.faults.read_timeout("users.update", times=1)
    with fake.serve() as served, open_socket(served.url) as client:
        client.sendall(raw.make(after=b"") * 2)
        while not len(fake.journal):
            Event().wait(0.01)
    assert len(fake.journal) == 1


SPECIAL = [b"\r\n", *(bytes([each]) for each in b"\r\n\0 \t:;,02\x0b\x80\xff"), b"{}"]
SPECIAL += [
    b"Content-Length: 2\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Connection: close\r\n",
    b"HTTP/1.0",
]


def mutate(draw, sent):
    """Change a request in one to three places."""
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(sent) + 1)
        end = min(len(sent), at + draw.choice([0, 0, 1, 2, 10]))
        sent = sent[:at] + draw.choice([b"", draw.choice(SPECIAL), sent[at:end] * 2]) + sent[end:]
    return sent


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_random_requests_have_one_outcome(servers, seed):
    draw = random.Random(seed)
    tables = [raw.ACCEPTED, raw.LAST_ONES, raw.REFUSED, raw.SECOND_REFUSED]
    known = [sent for table in tables for sent in table.values() if len(sent) < 2_000]
    for _ in range(500):
        sent = mutate(draw, draw.choice(known))
        outcomes = {name: server.ask(sent) for name, server in servers.items()}
        assert outcomes["h11"] == outcomes["httptools"], sent
