"""Clients of the served fake that go away, or say nothing: neither keeps the server from anybody else."""

import asyncio
import contextlib
import logging
import socket
import struct

import pytest

from fakes.doors.connection import HTTPConnection
from fakes.doors.deadlines import Deadlines
from fakes.http.content import CHUNK, StoredContent

from ...loopback import PATIENCE, local_client

NOW = "2026-06-01T09:00:00+09:00"
LARGE = 64 * 1024 * 1024
AT_ONCE = struct.pack("ii", 1, 0)


@pytest.fixture
def served(fake):
    with fake.serve() as running:
        yield running


def connected(served):
    host, port = served.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def still_responds(fake, served):
    headers = {"Authorization": f"Bearer {fake.access_token()}"}
    with local_client(base_url=served.url, headers=headers) as http:
        return http.patch("/api/users/u-001", json={}).status_code == 200


def stored_file(fake, served):
    """The URL path of a download, and its bearer."""
    bearer = f"Bearer {fake.access_token()}"
    with local_client(base_url=served.url, headers={"Authorization": bearer}) as http:
        request = {"fileName": "large", "fileSize": LARGE}
        upload_url = http.post("/api/users/u-001/drive/files", json=request).json()["uploadUrl"]
        file_id = http.post(upload_url, files={"Filedata": ("large", b"x" * LARGE)}).json()["fileId"]
        location = http.get(f"/api/users/u-001/drive/files/{file_id}/download").headers["Location"]
    return location.removeprefix(served.url), bearer


def problems(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_sending_a_download_ends_with_the_connection(fake, served, caplog, monkeypatch):
    path, bearer = stored_file(fake, served)
    read = count_chunks(monkeypatch)
    with connected(served) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {bearer}\r\n\r\n".encode())
        assert client.recv(1024).startswith(b"HTTP/1.1 200")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    assert still_responds(fake, served)
    assert 0 < len(read) < LARGE / CHUNK / 2
    assert problems(caplog) == []


def test_others_are_served_while_a_download_is_sent(fake, served, monkeypatch):
    path, bearer = stored_file(fake, served)
    read = count_chunks(monkeypatch)
    with connected(served) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {bearer}\r\n\r\n".encode())
        assert client.recv(1024).startswith(b"HTTP/1.1 200")
        assert still_responds(fake, served)
        assert len(read) < LARGE / CHUNK  # its client takes no more, so it is still under way


def count_chunks(monkeypatch):
    """A list that grows with each chunk of stored content that is read."""
    read, chunks = [], StoredContent.chunks

    def counted(self, *args):
        for chunk in chunks(self, *args):
            read.append(len(chunk))
            yield chunk

    monkeypatch.setattr(StoredContent, "chunks", counted)
    return read


HEAD = b"PATCH /api/users/u-001 HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.usefixtures("either")
@pytest.mark.parametrize("said", [b"", b"PATCH /api", HEAD, HEAD + b"Content-Length: 100\r\n\r\n{"])
def test_silent_connections_are_closed(fake, served, caplog, monkeypatch, said):
    with monkeypatch.context() as impatient:
        impatient.setattr(HTTPConnection, "head_timeout", 0.05)
        impatient.setattr(HTTPConnection, "body_timeout", 0.05)
        with connected(served) as client, contextlib.suppress(ConnectionError):
            client.sendall(said)
            assert client.recv(1) == b""
    assert still_responds(fake, served)
    assert problems(caplog) == []


class Silence:
    """A connection held to deadlines, on an event loop whose time only `wait` moves."""

    def __init__(self):
        self.now, self.closed = 0.0, False
        self.messages = asyncio.Queue()
        asyncio.get_running_loop().time = lambda: self.now
        self.app = Deadlines().enforce_deadlines(self.read_body, self)

    async def read_body(self, scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await receive()

    def abort(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    async def wait(self, seconds):
        self.now += seconds
        for _ in range(3):
            await asyncio.sleep(0)


def test_deadline_of_the_head_is_counted_from_the_connection():
    async def scenario():
        silence = Silence()
        await silence.wait(59)
        assert not silence.closed
        await silence.wait(2)
        assert silence.closed

    asyncio.run(scenario())


def test_body_may_be_slow_while_it_progresses():
    async def scenario():
        silence = Silence()
        request = asyncio.create_task(silence.app({}, silence.messages.get, None))
        for _ in range(100):
            await silence.wait(59)
            silence.messages.put_nowait({"type": "http.request", "body": b"x", "more_body": True})
            await silence.wait(0)
        assert not silence.closed
        await silence.wait(61)
        assert silence.closed
        request.cancel()

    asyncio.run(scenario())


def test_response_may_take_as_long_as_it_likes_and_the_next_head_may_not():
    async def scenario():
        silence = Silence()
        silence.messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        request = asyncio.create_task(silence.app({}, silence.messages.get, None))
        await silence.wait(1_000_000)
        assert not silence.closed
        silence.messages.put_nowait({"type": "http.disconnect"})
        await request
        await silence.wait(59)
        assert not silence.closed
        await silence.wait(2)
        assert silence.closed

    asyncio.run(scenario())


def test_request_that_began_before_the_last_has_ended_may_take_as_long_as_it_likes():
    async def scenario():
        silence = Silence()
        first, second = asyncio.Queue(), asyncio.Queue()
        requests = [asyncio.create_task(silence.app({}, each.get, None)) for each in (first, second)]
        for messages in (first, second):
            messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        await silence.wait(0)
        first.put_nowait({"type": "http.disconnect"})
        await requests[0]
        await silence.wait(1_000_000)
        assert not silence.closed
        second.put_nowait({"type": "http.disconnect"})
        await requests[1]
        await silence.wait(61)
        assert silence.closed

    asyncio.run(scenario())


def test_connection_that_is_closing_has_no_deadline_any_more():
    async def scenario():
        silence = Silence()
        aborted = []
        silence.abort = lambda: aborted.append(silence.now)
        silence.messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        silence.messages.put_nowait({"type": "http.disconnect"})
        silence.closed = True
        await silence.app({}, silence.messages.get, None)
        await silence.wait(61)
        assert aborted == []

    asyncio.run(scenario())
