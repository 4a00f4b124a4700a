"""Uploads in one request: from whatever has bytes, streamed, sent twice only where that is safe."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import svckit
from fakes import FakeService
from svckit import places
from svckit.errors import Cancelled, InvalidInput, Refused, ServiceError, Unreachable

from ..conftest import EVERYWHERE, IN_PROCESS, Face
from .ranges import DRIVE, SEND, Cancelling, Pipe, stored

CONTENT = bytes(range(256)) * 1000


def pieces(content: bytes = CONTENT, size: int = 5000) -> Iterator[bytes]:
    return (content[start : start + size] for start in range(0, len(content), size))


def sizes(fake: FakeService) -> list[int]:
    """The sizes that the journal has for the requests that went to an upload address."""
    return [entry.request_bytes for entry in fake.journal if entry.operation == SEND]


def announced(fake: FakeService) -> dict[str, Any]:
    (entry,) = [entry for entry in fake.journal if entry.operation == "upload.drive"]
    body: dict[str, Any] = json.loads(entry.request_body)
    return body


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (lambda: CONTENT, None),
        (lambda: CONTENT, len(CONTENT)),
        (lambda: bytearray(CONTENT), None),
        (lambda: memoryview(CONTENT), None),
        (lambda: BytesIO(CONTENT), None),
        (lambda: Pipe(CONTENT), len(CONTENT)),
        (pieces, len(CONTENT)),
        (lambda: list(pieces()), len(CONTENT)),
        (lambda: [b"", CONTENT, b"", b""], len(CONTENT)),
        (lambda: map(memoryview, pieces()), len(CONTENT)),
        (lambda: map(bytearray, pieces(size=1)), len(CONTENT)),
        (lambda: iter([]), 0),
    ],
)
def test_whatever_has_bytes_is_a_source(
    make: Callable[[], Any], size: int | None, on_fake: Face, fake: FakeService
) -> None:
    result = on_fake(lambda svc: svc.files.upload(make(), to=DRIVE, name="x.bin", size=size))
    assert stored(fake) == [CONTENT if size is None or size else b""]
    assert result.file_size == len(stored(fake)[0])


@pytest.mark.parametrize(
    ("make", "size", "why"),
    [
        (pieces, len(CONTENT) + 1, "must have the size 256001, as announced; given 256000 bytes"),
        (pieces, len(CONTENT) - 1, "must have the size 255999, as announced; given at least 256000 bytes"),
        (pieces, 0, "must have the size 0, as announced; given at least "),
        (lambda: iter([b"x", "y"]), 2, "given a str"),
        (pieces, None, "needs its size in bytes"),
        (pieces, True, "needs its size in bytes"),
        (pieces, -1, "needs its size in bytes"),
        (lambda: Pipe(CONTENT), None, "needs its size in bytes"),
        (lambda: CONTENT, 5, "must have the size 5; given 256000 bytes"),
        (lambda: BytesIO(CONTENT), 5, "must have the size 5; given 256000 bytes"),
    ],
)
def test_content_of_another_size_is_not_stored(
    make: Callable[[], Any], size: Any, why: str, on_fake: Face, fake: FakeService
) -> None:
    for resumable in (False, 100_000):
        with pytest.raises(InvalidInput, match=why):
            on_fake(
                lambda svc, ways=resumable: svc.files.upload(
                    make(), to=DRIVE, name="x", size=size, resumable=ways
                )
            )
    assert stored(fake) == []


def test_a_file_that_shrinks_meanwhile_is_not_stored(
    on_fake: Face, fake: FakeService, tmp_path: Path
) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(CONTENT)

    class Shrinking:
        def is_set(self) -> bool:
            os.truncate(path, 100)
            return False

    with pytest.raises(InvalidInput, match="must have the size 256000, as announced; given 100 bytes"):
        on_fake(lambda svc: svc.files.upload(path, to=DRIVE, cancel=Shrinking()))
    assert stored(fake) == []


@pytest.mark.parametrize(
    ("where", "fault"),
    [("in-process", "read_timeout"), *((where, "reset") for where in EVERYWHERE)],  # a timeout takes its time
    indirect=["where"],
)
@pytest.mark.parametrize("applied", [False, True])
def test_content_is_not_sent_twice_unless_asked(
    fault: str, applied: bool, on_fake: Face, fake: FakeService
) -> None:
    getattr(fake.faults, fault)(SEND, applied=applied)
    with pytest.raises(Unreachable) as caught:
        on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x"))
    assert "It may have been stored. svc.files.resume(error.upload, source)" in str(caught.value)
    assert len(sizes(fake)) == 1
    if applied:
        with pytest.raises(Unreachable, match="the file was most likely stored"):
            on_fake(lambda svc: svc.files.resume(caught.value.upload, CONTENT))
    else:
        assert on_fake(lambda svc: svc.files.resume(caught.value.upload, CONTENT)).file_size == len(CONTENT)
    assert stored(fake) == [CONTENT]


@IN_PROCESS  # behind a socket, what stands in for no connection is one that is reset
def test_what_was_never_sent_is_sent_again(on_fake: Face, fake: FakeService) -> None:
    fake.faults.connect_error(SEND, times=2)
    fake.faults.reset("upload.drive", applied=True)
    on_fake(lambda svc: svc.files.upload(pieces(), to=DRIVE, name="x", size=len(CONTENT)))
    assert stored(fake) == [CONTENT]


def test_a_refusal_is_final(on_fake: Face, fake: FakeService) -> None:
    fake.faults.status(SEND, 413)
    with pytest.raises(Refused) as caught:
        on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x"))
    assert caught.value.upload is None


def test_a_stream_that_was_begun_cannot_be_sent_again(on_fake: Face, fake: FakeService) -> None:
    """A token that ends on the way is renewed, and then there would be nothing left to send."""
    fake.faults.status(SEND, 401)
    with pytest.raises(InvalidInput, match="upload it again, with resumable=True"):
        on_fake(lambda svc: svc.files.upload(pieces(), to=DRIVE, name="x", size=len(CONTENT)))
    fake.faults.status(SEND, 401)
    on_fake(lambda svc: svc.files.upload(pieces(), to=DRIVE, name="x", size=len(CONTENT), resumable=True))
    assert stored(fake) == [CONTENT]


def test_a_cancelled_upload_leaves_nothing(on_fake: Face, fake: FakeService) -> None:
    with pytest.raises(Cancelled, match=r"Nothing was stored; svc\.files\.resume.* sends it again") as caught:
        on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x", cancel=Cancelling(after=3)))
    assert stored(fake) == []
    on_fake(lambda svc: svc.files.resume(caught.value.upload, CONTENT))
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (True, "2026-05-31T23:30:00Z"),
        ("yesterday", "yesterday"),
        (datetime(2026, 6, 1, tzinfo=UTC), "2026-06-01T00:00:00Z"),
        (datetime(2026, 6, 1, 9, tzinfo=timezone(timedelta(hours=9))), "2026-06-01T09:00:00+09:00"),
        (None, None),
        (False, None),
    ],
)
def test_the_time_of_the_last_change(
    given: Any, sent: str | None, on_fake: Face, fake: FakeService, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x")
    moment = datetime(2026, 5, 31, 23, 30, tzinfo=UTC).timestamp()
    os.utime(path, (moment, moment))
    on_fake(lambda svc: svc.files.upload(path, to=DRIVE, modified=given))
    assert announced(fake).get("modifiedTime") == sent
    fake.journal.clear()
    with path.open("rb") as file:
        on_fake(lambda svc: svc.files.upload(file, to=DRIVE, modified=given))
    assert announced(fake).get("modifiedTime") == sent


@pytest.mark.parametrize(
    ("source", "modified", "why"),
    [
        (b"x", True, "modified=True needs a file"),
        (BytesIO(b"x"), True, "modified=True needs a file"),
        (b"x", datetime(2026, 6, 1), "has none, so it does not name an instant"),
        (__file__, 5, "modified must be a time, or True; given 5"),
    ],
)
def test_times_that_cannot_be(source: Any, modified: Any, why: str, on_fake: Face, fake: FakeService) -> None:
    before = len(fake.journal)
    with pytest.raises(InvalidInput, match=why):
        on_fake(lambda svc: svc.files.upload(source, to=DRIVE, name="x", modified=modified))
    assert len(fake.journal) == before


def test_a_bar_follows_what_is_sent(
    on_fake: Face, fake: FakeService, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.faults.reset(SEND)
    on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x.bin", resumable=100_000, progress=True))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == f"upload x.bin: 100%, {len(CONTENT)} of {len(CONTENT)} bytes"
    on_fake(lambda svc: svc.files.upload(CONTENT, to=DRIVE, name="x.bin"))
    assert capfd.readouterr() == ("", "")


def test_an_upload_to_a_place_that_takes_none(on_fake: Face) -> None:
    for place in (places.audit_logs(), DRIVE.file("f").revision("1")):
        with pytest.raises((InvalidInput, ServiceError), match="the place accepts no uploads"):
            on_fake(lambda svc, to=place: svc.files.upload(b"x", to=to, name="x"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_path_that_is_not_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with svckit.connect() as svc:
        for path in (tmp_path / "pipe", "/dev/null"):
            with pytest.raises(svckit.InvalidInput, match="is a pipe, a socket or a device"):
                svc.files.upload(path, to=svckit.places.drive("u-001"))
        assert not any(entry.operation.startswith("upload") for entry in svc.fake.journal)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="it is read from /proc")
def test_large_transfers_take_constant_memory(way: str) -> None:
    """256 MiB up and down, and 64 MiB in pieces, of which one range of 8 MiB is held."""
    command = [sys.executable, str(Path(__file__).with_name("peak.py")), way]
    # Otherwise glibc keeps large blocks of each thread after they are freed: up to 8 MiB more, at random.
    environment = {"PYTHONPATH": str(Path(__file__).parents[3]), "MALLOC_MMAP_THRESHOLD_": "131072"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 14  # measured: 7.0 to 8.1 MiB, sync and async
