"""Requests as bytes have one outcome, whichever package parses them, and none could be read in two ways."""

import random
import re
import socket
from urllib.parse import urlsplit

import h11
import pytest

from fakes import FakeService
from fakes.doors import served as door
from fakes.doors.connection import LONGEST
from fakes.doors.framing import H11Connection, StrictConnection

from ...loopback import PATIENCE
from . import raw_requests as raw

compiled = pytest.importorskip("fakes.doors.compiled_connection", exc_type=ImportError)

NOW = "2026-06-01T09:00:00+09:00"
RESET = "reset"


class Server:
    """A served fake whose connections are of one kind."""

    def __init__(self, served):
        self.fake = served.fake
        self._address = urlsplit(served.url).hostname, urlsplit(served.url).port
        self._token = self.fake.access_token().encode()

    def ask(self, sent):
        """The statuses of all responses, and what the fake recorded, once either side has closed the connection."""
        self.fake.journal.clear()
        got = []
        with socket.create_connection(self._address, timeout=PATIENCE) as client:
            try:
                client.sendall(sent.replace(b"TOKEN", self._token))
                client.shutdown(socket.SHUT_WR)
                got += iter(lambda: client.recv(65536), b"")
            except ConnectionError:  # the fake closed it before it had read everything
                got.append(RESET.encode())
        statuses = re.findall(rf"HTTP/1.1 (\d+)|({RESET})", b"".join(got).decode())
        return [status or reset for status, reset in statuses], [entry.method for entry in self.fake.journal]


@pytest.fixture(scope="module")
def servers():
    """A fake for each kind of connection."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "get_connection_class", lambda: H11Connection)
        with FakeService.sample(now=NOW).serve() as one:
            patch.setattr(door, "get_connection_class", lambda: compiled.HttpToolsConnection)
            with FakeService.sample(now=NOW).serve() as other:
                yield {"h11": Server(one), "httptools": Server(other)}


@pytest.fixture(params=["h11", "httptools"])
def server(request, servers):
    return servers[request.param]


def cases(table):
    return pytest.mark.parametrize("sent", table.values(), ids=table)


@cases(raw.ACCEPTED)
def test_request_is_accepted(server, sent):
    statuses, methods = server.ask(sent)
    assert len(statuses) == 2
    assert statuses[0] != "400"
    assert len(methods) == 2


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


SPECIAL = [
    b"\r\n",
    b"\r",
    b"\n",
    b"\0",
    b" ",
    b"\t",
    b":",
    b";",
    b",",
    b"0",
    b"2",
    b"\x0b",
    b"\x80",
    b"\xff",
    b"{}",
]
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
