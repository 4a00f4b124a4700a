"""The operations of files, driven by hand: the calls they yield, and what they make of the replies."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from svckit import places
from svckit.errors import InvalidInput, ServiceError, Unreachable
from svckit.http.messages import Response
from svckit.operations import downloads, uploads

from .test_operations import drive, response

TICKET = response({"uploadUrl": "https://storage.work.test/uploads/1"})
STORED = response({"fileId": "f-1"}, 201)


def test_an_open_file_is_sent_from_its_beginning_and_left_open() -> None:
    source = BytesIO(b"123")
    source.seek(2)
    calls, _ = drive(
        uploads.upload(source, to=places.bot("bot-1"), name="x", content_type="text/x"), TICKET, STORED
    )
    assert calls[0].json == {"fileName": "x", "fileSize": 3}
    assert not source.closed


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"source": b"1"}, "give the file a name"),
        ({"source": b"1", "name": "x", "content_type": "a/b\r\nX: y"}, "content_type"),
        ({"source": b"1", "name": "x", "content_type": 'text/plain; name="é"'}, "content_type"),
    ],
)
def test_uploads_that_cannot_be(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        next(uploads.upload(**{"to": places.photo("u-001")} | arguments))


def test_a_name_in_bytes_is_text_from_there_on() -> None:
    calls, _ = drive(uploads.upload(b"1", to=places.photo("u-001"), name=b"x.png"), TICKET, STORED)  # type: ignore[arg-type] # what a novice passes
    assert calls[0].json["fileName"] == calls[1].file.file_name == "x.png"


FOUND = response(b"", 302, location="https://storage.work.test/downloads/1")
FILE = places.drive("u-001").file("f-1")


def content(body: bytes, **headers: str) -> Response:
    return response(body, content_type="image/png", **headers)


@pytest.mark.parametrize(
    ("to", "written"), [("out/", "out/f-1.png"), (".", "f-1.png"), ("a/picture.png", "a/picture.png")]
)
def test_save_writes_where_it_is_told(to: str, written: str, tmp_path: Path) -> None:
    _, path = drive(downloads.save(FILE, f"{tmp_path}/{to}"), FOUND, content(b"PNG"))
    assert path == tmp_path / written
    assert path.read_bytes() == b"PNG"
    assert list(path.parent.iterdir()) == [path]


def test_save_overwrites_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        next(downloads.save(FILE, path))
    assert path.read_bytes() == b"old"
    drive(downloads.save(FILE, path, overwrite=True), FOUND, content(b"new"))
    assert path.read_bytes() == b"new"


def test_half_a_file_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="2 of 3 bytes"):
        drive(downloads.save(FILE, tmp_path / "x"), FOUND, content(b"PN", content_length="3"))
    assert list(tmp_path.iterdir()) == []


def test_a_download_that_names_no_file_makes_no_directory(tmp_path: Path) -> None:
    for place in (places.drive("u-001"), "f-1"):
        with pytest.raises(InvalidInput):
            next(downloads.save(place, f"{tmp_path}/new/dir/"))  # type: ignore[arg-type] # a place is not text
    assert not list(tmp_path.iterdir())


def test_a_download_needs_a_file_and_a_location() -> None:
    with pytest.raises(InvalidInput, match=r"download needs one"):
        next(downloads.download(places.drive("u-001")))
    with pytest.raises(ServiceError, match="no Location"):
        drive(downloads.download(FILE), response(b"", 302))
