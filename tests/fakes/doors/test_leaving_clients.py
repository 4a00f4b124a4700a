"""Clients of the served fake that go away do not keep it from anybody else."""

import logging
import socket
import struct

import pytest

from fakes.http.content import CHUNK, StoredContent

from ...loopback import local_client, open_socket

LARGE = 64 * 1024 * 1024
AT_ONCE = struct.pack("ii", 1, 0)


@pytest.fixture
def served(fake):
    with fake.serve() as running:
        yield running


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
    with open_socket(served.url) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {bearer}\r\n\r\n".encode())
        assert client.recv(1024).startswith(b"HTTP/1.1 200")
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    assert still_responds(fake, served)
    assert 0 < len(read) < LARGE / CHUNK / 2
    assert problems(caplog) == []


def test_others_are_served_while_a_download_is_sent(fake, served, monkeypatch):
    path, bearer = stored_file(fake, served)
    read = count_chunks(monkeypatch)
    with open_socket(served.url) as client:
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
