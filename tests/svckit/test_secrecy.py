"""No secret shows in a traceback with local variables, nor in a debug log."""

import logging
import socket
import threading
from io import BytesIO

import httpx
import pytest

from svckit import places
from svckit.errors import ServiceError
from svckit.http.prepare import PreparedRequest
from svckit.http.transport import open_client

from .canaries import held, shown
from .conftest import Face, Scripted

DRIVE = places.drive("u-001")


def test_the_bearer_where_content_raises_while_it_is_sent(on_script: Face, scripted: Scripted) -> None:
    class Torn(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if scripted.asked:
                raise LookupError
            return super().read(size)

    scripted.on_upload(httpx.Response(201))
    with pytest.raises(LookupError) as caught:
        on_script(lambda svc: svc.files.upload(Torn(b"hello"), to=DRIVE, name="hello.txt"))
    assert held(caught.value, Torn)  # the reader's own frame is as it was
    assert held(caught.value, PreparedRequest) + held(caught.value, httpx.Request) == []


@pytest.mark.parametrize("resumable", [False, 5])
@pytest.mark.parametrize("broken", [httpx.ReadError, httpx.ConnectError, None])
def test_what_signs_an_upload_url(
    resumable: int, broken: type[httpx.RequestError] | None, on_script: Face, scripted: Scripted
) -> None:
    url = "https://storage.work.test/1?sign=CANARY"

    def gone(request: httpx.Request) -> httpx.Response:
        if broken:
            raise broken("gone", request=request)
        return httpx.Response(500)

    scripted.on_upload(gone, url)
    with pytest.raises(ServiceError) as caught:
        on_script(lambda svc: svc.files.upload(b"0123456789", DRIVE, name="x", resumable=resumable))
    assert "CANARY" not in shown(caught.value) + repr(caught.value.upload)
    with pytest.raises(ServiceError) as again:
        on_script(lambda svc: svc.files.resume(caught.value.upload, b"0123456789"))
    assert "CANARY" not in shown(again.value)


def test_what_signs_a_location(on_script: Face, scripted: Scripted) -> None:
    url = "https://storage.work.test/1?sign=CANARY"
    found = httpx.Response(302, headers={"Location": url})
    scripted.on("GET", "https://api.work.test/v1/users/u-001/drive/files/f-1/download", found)
    scripted.on("GET", url, httpx.Response(500))
    with pytest.raises(ServiceError) as caught:
        on_script(lambda svc: svc.files.download(DRIVE.file("f-1")))
    assert "CANARY" not in shown(caught.value)


def test_the_log_of_the_connection_masks_codes(caplog: pytest.LogCaptureFixture) -> None:
    """Of a real socket."""
    caplog.set_level(logging.DEBUG)
    redirect = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/cb?code=CANARY&state=x\r\nContent-Length: 0\r\n\r\n"

    def respond() -> None:
        with listener.accept()[0] as connection:
            connection.recv(65536)
            connection.sendall(redirect)

    with socket.create_server(("127.0.0.1", 0)) as listener, open_client(None) as client:
        threading.Thread(target=respond).start()
        client.get(f"http://127.0.0.1:{listener.getsockname()[1]}")
    assert "http://127.0.0.1/***?***" in caplog.text
    assert "CANARY" not in caplog.text


@pytest.mark.parametrize(
    "address",
    [
        "https://hooks.work.test/mesage/wh_0123456789abcdef0123456789abcdef01234567",
        "https://mina:0123456789abcdef@hooks.work.test/",
        "https://auth.work.test/oauth2/v2.0/authorize?state=0123456789abcdef",
    ],
)
def test_the_log_of_httpx_shows_no_secret_of_an_address(
    address: str, scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "httpx"), open_client(httpx.MockTransport(scripted)) as client:
        client.get(address)
    assert "***" in caplog.text
    assert "0123456789abcdef" not in caplog.text
