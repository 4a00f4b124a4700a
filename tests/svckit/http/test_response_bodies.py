"""Bodies of responses: bounded where they are held in memory, whole or an error where they are stored."""

import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import httpx
import pytest

from svckit import places
from svckit.errors import NotFound, ServiceError, Unreachable
from svckit.http import transport

from ..conftest import USER, Face, Scripted
from ..operations.test_downloads import CONTENT, TARGETS
from ..session.test_driver import FILE_URL, USER_URL

FILE = places.drive("u-001").file("f-1")
CONTENT_URL = "https://storage.work.test/downloads/1"
MIB = 1024 * 1024


class Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that httpx has not read yet, as one from the network is."""

    def __init__(self, chunks: Callable[[], Iterator[bytes]]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks():
            yield chunk


def encoded(
    body: bytes, coding: str = "gzip", status: int = 200, **headers: str
) -> Callable[..., httpx.Response]:
    named = {"Content-Encoding": coding} | {name.replace("_", "-"): text for name, text in headers.items()}
    pieces = [body[start : start + 1000] for start in range(0, len(body), 1000)]
    return lambda _: httpx.Response(status, headers=named, stream=Stream(lambda: iter(pieces)))


BOMB = gzip.compress(bytes(16 * MIB), compresslevel=1)


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Fail where more memory is taken meanwhile."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()


def test_a_response_that_is_held_in_memory_is_bounded(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "LONGEST_BODY", MIB)
    scripted.on("PATCH", USER_URL, encoded(BOMB))
    with (
        at_most(6 * MIB),
        pytest.raises(ServiceError, match=r"longer than 1,048,576 bytes.*files\.download") as caught,
    ):
        on_script(lambda svc: svc.users.read("u-001"))
    assert caught.value.status == 200
    assert len(scripted.asked) == 1  # it was done, and is not done again


def test_a_response_of_just_that_length_is_read(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert transport.LONGEST_BODY == 32 * MIB
    monkeypatch.setattr(transport, "LONGEST_BODY", MIB)
    for coding, pack in (("", bytes), ("gzip", gzip.compress)):
        scripted.on("GET", "https://api.work.test/v1/x", encoded(pack(bytes(MIB)), coding))
        assert len(on_script(lambda svc: svc.request("GET", "/x")).content) == MIB
        scripted.on("GET", "https://api.work.test/v1/x", encoded(pack(bytes(MIB + 1)), coding))
        with pytest.raises(ServiceError, match="1,048,576 bytes"):
            on_script(lambda svc: svc.request("GET", "/x"))


@pytest.mark.parametrize(
    "answer",
    [
        encoded(BOMB, status=404),
        lambda _: httpx.Response(404, stream=Stream(lambda: repeat(b"it goes on "))),
    ],
    ids=["a bomb", "endless"],
)
def test_the_body_of_an_error_is_read_for_a_while(answer: Any, on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, answer)
    with at_most(4 * MIB), pytest.raises(NotFound) as caught:
        on_script(lambda svc: svc.users.read("u-001"))
    assert len(str(caught.value)) < 1000


def test_requests_accept_what_can_be_decoded(on_script: Face, scripted: Scripted) -> None:
    scripted.on("PATCH", USER_URL, encoded(gzip.compress(httpx.Response(200, json=USER).content)))
    assert on_script(lambda svc: svc.users.read("u-001")).user_id == "u-001"
    assert scripted.asked[0].headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "utf-8", "gzip"])
def test_a_body_that_is_labelled_as_encoded_and_is_not_is_read(
    coding: str, on_script: Face, scripted: Scripted
) -> None:
    scripted.on("PATCH", USER_URL, encoded(httpx.Response(200, json=USER).content, coding))
    assert on_script(lambda svc: svc.users.read("u-001")).user_id == "u-001"
    scripted.on("PATCH", USER_URL, encoded(b"\x0b\x02\x80", coding))
    with pytest.raises(ServiceError, match="not valid JSON"):
        on_script(lambda svc: svc.users.read("u-001"))


def test_an_encoded_body_that_broke_off_is_asked_for_again(on_script: Face, scripted: Scripted) -> None:
    whole = gzip.compress(httpx.Response(200, json=USER).content)
    scripted.on("PATCH", USER_URL, encoded(whole[:-1]))
    with pytest.raises(Unreachable, match="broke off after"):
        on_script(lambda svc: svc.users.read("u-001"))
    assert len(scripted.asked) == 3


@pytest.fixture(params=TARGETS)
def download(request: pytest.FixtureRequest, on_script: Face, scripted: Scripted, tmp_path: Path) -> Any:
    scripted.on("GET", FILE_URL, httpx.Response(302, headers={"Location": CONTENT_URL}))

    def downloaded(answer: Callable[..., httpx.Response]) -> bytes:
        scripted.on("GET", CONTENT_URL, answer)
        try:
            found: bytes = request.param(on_script, FILE, tmp_path)
        except ServiceError:
            assert list(tmp_path.iterdir()) == []
            raise
        return found

    return downloaded


WHOLE = gzip.compress(CONTENT)


@pytest.mark.parametrize(
    "answer",
    [
        encoded(WHOLE),
        encoded(WHOLE, Content_Length=str(len(WHOLE))),
        encoded(zlib.compress(CONTENT), "deflate"),
        encoded(gzip.compress(CONTENT[:1000]) + gzip.compress(CONTENT[1000:])),
        encoded(CONTENT, "utf-8", Content_Length=str(len(CONTENT))),
        encoded(CONTENT, "gzip", Content_Length=str(len(CONTENT))),  # which it is not
    ],
)
def test_unrequested_encoding_is_decoded(answer: Any, download: Any) -> None:
    assert download(answer) == CONTENT


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (encoded(WHOLE[:-1]), "broke off after"),
        (encoded(WHOLE[:-8]), "broke off after"),
        (encoded(WHOLE[: len(WHOLE) // 2]), "broke off after"),
        (encoded(WHOLE[:1]), "broke off after 1 byte"),
        (encoded(b""), "received 0 bytes"),
        (encoded(zlib.compress(CONTENT)[:-2], "deflate"), "broke off after"),
        (encoded(WHOLE + WHOLE[:20]), "broke off after"),
        (encoded(WHOLE[:-8] + bytes(8)), "cannot be decoded"),
        (encoded(WHOLE, Content_Length=str(len(WHOLE) + 1)), "received [0-9]+ bytes, expected [0-9]+"),
        (encoded(CONTENT, "", Content_Length="256001"), "received 256000 bytes, expected 256001"),
        (encoded(CONTENT[:-1], "", Content_Length="256000"), "received 255999 bytes, expected 256000"),
        (encoded(CONTENT, "br"), "encoded with br"),
        (encoded(gzip.compress(WHOLE), "gzip, gzip"), "encoded with gzip, gzip"),
    ],
)
def test_a_download_that_is_not_whole_is_not_kept(answer: Any, why: str, download: Any) -> None:
    with pytest.raises(Unreachable, match=why):
        download(answer)


def test_an_empty_file_may_be_labelled_as_encoded(download: Any) -> None:
    assert download(encoded(b"", Content_Length="0")) == b""


def test_a_download_of_any_length_is_decoded_in_constant_memory(
    on_script: Face, scripted: Scripted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(transport, "LONGEST_BODY", MIB)
    scripted.on("GET", FILE_URL, httpx.Response(302, headers={"Location": CONTENT_URL}))
    scripted.on("GET", CONTENT_URL, encoded(BOMB))
    with at_most(4 * MIB):
        path = on_script(lambda svc: svc.files.download(FILE, tmp_path / "x"))
    assert path.stat().st_size == 16 * MIB
