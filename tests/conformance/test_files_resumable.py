"""Resumable uploads: ranges that follow one another, and those that do not."""

import pytest

from .cases import assumed, case, documented, every_door, writes
from .target import NOT_HIS, Unshown
from .transfer import download, filedata, multipart, still_good, upload_url

TEN = b"0123456789"


def send(target, me, url, first, last, *, total=10, unit=""):
    """Send bytes first to last of the ten."""
    headers = multipart(me, **{"Content-Range": f"{unit}{first}-{last}/{total}"})
    return target.http.post(url, content=filedata(TEN[first : last + 1]), headers=headers)


SPLITS = (
    case([(0, 9)], id="whole"),
    case([(0, 4), (5, 9)], id="two halves", marks=every_door),
    case([(0, 0), (1, 8), (9, 9)], id="single bytes at the ends"),
    case([(at, at) for at in range(10)], id="byte by byte"),
)


@writes("drive")
@documented("file.resumable")
@assumed("file.incomplete", "file.wrong-range", "file.range-unit")
@pytest.mark.parametrize("unit", [case("", id="no unit"), case("bytes ", id="unit")])
@pytest.mark.parametrize("ranges", SPLITS)
def test_resumable_upload(target, me, ranges, unit):
    url = upload_url(target, me, size=10)
    for first, last in ranges[:-1]:
        answer = send(target, me, url, first, last, unit=unit)
        assert answer.status_code == 200
        assert last + 1 in answer.json().values()
    answer = send(target, me, url, *ranges[-1], unit=unit)
    assert answer.status_code == 201
    assert answer.json()["fileSize"] == 10
    assert download(target, me, answer.json()["fileId"]).content == TEN


@writes("drive")
@documented("file.resumable")
@assumed("file.incomplete", "file.wrong-range")
def test_incomplete_upload_is_no_file_yet(target, me):
    before = target.digest()
    send(target, me, upload_url(target, me, size=10), 0, 4)
    assert target.digest() == before


WRONG_RANGES = (
    case("6-9/10", b"6789", id="gap"),
    case("0-4/10", b"01234", id="repeated"),
    case("4-9/10", b"456789", id="overlap"),
    case("5-9/11", b"56789", id="another total"),
    case("5-9/9", b"56789", id="total below the end"),
    case("5-10/10", b"56789X", id="end beyond the total"),
    case("5-10/11", b"56789X", id="end beyond the announced size"),
    case("9-5/10", b"56789", id="end before start"),
    case("5-9/10", b"5678", id="content too short"),
    case("5-9/10", b"56789X", id="content too long"),
    case("5-9/10", b"", id="no content"),
    case("5-9", b"56789", id="no total"),
    case("5-9/*", b"56789", id="unknown total"),
    case("*/10", b"56789", id="no range"),
    case("-5-9/10", b"56789", id="negative"),
    case("5--9/10", b"56789", id="negative end"),
    case("five-nine/ten", b"56789", id="words"),
    case("items 5-9/10", b"56789", id="another unit"),
    case("5-9/10, 5-9/10", b"56789", id="two ranges", marks=every_door),
    case("", b"56789", id="empty", marks=every_door),
    case("5-9/99999999999999999999", b"56789", id="huge total"),
)


@assumed("file.incomplete", "file.wrong-range")
@pytest.mark.parametrize(("content_range", "content"), WRONG_RANGES)
def test_wrong_range_is_refused_and_the_upload_still_good(target, me, content_range, content):
    url = upload_url(target, me, size=10)
    assert send(target, me, url, 0, 4).status_code == 200
    headers = multipart(me, **{"Content-Range": content_range})
    target.refuses("POST", url, 400, content=filedata(content), headers=headers)
    answer = send(target, me, url, 5, 9)
    assert answer.status_code == 201
    assert download(target, me, answer.json()["fileId"]).content == TEN


@writes("drive")
@assumed("file.incomplete", "file.wrong-range")
@pytest.mark.parametrize("content_range", ["5-9/10", "1-5/10", "0-4/5", "0-4/11"])
def test_wrong_first_range_is_refused_and_the_upload_still_good(target, me, content_range):
    url = upload_url(target, me, size=10)
    headers = multipart(me, **{"Content-Range": content_range})
    target.refuses("POST", url, 400, content=filedata(b"01234"), headers=headers)
    assert still_good(target, me, url, TEN)


@writes("drive")
@assumed("file.incomplete", "file.wrong-range", "file.upload-reuse")
def test_resumable_upload_is_over_when_it_is_complete(target, me):
    url = upload_url(target, me, size=10)
    send(target, me, url, 0, 4)
    send(target, me, url, 5, 9)
    headers = multipart(me, **{"Content-Range": "5-9/10"})
    target.refuses("POST", url, Unshown(404), content=filedata(b"56789"), headers=headers)


@assumed("file.incomplete", "file.wrong-range", "file.upload-user")
def test_another_user_cannot_go_on_with_an_upload(target, me):
    other = target.signed_in_as("u-002")
    url = upload_url(target, me, size=10)
    send(target, me, url, 0, 4)
    headers = multipart(other, **{"Content-Range": "5-9/10"})
    target.refuses("POST", url, Unshown(404, NOT_HIS), content=filedata(b"56789"), headers=headers)
    assert send(target, me, url, 5, 9).status_code == 201


@writes("drive")
@documented("file.resumable")
@assumed("file.incomplete", "file.wrong-range")
def test_two_resumable_uploads_do_not_mix(target, me):
    first, second = (upload_url(target, me, name=name, size=10) for name in ("a.txt", "b.txt"))
    send(target, me, first, 0, 4)
    send(target, me, second, 0, 7)
    assert send(target, me, first, 5, 9).json()["fileName"] == target.fresh("a.txt")
    answer = send(target, me, second, 8, 9)
    assert download(target, me, answer.json()["fileId"]).content == TEN
