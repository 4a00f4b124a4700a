"""Uploads that resume with content that has changed since."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from fakes import FakeService
from svckit.errors import Cancelled, InvalidInput, Unreachable

from ..conftest import IN_PROCESS, Face
from .ranges import CONTENT, DRIVE, RANGE, SEND, Breaking, Cancelling, broken, in_pieces, stored, upload


def changed(at: int) -> bytes:
    other = bytearray(CONTENT)
    other[at] ^= 1
    return bytes(other)


AGAIN: dict[str, Callable[[bytes], Any]] = {"bytes": bytes, "file": BytesIO, "generator": in_pieces}


@IN_PROCESS
@pytest.mark.parametrize("kind", AGAIN)
@pytest.mark.parametrize("at", [0, 10, RANGE - 1, RANGE])
def test_resuming_refuses_a_source_that_has_changed(
    kind: str, at: int, on_fake: Face, fake: FakeService
) -> None:
    """The first range was taken and the second was lost; all that was sent is compared."""
    on_fake.session.retries = 0
    error = broken(on_fake, Breaking(CONTENT, fake, at=RANGE, applied=False), Unreachable)
    assert (error.upload.offset, error.upload.sent.size) == (RANGE, 2 * RANGE)
    with pytest.raises(InvalidInput, match=r"the source has changed.*svc\.files\.upload"):
        on_fake(lambda svc: svc.files.resume(error.upload, AGAIN[kind](changed(at))))
    assert stored(fake) == []
    on_fake(lambda svc: svc.files.resume(error.upload, AGAIN[kind](CONTENT)))
    assert stored(fake) == [CONTENT]


@pytest.mark.parametrize("kind", AGAIN)
def test_upload_resumes_only_from_the_same_source(kind: str, on_fake: Face, fake: FakeService) -> None:
    fake.faults.reset(SEND)
    error = broken(on_fake, in_pieces(), Unreachable, resumable=False)
    assert error.upload.sent.size > 10
    with pytest.raises(InvalidInput, match="the source has changed"):
        on_fake(lambda svc: svc.files.resume(error.upload, AGAIN[kind](changed(10))))
    assert stored(fake) == []
    on_fake(lambda svc: svc.files.resume(error.upload, AGAIN[kind](CONTENT)))
    assert stored(fake) == [CONTENT]


def test_what_was_never_sent_may_have_changed(on_fake: Face, fake: FakeService) -> None:
    error = broken(on_fake, CONTENT, Cancelled, cancel=Cancelling(after=2))
    on_fake(lambda svc: svc.files.resume(error.upload, changed(len(CONTENT) - 1)))
    assert stored(fake) == [changed(len(CONTENT) - 1)]


def test_a_source_that_is_read_up_is_told_from_a_changed_one(on_fake: Face) -> None:
    source = in_pieces()
    error = broken(on_fake, source, Cancelled, cancel=Cancelling(after=9), resumable=1000)
    with pytest.raises(InvalidInput, match=r"ended after 0 of the 8000 bytes.*must be created again"):
        on_fake(lambda svc: svc.files.resume(error.upload, iter(())))
    with pytest.raises(InvalidInput, match="created again"):
        on_fake(lambda svc: svc.files.resume(error.upload, source))


def test_broken_comparison_is_repeated(on_fake: Face, fake: FakeService) -> None:
    error = broken(on_fake, in_pieces(), Cancelled, cancel=Cancelling(after=9), resumable=1000)
    with pytest.raises(Cancelled) as caught:
        on_fake(lambda svc: svc.files.resume(error.upload, in_pieces(), cancel=Cancelling(after=1)))
    with pytest.raises(InvalidInput, match="its first 8000 bytes"):
        on_fake(lambda svc: svc.files.resume(caught.value.upload, changed(7999)))
    on_fake(lambda svc: svc.files.resume(caught.value.upload, CONTENT))
    assert stored(fake) == [CONTENT]


class ChangesWhenSentAgain(BytesIO):
    """A file of which a byte changes after a range was read and lost, before the range is read again."""

    def __init__(self, fake: FakeService, start: int, change: int, *, applied: bool) -> None:
        super().__init__(CONTENT)
        self._start, self._change, self._reads = start, change, 0
        self._break = lambda: fake.faults.reset(SEND, applied=applied)

    def read(self, size: int | None = -1, /) -> bytes:
        if size and self.tell() == self._start:
            self._reads += 1
            if self._reads == 1:
                self._break()
            else:
                self.getbuffer()[self._change] ^= 1
        return super().read(size)


@IN_PROCESS
@pytest.mark.parametrize("applied", [False, True])
@pytest.mark.parametrize(
    ("start", "change"), [(0, 10), (0, RANGE - 1), (RANGE, RANGE), (RANGE, 2 * RANGE - 1)]
)
def test_a_range_that_has_changed_is_not_sent_again(
    start: int, change: int, applied: bool, on_fake: Face, fake: FakeService
) -> None:
    source = ChangesWhenSentAgain(fake, start, change, applied=applied)
    error = broken(on_fake, source, InvalidInput)
    assert f"its first {start + RANGE} bytes are not those that were sent before" in str(error)
    assert "If all bytes had been sent before, the file may be stored" in str(error)
    assert stored(fake) == []


@IN_PROCESS
@pytest.mark.parametrize("applied", [False, True])
def test_what_has_changed_before_a_range_is_not_looked_at_again(
    applied: bool, on_fake: Face, fake: FakeService
) -> None:
    upload(on_fake, ChangesWhenSentAgain(fake, RANGE, 10, applied=applied))
    assert stored(fake) == [CONTENT]


def test_many_uploads_report_a_file_that_has_changed(
    on_fake: Face, fake: FakeService, tmp_path: Path
) -> None:
    on_fake.session.retries = 0
    path = tmp_path / "x.bin"
    path.write_bytes(CONTENT)
    fake.faults.reset(SEND)
    first = on_fake(lambda svc: svc.files.upload_many([path], DRIVE, resumable=RANGE))
    path.write_bytes(changed(10))
    second = on_fake(lambda svc: svc.files.upload_many(first))
    assert "the source has changed" in str(second[0].error)
    assert on_fake(lambda svc: svc.files.upload_many(second)).failed == []
    assert stored(fake) == [changed(10)]
